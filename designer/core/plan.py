"""The plan document: tables, item shapes, and the operations that serve each access pattern.

It is complete: any program can create the tables, write the items and run every operation from this document alone.
`docs/plan-format.md` explains every field. Texts in `set`, `key`, `values` and conditions are key templates
(see `designer.core.keys`); a value may also be `{value: 5}`, a constant with its type.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from designer.core.messages import Message, text
from designer.core.messages.reasoned import NOTHING, Choosing, Reasoned, Worded
from designer.core.patterns.base import Scalar

FORMAT = 1

Style = Literal["single", "multi", "grouped"]
STYLES: tuple[Style, ...] = ("single", "multi")
"""The two that every design is shown in, side by side."""
ALL_STYLES: tuple[Style, ...] = (*STYLES, "grouped")
"""With `grouped`, the style between the two: a shared table for each group of entities that belong together."""


class Part(BaseModel):
    """A part of the plan document."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Constant(Part):
    """A constant with its type."""

    value: Scalar


Expression = str | Constant
"""A key template, or a typed constant."""
Sum = Expression | tuple[Expression, ...]
"""A number, or several whose sum is taken; missing ones are left out."""


KeyType = Literal["S", "N", "B"]


class KeyAttribute(Part):
    """A key attribute and its type."""

    name: str
    type: KeyType


class Key(Part):
    """The primary key of a table."""

    partition: KeyAttribute
    sort: KeyAttribute | None = None


class Projection(Part):
    """The attributes that an index holds in addition to its keys and the table's."""

    type: Literal["ALL", "KEYS_ONLY", "INCLUDE"]
    attributes: tuple[str, ...] = ()


class Index(Part):
    """A secondary index: one partition attribute and at most one sort attribute, or more with multi-attribute keys."""

    name: str
    kind: Literal["global", "local"] = "global"
    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...] = ()
    projection: Projection
    sparse: bool = False
    """Whether it leaves out some items of its shapes on purpose."""
    serves: tuple[int, ...] = ()
    """Numbers of the access patterns that read it, directly or in the `upkeep` that follows them."""


class Source(Part):
    """Where a copied attribute comes from: the item of another entity that `per` identifies."""

    entity: str
    attribute: str
    """The attribute of that item. It can be a copy, too."""
    per: tuple[tuple[str, str], ...]
    """Pairs of attributes that have equal values: one of that item, and one of this item."""


class StoredAttribute(Part):
    """An attribute of an item. It is `optional` if some items lack it."""

    type: str
    optional: bool = False
    from_: Source | None = Field(None, alias="from")
    """For a copy that the plan keeps for reads: its source. The entity itself does not have this attribute."""


class Place(Part):
    """Where an embedded item is stored: in an attribute of another item of the same table."""

    shape: str
    """The shape of the outer item."""
    attribute: str
    at: str | None = None
    """A template for its name in the map that the attribute holds. None: the attribute holds this one item."""
    same: dict[str, str] = Field(default_factory=dict)
    """Attributes that identify the outer item: each name in this item, with the name in the outer item."""


class Shape(Part):
    """One kind of item in a table."""

    shape: str
    entity: str
    role: Literal[
        "entity", "edge", "copy", "guard", "counter", "aggregate", "embedded", "split"
    ] = "entity"
    guards: tuple[str, ...] = ()
    """For a guard: the attributes whose values it keeps unique, or by which it finds the key of an item."""
    counts: tuple[str, ...] = ()
    """For a counter: the numbers that it counts for its entity's item. It holds additions since the item's creation."""
    shards: int | None = None
    """For a counter: how many each item has. `{each.number}` in `set` is 0 in the first, 1 in the second."""
    holds: dict[str, str] = Field(default_factory=dict)
    """Attributes that hold embedded items, each with the shape of these."""
    inside: Place | None = None
    """For an embedded item: where it is stored."""
    set: dict[str, str] = Field(default_factory=dict)
    """Attributes that the plan adds, each with a template over the entity's attributes."""
    attributes: dict[str, StoredAttribute] = Field(default_factory=dict)
    """The entity's attributes that this item holds, under their own names."""
    bytes: float = 0.0
    """The average size of an item in bytes, including its keys and attribute names."""
    items: float = 0.0
    """The number of items."""


