"""Why a plan is as it is: decisions, findings, assumptions and certificates."""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

from designer.core.messages import Message, say, text
from designer.core.messages.reasoned import NOTHING, Choosing, Reasoned, Worded
from designer.core.plan.base import Part


class Rejected(Choosing):
    """A rejected choice and its total cost (None if it cannot serve the patterns or is not priced)."""

    per_month: float | None = None

    @property
    def because(self) -> str:
        """The reasons in words."""
        # They are remarks, which may stand in brackets, and no sentences.
        return "; ".join(map(text, self.reasons))


class Decision(Choosing):
    """A choice, the patterns it serves, its alternatives, and the price."""

    about: str
    """Its subject: `table shop`, `index shop/GSI1`, `key Order`, `guard User.email`, `pattern 7`."""
    serves: tuple[int, ...] = ()
    per_month: float | None = None
    instead_of: tuple[Rejected, ...] = ()

    @property
    def heading(self) -> Message:
        """What it is about, for readers."""
        kind, _, names = self.about.partition(" ")
        return say(_HEADINGS[kind], names=tuple(names.split()) if kind == "together" else names)


_HEADINGS = {
    "apart": "about-apart",
    "copy": "about-copy",
    "figure": "about-figure",
    "guard": "about-guard",
    "index": "about-index",
    "key": "about-key",
    "look-up": "about-look-up",
    "pattern": "about-pattern",
    "pin": "about-pin",
    "pins": "about-pins",
    "shards": "about-shards",
    "table": "about-table",
    "together": "about-together",
}
"""By the first word of what a decision is about."""


class Finding(Part, Worded):
    """A problem that the team should know about. `where` is the path of the part of the design that it is about."""

    WORDS: ClassVar[Mapping[str, str]] = {"message": "problem", "remedy": "solution"}

    rule: str
    severity: Literal["error", "warning", "advice"]
    where: str
    problem: Message = NOTHING
    """What is wrong, as data: the `id` of a sentence, and its `values`."""
    solution: Message = NOTHING
    """What helps, as data."""

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        return text(self.problem)

    @property
    def remedy(self) -> str:
        """What helps, in words."""
        return text(self.solution)

    @property
    def words(self) -> tuple[str, ...]:
        """All that a person reads of it. Two findings with the same words are one, even if their values differ by
        less than the words show."""
        return self.rule, self.severity, self.where, self.message, self.remedy


def each_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings; of those with the same words, only the first."""
    found: dict[tuple[str, ...], Finding] = {}
    for finding in findings:
        found.setdefault(finding.words, finding)
    return tuple(found.values())


class Effect(Part):
    """The average cost of one read or write if an assumed figure had another value."""

    requests: float
    units: float
    """Read units."""
    write_units: float = 0.0


class Use(Part):
    """A read or write whose figures depend on an assumption: what it takes at the lowest and the highest value."""

    pattern: int
    given: tuple[str, ...] | None = None
    """For patterns with optional conditions: the optional parameters given in this case; else None."""
    low: Effect
    high: Effect


class Sized(Part):
    """The plan if an assumed size, or the share of a value, were another."""

    item_bytes: float
    """Of the average item, with its keys."""
    per_month: float
    """What the plan costs, in US dollars."""
    exceeds: bool = False
    """Whether a limit is exceeded that is kept with the assumed size: DynamoDB's, or the team's."""


Assumption = Literal[
    "share",
    "values",
    "children",
    "items",
    "list",
    "together",
    "size",
    "flag",
    "value",
    "busiest",
    "moves",
]


class Assumed(Part):
    """A figure that nobody stated and that does not follow from stated figures."""

    what: Assumption
    """`share`: the share of items that a condition keeps; `values`: an attribute's different values; `children`: the
    children of one parent; `items`: the items of an entity; `list`: the length of a list that a caller gives;
    `together`: the items that have the values of several attributes; `size`: the average bytes of an attribute's
    value; `flag`: of the items that have an attribute, the share in which it is true; `value`: of these, the share in
    which it has one of its possible values; `busiest`: the share of its most common value, by which a key is as hot;
    `moves`: of an update in which callers give an attribute's value, the share in which they give one of these."""
    where: str
    """The part of the design that could state it: `patterns.7`, `entities.Order.attributes.email`."""
    of: str
    """Its subject: the attribute of a condition or a list, an attribute, several (`tenantId, folder`), a relationship
    or an entity."""
    has: str = ""
    """Of `value` and `moves`: the possible value, `OPEN`; empty for the most common one, where callers give it."""
    value: float
    low: float
    """The lowest plausible value."""
    high: float
    """The highest plausible value."""
    used: tuple[Use, ...] = ()
    usd_per_month: float = 0.0
    """The difference in the cost of these reads between the lowest and the highest value, at average rates. Of a size,
    a flag, a value, a busiest value or moves, the difference in the cost of the whole plan."""
    at_low: Sized | None = None
    """Of a size, a flag, a value, a busiest value or moves: the plan with the lowest value."""
    at_high: Sized | None = None


class Certificate(Reasoned):
    """The reason why the plan cannot have fewer indexes."""

    indexes_at_least: int
    patterns: tuple[int, ...] = ()
