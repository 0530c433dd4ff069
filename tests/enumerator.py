"""The cheapest keys there are for a small design, found by forming every one of them.

It shares nothing with the planner but DynamoDB's rules of price (`sizes`, `units`, `prices`, `limits`) and reads the
design document itself. Every set of attributes is tried as a partition and every order of up to three others behind
it, for the table and for indexes, plain and with only the items that carry a constant; each index holds
what its reads need, or their keys alone with a second read, or all. For every legal base key and every way to
group the reads onto structures it takes the cheapest structures together.

What is left out is left out for a reason that can be checked: a key that another beats in every figure that a cost
is made of (`_undominated`), and a choice whose floor is above what has been found (`_Search`). No list of candidates
is handed in.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from math import ceil, inf

from designer.core.design.document import GENERATED_FORMATS, Design, Entity
from designer.core.limits import (
    COOL_VALUES,
    ITEM_OVERHEAD_BYTES,
    MOST_DROPPED,
    PARTITION_READS,
    PARTITION_WRITES,
    READ_UNIT_BYTES,
    SMALL_COLLECTION_BYTES,
    WRITE_UNIT_BYTES,
)
from designer.core.patterns.base import Condition, Member, Read, Write
from designer.core.prices import SECONDS_PER_MONTH, prices_of
from designer.core.sizes import (
    attribute_bytes,
    attribute_value_bytes,
    entity_bytes,
    text_bytes,
)

MOST_SORTED = 3
"""Sort attributes of a key, besides an identifier that follows them."""
RANGE_KEEPS = 0.5
FILTER_KEEPS = 0.5
HOT = 1e9
"""US dollars for a partition that runs hot: more than anything else costs."""


@dataclass(frozen=True)
class Key:
    """A partition key and a sort key over an entity's attributes; `only`: the value an item must carry to be in."""

    partition: tuple[str, ...]
    sort: tuple[str, ...]
    only: tuple[tuple[str, str], ...] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        return (*self.partition, *self.sort)


@dataclass(frozen=True)
class Asked:
    """What a read pattern asks, as its document says it."""

    equals: dict[str, str | None]
    """Attributes that are given; a constant where the pattern says one."""
    range: Condition | None
    exists: tuple[str, ...]
    filters: tuple[Condition, ...]
    order: tuple[str, ...]
    limit: int | None
    needs: frozenset[str] | None
    """What must be read of an item; None for all of it."""
    kind: str
    strong: bool
    factor: float
    rate: float
    peak: float


@dataclass(frozen=True)
class Use:
    """How a read uses a key."""

    read: float
    """Items read each time."""
    returned: float
    """Items of the answer."""
    left: float
    """Items that a second trip gets: what is sorted by the caller is cut only after that."""
    tests: frozenset[str]
    """What must be on the items to test them."""
    sorts: frozenset[str]
    """What must be on the items for the caller to sort them."""
    get: bool = False


