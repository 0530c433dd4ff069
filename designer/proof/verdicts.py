"""What came of a proof: of each access pattern, and of all of them."""

from collections.abc import Callable
from typing import Literal

from pydantic import BaseModel, ConfigDict

from designer.core.plan import Style
from designer.proof.exchanges import Exchange

Status = Literal["passed", "failed", "elsewhere", "not served", "not run"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Example(_Part):
    """One case of a pattern: what was asked, what came of it, and its requests."""

    parameters: str
    came: str
    exchanges: tuple[Exchange, ...] = ()


class PatternVerdict(_Part):
    """What came of one access pattern. Figures are sums over all cases."""

    pattern: int
    name: str
    status: Status
    cases: int = 0
    failed: int = 0
    difference: str = ""
    """Of the first case that failed: how the answer or the tables differ. Of what is not served: why."""
    parameters: str = ""
    """Of the first case that failed: what was asked."""
    operation: str = ""
    """The calls it is planned as: `Query GSI1 of app`."""
    requests: int = 0
    items_expected: int | None = None
    """Rows of its answers, without what comes along with them; None where it answers no rows."""
    items_read: int = 0
    items_returned: int = 0
    order: Literal["", "as asked", "wrong"] = ""
    """Whether rows came in the order that was asked for; empty when none was."""
    refused: int = 0
    """Writes that had to be refused, and were."""
    read_units: float = 0
    """Request units as the engine reported them, those of indexes included; it reports none for what it refuses."""
    write_units: float = 0
    read_units_by_rule: float = 0
    """The same by our rules, of the items that are there; only where examples are wanted."""
    write_units_by_rule: float = 0
    requests_compared: int = 0
    """Requests whose units the engine counts as they are billed (`designer.proof.capacity`); on DynamoDB Local each
    write of a transaction as one."""
    requests_differing: int = 0
    """Of these, the ones for which it reports something else than the rules say."""
    examples: tuple[Example, ...] = ()
    """The first case of each kind: failed, passed, and of a write refused; only where wanted."""


Progress = Callable[[PatternVerdict], None]
"""Called with each pattern's verdict as it is found."""


class Verdict(_Part):
    """What came of a proof, on the engine it names."""

    engine: str
    design: str
    meaning: str
    style: Style
    problem: str = ""
    """Why the proof could not begin: a table that cannot be made, two items with one key."""
    patterns: tuple[PatternVerdict, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every pattern is served and passed, but for those that are answered elsewhere, and there was one."""
        return self.held and not self.unserved

    @property
    def held(self) -> bool:
        """Whether every pattern that the plan serves passed, and there was one."""
        statuses = {pattern.status for pattern in self.patterns}
        return not self.problem and "passed" in statuses and not statuses & {"failed", "not run"}

    @property
    def unserved(self) -> tuple[int, ...]:
        """The numbers of the patterns that the plan does not serve, in some case at least."""
        return tuple(one.pattern for one in self.patterns if one.status == "not served")

    @property
    def units(self) -> tuple[int, int]:
        """How many requests' units were compared, and for how many the engine reports others than the rules say."""
        return (
            sum(pattern.requests_compared for pattern in self.patterns),
            sum(pattern.requests_differing for pattern in self.patterns),
        )

    @property
    def count(self) -> dict[Status, int]:
        """How many patterns have each status."""
        counts: dict[Status, int] = {}
        for pattern in self.patterns:
            counts[pattern.status] = counts.get(pattern.status, 0) + 1
        return counts


Kind = Literal["failed", "answered", "empty", "refused"]
KINDS: tuple[Kind, ...] = ("failed", "answered", "empty", "refused")
"""How a case may come out; of each kind the first is kept as an example."""
