"""What the planner chooses from: access structures, and ways to answer a demand with them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from designer.core.design.document import Attribute, Design, Entity
from designer.core.limits import SMALL_COLLECTION_BYTES
from designer.core.plan import Constant
from designer.core.planner.model import key_text as keytext
from designer.core.planner.model.cardinality import (
    ITEMS,
    distinct_values,
    matching_items,
    most_items,
    presence,
    share_asked,
)
from designer.core.planner.model.shard_attributes import Spread, is_shard, made
from designer.core.planner.workload.requirements import (
    ReadDemand,
    Requirements,
    WriteDemand,
)
from designer.core.prices import SECONDS_PER_MONTH, Prices, weighed_prices
from designer.core.sizes import attribute_bytes, carried_bytes, entity_bytes, text_bytes

if TYPE_CHECKING:
    from designer.core.design.pins import KeyText
    from designer.core.planner.model.pins import EntityPins

Projection = frozenset[str] | None
"""Names an index must hold besides keys; None for all."""


@dataclass(frozen=True)
class Structure:
    """An access structure of one entity: its base key, an index, or edge items under the other side (a copy)."""

    entity: str
    kind: str
    """`base`, `index` (a global one), `local` (an index under the base's own partition key) or `copy`."""
    partition: tuple[str, ...]
    """Attributes that must be known; empty: one constant partition for all."""
    sort: tuple[str, ...]
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Sparse on purpose: items are in it only when these attributes have one of these values."""
    own: bool = False
    """Its key attributes are the items' own, one for each attribute (in a shared table those of the sort key only)."""
    inverse: tuple[str, ...] = ()
    """Sort attributes that are written so that they sort the other way round."""
    again: int = 0
    """Which other index of the same keys it is: each holds something else."""
    bare: bool = False
    """In a shared table: its sort key ends without the identifier, so that items of one key have no order."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Structures are looked up more than anything else.
        return hash(
            (self.entity, self.kind, self.partition, self.sort, self.only, self.inverse, self.bare)
        )

    @property
    def is_index(self) -> bool:
        return self.kind in ("index", "local")

    @property
    def attributes(self) -> tuple[str, ...]:
        return (*self.partition, *self.sort)

    @property
    def plain(self) -> "Structure":
        """The same key without shards: one partition for each of its values."""
        names = tuple(name for name in self.partition if not is_shard(name))
        return self if len(names) == len(self.partition) else replace(self, partition=names)

    @property
    def label(self) -> str:
        only = "".join(f" only {name} {'/'.join(values)}" for name, values in self.only)
        own = " own" * self.own
        inverse = f" inverse {', '.join(self.inverse)}" if self.inverse else ""
        bare = " bare" * self.bare
        keys = f"{' + '.join(self.partition) or 'all'} | {', '.join(self.sort) or '-'}"
        return f"{keys}{only}{own}{inverse}{bare}{f' again {self.again}' * bool(self.again)}"


@dataclass(frozen=True)
class Access:
    """One way to answer a demand, each time it is asked."""

    structure: Structure | None
    """None: through a guard item."""
    call: str
    """`get`, `query`, `query then get`, `guard then get`, or `guard` alone."""
    bound: int = 0
    """Leading sort attributes fixed by equality."""
    ranged: bool = False
    prefix: str = ""
    """The known attribute that says how the next sort attribute begins, which is a range, too."""
    ordered: bool = True
    backwards: bool = False
    left: tuple[str, ...] = ()
    """Known attributes that no key uses: they filter."""
    found: float = 0.0
    """Items that a query's key condition finds, in all its partitions and however few it then reads."""
    shards: int = 1
    """Partitions that the items of one answer are spread over: each is asked."""
    period: str = ""
    """The hour, date, month or year in the partition key: each that the demand's range of time touches is asked."""
    guard: str = ""
    """For `guard then get`: the attribute, or the identifier when empty."""
    way: int = 0
    """Which of the demand's `ways` it takes, where a key can serve this or that range or list."""
    projection: Projection = frozenset()
    requests: float = 1.0
    read: float = 1.0
    bytes: float = 0.0
    units: Fraction = Fraction(1, 2)
    then: tuple[float, float, float, Fraction] | None = None
    """Of these, what the second of two trips takes: requests, items, bytes, units."""


@dataclass(frozen=True)
class Score:
    """How good a choice is; smaller is better, compared from the first figure on.

    Patterns without a rate cannot be priced: reads count by requests before money does, and by bytes after it.
    """

    unserved: int = 0
    broken: int = 0
    """Limits that the team set and this breaks, or DynamoDB."""
    unrated_reads: Fraction = Fraction(0)
    """Requests of the reads without a rate."""
    usd: Fraction = Fraction(0)
    unrated_requests: Fraction = Fraction(0)
    """Requests of the writes without a rate."""
    unrated_bytes: Fraction = Fraction(0)
    requests: Fraction = Fraction(0)
    structures: int = 0
    toll: Fraction = Fraction(0)
    """What the requests count for besides what they cost, where as few as can be are wanted."""
    hot: int = 0
    """Partitions that would take more than they serve; as bad as a limit that is broken."""
    unsorted: int = 0
    """Reads whose rows the caller has to put in order."""

    @property
    def price(self) -> Fraction:
        """What choices are compared by, in US dollars a month: the money, and the toll."""
        return _sum(self.usd, self.toll)

    @property
    def key(self) -> tuple[int, int, Fraction, Fraction, Fraction, Fraction, Fraction, int, int]:
        return (
            self.unserved,
            self.broken + self.hot,
            self.unrated_reads,
            self.price,
            self.unrated_requests,
            self.unrated_bytes,
            self.requests,
            self.unsorted,
            self.structures,
        )

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.unserved + other.unserved,
            self.broken + other.broken,
            _sum(self.unrated_reads, other.unrated_reads),
            _sum(self.usd, other.usd),
            _sum(self.unrated_requests, other.unrated_requests),
            _sum(self.unrated_bytes, other.unrated_bytes),
            _sum(self.requests, other.requests),
            self.structures + other.structures,
            _sum(self.toll, other.toll),
            self.hot + other.hot,
            self.unsorted + other.unsorted,
        )

    def less(self, other: "Score") -> "Score":
        """The difference to another score."""
        return Score(
            self.unserved - other.unserved,
            self.broken - other.broken,
            _sum(self.unrated_reads, -other.unrated_reads),
            _sum(self.usd, -other.usd),
            _sum(self.unrated_requests, -other.unrated_requests),
            _sum(self.unrated_bytes, -other.unrated_bytes),
            _sum(self.requests, -other.requests),
            self.structures - other.structures,
            _sum(self.toll, -other.toll),
            self.hot - other.hot,
            self.unsorted - other.unsorted,
        )

    def __lt__(self, other: "Score") -> bool:
        return self.key < other.key