class Model:
    """One entity, its reads and writes, and what keys of it weigh in one style."""

    def __init__(self, design: Design, entity: Entity, style: str) -> None:
        self.design, self.entity, self.style = design, entity, style
        self.prices = prices_of(design.region)
        self.items = float(entity.items or 1000)
        self.second = SECONDS_PER_MONTH
        self.writes = [
            (change, pattern.rate.average, pattern.rate.peak or pattern.rate.average)
            for pattern in design.patterns
            if isinstance(pattern, Write) and pattern.rate is not None
            for change in pattern.changes
            if change.entity == entity.name
        ]
        self.mutable = {a.name for a in entity.attributes if a.mutable}
        for change, _, _ in self.writes:
            if change.verb in ("update", "upsert"):
                self.mutable |= self.changed(change)
        self.mutable -= set(entity.identifier)
        self.unique = [a.name for a in entity.unique_attributes]
        self.generated = any(
            entity.by_name[name].format in GENERATED_FORMATS and not entity.by_name[name].refers_to
            for name in entity.identifier
        )

    # Statistics

    def distinct(self, name: str) -> float:
        attribute = self.entity.by_name[name]
        if attribute.distinct is not None:
            return float(attribute.distinct)
        if attribute.values:
            return float(len(attribute.values))
        if attribute.refers_to:
            target = self.design.entity[attribute.refers_to.partition(".")[0]]
            return min(float(target.items or 1000), self.items * attribute.present)
        return self.items  # identifiers, unique values and times

    def share(self, name: str, value: str | None) -> float:
        """Share of the items that carry a value, or the one that is asked for (as often as it occurs)."""
        attribute = self.entity.by_name[name]
        if attribute.values:
            shares = attribute.shares or (1 / len(attribute.values),) * len(attribute.values)
            if value is not None:
                return shares[attribute.values.index(value)] * attribute.present
            return sum(part * part for part in shares) * attribute.present
        return attribute.present / self.distinct(name)

    def matching(self, equals: dict[str, str | None]) -> float:
        """Items that carry the values."""
        if set(self.entity.identifier) <= equals.keys() or any(n in equals for n in self.unique):
            return 1.0
        rows, joined = self.items, set()
        for relationship in self.design.relationships:
            if relationship.child != self.entity.name:
                continue
            by = {own for own, _ in self.design.references(relationship, relationship.parent)}
            if by <= equals.keys():
                rows, joined = relationship.average or 10.0, by
        for name, value in equals.items():
            if name not in joined:
                rows *= self.share(name, value)
        return rows

    def kept(self, condition: Condition) -> float:
        if condition.share is not None:
            return condition.share
        if condition.is_ is not None:
            value = condition.is_.value
            return self.share(condition.attribute, value) if value else self._even(condition)
        return RANGE_KEEPS if condition.is_range else FILTER_KEEPS

    def _even(self, condition: Condition) -> float:
        attribute = self.entity.by_name[condition.attribute]
        return attribute.present / self.distinct(condition.attribute)

    def is_cool(self, partition: tuple[str, ...]) -> bool:
        values = 1.0
        for name in partition:
            values *= self.distinct(name)
        return min(values, self.items) >= COOL_VALUES

    def hottest(self, key: Key) -> float:
        """Share of the traffic on the busiest partition; what an index is limited to is the same for all."""
        shares = [1.0]
        for name in key.partition:
            attribute = self.entity.by_name[name]
            if name not in dict(key.only):
                busy = max(attribute.shares) if attribute.shares else 1 / self.distinct(name)
                shares.append(busy)
        return min(shares)

    # Bytes

    @cached_property
    def own_bytes(self) -> float:
        typed = len("Type") + len(self.entity.name) + 4 if self.style == "single" else 0
        return entity_bytes(self.entity) + typed

    def is_native(self, key: Key, part: tuple[str, ...]) -> bool:
        """Whether the attribute itself is the key: tables of one entity, where nothing is composed."""
        return (
            self.style == "multi"
            and len(part) == 1
            and part[0] not in dict(key.only)
            and self.entity.by_name[part[0]].type in ("S", "N", "B")
        )

    def sort_text(self, key: Key) -> tuple[str, ...]:
        """The sort key in a shared table ends in the identifier, where a partition holds several items."""
        if self.style == "multi":
            return key.sort
        alone = set(self.entity.identifier) <= set(key.partition)
        if not key.sort and (alone or set(key.partition) & set(self.unique)):
            return ()
        return (*key.sort, *(n for n in self.entity.identifier if n not in key.attributes))

    def key_bytes(self, key: Key, index: bool) -> float:
        """What a key adds to its item, names included."""
        total = 0.0
        for part, sorts in ((key.partition, False), (self.sort_text(key), True)):
            if self.is_native(key, part):
                continue
            text = sum(text_bytes(self.entity.by_name[name]) + 1 for name in part)
            if self.style == "single":
                total += len("GSI1PK" if index else "PK") + text
                if sorts or not part:
                    total += len(self.entity.token) + 1
                else:
                    total += sum(len(self.label(name)) + 1 for name in part) - 1
            elif part or not sorts:
                total += sum(len(name) + 1 for name in part) + text
        return total

    def label(self, name: str) -> str:
        attribute = self.entity.by_name[name]
        if attribute.refers_to:
            return self.design.entity[attribute.refers_to.partition(".")[0]].token
        return self.entity.token if self.entity.identifier == (name,) else name

    def listed_bytes(self, base: Key, key: Key, names: frozenset[str]) -> float:
        """An index entry that holds some attributes besides the keys."""
        held = set(names)
        for one in (base, key):
            for part in (one.partition, one.sort):
                if self.is_native(one, part):
                    held |= set(part)
        own = sum(attribute_bytes(self.entity.by_name[name]) for name in sorted(held))
        return own + self.key_bytes(key, True) + self.key_bytes(base, False)

    def density(self, key: Key) -> float:
        only = dict(key.only)
        share = 1.0
        for name in key.attributes:
            present = self.entity.by_name[name].present
            share *= self.share(name, only[name]) if name in only else present
        return share

    def guard_bytes(self, base: Key, name: str) -> float:
        """The item that keeps a unique value, or the identifier (no name), from being given twice (rule 14)."""
        entity = self.entity
        guarded = (name,) if name else entity.identifier
        carried = dict.fromkeys((*guarded, *entity.identifier, *base.attributes))
        size = sum(len(one) + attribute_value_bytes(entity.by_name[one]) for one in carried)
        text = sum(text_bytes(entity.by_name[one]) + 1 for one in guarded) - 1
        if self.style == "single":
            shape = f"{entity.name}{name[:1].upper()}{name[1:]}Guard"
            start = f"PK{entity.token}#{name.upper() or 'ID'}#SKAType{shape}"
            return size + len(start) + text
        if self.is_native(Key(guarded, ()), guarded):
            return size
        return size + len("_".join(guarded)) + 4 * (len(guarded) == 1) + text

    # What writes do to keys

    def changed(self, change: Member) -> set[str]:
        if change.verb in ("create", "upsert", "delete"):
            return {a.name for a in self.entity.stored} - set(self.entity.identifier)
        return {*change.set, *change.remove, *change.add, *change.greatest}

    def known(self, change: Member) -> set[str]:
        if change.verb in ("create", "upsert"):
            return set(self.entity.by_name)
        equal = {c.attribute for c in change.if_ if c.is_ is not None}
        return {*(change.by or self.entity.identifier), *change.given, *equal}

    def entries_written(self, key: Key, held: frozenset[str] | None, change: Member) -> float:
        """Index entries that one write puts and deletes, on average."""
        found, left = self.membership(key, change)
        if change.verb == "create":
            return left
        if change.verb == "delete":
            return found
        if change.verb == "upsert" or set(key.attributes) & self.changed(change):
            return found + left
        return found if held is None or held & self.changed(change) else 0.0

    def membership(self, key: Key, change: Member) -> tuple[float, float]:
        """The share of the items that a write finds in an index, and the share it leaves there."""
        before = after = 1.0
        only = dict(key.only)
        for name in key.attributes:
            value = only.get(name)
            usual = self.share(name, value) if value else self.entity.by_name[name].present
            now, then = self.told(change, name, value), self.made(change, name, value)
            if now is None and then == 0 and change.verb == "update":
                now = self.leaving(name, value)
            before *= usual if now is None else now
            after *= then if then is not None else usual if now is None else now
        return before, after

    def told(self, change: Member, name: str, value: str | None) -> float | None:
        """What a write's conditions say of the item before it."""
        for condition in change.if_:
            if condition.attribute == name:
                if condition.missing:
                    return 0.0
                if condition.is_ is not None and condition.is_.value is not None:
                    return float(value is None or condition.is_.value == value)
                if condition.exists and value is None:
                    return 1.0
        return None

    def made(self, change: Member, name: str, value: str | None) -> float | None:
        """What a write makes of an attribute."""
        if name in change.remove:
            return 0.0
        side = change.set.get(name)
        if side is not None and side.value is not None:
            return float(value is None or side.value == value)
        if value is None and (side is not None or name in change.add or name in change.greatest):
            return 1.0
        return None

    def leaving(self, name: str, value: str | None) -> float | None:
        """No more items leave an index than came into it."""
        usual = self.share(name, value) if value else self.entity.by_name[name].present
        entering = leaving = 0.0
        for change, rate, _ in self.writes:
            made = self.made(change, name, value)
            if made is None and change.verb in ("create", "upsert"):
                made = usual
            if made:
                entering += rate * made
            elif made == 0 and change.verb == "update":
                leaving += rate
        return min(1.0, entering / leaving) if leaving else None

    def reads_first(self, base: Key, key: Key, change: Member) -> bool:
        """Whether an update must read the item to write a composed key anew (rule 13)."""
        if change.verb != "update":
            return False
        changed = self.changed(change)
        available = self.known(change) | set(base.attributes) | {*change.set, *change.remove}
        available |= set(change.greatest)
        for part in (key.partition, key.sort):
            parts = {*part, *self.waits_for(key, part)}
            if self.is_native(key, part) or not parts & changed or self.goes(key, parts, change):
                continue
            if parts - available or parts & set(change.add):
                return True
        return False

    def waits_for(self, key: Key, part: tuple[str, ...]) -> tuple[str, ...]:
        """A part is left out with the other one, so that no sparse item keeps half a key, where that is free."""
        only = dict(key.only)
        sparse = [n for n in key.attributes if n in only or self.entity.by_name[n].present < 1]
        others = tuple(name for name in sparse if name not in part)
        for change, _, _ in self.writes:
            if change.verb == "update" and {*part, *others} & self.changed(change):
                told = self.known(change) | {*change.set, *change.remove, *change.greatest}
                if {*part, *others} - told:
                    return ()
        return others

    def goes(self, key: Key, parts: Iterable[str], change: Member) -> bool:
        """Whether a write surely leaves a part of a key out."""
        only = dict(key.only)
        return any(
            self.made(change, name, only.get(name)) == 0
            or (name not in self.changed(change) and self.told(change, name, only.get(name)) == 0)
            for name in parts
        )

    def can_follow(self, key: Key) -> bool:
        """ADD changes a number by itself, and no text that holds it."""
        added = {name for change, _, _ in self.writes for name in change.add}
        return all(
            self.is_native(key, part) or not added & set(part) for part in (key.partition, key.sort)
        )

    # Reads

    def asked(self, pattern: Read) -> Asked:
        equals: dict[str, str | None] = {}
        ranges, exists, filters = [], [], list(pattern.keep)
        for condition in pattern.where:
            if condition.is_ is not None:
                value = condition.is_.value
                equals[condition.attribute] = None if value is None else str(value)
            elif condition.exists:
                exists.append(condition.attribute)
            else:
                ranges.append(condition)
        order = tuple(o.attribute for o in pattern.orders if o.attribute not in equals)
        needs: frozenset[str] | None = None
        if pattern.kind in ("count", "exists"):
            needs = frozenset()
        elif pattern.attributes is not None:
            needs = frozenset(pattern.attributes)
        assert pattern.rate is not None and len(ranges) < 2
        return Asked(
            equals,
            ranges[0] if ranges else None,
            tuple(exists),
            tuple(filters),
            order,
            1 if pattern.kind == "exists" else pattern.limit,
            needs,
            pattern.kind,
            pattern.consistency != "eventual",
            {"eventual": 0.5, "strong": 1.0, "transactional": 2.0}[pattern.consistency],
            pattern.rate.average,
            pattern.rate.peak or pattern.rate.average,
        )

    def use(self, asked: Asked, key: Key, index: bool) -> Use | None:
        """How a read uses a key; None when it cannot, or when items of the answer are not there."""
        given = set(asked.equals)
        if not set(key.partition) <= given or (index and asked.strong):
            return None
        sure = given | {*asked.exists, *asked.order}
        if asked.range is not None:
            sure.add(asked.range.attribute)
        if any(self.entity.by_name[n].present < 1 and n not in sure for n in key.attributes):
            return None
        if any(asked.equals.get(name) != value for name, value in key.only):
            return None
        bound = 0
        while bound < len(key.sort) and key.sort[bound] in given:
            bound += 1
        fixed = {*key.partition, *key.sort[:bound]}
        rest = key.sort[bound:]
        ranged = asked.range is not None and rest[:1] == (asked.range.attribute,)
        ordered = rest[: len(asked.order)] == asked.order
        if index and asked.limit and not ordered and not self.mutable & set(asked.order):
            return None  # a limited question is read no further than its limit
        get = not index and set(key.attributes) <= given
        read = self.matching({n: v for n, v in asked.equals.items() if n in fixed})
        returned = self.matching(asked.equals)
        for name in asked.exists:
            present = self.entity.by_name[name].present
            returned *= present
            if name in key.attributes:
                read *= present
        read = max(read, returned)
        for condition in (*asked.filters, *([asked.range] if asked.range else [])):
            returned *= self.kept(condition)
        if ranged and asked.range is not None:
            read *= self.kept(asked.range)
        share = min(1.0, returned / read)
        left = returned
        if asked.limit is not None:
            returned = min(returned, asked.limit)
            if ordered:
                read, left = min(read, asked.limit / share), returned
        filtered = {condition.attribute for condition in asked.filters}
        there = {n for n in asked.order if self.entity.by_name[n].present < 1} | set(asked.exists)
        tests = filtered | (given - fixed) | (there - set(key.attributes))
        if asked.range is not None and not ranged:
            tests |= {asked.range.attribute}
        sorts = frozenset() if ordered else frozenset(asked.order)
        if get:
            return Use(1.0, 1.0, 1.0, tests, sorts, True)
        return Use(read, returned, left, tests, sorts)

    # Legal keys

    @cached_property
    def in_use(self) -> tuple[str, ...]:
        """Attributes that some read speaks of, and the identifier."""
        names = dict.fromkeys(self.entity.identifier)
        for asked in self.reads:
            ranged = [asked.range.attribute] if asked.range else []
            for name in (*asked.equals, *ranged, *asked.exists, *asked.order):
                names[name] = None
        return tuple(names)

    @cached_property
    def reads(self) -> list[Asked]:
        return [
            self.asked(pattern)
            for pattern in self.design.patterns
            if isinstance(pattern, Read)
            and pattern.entities == (self.entity.name,)
            and not pattern.with_
        ]

    def keys(self, names: Sequence[str]) -> Iterator[Key]:
        """Every key over some attributes."""
        for size in range(len(names) + 1):
            for partition in combinations(names, size):
                rest = [name for name in names if name not in partition]
                for length in range(min(MOST_SORTED, len(rest)) + 1):
                    for sort in permutations(rest, length):
                        yield Key(partition, sort)

    def is_wide(self, key: Key) -> bool:
        """Whether a partition key has many values, or is what a read gives but for what is loose (rules 18 and 23).

        Bytes could be saved by a narrower key, at the price of a worse spread.
        """
        partition = set(key.partition)
        loose = {n for n in self.in_use if n in self.mutable or self.entity.by_name[n].present < 1}
        return (bool(partition) and self.is_cool(key.partition)) or any(
            partition <= set(asked.equals)
            and set(asked.equals) - partition <= loose
            and (partition or not asked.equals)
            for asked in self.reads
        )

    def base_keys(self) -> Iterator[Key]:
        """Every key of the table: immutable, always there, with the identifier in it (rules 1 and 2)."""
        may = [
            name
            for name in self.in_use
            if name not in self.mutable
            and self.entity.by_name[name].present == 1
            and self.entity.by_name[name].type in ("S", "N", "B")
        ]
        found = {}
        for key in self.keys(may):
            if key.partition and (
                self.is_wide(key) or set(key.partition) <= set(self.entity.identifier)
            ):
                rest = (n for n in self.entity.identifier if n not in key.attributes)
                found[Key(key.partition, (*key.sort, *rest))] = None
        yield from found

    def index_keys(self) -> Iterator[Key]:
        """Every key of an index, with all items and with those alone that carry constants of the reads."""
        constants: dict[str, dict[str, None]] = {}
        for asked in self.reads:
            for name, value in asked.equals.items():
                if value is not None:
                    constants.setdefault(name, {})[value] = None
        names = [n for n in self.in_use if self.entity.by_name[n].type in ("S", "N", "B", "BOOL")]
        for key in filter(self.is_wide, self.keys(names)):
            limits = [
                [None, *((name, value) for value in constants.get(name, {}))]
                for name in key.attributes
            ]
            for chosen in product(*limits):
                one = Key(key.partition, key.sort, tuple(limit for limit in chosen if limit))
                if self.can_follow(one):
                    yield one


