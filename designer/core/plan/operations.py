"""How each access pattern is served, and what follows its writes."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import Field

from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.messages.reasoned import Reasoned
from designer.core.patterns.document import Scalar
from designer.core.plan.base import Part
from designer.core.plan.steps import Crossing, ItemCondition, Step, Worst
from designer.core.words.english import a, joined


class Parameter(Part):
    """A value that the caller gives: a scalar, a list of scalars, or a list of rows with the given `fields`."""

    name: str
    type: str = "S"
    format: str | None = None
    optional: bool = False
    list: bool = False
    fields: tuple["Parameter", ...] = ()
    """For a list of rows: the fields of each row."""


class ResultPart(Part):
    """Rows of the result: the steps and shapes they come from, and how the caller filters, sorts and cuts them.

    `name` is `rows` for what the pattern returns, or the relationship of related items.
    """

    name: str
    steps: tuple[str, ...]
    shapes: tuple[str, ...]
    keep: tuple[ItemCondition, ...] = ()
    """Conditions that the caller tests on the rows."""
    crossed: Crossing | None = None
    """Then the caller keeps one row of each group that has all elements of a list."""
    order: tuple[str, ...] = ()
    """How the caller sorts the merged rows: `placedAt descending`. If empty, they keep the order of the read."""
    limit: int | None = None
    then_keep: tuple[ItemCondition, ...] = ()
    """Conditions that the caller tests on the rows that are left after `limit`; no other row takes a place."""
    per: tuple[tuple[str, str], ...] = ()
    """For related items: pairs of their attribute and the row's attribute. The limit applies to each row. Items that
    belong to no row of `rows` are left out."""
    required: bool = False
    """For related items: a row of `rows` without any of them is left out."""
    take: dict[str, str] = Field(default_factory=dict)
    """The part has no steps. Each row of `rows` that meets `keep` holds it: its attributes, each with the row's."""
    entity: str | None = None
    """For `take`: the entity of the item."""
    completes: str | None = None
    """These rows are not part of the result. Each row of the named part takes the attributes of the row with
    equal values in `per`."""
    adds: tuple[str, ...] = ()
    """With `completes`: instead, each row adds to these numbers the numbers of all rows with equal values in `per`."""


ResultKind = Literal["rows", "one", "count", "exists", "sum", "greatest", "least", "written"]


class Result(Part):
    """How the results of the steps become the result of the operation."""

    kind: ResultKind
    attribute: str | None = None
    """For sum, greatest and least."""
    parts: tuple[ResultPart, ...] = ()


Beyond = Literal["pages", "partition", "largest", "answer"]


class Operation(Part, Reasoned):
    """How a plan serves one pattern. With optional conditions, it has one operation for each set that is given."""

    pattern: int
    given: tuple[str, ...] | None = None
    """For patterns with optional conditions: the optional parameters given in this case; else None."""
    answer: Literal["in one request", "in several requests", "elsewhere", "not served"]
    parameters: tuple[Parameter, ...] = ()
    constants: dict[str, tuple[Scalar, ...]] = Field(default_factory=dict)
    """Fixed lists. Steps use their names like those of parameters."""
    steps: tuple[Step, ...] = ()
    until_none: bool = False
    """For a delete through an index: repeat all steps until the reads find nothing. Ignore refused deletes, because an
    index lags behind its table."""
    result: Result | None = None
    requests: float = 0.0
    """Requests on average."""
    read_units: float = 0.0
    write_units: float = 0.0
    """Average units on the table and all indexes."""
    worst: Worst | None = None
    """The worst case of a read or a write; its `read` and `units` are what it reads. None: the same as on average."""
    beyond: tuple[Beyond, ...] = ()
    """Why it is served only on average. `pages`: in the worst case, a Query reads more than a few pages and returns
    little of them, or asks for page after page. `partition`: at its peak, it alone puts more load on the busiest
    partition than a partition can serve. `largest`: the parts of its answer without a limit take more than a few pages
    more if they are the largest collections that are stated. And why it is served only in many pages. `answer`: each
    time it returns more than a few."""
    usd_per_month: float | None = None
    """None when the pattern has no rate."""
    sentence: str = ""
    """A summary of the operation in one line."""

    @property
    def requests_at_worst(self) -> float:
        return max(self.requests, self.worst.requests if self.worst is not None else 0.0)