class Table(Part):
    """A table, its indexes and the shapes of its items."""

    name: str
    key: Key
    indexes: tuple[Index, ...] = ()
    ttl: str | None = None
    stream: Literal["keys-only", "new", "old", "new-and-old"] | None = None
    recovery_days: int = 35
    table_class: Literal["standard", "infrequent-access"] = "standard"
    serves: tuple[int, ...] = ()
    """Numbers of the access patterns that use the table itself."""
    items: tuple[Shape, ...] = ()


class Parameter(Part):
    """A value that the caller gives: a scalar, a list of scalars, or a list of rows with the given `fields`."""

    name: str
    type: str = "S"
    format: str | None = None
    optional: bool = False
    list: bool = False
    fields: tuple["Parameter", ...] = ()
    """For a list of rows: the fields of each row."""


class KeyCondition(Part):
    """A condition of a Query on a key attribute. It has exactly one test."""

    attribute: str
    equals: Expression | None = None
    begins_with: Expression | None = None
    between: tuple[Expression, Expression] | None = None
    from_: Expression | None = Field(None, alias="from")
    after: Expression | None = None
    to: Expression | None = None
    below: Expression | None = None


class ItemCondition(Part):
    """A condition on an attribute of an item, in a filter, before a write, or when the caller cuts results.

    All its tests must hold. `same_as` names a read step: the attribute must still have the value that this step read,
    or still be missing.
    """

    attribute: str
    """An attribute, or the leading part of its time: `date(readAt)`."""
    is_: Expression | None = Field(None, alias="is")
    any_of: str | None = None
    """The name of a list parameter."""
    from_: Expression | None = Field(None, alias="from")
    after: Expression | None = None
    to: Expression | None = None
    below: Expression | None = None
    begins_with: Expression | None = None
    contains: Expression | None = None
    not_: Expression | None = Field(None, alias="not")
    """The attribute is missing or has another value."""
    exists: bool | None = None
    same_as: str | None = None
    below_or_missing: Expression | None = None
    """The attribute is missing or smaller, for a conditional maximum."""
    above_or_missing: Expression | None = None
    """The attribute is missing or greater, for a conditional minimum."""
    shape: str | None = None
    """The condition applies only to items of this shape. If absent, it applies to all items."""


class Periods(Part):
    """All periods of a key template's form, such as months, from one time to another. Both ends are included."""

    form: Literal["year", "month", "date", "hour"]
    from_: Expression = Field(alias="from")
    to: Expression
    newest_first: bool = False
    until_enough: bool = False
    """The step stops after the period in which it has read as many rows as its `until` states."""


class Repeat(Part):
    """The step runs once for each row of an earlier step or element of a list parameter, and each period and number.

    With `distinct`, it runs only once for equal keys.
    """

    rows: str | None = None
    shape: str | None = None
    """Use only rows of this shape. It is stated if the earlier step returns several shapes."""
    keep: tuple[ItemCondition, ...] = ()
    """Use only rows that meet these conditions."""
    order: tuple[str, ...] = ()
    """Sort the rows like a part of the result: `placedAt descending`. If empty, keep the order of the read."""
    limit: int | None = None
    """Then use at most this number of rows in total."""
    values: str | None = None
    periods: Periods | None = None
    """`{each.period}` is the current one."""
    numbers: int | None = None
    """Run for each whole number from 0 to one below this: the shards of a key. `{each.number}` is the current one."""
    drawn: int | None = None
    """Run for one random whole number from 0 to one below this. `{each.number}` is this number."""
    distinct: bool = False


class Worst(Part):
    """The worst case of a read that is stated, or follows from what is stated.

    It reads the largest stated collection (a relationship's `most`, or the busiest value's share), or else one of
    average size. Nothing may meet the conditions that are tested after the read, so a limit may not end it early.
    """

    requests: float = 0.0
    read: float = 0.0
    units: float = 0.0