# Prices


def _steps(size: float, step: int) -> int:
    return max(1, ceil(round(size, 6) / step))


@dataclass(frozen=True)
class Piece:
    """What some reads cost on one structure, with all that keeping the structure takes.

    Key attributes of every index lie on the item itself, so what touches whole items is kept apart: it is priced once
    the keys are known.
    """

    reads: int
    """The reads it answers, a bit for each."""
    usd: float
    """Whatever the other keys are."""
    key_bytes: float = 0.0
    """What it adds to each item, on average."""
    first: int = 0
    """The writes that must read the item first for it, a bit for each."""
    items_read: tuple[tuple[float, float], ...] = ()
    """(whole items in one request, US dollars a month for each unit of such requests)."""
    items_written: float = 0.0
    """US dollars a month for each unit that an item takes to write."""
    bytes_kept: float = 0.0
    """US dollars a month for each byte of an item."""
    of_table: bool = False
    """It reads the table by its key."""
    key: Key | None = None
    """The index; None for the table and its guards."""
    names: frozenset[str] | None = None
    """What the index holds besides keys; None for all."""

    def cost(self, size: float) -> float:
        """US dollars a month where an item has so many bytes."""
        usd = self.usd + self.bytes_kept * size
        if self.items_written:
            usd += self.items_written * _steps(size, WRITE_UNIT_BYTES)
        for count, dollars in self.items_read:
            usd += dollars * _steps(count * size, READ_UNIT_BYTES)
        return usd

    def beats(self, other: "Piece", size: float) -> bool:
        """Whether it is at least as good whatever else is chosen. `size`: bytes of an item, at the least."""
        if self.key_bytes > other.key_bytes or self.first & ~other.first:
            return False
        if not self.items_read and not self.items_written and not self.bytes_kept:
            return self.cost(size) <= other.cost(size)
        return (
            self.usd <= other.usd
            and self.items_written <= other.items_written
            and self.bytes_kept <= other.bytes_kept
            and len(self.items_read) == len(other.items_read)
            and all(
                mine[0] <= theirs[0] and mine[1] <= theirs[1]
                for mine, theirs in zip(self.items_read, other.items_read, strict=True)
            )
        )