def _sum(one: Fraction, other: Fraction) -> Fraction:
    # Most figures of a score are nothing, and adding fractions takes long.
    if not other:
        return one
    return one + other if one else other


@lru_cache(maxsize=65536)
def exact(figure: float) -> Fraction:
    """A stated figure as an exact one, so that sums do not depend on their order."""
    return Fraction(repr(float(figure)))


def money(usd: Fraction) -> float:
    """US dollars as a plan says them, to a hundredth of a cent."""
    return float(round(usd, 4))


Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")


def remembered(
    method: Callable[Concatenate["EntityModel", Asked], Answer],
) -> Callable[Concatenate["EntityModel", Asked], Answer]:
    """What is asked of an entity's model, worked out once: neither the model nor what is asked changes."""

    @wraps(method)
    def remembering(model: "EntityModel", /, *args: Asked.args, **named: Asked.kwargs) -> Answer:
        key = (method, args)
        try:
            found: Answer = model._answers[key]
        except KeyError:
            found = model._answers[key] = method(model, *args, **named)
        return found

    return remembering


@dataclass(frozen=True, eq=False)
class EntityModel:
    """An entity with all that pricing its keys takes."""

    design: Design
    entity: Entity
    style: str
    """How its table is made: `single`, shared and with generic keys, or `multi`, its own."""
    requirements: Requirements
    prices: Prices = field(init=False)
    a_request: Fraction = field(init=False)
    """What one request a second counts for in a month besides its cost: nothing but with the objective `requests`."""
    _answers: dict[object, Any] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        prices = weighed_prices(self.design.region, self.design.planner.objective)
        object.__setattr__(self, "prices", prices)
        object.__setattr__(self, "a_request", prices.request * SECONDS_PER_MONTH)

    @property
    def name(self) -> str:
        return self.entity.name

    @cached_property
    def pins(self) -> "EntityPins | None":
        """What is pinned of the entity."""
        return self.requirements.pins.get(self.name)

    def pinned_text(self, structure: Structure, part: tuple[str, ...]) -> "KeyText | None":
        """The text that one part of a structure's key is pinned to."""
        return None if self.pins is None else self.pins.text(structure, part)

    @cached_property
    def is_edge(self) -> bool:
        """Whether the items stand between the two sides of an N:M relationship."""
        return any(one.through == self.name for one in self.design.relationships)

    def is_copy(self, structure: Structure) -> bool:
        """Whether a structure is the items once more, and not the edges under their other side."""
        return structure.kind == "copy" and not self.is_edge

    @cached_property
    def items(self) -> float:
        return float(self.entity.items or ITEMS)

    @cached_property
    def own_bytes(self) -> float:
        return entity_bytes(self.entity) + self._type_bytes

    @property
    def _type_bytes(self) -> int:
        """In a shared table each item says of which shape it is, by the name of it: about its entity's."""
        return len("Type") + len(self.name) if self.style == "single" else 0

    @cached_property
    def mutable(self) -> frozenset[str]:
        return self.requirements.mutable[self.name]

    @cached_property
    def writes(self) -> tuple[WriteDemand, ...]:
        return self.requirements.writes_of(self.name)

    @cached_property
    def unique(self) -> tuple[str, ...]:
        return tuple(a.name for a in self.entity.unique_attributes if a.derived is None)

    @cached_property
    def parents_first(self) -> dict[str, tuple[int, int]]:
        """A place for each entity, after those that its identifier refers to."""
        referred = self.design.referred
        parents = {
            entity.name: [
                referred[entity.name, part][0]
                for part in entity.identifier
                if (entity.name, part) in referred
            ]
            for entity in self.design.entities
        }

        def depth(name: str, below: tuple[str, ...]) -> int:
            above = [up for up in parents[name] if up in parents and up not in below]
            return 1 + max((depth(up, (*below, up)) for up in above), default=-1)

        return {name: (depth(name, (name,)), at) for at, name in enumerate(parents)}

    def attribute(self, name: str) -> Attribute:
        """An attribute of the entity, or one made up for a key."""
        return self.entity.by_name.get(name) or self._made(name)

    @remembered
    def _made(self, name: str) -> Attribute:
        return made(name)

    def may_be_base_key(self, name: str) -> bool:
        """Immutable, always there, and of a type that can be a key."""
        attribute = self.attribute(name)
        if attribute.source is not None:
            return self.may_be_base_key(attribute.source[1])
        kept = name not in self.mutable and attribute.present == 1
        return kept and attribute.type in ("S", "N", "B")

    def may_be_index_key(self, name: str) -> bool:
        """Of a type that can be a key."""
        return self.attribute(name).type in ("S", "N", "B", "BOOL")

    def can_be_kept(self, structure: Structure) -> bool:
        """Whether writes can keep the key right: ADD cannot rewrite a counter inside a composed key."""
        return all(
            self.is_native(structure, part) or not self.counters & set(part)
            for part in self.parts(structure)
        )

    @remembered
    def most_collection_bytes(self, base: Structure, keys: float) -> float:
        """Bytes of the largest item collection under a base key, at the most that is stated."""
        items = self.items * self.hottest_share(base)
        for name in base.partition:
            attribute = self.attribute(name)
            if attribute.source is not None and attribute.busiest is None and not is_shard(name):
                items /= self.distinct(
                    name
                )  # each hour and day has its own, though one after the other
        most = self.most_items(frozenset(base.partition))
        return min(items, items if most is None else most) * (self.own_bytes + keys)

    @remembered
    def most_items(self, names: frozenset[str]) -> float | None:
        """Items that share their values of some attributes, at the most that is stated; None where nothing is."""
        return most_items(self.design, self.entity, names)

    def stays_small(self, names: Iterable[str]) -> bool:
        """Whether items that share their values of some attributes have at most 64 KB, however many come in."""
        most = self.most_items(frozenset(names))
        return most is not None and most * self.own_bytes <= SMALL_COLLECTION_BYTES

    @cached_property
    def mates(self) -> tuple[str, ...]:
        """The entities of the entity's table, itself included."""
        every = (*self.requirements.tables, tuple(self.design.entity))
        return next(names for names in every if self.name in names)

    @remembered
    def may_share_key(self, name: str) -> bool:
        """Whether an attribute may be a key of a shared table: DynamoDB then refuses it in any other type."""
        types = {
            attribute.type
            for entity in self.mates
            for attribute in self.design.entity[entity].stored
            if attribute.name == name
        }
        return types in ({"S"}, {"N"}, {"B"})

    def can_be_inverted(self, name: str) -> bool:
        """Whether an attribute can be written so that it sorts the other way round: it takes a fixed width."""
        return self.attribute(name).inverted(name) is not None

    def to_invert(self, demand: ReadDemand) -> tuple[str, ...] | None:
        """What to write the other way round, so that one direction gives a demand's order; None where nothing helps.

        A key is read forwards or backwards as a whole.
        """
        orders = [order for order in demand.order if order.attribute not in demand.equals]
        if len({order.descending for order in orders}) < 2:
            return ()
        for way in (not orders[0].descending, orders[0].descending):
            names = tuple(order.attribute for order in orders if order.descending == way)
            if all(map(self.can_be_inverted, names)):
                return names
        return None

    @cached_property
    def counters(self) -> frozenset[str]:
        """Numbers that some write adds to, which a composed key cannot follow."""
        kept = {one.figure.name for write in self.writes for one in write.keeps}
        return frozenset(name for write in self.writes for name in write.change.add) | kept

    @remembered
    def distinct(self, name: str) -> float:
        """Different values of an attribute."""
        return distinct_values(self.design, self.entity, self.attribute(name))

    @remembered
    def hottest_share(self, structure: Structure, constants: frozenset[str] = frozenset()) -> float:
        """Share of its items and traffic on the hottest value of a structure's partition key.

        A composed key is as hot as its coolest part. Whatever comes in at one time has the same hour and day, and
        what a sparse index is limited to is the same for all, as are the `constants` of a pattern; shards divide
        the rest.
        """
        shares = [1.0]
        for name in structure.partition:
            attribute = self.attribute(name)
            if name in constants or name in dict(structure.only) or isinstance(attribute, Spread):
                continue
            if attribute.busiest is not None:
                shares.append(attribute.busiest)
            elif attribute.shares:
                shares.append(max(attribute.shares))
            elif attribute.source is None:
                shares.append(1 / self.distinct(name))
        return min(shares) / self.shards(structure)

    def share_of_hottest(
        self,
        structure: Structure,
        stated: float | None,
        is_new: bool = False,
        constants: frozenset[str] = frozenset(),
    ) -> float:
        """Share of a pattern's traffic on the hottest partition of a structure.

        `stated` is what the team says of the pattern's hottest key; it says nothing of keys that are the same
        for all, nor of those that only one new item has. `constants`: attributes to which the pattern gives one value.
        """
        if stated is None:
            return self.hottest_share(structure, constants)
        names = {name for name in structure.partition if not is_shard(name)}
        names -= {*constants, *(name for name, _ in structure.only)}
        if not names or (is_new and set(self.entity.identifier) <= names):
            return self.hottest_share(structure, constants)
        return stated / self.shards(structure)

    def shards(self, structure: Structure) -> int:
        """How many partitions items with the same values of a key are spread over."""
        parts = map(self.attribute, structure.partition)
        return max((part.count for part in parts if isinstance(part, Spread)), default=1)

    def is_keyed_by(self, structure: Structure, name: str) -> bool:
        """Whether an attribute takes part in a structure's key, as it is or in what is worked out from it."""
        return name in structure.attributes or name in self.made_of(structure)

    @remembered
    def shard_source(self, structure: Structure) -> str | None:
        """The attribute of the identifier by which items with one partition key are best spread; None for one item."""
        free = [name for name in self.entity.identifier if name not in structure.partition]
        return max(free, key=self.distinct, default=None)

    @remembered
    def made_of(self, structure: Structure) -> frozenset[str]:
        """The stored attributes that a structure's key is worked out from: to know them is to know it."""
        return frozenset(self.stored_name(name) for name in structure.attributes)

    @remembered
    def density(self, structure: Structure) -> float:
        """Share of the items that are in an index."""
        share = 1.0
        limited = dict(structure.only)
        for name in dict.fromkeys(structure.attributes):
            if name in limited:
                share *= sum(
                    share_asked(self.design, self.entity, self.attribute(name), Constant(value=v))
                    for v in limited[name]
                )
            else:
                share *= self.attribute(name).present
        for name, values in structure.only:
            if name not in structure.attributes:
                share *= sum(
                    share_asked(self.design, self.entity, self.attribute(name), Constant(value=v))
                    for v in values
                )
        return share

    @remembered
    def sparse_by(self, structure: Structure) -> tuple[str, ...]:
        """The attributes that decide whether an item is in an index."""
        if not structure.is_index:
            return ()
        limited = dict(structure.only)
        names = dict.fromkeys((*structure.attributes, *limited))
        return tuple(name for name in names if name in limited or self.presence(name) < 1)

    @remembered
    def waits_for(self, structure: Structure, part: tuple[str, ...]) -> tuple[str, ...]:
        """The attributes that a composed key part waits for, so that it is absent with the other part.

        None where a write would have to read them first for that: the other part alone keeps the item out. It does
        where keys are the items' own attributes, too.
        """
        if structure.own:
            return ()
        others = tuple(name for name in self.sparse_by(structure) if name not in part)
        wanted = {self.stored_name(name) for name in (*part, *others)}
        wanted -= set(self.entity.identifier)
        for write in self.writes:
            if write.verb == "update" and wanted & write.changed:
                change = write.change
                told = {*write.known, *change.set, *change.remove, *change.greatest}
                if wanted - told:
                    return ()
        return others

    def stored_name(self, name: str) -> str:
        """An attribute, or for a derived one what it is worked out from."""
        source = self.attribute(name).source
        return source[1] if source else name

    def read_as(self, name: str) -> str:
        """What a plan calls an attribute that is tested or sorted by: a derived one by what it is worked out from."""
        return self.attribute(name).derived or name

    def presence(self, name: str) -> float:
        """Share of the items that have an attribute, or what it is worked out from."""
        source = self.attribute(name).source
        return self.attribute(source[1] if source else name).present

    @remembered
    def membership(self, structure: Structure, write: WriteDemand) -> tuple[float, float]:
        """Share of the items that a write finds in a structure, and share that it leaves there.

        From the constants it sets and the conditions it makes, else from how common the values are.
        """
        before = after = 1.0
        limited = dict(structure.only)
        for name in dict.fromkeys((*structure.attributes, *limited)):
            attribute = self.attribute(name)
            values = limited.get(name)
            share = attribute.present
            if values is not None:
                share = sum(
                    share_asked(self.design, self.entity, attribute, Constant(value=value))
                    for value in values
                )
            now = self._known_share(write, name, values)
            then = self._share_made(write, name, values)
            if now is None and then == 0 and write.verb == "update":
                now = self._share_leaving(name, values)
            before *= share if now is None else now
            after *= then if then is not None else share if now is None else now
        if write.verb == "create":
            return 0.0, after
        return (before, 0.0) if write.verb == "delete" else (before, after)

    def was_absent(self, structure: Structure, names: Iterable[str], write: WriteDemand) -> bool:
        """Whether a write's conditions make sure that a key part of these attributes is not there."""
        limited = dict(structure.only)
        return any(self._known_share(write, name, limited.get(name)) == 0 for name in names)

    def becomes_absent(
        self, structure: Structure, names: Iterable[str], write: WriteDemand
    ) -> bool:
        """Whether it is sure that a key part of these attributes is not there after a write."""
        limited = dict(structure.only)
        for name in names:
            values = limited.get(name)
            if self._share_made(write, name, values) == 0:
                return True
            if name not in write.changed and self._known_share(write, name, values) == 0:
                return True
        return False

    def _share_leaving(self, name: str, values: tuple[str, ...] | None) -> float | None:
        """How many of the writes that take an item out find it there: as many as others put in."""
        entering = leaving = 0.0
        for write in self.writes:
            made = self._share_made(write, name, values)
            if made is None and write.verb in ("create", "upsert"):
                attribute = self.attribute(name)
                made = attribute.present
                if values is not None:
                    made = sum(
                        share_asked(self.design, self.entity, attribute, Constant(value=value))
                        for value in values
                    )
            rate = (write.average or 0.0) * write.times
            if made:
                entering += rate * made
            elif made == 0 and write.verb == "update":
                leaving += rate
        return min(1.0, entering / leaving) if leaving else None

    def _known_share(
        self, write: WriteDemand, name: str, values: tuple[str, ...] | None
    ) -> float | None:
        """What a write's conditions say of an attribute before it."""
        for condition in write.change.if_:
            if condition.attribute != name:
                continue
            if condition.missing:
                return 0.0
            if condition.is_ is not None and condition.is_.value is not None:
                return 1.0 if values is None or str(condition.is_.value) in values else 0.0
            if condition.exists and values is None:
                return 1.0
        return None

    def _share_made(
        self, write: WriteDemand, name: str, values: tuple[str, ...] | None
    ) -> float | None:
        """What a write makes of an attribute."""
        change = write.change
        if self.stored_name(name) in change.remove:
            return 0.0
        side = change.set.get(name)
        if side is not None and side.value is not None:
            return 1.0 if values is None or str(side.value) in values else 0.0
        if values is None and (side is not None or name in change.add or name in change.greatest):
            return 1.0
        return None

    def is_native(self, structure: Structure, part: tuple[str, ...]) -> bool:
        """Whether a key attribute is one of the item's own, under its own name."""
        if len(part) != 1 or not self._may_be_native(structure, part):
            return False
        attribute = self.attribute(part[0])
        return (
            (self.style == "multi" or (structure.own and part[0] in structure.sort))
            and attribute.type in ("S", "N", "B")
            and attribute.derived is None
            and part[0] not in dict(structure.only)
            and part[0] not in structure.inverse
        )

    def _may_be_native(self, structure: Structure, part: tuple[str, ...]) -> bool:
        """Whether no pin gives a key attribute another name, or more text than the attribute's own."""
        if self.pins is None or structure.own:
            return True
        text, name = self.pins.text(structure, part), self.pins.name_of(structure, part)
        return (
            (text is None or text.lone == part[0])
            and name in (None, part[0])
            and not self.pins.generic
        )

    @remembered
    def split(
        self, structure: Structure
    ) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
        """(partition key, sort key): for each of its key attributes, the attributes that are composed in it."""
        sort = self.sorted_by(structure)
        if not structure.own:
            has_sort = bool(sort) or self.style == "single" or self.pinned_text(structure, ())
            return (structure.partition,), (sort,) if has_sort else ()
        alone = structure.partition if self.style == "multi" and structure.partition else None
        partition = (structure.partition,) if alone is None else tuple((name,) for name in alone)
        return partition, tuple((name,) for name in sort)

    def parts(self, structure: Structure) -> tuple[tuple[str, ...], ...]:
        """The key attributes that a structure has of its own: a local index has its table's partition key."""
        partition, sort = self.split(structure)
        return sort if structure.kind == "local" else (*partition, *sort)

    @cached_property
    def ranged(self) -> frozenset[str]:
        """The attributes that some question reads ranges of."""
        return frozenset(
            way.range.attribute
            for question in self.requirements.questions
            for demand in question.demands
            if demand.entity == self.name
            for way in demand.ways
            if way.range is not None
        )

    @remembered
    def key_bytes(self, structure: Structure) -> float:
        """Bytes that a structure's key attributes add to an item, names included."""
        partition, sort = self.split(structure)
        told = [(part, 1) for part in sort]
        if structure.kind != "local":
            told = [*((part, 0) for part in partition), *told]
        return sum(
            len(self._key_name(structure, part, at)) + self._text_bytes(structure, part, at)
            for part, at in told
            if not self.is_native(structure, part)
        )

    def _key_name(self, structure: Structure, part: tuple[str, ...], at: int) -> str:
        """How a composed key attribute is called, where no other has that name. `at`: 1 of a sort key."""
        pinned = None if self.pins is None else self.pins.name_of(structure, part)
        if pinned is not None:
            return pinned
        if self.style == "multi" and not (self.pins is not None and self.pins.generic):
            return keytext.own_name(self, structure, part)
        natural = self.style == "single" and self.design.planner.key_names.single == "natural"
        return keytext.shared_names("GSI1" if structure.is_index else "", natural)[at]

    def _text_bytes(self, structure: Structure, part: tuple[str, ...], at: int) -> float:
        """Average bytes of a composed key attribute's text."""
        if self.style == "multi":
            pieces = keytext.own_text(self, structure, part)
        elif at == 0:
            pieces = keytext.shared_partition(self, structure)
        else:
            pieces = keytext.shared_sort(self, structure, keytext.sort_token(self, structure))
        limited = dict(structure.only)
        return sum(
            len(value.encode())
            if kind == "text"
            else text_bytes(self.attribute(value), limited.get(value))
            for kind, value in pieces
        )

    @remembered
    def sorted_by(self, structure: Structure) -> tuple[str, ...]:
        """The attributes in a composed sort key.

        In single-table style the identifier follows what is sorted by, where a partition holds several items, but for
        bare keys.
        """
        if self.style != "single" or structure.own or structure.bare:
            return structure.sort
        if self.pinned_text(structure, structure.sort) is not None:
            return structure.sort
        one_item = set(self.entity.identifier) <= set(structure.partition)
        if not structure.sort and (one_item or set(structure.partition) & set(self.unique)):
            return ()
        rest = [name for name in self.entity.identifier if name not in structure.attributes]
        return (*structure.sort, *rest)

    @remembered
    def surely_has(self, structure: Structure) -> frozenset[str]:
        """The optional attributes that every item in an index has: what its key is made of or it is limited to."""
        return frozenset(map(self.stored_name, self.sparse_by(structure)))

    def bytes_there(self, structure: Structure, name: str) -> float:
        """Average bytes that one of the entity's attributes adds to an item in an index."""
        attribute = self.attribute(name)
        is_there = name in self.surely_has(structure)
        return carried_bytes(attribute) if is_there else attribute_bytes(attribute)

    @remembered
    def fuller_by(self, structure: Structure) -> float:
        """Bytes that the items in an index have more than the average item: what its key is made of, and the key."""
        attributes = sum(
            self.bytes_there(structure, name) - attribute_bytes(self.attribute(name))
            for name in sorted(self.surely_has(structure))
        )
        return attributes + (1 - self.density(structure)) * self.key_bytes(structure)

    @remembered
    def entry_bytes(
        self, base: Structure, structure: Structure, projection: Projection, keys: float
    ) -> float:
        """Bytes of an item read from a structure. `keys`: what all key attributes add to the average item.

        Only items that have what an index's key is made of are in it: each entry holds all of that, and the whole key.
        Of other optional attributes, and of other indexes' keys, it holds the average.
        """
        if structure.kind == "copy":
            return self.own_bytes + self.key_bytes(structure)  # it is in no index
        if structure.kind == "base":
            return self.own_bytes + keys
        if projection is None:
            return self.own_bytes + keys + self.fuller_by(structure)
        native = {
            name
            for of in (structure, base)
            for part in self.parts(of)
            if self.is_native(of, part)
            for name in part
        }
        # A shared list may name attributes that only other entities have.
        named = {name for name in projection if name in self.entity.by_name} | native
        own = sum(
            self.bytes_there(structure, name)
            for name in sorted(named)
            if not self.attribute(name).derived
        )
        # What holds nothing but keys does not hold the type.
        typed = self._type_bytes if projection - native else 0
        return own + typed + self.key_bytes(structure) + self.key_bytes(base)

    def matched_by(
        self, demand: ReadDemand, names: tuple[str, ...], there: tuple[str, ...]
    ) -> float:
        """Items that have the values of some of a demand's known attributes, and some of what must be `there`.

        As many as is stated of these; more where the demand finds more than is stated of all: busy parents are asked
        for more often.
        """
        known = {name: value for name, value in demand.equals.items() if name in names}
        if len(known) == len(demand.equals) and len(there) == len(demand.exists):
            return demand.matched
        few = matching_items(self.design, self.entity, known) * presence(self.entity, there)
        stated = matching_items(self.design, self.entity, demand.equals)
        stated *= presence(self.entity, demand.exists)
        return max(few * max(1.0, demand.matched / stated if stated else 1.0), demand.matched)
