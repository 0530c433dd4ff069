"""The plan document: tables, item shapes, and the operations that answer each access pattern.

It is complete: with it alone a stranger's program creates the tables, writes the items of given entities and runs every
operation. `docs/plan-format.md` explains every field. Texts in `set`, `key`, `values` and conditions are key templates
(see `designer.core.keys`); a value may also be `{value: 5}`, a constant with its type.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from designer.core.patterns.base import Scalar

FORMAT = 1

Style = Literal["single", "multi", "grouped"]
STYLES: tuple[Style, ...] = ("single", "multi")
"""The two that every design is shown in, side by side."""
ALL_STYLES: tuple[Style, ...] = (*STYLES, "grouped")
"""Those and the one between them: a shared table for each group of entities that belong together."""


class Part(BaseModel):
    """A part of the plan document."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Constant(Part):
    """A constant with its type."""

    value: Scalar


Expression = str | Constant
Sum = Expression | tuple[Expression, ...]
"""A number, or several that are added up, as far as they are not missing."""
"""A key template, or a typed constant."""


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
    """A secondary index. One partition attribute and at most one sort attribute, more with multi-attribute keys."""

    name: str
    kind: Literal["global", "local"] = "global"
    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...] = ()
    projection: Projection
    sparse: bool = False
    """It intentionally leaves out some items of the shapes that use it."""
    serves: tuple[int, ...] = ()
    """Numbers of the access patterns that read it, directly or through the `upkeep` after them."""


class Source(Part):
    """Where a copied attribute comes from: the item of another entity that `per` leads to."""

    entity: str
    attribute: str
    """Its attribute; it can be a copy itself."""
    per: tuple[tuple[str, str], ...]
    """Pairs of its attribute and this item's: they have the same values."""


class StoredAttribute(Part):
    """An attribute of an item; `optional` when some items lack it."""

    type: str
    optional: bool = False
    from_: Source | None = Field(None, alias="from")
    """A copy that the plan keeps for reading; no attribute of the entity itself."""


class Place(Part):
    """Where an embedded item lies: in an attribute of another item of the same table."""

    shape: str
    """The shape of the item it lies in."""
    attribute: str
    at: str | None = None
    """Its name in the map that the attribute holds, a template over its attributes; None: the attribute is the item."""
    same: dict[str, str] = Field(default_factory=dict)
    """Attributes that it has from the item it lies in, and that tell which that is: its own name, and that item's."""


class Shape(Part):
    """One kind of item in a table."""

    shape: str
    entity: str
    role: Literal[
        "entity", "edge", "copy", "guard", "counter", "aggregate", "embedded", "split"
    ] = "entity"
    guards: tuple[str, ...] = ()
    """For a guard: the attributes whose value it keeps unique, or whose keys it can look up."""
    counts: tuple[str, ...] = ()
    """For a counter: numbers of its entity's item, of which it holds what was added since the item was made."""
    shards: int | None = None
    """For a counter: so many there are for each item; `{each.number}` in `set` is 0 in the first, 1 in the next."""
    holds: dict[str, str] = Field(default_factory=dict)
    """Attributes in which other items are embedded, each with the shape of those."""
    inside: Place | None = None
    """For what is embedded: where."""
    set: dict[str, str] = Field(default_factory=dict)
    """Attributes that the plan adds: each a template over the entity's attributes."""
    attributes: dict[str, StoredAttribute] = Field(default_factory=dict)
    """The entity's attributes that this item carries, under their own names."""
    bytes: float = 0.0
    """Average size of the item in bytes, keys and names included."""
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
    """What the caller gives. `list` of scalars, or `rows` of maps whose fields are `fields`."""

    name: str
    type: str = "S"
    format: str | None = None
    optional: bool = False
    list: bool = False
    fields: tuple["Parameter", ...] = ()
    """For a list of rows: what each row holds."""


class KeyCondition(Part):
    """One condition of a Query on a key attribute: exactly one of the tests."""

    attribute: str
    equals: Expression | None = None
    begins_with: Expression | None = None
    between: tuple[Expression, Expression] | None = None
    from_: Expression | None = Field(None, alias="from")
    after: Expression | None = None
    to: Expression | None = None
    below: Expression | None = None


class ItemCondition(Part):
    """A condition on an attribute of an item: in a filter, before a write, or when results are cut.

    All that is said must hold. `same_as` names a read step: the attribute still is what that step read, or is
    still missing.
    """

    attribute: str
    """An attribute, or the leading part of the time that it has: `date(readAt)`."""
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
    """It is missing or different."""
    exists: bool | None = None
    same_as: str | None = None
    below_or_missing: Expression | None = None
    """It is missing or smaller: the conditional maximum."""
    above_or_missing: Expression | None = None
    """It is missing or greater: the conditional minimum."""
    shape: str | None = None
    """Applies only to items of this shape; if absent, to all items."""


