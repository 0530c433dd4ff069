"""What all access patterns share: conditions, rates, order, and the base classes of the kinds."""

import re
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.patterns.document import (
    AttributeName,
    AttributePath,
    Document,
    Id,
    Line,
    Name,
    Scalar,
    Share,
    Text,
)
from designer.core.patterns.figures import Aggregate, Amount, Rate, Times

MOST_REQUESTS = 1000
"""The highest limit of requests that an access pattern can state."""


class Operand(Document):
    """The right side of a condition: `{param: since}` (from the caller) or `{value: PENDING}` (fixed)."""

    param: Name | None = None
    value: Scalar | None = None

    @model_validator(mode="after")
    def _one_of(self) -> "Operand":
        if (self.param is None) == (self.value is None):
            raise MisfitError(say("param-or-value"))
        return self


class Listed(Document):
    """The values of `any_of` or `all_of`: `{param: cells}` from the caller, or a fixed list."""

    param: Name | None = None
    value: Annotated[tuple[Scalar, ...], Field(min_length=1, max_length=100)] | None = None
    count: Annotated[float, Field(ge=1, le=100_000)] | None = None
    """The average number of values that the caller gives."""

    @model_validator(mode="after")
    def _one_of(self) -> "Listed":
        if (self.param is None) == (self.value is None):
            raise MisfitError(say("param-or-list"))
        if self.value is not None and self.count is not None:
            raise MisfitError(say("count-of-given"))
        return self

    @property
    def length(self) -> float | None:
        """How many values it has; None where nothing says."""
        return self.count if self.value is None else float(len(self.value))


_LONGEST_LIST_NAME = 50
RANGE_OPERATORS = ("from_", "after", "to", "below", "begins_with")


class Condition(Document):
    """A condition on an attribute. `from` means >=, `after` >, `to` <=, and `below` <."""

    attribute: AttributePath
    is_: Operand | None = Field(None, alias="is")
    any_of: Listed | None = None
    all_of: Listed | None = None
    """It has one of the values, and items with the same `attributes` of the pattern have the others."""
    from_: Operand | None = Field(None, alias="from")
    after: Operand | None = None
    to: Operand | None = None
    below: Operand | None = None
    begins_with: Operand | None = None
    contains: Operand | None = None
    not_: Operand | None = Field(None, alias="not")
    exists: Literal[True] | None = None
    missing: Literal[True] | None = None
    optional: bool = False
    """The caller may omit this condition; the pattern then runs without it."""
    share: Share | None = None
    """The share of the items that meet the condition; if absent, from the attribute."""

    @model_validator(mode="after")
    def _one_test(self) -> "Condition":
        lower = [self.from_, self.after]
        upper = [self.to, self.below]
        if None not in lower or None not in upper:
            raise MisfitError(say("range-bounds"))
        tests = [
            self.is_,
            self.any_of,
            self.all_of,
            self.begins_with,
            self.contains,
            self.not_,
            self.exists,
            self.missing,
        ]
        has_range = any(bound is not None for bound in (*lower, *upper))
        if sum(test is not None for test in tests) + has_range != 1:
            raise MisfitError(say("one-test"))
        return self

    @property
    def is_range(self) -> bool:
        """A range of values, a prefix included."""
        return any(getattr(self, name) is not None for name in RANGE_OPERATORS)

    @property
    def needs_a_value(self) -> bool:
        """Whether no item meets it that lacks the attribute."""
        compares = self.is_ or self.listed or self.contains or self.is_range
        return bool(self.exists or compares)

    @property
    def listed(self) -> Listed | None:
        """The list of `any_of` or `all_of`: of either, an item has one of the values."""
        return self.any_of or self.all_of

    @property
    def operands(self) -> Iterator[Operand | Listed]:
        """What it compares with, a fixed list left out."""
        for name in ("is_", "any_of", "all_of", *RANGE_OPERATORS, "contains", "not_"):
            operand = getattr(self, name)
            if operand is not None and not (
                isinstance(operand, Listed) and operand.value is not None
            ):
                yield operand

    @property
    def list_name(self) -> str:
        """What its list is called in plans: its parameter, or a name made of its values."""
        assert self.listed is not None
        if self.listed.param is not None:
            return self.listed.param
        said = [str(value) for value in self.listed.value or ()]
        plain = [re.sub(r"[^A-Za-z0-9]", "", text) for text in said]
        name = "_".join((self.attribute.replace(".", "_"), *plain))
        if plain == said and len(name) <= _LONGEST_LIST_NAME:
            return name
        return f"{name[:_LONGEST_LIST_NAME]}_{zlib.crc32(repr(said).encode()):x}"

    @property
    def parameters(self) -> Iterator[str]:
        return (operand.param for operand in self.operands if operand.param is not None)