class Expected(Part):
    """The average cost of a step."""

    requests: float = 0.0
    read: float = 0.0
    returned: float = 0.0
    bytes: float = 0.0
    units: float = 0.0
    """Read request units of a read step, write request units of a write step."""
    busiest_units: float | None = None
    """Read request units of a Query for the busiest value of its partition key. None: the same as on average."""
    worst: Worst | None = None
    """The worst case of a read step. None: the same as on average."""
    index_units: dict[str, float] = Field(default_factory=dict)
    """For a write step: the write request units on each index, by `table/index`. They are not part of `units`."""


class Written(Part):
    """The change or check of one item. Exactly one of `put`, `update`, `delete` and `check` is stated: its shape."""

    put: str | None = None
    update: str | None = None
    delete: str | None = None
    check: str | None = None
    values: dict[str, Expression] = Field(default_factory=dict)
    set: dict[str, Expression] = Field(default_factory=dict)
    remove: tuple[str, ...] = ()
    if_: tuple[ItemCondition, ...] = Field((), alias="if")
    for_each: Repeat | None = None

    @property
    def verb(self) -> str:
        return next(verb for verb in ("put", "update", "delete", "check") if getattr(self, verb))

    @property
    def shape(self) -> str:
        name: str = getattr(self, self.verb)
        return name


class Inner(Written):
    """The change of an item that is embedded in the written item."""

    add: dict[str, Expression] = Field(default_factory=dict)
    """Numbers to add; a text that starts with `-` before the brace subtracts: `-{quantity}`."""
    at: Expression | None = None
    """Its name in the map. None: the attribute holds this one item."""
    exists: bool | None = None
    """The write is refused unless the item exists (true) or does not exist (false)."""


class Member(Written):
    """One item that a write step writes or checks.

    A member is left out if its key is missing or its two `unless_same` texts are equal. If the value of an entry is
    missing, an entry of `set` removes the attribute, and an entry of `values` is left out.
    """

    table: str
    key: dict[str, Expression] = Field(default_factory=dict)
    add: dict[str, Sum] = Field(default_factory=dict)
    """Numbers to add; a text that starts with `-` before the brace subtracts: `-{quantity}`.

    For a put, the caller adds them to `values` before sending it.
    """
    greatest: dict[str, tuple[Sum, ...]] = Field(default_factory=dict)
    """Set each attribute to the greatest of these values; missing ones are left out. For an update or a put."""
    least: dict[str, tuple[Sum, ...]] = Field(default_factory=dict)
    append: dict[str, Expression] = Field(default_factory=dict)
    """Lists to append to list attributes. A missing attribute counts as an empty list. For an update."""
    include: dict[str, Expression] = Field(default_factory=dict)
    """Elements to add to set attributes. For an update."""
    exclude: dict[str, Expression] = Field(default_factory=dict)
    """Elements to remove from set attributes. For an update."""
    any_: tuple[tuple[ItemCondition, ...], ...] = Field((), alias="any")
    """In addition to `if`, all conditions of at least one of these groups must hold."""
    unless_same: tuple[str, str] | None = None
    joins: bool = False
    """In a transaction: if another member writes the same item, this member becomes part of that one."""
    inside: tuple[Inner, ...] = ()
    """Changes of items that are embedded in it, in the same request."""


T = TypeVar("T")


def of_one_item(members: Iterable[tuple[Member, Hashable, T]]) -> list[tuple[T, ...]]:
    """For each request of a transaction, the values of its members: the leading one first, then those that join it.

    `members`: each with the item that it writes, and its value.
    """
    found: dict[Hashable, list[tuple[Member, T]]] = {}
    for member, item, stands in members:
        found.setdefault(item, []).append((member, stands))
    requests = []
    for about in found.values():
        leader = min(about, key=lambda one: (one[0].verb == "check", one[0].joins))
        others = [one for one in about if one is not leader]
        requests.append((leader[1], *(stands for member, stands in others if member.joins)))
        requests += [(stands,) for member, stands in others if not member.joins]
    return requests