class Periods(Part):
    """The periods of a key template's form from one time to another, both included."""

    form: Literal["year", "month", "date", "hour"]
    from_: Expression = Field(alias="from")
    to: Expression
    newest_first: bool = False
    until_enough: bool = False
    """Periods are left out once those before have read as many rows as the step's `until` says."""


class Repeat(Part):
    """Run once for each: row of an earlier step, or element of a list parameter; and for each period and number.

    `distinct` runs once for each different key only.
    """

    rows: str | None = None
    shape: str | None = None
    """Of the rows, only those of this shape; given where the step returns several."""
    keep: tuple[ItemCondition, ...] = ()
    """Of the rows, only those that meet these conditions."""
    order: tuple[str, ...] = ()
    """The rows sorted like those of a part of the result: `placedAt descending`. Empty: in the order read."""
    limit: int | None = None
    """Of the rows, then only so many, whatever they were read for."""
    values: str | None = None
    periods: Periods | None = None
    """`{each.period}` is the current one."""
    numbers: int | None = None
    """Each whole number from 0 below this one: the shards of a key. `{each.number}` is the current one."""
    drawn: int | None = None
    """Only one whole number from 0 below this one, drawn at random each time; `{each.number}` is it."""
    distinct: bool = False


class Worst(Part):
    """What a read takes at the worst that is stated or follows.

    It reads the largest collection that is stated (a relationship's `most`, or the busiest value's share), else one of
    average size. What is tested after the reading may be met by nothing, so that a limit ends nothing.
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
    """Read request units of a Query for the busiest value of its partition key; None: the same as on average."""
    worst: Worst | None = None
    """For a read step: its worst case; None: the same as on average."""
    index_units: dict[str, float] = Field(default_factory=dict)
    """For a write step: write request units on each index, by `table/index`; not in `units`."""


class Written(Part):
    """What is done to one item: exactly one of `put`, `update`, `delete`, `check` names its shape."""

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
    """Its name in the map; None if the attribute is the item."""
    exists: bool | None = None
    """Refused unless it is there before (true), or is not (false)."""


class Member(Written):
    """One item that a write step writes or checks.

    A member whose key is missing, or whose two `unless_same` texts are equal, is left out. A `set` entry whose
    template is missing removes the attribute; a `values` entry whose template is missing is left out.
    """

    table: str
    key: dict[str, Expression] = Field(default_factory=dict)
    add: dict[str, Sum] = Field(default_factory=dict)
    """Numbers to add; a text that starts with `-` before the brace subtracts: `-{quantity}`.

    A put has them added to `values` before it is sent.
    """
    greatest: dict[str, tuple[Sum, ...]] = Field(default_factory=dict)
    """Set to the greatest of those that are not missing; for an update and a put."""
    least: dict[str, tuple[Sum, ...]] = Field(default_factory=dict)
    append: dict[str, Expression] = Field(default_factory=dict)
    """Lists to put at the end of lists; for an update. One that is missing begins empty."""
    include: dict[str, Expression] = Field(default_factory=dict)
    """Sets whose elements sets take; for an update."""
    exclude: dict[str, Expression] = Field(default_factory=dict)
    """Sets whose elements sets lose; for an update."""
    any_: tuple[tuple[ItemCondition, ...], ...] = Field((), alias="any")
    """In addition to `if`, all conditions of one of these must hold."""
    unless_same: tuple[str, str] | None = None
    joins: bool = False
    """In a transaction: where another member turns out to be about the same item, this one becomes part of it."""
    inside: tuple[Inner, ...] = ()
    """What happens to items embedded in it, in the same request."""


T = TypeVar("T")


def of_one_item(members: Iterable[tuple[Member, Hashable, T]]) -> list[tuple[T, ...]]:
    """For each request of a transaction what stands for the members in it: the one that it is, and those that join it.

    `members`: each with the item that it is about, and with what stands for it.
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
    """One call, or one for each of `for_each`."""

    id: str
    call: Call
    table: str
    index: str | None = None
    for_each: Repeat | None = None
    key: dict[str, Expression] = Field(default_factory=dict)
    """The primary key, for GetItem, BatchGetItem and TransactGetItems."""
    also: tuple[dict[str, Expression], ...] = ()
    """Further keys that the same BatchGetItem or TransactGetItems asks for, each time it repeats."""
    where: tuple[KeyCondition, ...] = ()
    """The key condition, for Query."""
    filter: tuple[ItemCondition, ...] = ()
    project: tuple[str, ...] | None = None
    """Attributes to return; if absent, all."""
    forward: bool = True
    limit: int | None = None
    """The largest number of items that one page reads."""
    pages: Pages = "one"
    """`until`: read on until the parts in `until` have as many rows (or there is nothing more)."""
    until: dict[str, int] = Field(default_factory=dict)
    consistent: bool = False
    count: bool = False
    """Return only the number of items."""
    shapes: tuple[str, ...] = ()
    """What a read step may return; where other shapes lie in the range, an item's `type_attribute` tells its shape."""
    when_missing: Literal["stop", "go on"] = "go on"
    """`stop`: when nothing is there, the operation ends: a read with nothing, a write as refused."""
    members: tuple[Member, ...] = ()
    """For writes: one, or several in a transaction or a batch."""
    expects: Expected = Expected()