Happening = Literal["creation", "change", "removal"]


class Upkeep(Part):
    """What a stream consumer does after an item is created, changed or removed: it updates copies of its attributes, or
    aggregates over it.

    It runs at least once for each change, in the order of the item's changes. A repeated run does no harm to a copy,
    or to a greatest or least value, but counts and sums add the change twice.
    """

    after: str
    """The change after which it runs: `change of Product.name`."""
    table: str
    """The table whose stream delivers the change."""
    entity: str
    """The shape of the item that changed."""
    on: tuple[Happening, ...] = ("change", "removal")
    """The kinds of change to the item."""
    attributes: dict[str, str] = Field(default_factory=dict)
    """Parameters with the attribute that they take from the item after the change. A removed item gives no values."""
    before: dict[str, str] = Field(default_factory=dict)
    """Parameters with the attribute that they take from the item before the change. A new item gives no values."""
    watch: tuple[str, ...] = ()
    """It runs if one of these attributes changed. If empty, it runs if one of `attributes` changed."""
    unless: tuple[str, ...] = ()
    """It does not run if one of these attributes changed."""
    figures: tuple[str, ...] = ()
    """The aggregates over the item that it keeps up to date: `Customer.orderCount`."""
    patterns: tuple[int, ...] = ()
    """Numbers of the access patterns that cause such changes."""
    parameters: tuple[Parameter, ...] = ()
    """The parameters in `attributes` and `before`, and the item's identifier if a step uses it."""
    steps: tuple[Step, ...] = ()
    per_second: float | None = None
    """Average changes a second. None if no pattern that causes them has a rate."""
    peak_per_second: float | None = None
    requests: float = 0.0
    """Average requests for each run. The units are averages, too."""
    read_units: float = 0.0
    write_units: float = 0.0
    usd_per_month: float | None = None
    sentence: str = ""

    @property
    def read_units_per_month(self) -> float | None:
        return self._per_month(self.read_units)

    @property
    def write_units_per_month(self) -> float | None:
        """What it adds to the writes that it follows. None if nothing that causes it has a rate."""
        return self._per_month(self.write_units)

    def _per_month(self, units: float) -> float | None:
        return None if self.per_second is None else self.per_second * units * SECONDS_PER_MONTH

    @property
    def watched(self) -> tuple[str, ...]:
        """It runs if one of these attributes changed."""
        return self.watch or tuple(self.attributes.values())

    @property
    def event(self) -> str:
        """`after` in a sentence: `a change to Product.name`, `a new Tagging or a change to its tag`."""
        changes = f" or a change to its {joined(self.watched, 'or')}" if "change" in self.on else ""
        if "creation" in self.on:
            return f"a new {self.entity}{changes}"
        if self.figures and "removal" in self.on:
            return f"the removal of {a(self.entity)}{changes}"
        changed = [f"{self.entity}.{name}" for name in self.watched]
        return f"a change to {joined(changed, 'or')}" if changed else f"a {self.after}"

    @property
    def keeps(self) -> str:
        """What it keeps up to date, in a sentence: `Customer.orderCount`, `copies of Product.name`."""
        if self.figures:
            return joined(self.figures)
        return f"copies of {joined([f'{self.entity}.{name}' for name in self.watched])}"

    def runs(self, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> bool:
        """Whether it runs after a change of an item from `before` to `now`. None: there is no item."""
        happened = "creation" if before is None else "removal" if now is None else "change"
        was, is_ = before or {}, now or {}

        def differs(names: Iterable[str]) -> bool:
            return any(was.get(name) != is_.get(name) for name in names)

        return happened in self.on and differs(self.watched) and not differs(self.unless)

    def given(
        self, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """The values of its parameters."""
        was, is_ = before or {}, now or {}
        new = {name: is_.get(of) for name, of in self.attributes.items()}
        return {**was, **new, **{name: was.get(of) for name, of in self.before.items()}}

    @property
    def operation(self) -> Operation:
        """The same as an operation, which is run with the parameters."""
        return Operation(
            pattern=0,
            answer="in several requests",
            parameters=self.parameters,
            steps=self.steps,
            requests=self.requests,
            read_units=self.read_units,
            write_units=self.write_units,
        )
