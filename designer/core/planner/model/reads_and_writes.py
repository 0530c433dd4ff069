"""What the planner must serve: what patterns ask of each entity and write to it, and what follows from that."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Literal

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import Figure
from designer.core.design.settings import PinnedNames
from designer.core.messages import Message
from designer.core.patterns.base import (
    Condition,
    Consistency,
    Member,
    Operand,
    Order,
    Pattern,
    Write,
)
from designer.core.patterns.document import Scalar
from designer.core.plan import Constant, Expression
from designer.core.plan.keys import plain_text
from designer.core.planner.model.added_read import AddedRead
from designer.core.planner.model.cardinality import Uneven, cut_of_each, uneven_values
from designer.core.planner.model.copies import Brought, Copied, Weighed
from designer.core.planner.model.crossed import Crossed
from designer.core.planner.model.falling import found_with, left_with
from designer.core.planner.model.keeping import Keeping
from designer.core.planner.model.listing import Listing, OtherList
from designer.core.planner.model.pins import EntityPins
from designer.core.planner.model.shares import Busier
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.way import Way
from designer.core.words.lacking import absence, lacking

MISSING = "missing"
"""Stands for the value of an attribute that a write removes."""
FOUND = "found"
"""The part of a pattern that asks for an item's key before it is written."""


def operand(side: Operand) -> Expression:
    """The plan's expression for the other side of a condition."""
    return Constant(value=side.value) if side.value is not None else f"{{{side.param}}}"


def with_absences(changed: frozenset[str]) -> frozenset[str]:
    """What a write changes, and with each attribute whether it is missing."""
    return changed | frozenset(map(absence, changed))


