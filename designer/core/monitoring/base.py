"""What an alarm is, and what its kinds have in common."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from designer.core.design.document import Design
from designer.core.dynamodb.prices import ALARM_METRIC_MONTH
from designer.core.plan import Operation, Plan, Step, Upkeep
from designer.core.rational import Fraction
from designer.core.words.english import joined

METRICS = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html"
RECOMMENDED = (
    "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/"
    "Best_Practice_Recommended_Alarms_AWS_Services.html#DynamoDB"
)
MOST_SUMMED = 10
"""Metrics in an alarm that adds several up.

https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
"""
MINUTE = 60
"""Seconds over which most of DynamoDB's metrics are gathered."""


@dataclass(frozen=True)
class Metric:
    """What CloudWatch is asked for: a metric of a table, an index, or a call on a table."""

    name: str
    table: str | None
    """None for what reads the tables' streams."""
    index: str | None = None
    operation: str | None = None

    @property
    def dimensions(self) -> dict[str, str]:
        """By name; the function that reads the streams is for a template to say, so it is empty."""
        if self.table is None:
            return {"FunctionName": ""}
        found = {
            "TableName": self.table,
            "GlobalSecondaryIndexName": self.index,
            "Operation": self.operation,
        }
        return {name: value for name, value in found.items() if value is not None}


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
    """Its name, or what the sum of several is called."""
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
    summed: tuple[Metric, ...] = ()
    """The metrics that it adds up, at most MOST_SUMMED; empty where it looks at one."""

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """All that it looks at."""
        return self.summed or (Metric(self.metric, self.table, self.index, self.operation),)

    @property
    def looks_at(self) -> str:
        """The metrics by name, with their calls: `SystemErrors (GetItem, Query)`."""
        names: dict[str, list[str]] = {}
        for each in self.metrics:
            names.setdefault(each.name, [])
            if self.summed and each.operation:
                names[each.name].append(each.operation)
        return " + ".join(f"{n} ({', '.join(calls)})" if calls else n for n, calls in names.items())

    @property
    def watches(self) -> str:
        """The table, index and call: `shop-main/GSI1`, `shop-main, GetItem`."""
        place = self.table or "the stream consumer"
        if self.index is not None:
            place += f"/{self.index}"
        indexes = dict.fromkeys(each.index for each in self.summed if each.index is not None)
        if indexes:
            place += f" with {joined(list(indexes))}"
        return f"{place}, {self.operation}" if self.operation else place

    @property
    def condition(self) -> str:
        """When it sounds: `Sum over 1 minute above 240 units, 5 times in a row`."""
        minutes = self.period // MINUTE
        over = "1 minute" if minutes == 1 else f"{minutes} minutes"
        times = f", {self.periods} times in a row" if self.periods > 1 else ""
        units = self.unit if self.unit == "ms" or self.threshold == 1 else f"{self.unit}s"
        return f"{self.statistic} over {over} above {self.threshold:,} {units}{times}"


def rounding(allowed: float) -> str:
    """What is added to the share that a threshold is, where it is not that exactly: `, rounded up`."""
    if allowed < 1:
        return ", but at least 1"
    return "" if round(allowed, 6).is_integer() else ", rounded up"


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
    essential: ClassVar[bool] = False
    """Whether it sounds for what users notice: then it is among the alarms that a template has first."""

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


def usd_per_month(alarms: Iterable[Alarm]) -> Fraction:
    """What CloudWatch asks for the alarms: for each metric that one looks at."""
    return sum((len(alarm.metrics) * ALARM_METRIC_MONTH for alarm in alarms), Fraction(0))
