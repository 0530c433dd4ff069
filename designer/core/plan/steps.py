"""Requests: their keys and conditions, what they repeat, write, and are expected to use."""

from collections.abc import Hashable, Iterable
from typing import Literal, TypeVar

from pydantic import Field

from designer.core.plan.base import Expression, Part, Sum


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


class Crossing(Part):
    """Of rows with equal values of `same`, the first, if for each element of a list one of them has it in `attribute`.

    Rows that lack one of these attributes are left out.
    """

    attribute: str
    values: str
    """The name of a list parameter."""
    same: tuple[str, ...]


class Repeat(Part):
    """The step runs once for each row of an earlier step or element of a list parameter, and each period and number.

    With `distinct`, it runs only once for equal keys.
    """

    rows: str | None = None
    shape: str | None = None
    """Use only rows of this shape. It is stated if the earlier step returns several shapes."""
    keep: tuple[ItemCondition, ...] = ()
    """Use only rows that meet these conditions."""
    crossed: Crossing | None = None
    """Then use only one row of each group that has all elements of a list."""
    order: tuple[str, ...] = ()
    """Sort the rows like a part of the result: `placedAt descending`. If empty, keep the order of the read."""
    limit: int | None = None
    """Then use at most this number of rows in total."""
    values: str | None = None
    and_values: tuple[str, ...] = ()
    """Further list parameters: the step runs once for each combination of their elements with those of `values`."""
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
    Up to 100 of the items are the largest: with all their attributes, each as large as is stated at the most.
    """

    requests: float = 0.0
    read: float = 0.0
    units: float = 0.0
    """Read request units."""
    write_units: float = 0.0
    """Of an operation that writes: write request units on the table and all indexes."""


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
    """The change to an item that is embedded in the written item."""

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
    goes_with: str | None = None
    """The earlier BatchGetItem or TransactGetItems in whose request these keys go as well."""
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
