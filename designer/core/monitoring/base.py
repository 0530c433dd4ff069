"""What an alarm is, and what its kinds have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from designer.core.design.document import Design
from designer.core.plan import Operation, Plan, Step, Upkeep

METRICS = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html"
RECOMMENDED = (
    "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/"
    "Best_Practice_Recommended_Alarms_AWS_Services.html#DynamoDB"
)
MINUTE = 60
"""Seconds over which most of DynamoDB's metrics are gathered."""


@dataclass(frozen=True)
class Alarm:
    """One CloudWatch alarm: it sounds when so many periods in a row are above a threshold.

    DynamoDB sends most metrics only where they are not zero, so missing data is well.
    """

    kind: str
    """Slug of its kind."""
    table: str | None
    """None for an alarm about what reads the tables' streams."""
    index: str | None
    metric: str
    statistic: Literal["Sum", "Average", "Maximum"]
    threshold: int
    """In the metric's own unit, over one period."""
    unit: str
    """One of what is counted: `event`, `ms`."""
    periods: int
    """So many in a row must be above it."""
    because: str
    """How the threshold follows from the design, as a sentence."""
    operation: str | None = None
    """The call, for metrics that are told apart by it."""
    namespace: str = "AWS/DynamoDB"
    period: int = MINUTE
    """Seconds."""

    @property
    def watches(self) -> str:
        """The table, index and call: `shop-main/GSI1`, `shop-main, GetItem`."""
        place = self.table or "the streams' consumer"
        if self.index is not None:
            place += f"/{self.index}"
        return f"{place}, {self.operation}" if self.operation else place

    @property
    def condition(self) -> str:
        """When it sounds: `Sum over 1 minute above 240 units, 5 times in a row`."""
        minutes = self.period // MINUTE
        over = "1 minute" if minutes == 1 else f"{minutes} minutes"
        times = f", {self.periods} times in a row" if self.periods > 1 else ""
        units = self.unit if self.unit == "ms" or self.threshold == 1 else f"{self.unit}s"
        return f"{self.statistic} over {over} above {self.threshold:,} {units}{times}"


class Kind(ABC):
    """One thing to watch. To add one, write a module in `kinds/` with a subclass."""

    slug: ClassVar[str]
    place: ClassVar[int]
    """Where it stands among the others."""
    title: ClassVar[str]
    """What it warns of."""
    then: ClassVar[str]
    """What to do when it sounds."""
    source: ClassVar[str]
    otherwise: ClassVar[str]
    """Why there is none, where there is none."""

    @abstractmethod
    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        """Its alarms for a plan."""


@dataclass(frozen=True)
class Called:
    """A step of an operation or of upkeep, and how often it is run at peak."""

    step: Step
    calls_per_second: float
    """Requests a second that the step makes when everything is at its peak."""
    of: Operation | Upkeep


def called(design: Design, plan: Plan) -> Iterator[Called]:
    """Every step that has a rate, at the peak of what runs it. Cases of one pattern share its rate equally."""
    for operation in plan.operations:
        rate = design.pattern(operation.pattern).rate
        if rate is None:
            continue
        peak = rate.average if rate.peak is None else rate.peak
        cases = len(plan.operations_for(operation.pattern))
        for step in operation.steps:
            yield Called(step, peak / cases * step.expects.requests, operation)
    for upkeep in plan.upkeep:
        for step in upkeep.steps:
            yield Called(step, (upkeep.peak_per_second or 0) * step.expects.requests, upkeep)


def tables_of(step: Step) -> tuple[str, ...]:
    """The tables that a step reads or writes."""
    return tuple(dict.fromkeys(member.table for member in step.members)) or (step.table,)