READS = frozenset({"GetItem", "Query", "BatchGetItem", "TransactGetItems"})
WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"})


Call = Literal[
    "GetItem",
    "Query",
    "BatchGetItem",
    "TransactGetItems",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
]
Pages = Literal["one", "all", "until"]


class Step(Part):
    """One request, or one for each element of `for_each`."""

    id: str
    call: Call
    table: str
    index: str | None = None
    for_each: Repeat | None = None
    key: dict[str, Expression] = Field(default_factory=dict)
    """The primary key. For GetItem, BatchGetItem and TransactGetItems."""
    also: tuple[dict[str, Expression], ...] = ()
    """Further keys for the same BatchGetItem or TransactGetItems, each time it runs."""
    where: tuple[KeyCondition, ...] = ()
    """The key condition of a Query."""
    filter: tuple[ItemCondition, ...] = ()
    project: tuple[str, ...] | None = None
    """The attributes to return. If absent, all."""
    from_keys: dict[str, str] = Field(default_factory=dict)
    """Attributes that the index does not hold, each with the key attribute whose text has its value. The shape's `set`
    has the template that wrote the text."""
    forward: bool = True
    limit: int | None = None
    """The most items that one page reads."""
    pages: Pages = "one"
    """`until`: read pages until the parts in `until` have the stated number of rows, or there are no more pages."""
    until: dict[str, int] = Field(default_factory=dict)
    consistent: bool = False
    count: bool = False
    """Return only the number of items."""
    shapes: tuple[str, ...] = ()
    """The shapes that a read step may return. If the range has other shapes, too, `type_attribute` tells them apart."""
    when_missing: Literal["stop", "go on"] = "go on"
    """`stop`: if the step finds nothing, the operation ends. A read returns nothing, and a write is refused."""
    members: tuple[Member, ...] = ()
    """For writes: one member, or several in a transaction or a batch."""
    expects: Expected = Expected()


class ResultPart(Part):
    """Rows of the result: the steps and shapes they come from, and how the caller filters, sorts and cuts them.

    `name` is `rows` for what the pattern returns, or the relationship of related items.
    """

    name: str
    steps: tuple[str, ...]
    shapes: tuple[str, ...]
    keep: tuple[ItemCondition, ...] = ()
    """Conditions that the caller tests on the rows."""
    order: tuple[str, ...] = ()
    """How the caller sorts the merged rows: `placedAt descending`. If empty, they keep the order of the read."""
    limit: int | None = None
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