@dataclass(frozen=True, eq=False)
class EntityRead:
    """What one pattern asks of one entity.

    A key serves one range, and one list, value by value; the others are tested. Where there are several, `ways` has the
    entity read once for each choice, and once with all lists, of which a key may serve several, pair by pair.
    """

    entity: str
    part: str
    """`rows`, or the relationship that comes along."""
    equals: dict[str, Expression]
    """Attributes that are known, and from where: a parameter, a constant, or `{s1.x}`, a row read before."""
    starts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For a time whose hour, date, month or year is in `equals`: these, which tell how it begins, longest first."""
    list_of: str | None = None
    """The attribute in `equals` whose parameter is a list (`any_of` or `all_of`)."""
    always: tuple[Scalar, ...] = ()
    """The values of that list where it is always the same."""
    unlike: tuple[float, ...] = ()
    """How many times as many items as on average have each of these values; empty where all have as many."""
    range: Condition | None = None
    also: tuple[str, ...] = ()
    """Of several ranges or lists: the attributes of them all."""
    others: tuple[Way, ...] = ()
    """The ways to read it by others of these."""
    exists: tuple[str, ...] = ()
    """What must be there: attributes, and by `absence` the lack of one."""
    filters: tuple[Condition, ...] = ()
    said: dict[str, float] = field(default_factory=dict)
    """The shares of the items that conditions state of `equals` and `exists`; of a list, that of all its values."""
    order: tuple[Order, ...] = ()
    limit: int | None = None
    then_keep: tuple[Condition, ...] = ()
    """What is tested of the items within the limit, each of which is read whether it passes or not."""
    passed: float = 1.0
    """Share of those that pass."""
    needs: frozenset[str] | None = None
    """Attributes the caller or the filters need; None for all."""
    named: tuple[str, ...] = ()
    """Where `needs` is None and the items carry copies that others ask for: all that is needed, by name."""
    wanted: tuple[str, ...] | None = None
    consistency: Consistency = "eventual"
    deletes: bool = False
    """What it finds is deleted: read strongly from the table, or from an index until that finds nothing more."""
    count: bool = False
    is_job: bool = False
    """It is asked so seldom that nobody waits for it, however many pages it takes."""
    is_figure: bool = False
    """One figure is wanted of all that it finds: their number, or a sum, a greatest or least value. Or what of it has
    all values of a list."""
    crossed: Crossed | None = None
    """How the application crosses what is found for each value of a list."""
    one: bool = False
    """At most one item can match."""
    times: float = 1.0
    """How often it is asked for each time the pattern is."""
    different: float | None = None
    """Of parents of rows, how many different ones these have at the most, as each is read once; None for no limit."""
    list_length: float = 1.0
    other_lists: tuple[OtherList, ...] = ()
    """The further lists among `equals`, with each of whose values those of the first are asked for."""
    before: float = 0.0
    """Items that are got in the same request, before its own."""
    before_bytes: float = 0.0
    """Bytes of these, as far as they are stated."""
    matched: float = 1.0
    """Items that meet `equals` and `exists`, each time it is asked, before range and filters."""
    uneven: tuple[Uneven, ...] = ()
    """Where a limit ends it and more items have some values than others: how those differ."""
    kept: float = 1.0
    """Share of those that range and filters keep."""
    tested: frozenset[str] = frozenset()
    """Of related items, what of `equals` and `exists` is tested: the rest says whose they are."""
    range_share: float = 1.0
    """Share of those that the range keeps."""
    range_ends: bool = False
    """Whether its items lie so in a shared collection that its range ends what a Query of that reads."""
    expected: float | None = None
    """Items that the team says are returned on average."""
    through: tuple[Structure, ...] | None = None
    """The index keys one of which has to answer it, where that is pinned."""
    in_shards: bool = False
    """Whether these may be spread over shards, as far as some are listed for them."""
    holding: Literal["keys-only", "include", "all"] | None = None
    """What the index holds that answers it, where that is pinned: `keys-only`, `include` or `all`."""
    called: str = ""
    """How the index is called that answers it, where that is pinned."""
    key_names: PinnedNames | None = None
    """How the attributes of its key are called, where that is pinned."""
    impossible: Message | None = None
    """Why no structure answers it."""
    busier: Busier = ()
    """As others say it that have the same values."""

    @property
    def ways(self) -> "tuple[EntityRead, ...]":
        """The entity read for each range and list that a key may serve, the first as it is."""
        return self._several_ways if self.others else (self,)

    @cached_property
    def _several_ways(self) -> "tuple[EntityRead, ...]":
        first = replace(self, others=())
        return (first, *(replace(first, **vars(other)) for other in self.others))

    def names_one_item(self, entity: Entity) -> bool:
        """Whether it gives the whole identifier of one item."""
        return self.list_of is None and set(entity.identifier) <= self.equals.keys()

    @property
    def is_pinned(self) -> bool:
        """Whether it is pinned to be answered from an index."""
        return self.through is not None or self.holding is not None

    def allows(self, structure: Structure) -> bool:
        """Whether a structure may answer it, as far as that is pinned, if any may."""
        if self.impossible is not None:
            return False
        if self.through is not None:
            return structure in self.through or (self.in_shards and structure.plain in self.through)
        return self.holding is None or structure.is_index

    @property
    def strong(self) -> bool:
        return self.consistency != "eventual"

    def consistency_of(self, structure: Structure) -> Consistency:
        """How consistently it reads a structure."""
        return "strong" if self.deletes and structure.kind != "index" else self.consistency

    def is_asked_until_none(self, structure: Structure) -> bool:
        """Whether it is asked again until it finds nothing, as the structure follows the table a moment later."""
        return self.deletes and structure.kind == "index"

    @cached_property
    def constants(self) -> frozenset[str]:
        """The attributes for which it always asks the same value."""
        return frozenset(n for n, value in self.equals.items() if isinstance(value, Constant))

    def constant_values(self, name: str) -> tuple[str, ...]:
        """The text of the one value of a known attribute that it always asks for, or of all in a list that is always
        the same; nothing where a caller says it."""
        value = self.equals[name]
        if name in self.lists:
            return tuple(map(plain_text, self.lists[name].always))
        return (plain_text(value.value),) if isinstance(value, Constant) else ()

    @cached_property
    def watched(self) -> frozenset[str]:
        """The attributes that must be there, or be missing."""
        return frozenset(lacking(name) or name for name in self.exists)

    @cached_property
    def keyed(self) -> frozenset[str]:
        """The attributes by which it finds and sorts items, where a key has them."""
        ranged = () if self.range is None else (self.range,)
        ways = (one.attribute for one in (*ranged, *self.order))
        return frozenset((*self.equals, *self.watched, *self.also, *ways))

    @cached_property
    def sure(self) -> frozenset[str]:
        """The attributes that every item of its answer has."""
        ordered = (order.attribute for order in self.order)
        ranged = (self.range.attribute,) if self.range is not None else ()
        known = (*self.equals, *self.starts, *self.exists, *self.also)
        return frozenset((*known, *ordered, *ranged))

    @property
    def least(self) -> frozenset[str] | None:
        """The least that an index has to hold, so that no second read follows; None for all."""
        return frozenset(self.named) if self.named else self.needs

    @property
    def needs_sorted(self) -> frozenset[str] | None:
        """What the caller needs who sorts what was read."""
        return None if self.least is None else self.least | {o.attribute for o in self.order}

    @property
    def is_repeated(self) -> bool:
        """Whether it may take several requests, whose rows the caller puts in order."""
        return self.list_of is not None or self.is_dependent

    @property
    def is_dependent(self) -> bool:
        """Whether it is asked for each row of another read."""
        return any(str(value).startswith("{s1.") for value in self.equals.values())

    @cached_property
    def lists(self) -> dict[str, OtherList]:
        """Its lists by their attributes, the first one first."""
        if self.list_of is None:
            return {}
        first = OtherList(self.list_of, self.always, self.unlike, self.list_length)
        return {one.of: one for one in (first, *self.other_lists)}

    @cached_property
    def combinations(self) -> float:
        """Combinations of the values of its lists."""
        return self.list_length * prod(one.length for one in self.other_lists)

    def listing(self, length: float) -> Listing:
        """What it asks for by a list of so many values."""
        said, others = self.said, self.other_lists
        return Listing(self.equals, self.list_of, self.always, length, said, others)

    def uneven_in(self, design: Design, entity: Entity) -> tuple[Uneven, ...]:
        """How the values differ that it asks for, in how many items of an entity have them, where a limit ends it."""
        if self.limit is None:
            return ()
        lists = {one.of: None if one.always else one.length for one in self.lists.values()}
        return uneven_values(design, entity, self.equals, lists, self.said, self.filters)

    @cached_property
    def said_of_each(self) -> dict[str, float]:
        """The shares that conditions state, of a list that of each of its values."""
        stated = {name: self.said[name] for name in self.lists if name in self.said}
        each = {name: share / self.lists[name].length for name, share in stated.items()}
        return {**self.said, **each}

    def is_sorted_by(self, sort: tuple[str, ...]) -> bool:
        """Whether a sort key of these attributes has the order that is asked, from one end to the other."""
        chain = tuple(order.attribute for order in self.order)
        return sort[: len(chain)] == chain and len({o.descending for o in self.order}) <= 1

    @property
    def rows(self) -> float:
        """Items that meet all its conditions."""
        return self.matched * self.kept * self.combinations

    @property
    def is_uncut(self) -> bool:
        """Whether all items that it finds are wanted, however many these are."""
        limit = self.limit if self.crossed is None else self.crossed.limit
        return limit is None and not self.one

    @property
    def cut(self) -> float | None:
        """Items left by the limit on average: so many, or as few as are expected, as some find fewer."""
        if self.limit is None or self.expected is None:
            return self.limit
        return min(self.limit, self.expected)

    @property
    def returned(self) -> float:
        if self.crossed is not None:
            return self.crossed.returned
        return self.rows if self.cut is None else self.cut_off(self.rows, self.cut)

    def cut_off(self, items: float, most: float) -> float:
        """Of so many items on average, those that are taken where no more than `most` are of one value."""
        return cut_of_each(self.uneven, items, most)


@dataclass(frozen=True)
class PatternRead:
    """One case of a read pattern: what it asks, and how often."""

    pattern: Pattern
    given: tuple[str, ...] | None
    entity_reads: tuple[EntityRead, ...]
    """The first is what the pattern returns; with `union` all are, else the others come along."""
    union: bool = False
    parents: dict[str, str] = field(default_factory=dict)
    """For parts that come along: `one` (the parent of each row) or `many` (its children)."""
    links: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """For parts that come along: pairs (their attribute, the row's attribute)."""
    average: float | None = None
    peak: float | None = None
    copied: Copied | None = None
    """Asked for a write, to keep copies right: which."""
    change: int | None = None
    """Asked by this change of the pattern, for the parent's values or its own item's key; None: for neither."""
    finds: "EntityWrite | None" = None
    """The change that asks for its item's key, where the base key is not known."""

    @property
    def number(self) -> int:
        return self.pattern.number

    @cached_property
    def gets_along(self) -> bool:
        """Whether something comes along by the identifiers that the caller lists, in the request that gets the rows."""
        return any(one.before for one in self.entity_reads)

    @property
    def stated_number(self) -> int:
        """The number of the pattern that was stated: what was added to the design speaks for one of these."""
        return self.pattern.stands_for if isinstance(self.pattern, AddedRead) else self.number


@dataclass(frozen=True, eq=False)
class EntityWrite:
    """What one pattern writes to one entity."""

    pattern: Write
    at: int
    """Position among the pattern's changes."""
    change: Member
    entity: str
    average: float | None
    peak: float | None
    times: float
    transactional: bool
    known: frozenset[str]
    """Attributes whose present value the caller knows."""
    changed: frozenset[str]
    """Attributes that it sets, removes or adds to."""
    refreshes: tuple[Copied, ...] = ()
    """The copies that it takes anew from the parent's item."""
    upkeep: Copied | None = None
    """It follows a change of the parent: these copies."""
    needs: frozenset[str] = frozenset()
    """Attributes of the item as it is that it must know, besides what its keys ask for."""
    left_out: frozenset[str] = frozenset()
    """Attributes that its new item does not have, as only a later update sets them."""
    keeps: tuple[Keeping, ...] = ()
    """The figures on its item that other changes of its pattern keep."""
    follows: object = None
    """It is there for these figures alone, on the parent that this stands for."""
    by_stream: bool = False
    """A stream's consumer does it, after the pattern: it adds to these figures."""
    moved: tuple[tuple[str, str, float], ...] = ()
    """Where something else is assumed than the planner does: attributes, a value of each, and in what share of the
    updates callers give it."""

    @cached_property
    def verb(self) -> str:
        return self.change.verb

    @cached_property
    def writes_whole(self) -> bool:
        return self.change.writes_whole

    @cached_property
    def may_replace(self) -> bool:
        return self.change.may_replace

    @cached_property
    def constants(self) -> frozenset[str]:
        """The attributes that it always sets to the same value."""
        return frozenset(n for n, side in self.change.set.items() if side.value is not None)

    @cached_property
    def met(self) -> tuple[tuple[Condition, ...], ...]:
        """The conditions that its item meets before it, in each way that it may: one way or another."""
        found_by = self.pattern.collection if self.deletes_collection else ()
        ways = () if self.may_replace else self.change.ways
        return tuple((*way, *found_by) for way in ways or ((),))

    @cached_property
    def found_with(self) -> dict[str, str]:
        """The values that an item surely has before, as texts."""
        return {} if self.is_upkeep else found_with(self.pattern, self.change)

    @cached_property
    def left_with(self) -> dict[str, str]:
        """The values that an item surely has afterwards."""
        return {} if self.is_upkeep else left_with(self.pattern, self.change)

    @cached_property
    def sure(self) -> frozenset[str]:
        """The attributes that an item surely has before: a condition demands them, or the caller knows their value."""
        each = [{test.attribute for test in way if test.needs_a_value} for way in self.met]
        return frozenset(set.intersection(*each).union(self.change.by, self.change.given))

    @cached_property
    def lacks(self) -> frozenset[str]:
        """The attributes that an item surely lacks before, as a condition demands, and a new one: no old value."""
        each = [{test.attribute for test in way if test.missing} for way in self.met]
        return self.left_out.union(set.intersection(*each))

    def constant(self, name: str) -> str | None:
        """The value that it always sets an attribute to, as text; None where it sets none, or the caller says which."""
        side = self.change.set.get(name)
        return None if side is None or side.value is None else plain_text(side.value)

    @property
    def is_upkeep(self) -> bool:
        """Whether a stream's consumer does it, and not the pattern itself."""
        return self.upkeep is not None or self.by_stream

    @property
    def most(self) -> int:
        """Items that it is repeated for, at the most."""
        return self.change.times.most if self.change.times else 1

    @property
    def deletes_collection(self) -> bool:
        """Whether a query finds what it deletes."""
        return self.verb == "delete" and bool(self.pattern.collection)


@dataclass(frozen=True)
class Requirements:
    """All that the planner must serve."""

    design: Design
    pattern_reads: tuple[PatternRead, ...]
    writes: tuple[EntityWrite, ...]
    mutable: dict[str, frozenset[str]]
    """For each entity, the attributes that some write sets, or that are said to be mutable."""

    pins: Mapping[str, EntityPins] = field(default_factory=dict)
    """For each entity, what is pinned of it."""
    tables: tuple[tuple[str, ...], ...] = ()
    """The entities that share a table."""
    copies: tuple[Copied, ...] = ()
    brought: tuple[Brought, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    tested: tuple[tuple[int, str], ...] = ()
    """(pattern, relationship) where a parent that comes along says which rows are wanted."""
    tests: tuple[Weighed, ...] = ()
    """For each relationship by which it could, whether it does, or children carry copies."""
    figures: tuple[Figure, ...] = ()
    """What the writes of children keep on their parents."""
    streamed: tuple[Figure, ...] = ()
    """Those of them that a stream's consumer keeps."""
    looked_up: frozenset[str] = frozenset()
    """The entities whose writes find their item through an index, where its key is not known."""
    lookups: tuple[Weighed, ...] = ()
    rooms: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """Items of an entity that a transaction, by its number, may write, where that is less than the others leave."""

    def table_of(self, entity: str) -> int:
        """The place of an entity's table among `tables`."""
        return next(at for at, names in enumerate(self.tables) if entity in names)

    def form_of(self, entity: str, style: str) -> str:
        """How an entity's table is made: `single`, with generic keys for several, or `multi`, with its own."""
        if style == "single" or any(entity in names and len(names) > 1 for names in self.tables):
            return "single"
        return "multi"

    def writes_of(self, entity: str) -> tuple[EntityWrite, ...]:
        return tuple(write for write in self.writes if write.entity == entity)