_ORDER = re.compile(
    r"^[A-Za-z_][A-Za-z0-9_-]{0,126}(\.[A-Za-z_][A-Za-z0-9_-]{0,126}){0,3} (ascending|descending)$"
)


class Order(BaseModel):
    """One sort attribute and its direction, read from `placedAt descending`."""

    model_config = ConfigDict(frozen=True)
    attribute: str
    descending: bool


def _check_order(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return value  # the type of the field refuses it
    for line in value:
        if not isinstance(line, str) or not _ORDER.match(line):
            raise MisfitError(say("no-order", line=repr(line)))
    return value


class Ordered(Document):
    """Something with an order and a limit."""

    order: tuple[str, ...] = ()
    limit: Annotated[int, Field(ge=1, le=1_000_000)] | None = None

    _order_lines = field_validator("order", mode="before")(_check_order)

    @property
    def orders(self) -> tuple[Order, ...]:
        split = (line.split(" ") for line in self.order)
        return tuple(Order(attribute=name, descending=way == "descending") for name, way in split)


class With(Ordered):
    """Related items to return with each item, by a named relationship."""

    unordered = ("keep", "attributes")

    relationship: Name
    attributes: tuple[AttributeName, ...] | None = None
    keep: tuple[Condition, ...] = ()


Consistency = Literal["eventual", "strong", "transactional"]


class Pattern(Document):
    """An access pattern: one thing that the application reads, or one that it writes."""

    label: ClassVar[str]
    is_read: ClassVar[bool]
    verbs: ClassVar[tuple[str, ...]] = ()
    """What a sentence that asks for it begins with, in small letters: `add`, `how many`."""
    is_transaction: ClassVar[bool] = False
    """Whether it writes several items, each of them or none."""

    number: Annotated[int, Field(ge=1, le=100_000)]
    id: Id | None = None
    name: Line
    kind: str
    why: Text = ""
    description: Text = ""
    rate: Rate | None = None
    hottest: Share | None = None
    """The share of this pattern's traffic on its hottest key; if absent, from the attributes."""
    latency_ms: Annotated[float, Field(gt=0)] | None = None
    status: Literal["open", "agreed", "declined"] = "open"
    considerations: Text = ""
    workflow: Line | None = None
    at_most_requests: Annotated[int, Field(ge=1, le=MOST_REQUESTS)] | None = None


class Read(Pattern, Ordered):
    """A pattern that returns items, or a figure about them.

    `returns` names one entity, or several: then every item of each that meets `where`.
    """

    is_read = True
    unordered: ClassVar[tuple[str, ...]] = ("returns", "where", "keep", "with_", "attributes")
    sentence: ClassVar[str]
    """What the application does, with `{one}`, `{a_one}` or `{many}` for the entities: `lists {many}`."""
    answer_kind: ClassVar[Literal["rows", "one", "count", "exists"]] = "rows"
    """What the answer is: items, one item or none, how many there are, or whether there is any."""
    by_identifier: ClassVar[bool] = False
    """Whether it finds items by an identifier or a unique value, given in full."""
    may_cross: ClassVar[bool] = False
    """Whether its items may have to meet a condition together (`all_of`)."""

    returns: Name | Annotated[tuple[Name, ...], Field(min_length=1)]
    where: tuple[Condition, ...] = ()
    keep: tuple[Condition, ...] = ()
    """Conditions that can drop items after they are read."""
    with_: tuple[With, ...] = Field((), alias="with")
    attributes: tuple[AttributeName, ...] | None = None
    """The attributes that the caller needs of each item; if absent, all of them."""
    consistency: Consistency = "eventual"
    expects: Annotated[float, Field(ge=0)] | None = None
    """Average number of items returned when all conditions are given; if absent, from the relationships."""

    @property
    def entities(self) -> tuple[str, ...]:
        return (self.returns,) if isinstance(self.returns, str) else self.returns

    @property
    def after_limit(self) -> tuple[Condition, ...]:
        """The conditions that are tested of the items within the limit."""
        return ()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions on what it returns, in the order in which they are tested."""
        return (*self.where, *self.keep, *self.after_limit)

    @property
    def aggregate(self) -> Aggregate | None:
        """The aggregate of an attribute that it returns instead of items; None for all other reads."""
        return None

    @property
    def sought(self) -> tuple[tuple[Order, ...], int | None]:
        """The order in which it wants items, and how many of the first of these.

        A greatest or a least value is that of the first item in its order. Other figures are about all items.
        """
        if self.returns_items:
            return self.orders, self.limit
        figure = self.aggregate
        if figure is None or figure.sum is not None:
            return (), None
        return (Order(attribute=figure.of, descending=figure.greatest is not None),), 1

    @property
    def crossing(self) -> Condition | None:
        """The condition that items meet together (`all_of`): the answer has their common `attributes`, each once."""
        return next((condition for condition in self.where if condition.all_of is not None), None)

    @property
    def returns_items(self) -> bool:
        """Whether the answer is items, and not a number or a yes or no about them."""
        return self.answer_kind in ("rows", "one") and self.aggregate is None

    @property
    def returns_one(self) -> bool:
        """Whether the answer is one item, or none."""
        return self.answer_kind == "one"

    @property
    def lists_identifiers(self) -> bool:
        """Whether it is given the identifiers of several items."""
        return self.by_identifier and not self.returns_one


CHANGES = ("set", "remove", "add", "greatest", "append", "include", "exclude")
"""The fields of a change that say what becomes of attributes, in the order in which they are written."""


class Change(Document):
    """What a write does to one item, and on what conditions.

    Parameters are named like the attributes they fill unless an operand names another.
    """

    unordered: ClassVar[tuple[str, ...]] = ("by", "given", "remove", "if_", "or_")

    by: tuple[AttributeName, ...] = ()
    """The attributes that identify the item; if absent, its identifier. A unique attribute is enough."""
    given: tuple[AttributeName, ...] = ()
    """Other current attributes of the item that the caller knows."""
    set: dict[AttributeName, Operand] = Field(default_factory=dict)
    remove: tuple[AttributeName, ...] = ()
    add: dict[AttributeName, Amount] = Field(default_factory=dict)
    greatest: dict[AttributeName, Name] = Field(default_factory=dict)
    """Set to the parameter if it is greater than the current value; otherwise the write fails."""
    append: dict[AttributeName, Name] = Field(default_factory=dict)
    """Append the elements of the parameter, a list, to a list."""
    include: dict[AttributeName, Name] = Field(default_factory=dict)
    """Add the elements of the parameter, a set, to a set."""
    exclude: dict[AttributeName, Name] = Field(default_factory=dict)
    """Remove the elements of the parameter, a set, from a set. An empty set is removed."""
    if_: tuple[Condition, ...] = Field((), alias="if")
    """Conditions that the current item must meet; for an upsert, an existing item."""
    or_: tuple[Annotated[tuple[Condition, ...], Field(min_length=1)], ...] = Field((), alias="or")
    """Alternatives to `if`: all conditions of one of these must hold."""
    times: Times | None = None
    each: Name | None = None
    """The parameter with one row for each item of `times`; if absent, the entity's name."""

    @property
    def written(self) -> tuple[AttributeName, ...]:
        """The attributes that it says what to do with; making and deleting an item change others, too."""
        named = (self.set, self.remove, self.add, self.greatest, *self.of_elements)
        return tuple(dict.fromkeys(name for some in named for name in some))

    @property
    def ways(self) -> tuple[tuple[Condition, ...], ...]:
        """The conditions in groups, of which all of one must hold; empty where there are none."""
        return tuple(way for way in (self.if_, *self.or_) if way)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All of them, whether or not there is another way."""
        return tuple(condition for way in self.ways for condition in way)

    @property
    def of_elements(self) -> tuple[dict[AttributeName, Name], ...]:
        """What it does with elements of lists and sets: each attribute with its parameter."""
        return self.append, self.include, self.exclude


class Verb(NamedTuple):
    """What a kind of write does to an item."""

    fields: tuple[str, ...]
    """The fields of a change that it may have, as the document calls them."""
    writes_whole: bool = False
    """Whether it writes the item as a whole, of which nothing need be there."""
    may_replace: bool = False
    """Whether the item that it writes as a whole may take the place of one that is there."""


_OF_ITEM = ("by", "given", "if", "or", "times", "each")
VERBS: Mapping[str, Verb] = {
    "create": Verb(("set", "times", "each"), writes_whole=True),
    "update": Verb((*_OF_ITEM, *CHANGES)),
    "upsert": Verb(("set", "if", "or", "times", "each"), writes_whole=True, may_replace=True),
    "delete": Verb(_OF_ITEM),
    "check": Verb(_OF_ITEM),
}
"""What a write can do to an item, by the word for it."""


class Member(Change):
    """One write of a transaction: `create`, `update`, `delete`, `upsert` or `check` an item of an entity."""

    create: Name | None = None
    update: Name | None = None
    upsert: Name | None = None
    delete: Name | None = None
    check: Name | None = None
    exists: bool | None = None
    """For `check`: whether the item must exist."""

    @model_validator(mode="after")
    def _one_verb(self) -> "Member":
        if sum(getattr(self, verb) is not None for verb in VERBS) != 1:
            raise MisfitError(say("one-verb"))
        if (self.exists is not None) != (self.check is not None and not self.if_):
            raise MisfitError(say("exists-of-check-alone"))
        return self

    @cached_property
    def verb(self) -> str:
        return next(verb for verb in VERBS if getattr(self, verb))

    @cached_property
    def writes_whole(self) -> bool:
        """Whether it writes the item as a whole, of which nothing need be there."""
        return VERBS[self.verb].writes_whole

    @cached_property
    def may_replace(self) -> bool:
        """Whether the item that it writes as a whole may take the place of one that is there."""
        return VERBS[self.verb].may_replace

    @cached_property
    def entity(self) -> str:
        name: str = getattr(self, self.verb)
        return name

    @property
    def required(self) -> tuple[Condition, ...]:
        """The conditions that hold of every item it changes: none where it has another way, or none need be there."""
        return () if self.or_ or self.may_replace else self.if_


class Write(Pattern):
    """A pattern that changes items."""

    is_read = False

    @property
    def collection(self) -> tuple[Condition, ...]:
        """The conditions of the items that it deletes, however many meet them; empty where it names its items."""
        return ()

    @property
    def changes(self) -> tuple[Member, ...]:
        """What it does, item by item."""
        raise NotImplementedError


class SingleWrite(Write, Change):
    """A write of one entity's items."""

    refused_if: ClassVar[str] = ""
    """What of the item makes DynamoDB refuse it: `already exists`."""

    entity: Name

    @cached_property
    def changes(self) -> tuple[Member, ...]:
        shared: dict[str, Any] = {name: getattr(self, name) for name in Change.model_fields}
        verbs: dict[str, Any] = {**_NO_VERBS, self.kind: self.entity}
        return (Member.model_construct(**verbs, **shared),)


_NO_VERBS = dict.fromkeys((*VERBS, "exists"))