class ResultPart(Part):
    """Rows of the answer: from which steps, which shapes, cut and put in order by the caller.

    `name` is `rows` for what the pattern returns, else the relationship that came along.
    """

    name: str
    steps: tuple[str, ...]
    shapes: tuple[str, ...]
    keep: tuple[ItemCondition, ...] = ()
    """Conditions the caller applies to what was read."""
    order: tuple[str, ...] = ()
    """`placedAt descending`; applied by the caller to the merged rows. Empty: in the order read."""
    limit: int | None = None
    per: tuple[tuple[str, str], ...] = ()
    """For what comes along: pairs (its attribute, the row's attribute); the limit holds for each row, and what
    belongs to no row of `rows` is left out."""
    required: bool = False
    """For what comes along: a row of `rows` to which nothing of it belongs is left out."""
    take: dict[str, str] = Field(default_factory=dict)
    """It has no steps of its own: each row of `rows` that meets `keep` carries it. Its attributes, and the row's."""
    entity: str | None = None
    """For `take`: whose item it is."""
    completes: str | None = None
    """Its rows are none of the answer: each row of the part so named takes their attributes from the row that agrees
    with it in `per`."""
    adds: tuple[str, ...] = ()
    """For what `completes`: instead, each row adds to these numbers of its own those of all rows that agree."""


ResultKind = Literal["rows", "one", "count", "exists", "sum", "greatest", "least", "written"]


class Result(Part):
    """How the results of the steps become the result of the operation."""

    kind: ResultKind
    attribute: str | None = None
    """For sum, greatest and least."""
    parts: tuple[ResultPart, ...] = ()


Beyond = Literal["pages", "partition"]


class Operation(Part):
    """How a plan serves one pattern. With optional conditions, it has one operation for each set that is given."""

    pattern: int
    given: tuple[str, ...] | None = None
    """For patterns with optional conditions: the optional parameters given in this case; else None."""
    answer: Literal["in one request", "in several requests", "elsewhere", "not served"]
    parameters: tuple[Parameter, ...] = ()
    constants: dict[str, tuple[Scalar, ...]] = Field(default_factory=dict)
    """Lists that are always the same, by the names that steps call them as they do parameters."""
    steps: tuple[Step, ...] = ()
    until_none: bool = False
    """Of a delete through an index: all steps are done again until those that read find nothing. What is refused is
    passed over, as the index is behind."""
    result: Result | None = None
    because: str = ""
    """If it is not served, or served by another service: the reason and the alternative."""
    requests: float = 0.0
    """Requests on average."""
    read_units: float = 0.0
    write_units: float = 0.0
    """Average units on the table and all indexes."""
    worst: Worst | None = None
    """The worst case of a read, of a write of several items, or of a deletion of all that meet conditions; its `read`
    and `units` are what it reads. None: the same as on average."""
    beyond: tuple[Beyond, ...] = ()
    """It is served on average only: `pages`: at the worst one Query reads more than a few pages of which it returns
    little; `partition`: at its peak it alone takes more than the busiest partition serves."""
    usd_per_month: float | None = None
    """None when the pattern has no rate."""
    sentence: str = ""
    """A summary of the operation in one line."""


Happening = Literal["creation", "change", "removal"]