def _undominated(pieces: list[Piece], size: float) -> list[Piece]:
    kept: list[Piece] = []
    for piece in sorted(pieces, key=lambda one: (one.cost(size), one.key_bytes)):
        if not any(other.beats(piece, size) for other in kept):
            kept.append(piece)
    return kept


@dataclass(frozen=True)
class Found:
    """A choice of keys for one entity."""

    unserved: int
    """Patterns that nothing serves."""
    cost: float
    """US dollars a month, and `HOT` for each partition that runs hot."""
    base: Key | None = None
    pieces: tuple[Piece, ...] = ()

    @property
    def figures(self) -> tuple[int, float]:
        return self.unserved, self.cost

    @property
    def usd(self) -> float:
        """US dollars a month."""
        return self.cost % HOT


class OneEntity:
    """The cheapest structures of one entity."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.index_uses = [
            (key, uses)
            for key in model.index_keys()
            if any(uses := [model.use(asked, key, True) for asked in model.reads])
        ]

    def cheapest(self) -> "Found":
        best = Found(10**6, inf)
        under = [Under(self.model, base, self.index_uses) for base in self._bases()]
        for one in sorted(under, key=lambda one: one.floor):
            if one.floor < best.figures:
                best = one.cheapest(best)
        return best

    def _bases(self) -> list[Key]:
        """The base keys but those that one of the same attributes, in another order, beats in all it is priced by."""
        kept: list[_Base] = []
        for key in self.model.base_keys():
            base = _Base.of(self.model, key)
            if not any(other.beats(base, self.model) for other in kept):
                kept.append(base)
        return [base.key for base in kept]


@dataclass(frozen=True)
class _Base:
    """What a base key is priced by."""

    key: Key
    bytes: float
    native: frozenset[str]
    figures: tuple[float, ...]
    """How hot it is, and how many items each read reads."""

    @classmethod
    def of(cls, model: Model, key: Key) -> "_Base":
        uses = [model.use(asked, key, False) for asked in model.reads]
        read = [inf if use is None else use.read * (not use.get) for use in uses]
        native = {
            n for part in (key.partition, key.sort) if model.is_native(key, part) for n in part
        }
        return cls(key, model.key_bytes(key, False), frozenset(native), (model.hottest(key), *read))

    def beats(self, other: "_Base", model: Model) -> bool:
        added = sum(attribute_bytes(model.entity.by_name[n]) for n in self.native - other.native)
        return (
            set(self.key.attributes) == set(other.key.attributes)
            and self.bytes + added <= other.bytes
            and all(a <= b for a, b in zip(self.figures, other.figures, strict=True))
        )


class Under:
    """The cheapest indexes under one base key."""

    def __init__(
        self, model: Model, base: Key, index_uses: list[tuple[Key, list[Use | None]]]
    ) -> None:
        self.model, self.base, self.index_uses = model, base, index_uses
        self.size = model.own_bytes + model.key_bytes(base, False)
        self.unserved = 0
        self.table = self._table()
        self.pieces = self._pieces()
        everything = (1 << len(model.reads)) - 1
        self.lowest = self._lowest(everything)
        for bit in range(len(model.reads)):
            if self.lowest[1 << bit] == inf:
                self.unserved += 1
                everything &= ~(1 << bit)
        self.everything = everything
        self.floor = (self.unserved, self.table.cost(self.size) + self.lowest[everything])

    # The table

    def _table(self) -> Piece:
        """Writing and keeping the items and their guards, whatever indexes there are."""
        model, prices = self.model, self.model.prices
        guard = self._has_guard()
        usd = written = 0.0
        peak = 0.0
        lost = 0
        for change, rate, most in model.writes:
            month = rate * model.second
            guards = self._guards_written(change, guard)
            doubled = 1 + (guards is not None)
            usd += month * (guards or 0) * float(prices.write_unit)
            written += month * doubled * float(prices.write_unit)
            peak += most * (doubled * _steps(self.size, WRITE_UNIT_BYTES) + (guards or 0))
            if change.verb in ("update", "delete") and self._is_lost(change):
                usd += month * float(prices.read_unit)
                lost += not self._is_found(change, guard)
        self.unserved += lost
        usd += HOT * (peak * model.hottest(self.base) > PARTITION_WRITES)
        kept = model.items * float(prices.byte_month)
        usd += kept * ITEM_OVERHEAD_BYTES
        for name in (*model.unique, *[""] * guard):
            present = model.entity.by_name[name].present if name else 1.0
            one = model.guard_bytes(self.base, name) + ITEM_OVERHEAD_BYTES
            usd += kept * present * one
        return Piece(0, usd, 0.0, 0, (), written, kept)

    def _guards_written(self, change: Member, guard: bool) -> float | None:
        """Write units of guards that come and go with a write, on average; None where it touches none."""
        model = self.model
        whole = change.verb in ("create", "delete")
        names = [
            name
            for name in model.unique
            if whole or change.verb == "upsert" or name in model.changed(change)
        ]
        names += [""] * (guard and whole)
        if not names:
            return None
        units = 0.0
        for name in names:
            found, left = model.membership(Key((name,) if name else (), ()), change)
            found, left = found * (change.verb != "create"), left * (change.verb != "delete")
            size = model.guard_bytes(self.base, name)
            units += 2 * _steps(size, WRITE_UNIT_BYTES) * (found + left)
        return units

    def _is_lost(self, change: Member) -> bool:
        return not set(self.base.attributes) <= self.model.known(change)

    def _is_found(self, change: Member, guard: bool) -> bool:
        known = self.model.known(change)
        by_identifier = guard and set(self.model.entity.identifier) <= known
        return by_identifier or any(name in known for name in self.model.unique)

    def _has_guard(self) -> bool:
        """Whether the identifier needs a guard item, to stay unique or to lead writes to the item (rules 1, 12)."""
        model = self.model
        identifier = set(model.entity.identifier)
        extra = set(self.base.attributes) - identifier
        if not extra:
            return False
        verbs = {change.verb for change, _, _ in model.writes}
        if verbs & {"create", "upsert"} and not model.generated:
            return True
        return any(
            change.verb in ("update", "delete")
            and not extra <= model.known(change)
            and (
                identifier <= model.known(change)
                or not any(name in model.known(change) for name in model.unique)
            )
            for change, _, _ in model.writes
        )

    def first_usd(self, writes: int, size: float) -> float:
        """Reading items before they are written, for what indexes need of them."""
        writes |= self.always_first
        usd = 0.0
        for at, (_, rate, _) in enumerate(self.model.writes):
            if writes >> at & 1:
                usd += rate * self.model.second * _steps(size, READ_UNIT_BYTES)
        return usd * float(self.model.prices.read_unit)

    @property
    def always_first(self) -> int:
        """The writes that read first for the sake of a unique value's guard."""
        found = 0
        for at, (change, _, _) in enumerate(self.model.writes):
            if change.verb == "create":
                continue
            whole = change.verb in ("upsert", "delete")
            uniques = [n for n in self.model.unique if whole or n in self.model.changed(change)]
            unknown = any(n not in self.model.known(change) for n in uniques)
            if unknown or (change.verb == "upsert" and uniques):
                found |= 1 << at
        return found

    # Reads

    def _pieces(self) -> list[Piece]:
        found = []
        for at, asked in enumerate(self.model.reads):
            found += self._on_table(at, asked)
        keys = [self._key(key) for key, _ in self.index_uses]
        for (key, uses), figures in zip(self.index_uses, keys, strict=True):
            able = [at for at, use in enumerate(uses) if use is not None]
            for size in range(1, len(able) + 1):
                for group in combinations(able, size):
                    found += self._on_index(key, figures, group, uses)
        by_group: dict[int, list[Piece]] = {}
        for piece in found:
            by_group.setdefault(piece.reads, []).append(piece)
        return [p for pieces in by_group.values() for p in _undominated(pieces, self.size)]

    def _is_read_hot(self, chosen: Iterable[Piece], size: float) -> bool:
        """Whether the busiest partition of the table is read more than it can serve."""
        model = self.model
        units = 0.0
        for piece in chosen:
            if piece.of_table:
                asked = model.reads[piece.reads.bit_length() - 1]
                ((count, _),) = piece.items_read
                units += asked.peak * asked.factor * _steps(count * size, READ_UNIT_BYTES)
        return units * model.hottest(self.base) > PARTITION_READS

    def _on_table(self, at: int, asked: Asked) -> Iterator[Piece]:
        model = self.model
        unit = asked.rate * model.second * asked.factor * float(model.prices.read_unit)
        use = model.use(asked, self.base, False)
        if use is not None and (use.get or _is_exact(use, self.size)):
            yield Piece(1 << at, 0.0, items_read=((use.read, unit),), of_table=True)
        if asked.kind in ("get", "exists") and not set(model.entity.identifier) <= set(
            asked.equals
        ):
            for name in model.unique:
                if name in asked.equals:
                    left = len(asked.equals) > 1 or asked.filters or asked.exists
                    item = ((1.0, unit),) if left or asked.kind != "exists" else ()
                    yield Piece(1 << at, unit, items_read=item)

    def _key(self, key: Key) -> tuple[float, float, int]:
        """(share of the items in it, bytes it adds to an item on average, writes that read first)."""
        model = self.model
        first = 0
        for at, (change, _, _) in enumerate(model.writes):
            first |= model.reads_first(self.base, key, change) << at
        density = model.density(key)
        return density, density * model.key_bytes(key, True), first

    def _on_index(
        self,
        key: Key,
        figures: tuple[float, float, int],
        group: tuple[int, ...],
        uses: Sequence[Use | None],
    ) -> Iterator[Piece]:
        """An index for some reads, each of them in one trip or in two."""
        model = self.model
        asked = [model.reads[at] for at in group]
        ways = [(False, True) if _may_go_twice(model, one) else (False,) for one in asked]
        for twice in product(*ways):
            names: frozenset[str] | None = frozenset()
            for at, again in zip(group, twice, strict=True):
                use, one = uses[at], model.reads[at]
                assert use is not None
                if names is None or (one.needs is None and not again):
                    names = None
                else:
                    names |= use.tests
                    if not again and one.needs is not None:
                        names |= one.needs | use.sorts
            if names is None and any(twice):
                continue  # what holds everything needs no second trip
            piece = self._priced(key, figures, group, uses, twice, names)
            if piece is not None:
                yield piece

    def _priced(
        self,
        key: Key,
        figures: tuple[float, float, int],
        group: tuple[int, ...],
        uses: Sequence[Use | None],
        twice: Sequence[bool],
        names: frozenset[str] | None,
    ) -> Piece | None:
        model, prices = self.model, self.model.prices
        density, key_bytes, first = figures
        all_ = names is None
        entry = (
            self.size + key_bytes if names is None else model.listed_bytes(self.base, key, names)
        )
        usd, items_read, reads = 0.0, [], 0
        peak_read = 0.0
        for at, again in zip(group, twice, strict=True):
            use, asked = uses[at], model.reads[at]
            assert use is not None
            if not _is_exact(use, entry):
                return None
            unit = asked.rate * model.second * asked.factor * float(prices.read_unit)
            reads |= 1 << at
            units = _steps(use.read * entry, READ_UNIT_BYTES)
            peak_read += asked.peak * asked.factor * units
            if all_:
                items_read.append((use.read, unit))
            else:
                usd += unit * units
            if again:
                items_read.append((1.0, unit * max(1, ceil(round(use.left, 6)))))
        month = model.second * float(prices.write_unit)
        written = [
            (model.entries_written(key, names, c), rate, peak) for c, rate, peak in model.writes
        ]
        entries = sum(count * rate for count, rate, _ in written) * month
        kept = density * model.items * float(prices.byte_month)
        share = model.hottest(key)
        peak = sum(count * most for count, _, most in written)
        usd += HOT * (peak * _steps(entry, WRITE_UNIT_BYTES) * share > PARTITION_WRITES)
        usd += HOT * (peak_read * share > PARTITION_READS)
        usd += kept * ITEM_OVERHEAD_BYTES
        if all_:
            return Piece(
                reads, usd, key_bytes, first, tuple(items_read), entries, kept, key=key, names=names
            )
        usd += entries * _steps(entry, WRITE_UNIT_BYTES) + kept * entry
        return Piece(reads, usd, key_bytes, first, tuple(items_read), key=key, names=names)

    # The choice

    def _lowest(self, everything: int) -> list[float]:
        """For each set of reads, what they cost at the least."""
        lowest = [0.0] + [inf] * everything
        costs = [(piece.reads, piece.cost(self.size + piece.key_bytes)) for piece in self.pieces]
        for reads in range(1, everything + 1):
            low = reads & -reads
            for group, cost in costs:
                if group & low and group & ~reads == 0:
                    lowest[reads] = min(lowest[reads], cost + lowest[reads & ~group])
        return lowest

    def cheapest(self, best: Found) -> Found:
        """The cheapest of all ways to group the reads, or `best` where none is cheaper."""

        def descend(left: int, chosen: tuple[Piece, ...], size: float, first: int) -> None:
            nonlocal best
            usd = self.table.cost(size) + self.first_usd(first, size)
            usd += sum(piece.cost(size) for piece in chosen)
            usd += HOT * self._is_read_hot(chosen, size)
            if (self.unserved, usd + self.lowest[left]) >= best.figures:
                return
            if not left:
                best = Found(self.unserved, usd, self.base, chosen)
                return
            low = left & -left
            for piece in self.pieces:
                if piece.reads & low and piece.reads & ~left == 0:
                    descend(
                        left & ~piece.reads,
                        (*chosen, piece),
                        size + piece.key_bytes,
                        first | piece.first,
                    )

        descend(self.everything, (), self.size, 0)
        return best


def _is_exact(use: Use, size: float) -> bool:
    """Rule 3: at most nine tenths are dropped, unless little is read."""
    return use.read * size <= SMALL_COLLECTION_BYTES or use.returned >= use.read * (
        1 - MOST_DROPPED
    )


def _may_go_twice(model: Model, asked: Asked) -> bool:
    """Rule 23: a point read by identifier takes one request; and a figure is counted where it is read."""
    one = asked.kind == "get" and set(model.entity.identifier) <= set(asked.equals)
    return not one and asked.kind not in ("count", "exists")


def cheapest(design: Design, style: str) -> tuple[Found, ...]:
    """The cheapest keys for each entity of a design."""
    return tuple(OneEntity(Model(design, e, style)).cheapest() for e in design.entities)