Beyond = Literal["pages", "partition", "answer"]


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
    """The worst case of a read, of a write of several items, or of a deletion of all that meet conditions; its `read`
    and `units` are what it reads. None: the same as on average."""
    beyond: tuple[Beyond, ...] = ()
    """Why it is served only on average. `pages`: in the worst case, a Query reads more than a few pages and returns
    little of them. `partition`: at its peak, it alone takes more than the busiest partition serves. And why it is
    served only in many pages. `answer`: each time it returns more than a few."""
    usd_per_month: float | None = None
    """None when the pattern has no rate."""
    sentence: str = ""
    """A summary of the operation in one line."""


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
    """The kinds of change of the item."""
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

    def runs(self, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> bool:
        """Whether it runs after a change of an item from `before` to `now`. None: there is no item."""
        happened = "creation" if before is None else "removal" if now is None else "change"
        was, is_ = before or {}, now or {}

        def differs(names: Iterable[str]) -> bool:
            return any(was.get(name) != is_.get(name) for name in names)

        watched = self.watch or self.attributes.values()
        return happened in self.on and differs(watched) and not differs(self.unless)

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


class Rejected(Choosing):
    """A rejected choice and its total cost (None if it cannot serve the patterns or is not priced)."""

    per_month: float | None = None


class Decision(Choosing):
    """A choice, the patterns it serves, its alternatives, and the price."""

    about: str
    """Its subject: `table shop`, `index shop/GSI1`, `key Order`, `guard User.email`, `pattern 7`."""
    serves: tuple[int, ...] = ()
    per_month: float | None = None
    instead_of: tuple[Rejected, ...] = ()


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
    """The average cost of one read if an assumed figure had another value."""

    requests: float
    units: float


class Use(Part):
    """A read whose figures depend on an assumption: its cost with the lowest and with the highest plausible value."""

    pattern: int
    given: tuple[str, ...] | None = None
    """For patterns with optional conditions: the optional parameters given in this case; else None."""
    low: Effect
    high: Effect


Assumption = Literal["share", "values", "children", "items", "list"]


class Assumed(Part):
    """A figure that nobody stated and that does not follow from stated figures."""

    what: Assumption
    """`share`: the share of items that a condition keeps; `values`: an attribute's different values; `children`: the
    children of one parent; `items`: the items of an entity; `list`: the length of a list that a caller gives."""
    where: str
    """The part of the design that could state it: `patterns.7`, `entities.Order.attributes.email`."""
    of: str
    """Its subject: the attribute of a condition or a list, an attribute, a relationship or an entity."""
    value: float
    low: float
    """The lowest plausible value."""
    high: float
    """The highest plausible value."""
    used: tuple[Use, ...] = ()
    usd_per_month: float = 0.0
    """The difference in the cost of these reads between the lowest and the highest value, at average rates."""


class Cost(Part):
    """US dollars a month of 30 days at average rates."""

    per_month: float
    reads_per_month: float = 0.0
    writes_per_month: float = 0.0
    storage_per_month: float = 0.0
    currency: Literal["USD"] = "USD"
    bound: float
    """A lower bound: no plan over the same candidates costs less."""
    gap: float
    """The share by which the cost exceeds the bound."""
    cheapest: float | None = None
    """The cost of the cheapest plan over these candidates, if the simplest plan was chosen instead."""
    peak_per_month: float = 0.0
    """The cost if every pattern ran at its peak for the whole month."""
    without_patterns: tuple[int, ...] = ()
    """Numbers of the patterns that the cost leaves out because they have no rate."""


class PlannedDesign(Part):
    """The design that the plan was made for."""

    name: str
    meaning: str
    """`sha256:` and the hash of the design's meaning."""


class Certificate(Reasoned):
    """The reason why the plan cannot have fewer indexes."""

    indexes_at_least: int
    patterns: tuple[int, ...] = ()


class Plan(Part):
    """A complete plan."""

    keywright_plan: Literal[1] = 1
    design: PlannedDesign
    style: Style
    planner: str
    type_attribute: str | None = "Type"
    """The attribute that holds an item's shape, in every table with several shapes."""
    cost: Cost
    tables: tuple[Table, ...] = ()
    operations: tuple[Operation, ...] = ()
    upkeep: tuple[Upkeep, ...] = ()
    """The updates after a change, in the order in which they run: copies of copies come last."""
    decisions: tuple[Decision, ...] = ()
    certificate: Certificate | None = None
    findings: tuple[Finding, ...] = ()
    assumed: tuple[Assumed, ...] = ()
    """The figures that the plan assumes. Those that could change its cost most come first."""

    def table(self, name: str) -> Table:
        """The table of a name; KeyError when there is none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)

    def shape(self, name: str) -> Shape:
        """The shape of a name; KeyError when there is none."""
        for table in self.tables:
            for found in table.items:
                if found.shape == name:
                    return found
        raise KeyError(name)

    def embedded_in(self, shape: str) -> tuple[Shape, ...]:
        """The shapes whose items are embedded in items of a shape."""
        return tuple(self.shape(name) for name in self.shape(shape).holds.values())

    def operations_for(self, pattern: int) -> tuple[Operation, ...]:
        """The operations of a pattern: one for each case of its optional conditions."""
        return tuple(operation for operation in self.operations if operation.pattern == pattern)

    def as_json(self) -> dict[str, Any]:
        """The document as plain data, in stable order, without fields that have their defaults."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True) | {
            "keywright_plan": self.keywright_plan
        }