class Upkeep(Part):
    """What a stream consumer does after an item came, changed or went: it brings copies of its attributes up to date,
    or figures over it.

    It runs at least once for each change, in the order of the item's changes. Once more does no harm to a copy, and
    none to the greatest and the least; what is added is added twice.
    """

    after: str
    """`change of Product.name`."""
    table: str
    """The table whose stream delivers the change."""
    entity: str
    """The shape of the item that changed."""
    on: tuple[Happening, ...] = ("change", "removal")
    """The kind of change of the item."""
    attributes: dict[str, str] = Field(default_factory=dict)
    """Parameters, and the attribute of the item whose value they are: as it is now, missing when the item is gone."""
    before: dict[str, str] = Field(default_factory=dict)
    """Parameters, and the attribute whose value they are as it was, missing when the item is new."""
    watch: tuple[str, ...] = ()
    """It runs if one of these attributes of the item changed; if empty, one of `attributes`."""
    unless: tuple[str, ...] = ()
    """It does not run if one of these attributes changed."""
    figures: tuple[str, ...] = ()
    """The aggregates over the item that it keeps up to date: `Customer.orderCount`."""
    patterns: tuple[int, ...] = ()
    """Numbers of the access patterns that cause such changes."""
    parameters: tuple[Parameter, ...] = ()
    """The item's identifier, as it is or was, where a step names it; and those in `attributes` and `before`."""
    steps: tuple[Step, ...] = ()
    per_second: float | None = None
    """Average changes a second; None if no pattern that makes them has a rate."""
    peak_per_second: float | None = None
    requests: float = 0.0
    """Average requests each time; the units are averages, too."""
    read_units: float = 0.0
    write_units: float = 0.0
    usd_per_month: float | None = None
    sentence: str = ""

    def runs(self, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> bool:
        """Whether it runs after an item became what it is `now`; None for an item that was not, or is not, there."""
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


class Rejected(Part):
    """A rejected choice and its total cost (None if it cannot serve the patterns or is not priced)."""

    choice: str
    because: str = ""
    per_month: float | None = None


class Decision(Part):
    """A choice, the patterns it serves, its alternatives, and the price."""

    about: str
    """`table shop`, `index shop/GSI1`, `key Order`, `guard User.email`, `pattern 7`."""
    choice: str = ""
    serves: tuple[int, ...] = ()
    because: str
    per_month: float | None = None
    instead_of: tuple[Rejected, ...] = ()


class Finding(Part):
    """A problem that the team should know. `where` is the path of the part of the design that it is about."""

    rule: str
    severity: Literal["error", "warning", "advice"]
    where: str
    message: str
    remedy: str = ""


class Effect(Part):
    """The average cost of one read if an assumed figure had another value."""

    requests: float
    units: float


class Use(Part):
    """A read whose figures come from an assumption: with the lowest and the highest plausible value of it."""

    pattern: int
    given: tuple[str, ...] | None = None
    """For patterns with optional conditions: the optional parameters given in this case; else None."""
    low: Effect
    high: Effect


Assumption = Literal["share", "values", "children", "items", "list"]


class Assumed(Part):
    """A figure that nobody stated and that does not follow from stated figures."""

    what: Assumption
    """`share`: of the items, that a condition keeps; `values`: of an attribute; `children`: of one parent; `items`: of
    an entity; `list`: the values that a caller gives at once."""
    where: str
    """The part of the design that would state it: `patterns.7`, `entities.Order.attributes.email`."""
    of: str
    """The subject: the attribute of a condition or a list, an attribute, a relationship or an entity."""
    value: float
    low: float
    """The lowest and the highest plausible value."""
    high: float
    used: tuple[Use, ...] = ()
    usd_per_month: float = 0.0
    """What lies between the lowest and the highest value, at average rates: the plan's reads of those who use it."""


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
    """The cost if every pattern ran at its peak all month."""
    without_patterns: tuple[int, ...] = ()
    """Patterns that the cost leaves out because they have no rate."""


class PlannedDesign(Part):
    """The design that the plan was made for."""

    name: str
    meaning: str
    """`sha256:` and the hash of the design's meaning."""


class Certificate(Part):
    """The reason why the plan cannot have fewer indexes."""

    indexes_at_least: int
    patterns: tuple[int, ...] = ()
    because: str = ""


class Plan(Part):
    """A complete plan."""

    keywright_plan: Literal[1] = 1
    design: PlannedDesign
    style: Style
    planner: str
    type_attribute: str | None = "Type"
    """The attribute that tells an item's shape, on every item of a table with several shapes."""
    cost: Cost
    tables: tuple[Table, ...] = ()
    operations: tuple[Operation, ...] = ()
    upkeep: tuple[Upkeep, ...] = ()
    """In the order in which they run after a change: copies of copies come last."""
    decisions: tuple[Decision, ...] = ()
    certificate: Certificate | None = None
    findings: tuple[Finding, ...] = ()
    assumed: tuple[Assumed, ...] = ()
    """The largest possible change comes first."""

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
        """The shapes whose items lie inside items of a shape."""
        return tuple(self.shape(name) for name in self.shape(shape).holds.values())

    def operations_for(self, pattern: int) -> tuple[Operation, ...]:
        """The operations of a pattern: one for each case of its optional conditions."""
        return tuple(operation for operation in self.operations if operation.pattern == pattern)

    def as_json(self) -> dict[str, Any]:
        """The document as plain data, in stable order, without what is left at its default."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True) | {
            "keywright_plan": self.keywright_plan
        }
