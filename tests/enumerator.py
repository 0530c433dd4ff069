"""The cheapest keys there are for a small design, found by forming every one of them.

It shares nothing with the planner but DynamoDB's rules of price (`sizes`, `units`, `prices`, `limits`) and reads the
design document itself. Every set of attributes is tried as a partition and every order of up to three others behind
it, for the table and for indexes, plain and with only the items that carry a constant, and spread over shards where
one partition would run hot; for strong reads also as local indexes and as whole copies of the items. Each index holds
what its reads need, or their keys alone with a second read, or all. For every legal base key and every way to
group the reads onto structures it takes the cheapest structures together. A question about two entities is answered
by each of them alone, or in one collection of a shared table, or of an index that both are in.

What is left out is left out for a reason that can be checked: a key that another beats in every figure that a cost
is made of (`_undominated`), and a choice whose floor is above what has been found (`_Search`). No list of candidates
is handed in.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, combinations, permutations, product
from math import ceil, inf

from designer.core.design.document import GENERATED_FORMATS, Design, Entity
from designer.core.limits import (
    COLLECTION_BYTES_WITH_LSI,
    COOL_VALUES,
    ITEM_OVERHEAD_BYTES,
    MOST_DROPPED,
    PARTITION_READS,
    PARTITION_WRITES,
    READ_UNIT_BYTES,
    SHARD_READS,
    SHARD_WRITES,
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
ALONE, TABLE, INDEX = "alone", "table", "index"
"""How the question about two entities finds one of them: by itself, or in a collection of the table or an index."""
HOT = 1e9
"""US dollars for a partition that runs hot: more than anything else costs."""


def _joined_by_a_sign(sizes: list[float]) -> float:
    return sum(sizes) + len(sizes) - 1


@dataclass(frozen=True)
class Key:
    """A partition key and a sort key over an entity's attributes; `only`: the value an item must carry to be in."""

    partition: tuple[str, ...]
    sort: tuple[str, ...]
    only: tuple[tuple[str, str], ...] = ()
    kind: str = "table"
    """`table`, `index`, `local` (under the table's own partitions) or `copy` (items twice in the table)."""
    shards: int = 1
    """Partitions that the items of one partition key are spread over, by their identifier."""

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

    @property
    def constants(self) -> list[str]:
        """What it always asks the same value of."""
        return [name for name, value in self.equals.items() if value is not None]


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
    shards: int = 1
    """Partitions that are asked."""

    held: float = 0.0
    """Items that would be read without a limit."""
    unmerged: bool = False
    """Several partitions give so many, and not in the order that is asked: no few of them are the first."""

    @property
    def each(self) -> float:
        """Items read of each partition: its part of what all hold, and no more than a reading in order needs."""
        return self.read if self.shards == 1 else min(self.read, self.held / self.shards)


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
        entity, attribute = self.entity, self.entity.by_name[name]
        most = self.items * attribute.present
        while attribute.distinct is None and not attribute.values and attribute.refers_to:
            target, _, name = attribute.refers_to.partition(".")
            entity = self.design.entity[target]
            attribute = entity.by_name[name]
        if attribute.distinct is not None or attribute.values:
            own = float(attribute.distinct or len(attribute.values or ()))
            return own if entity is self.entity else min(own, most)
        # Identifiers, unique values and times.
        return self.items if entity is self.entity else min(float(entity.items or 1000), most)

    def share(self, name: str, value: str | None) -> float:
        """Share of the items that carry a value, or the one that is asked for (as often as it occurs)."""
        attribute = self.entity.by_name[name]
        if attribute.values:
            shares = attribute.shares or (1 / len(attribute.values),) * len(attribute.values)
            if value is not None:
                return shares[attribute.values.index(value)] * attribute.present
            return sum(part * part for part in shares) * attribute.present
        if value is None and attribute.busiest is not None and self.distinct(name) > 1:
            first = attribute.busiest
            return (first**2 + (1 - first) ** 2 / (self.distinct(name) - 1)) * attribute.present
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

    def stays_small(self, names: set[str]) -> bool:
        """Whether a collection has at most 64 KB with all the children that a parent may have."""
        return any(
            relationship.most is not None
            and relationship.most * self.own_bytes <= SMALL_COLLECTION_BYTES
            for relationship in self.design.relationships
            if relationship.child == self.entity.name
            and {own for own, _ in self.design.references(relationship, relationship.parent)}
            <= names
        )

    def kept(self, condition: Condition) -> float:
        if condition.share is not None:
            return condition.share
        if condition.is_ is not None:
            value = condition.is_.value
            return self.share(condition.attribute, None if value is None else str(value))
        return RANGE_KEEPS if condition.is_range else FILTER_KEEPS

    def is_cool(self, partition: tuple[str, ...]) -> bool:
        values = 1.0
        for name in partition:
            values *= self.distinct(name)
        return min(values, self.items) >= COOL_VALUES

    def hottest(self, key: Key, constants: Iterable[str] = ()) -> float:
        """Share of the traffic on the busiest partition.

        What an index is limited to is the same for all, as are the constants of a read or write.
        """
        shares = [1.0]
        for name in key.partition:
            attribute = self.entity.by_name[name]
            if name not in dict(key.only) and name not in constants:
                busy = max(attribute.shares) if attribute.shares else 1 / self.distinct(name)
                shares.append(busy)
        return min(shares) / key.shards

    def hottest_written(self, key: Key, change: Member) -> float:
        """Share of a write's entries on the busiest partition: a constant that it sets is the same for all it puts."""
        constants = [name for name, side in change.set.items() if side.value is not None]
        found, left = self.membership(key, change)
        if change.verb in ("create", "delete"):
            found, left = (0.0, left) if change.verb == "create" else (found, 0.0)
        taken, put = self.hottest(key), self.hottest(key, constants)
        return (found * taken + left * put) / ((found + left) or 1.0)

    # Bytes

    @cached_property
    def own_bytes(self) -> float:
        return entity_bytes(self.entity) + self.type_bytes

    @property
    def type_bytes(self) -> int:
        """In a shared table every item says of which entity it is."""
        return len("Type") + len(self.entity.name) if self.style == "single" else 0

    def is_native(self, key: Key, part: tuple[str, ...]) -> bool:
        """Whether the attribute itself is the key: tables of one entity, where nothing is composed."""
        return (
            self.style == "multi"
            and len(part) == 1
            and (key.shards == 1 or part != key.partition)
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

    def parts(self, key: Key) -> tuple[tuple[str, ...], ...]:
        """The attributes in each part of a key; a local index has the table's partition key."""
        return (key.sort,) if key.kind == "local" else (key.partition, key.sort)

    def key_bytes(self, key: Key) -> float:
        """What a key adds to its item, names included."""
        total = 0.0
        if key.kind != "local" and not self.is_native(key, key.partition):
            total += len(self.key_name(key, key.partition, key.shards > 1))
            values = [self.text_in(key, name) for name in key.partition]
            labels = [self.label(name) for name in key.partition]
            if key.shards > 1:
                values, labels = [*values, len(str(key.shards - 1))], [*labels, "SHARD"]
            if self.style == "single":
                values = [len(label) + 1 + size for label, size in zip(labels, values, strict=True)]
            token = [] if key.partition else [len(self.entity.token)]
            total += _joined_by_a_sign([*token, *values])
        names = self.sort_text(key)
        if self.is_native(key, key.sort) or not (key.sort or self.style == "single"):
            return total
        values = [self.text_in(key, name) for name in names]
        total += len(self.key_name(key, key.sort, False, "SK"))
        if self.style == "single":
            if not key.sort and set(key.partition) == set(self.entity.identifier):
                return total + len("A")
            values = [len(self.entity.token) + 3 * (key.kind == "copy"), *values]
        return total + _joined_by_a_sign(values) + (names[-1:] in [(n,) for n in self.ranged])

    def key_name(self, key: Key, part: tuple[str, ...], sharded: bool, generic: str = "PK") -> str:
        if self.style == "single":
            return ("GSI1" if key.kind in ("index", "local") else "") + generic
        only = dict(key.only)
        words = [f"{name}_{only[name]}" if name in only else name for name in part]
        words = words or [f"all{self.entity.name}s"]
        ends = ["shard"] if sharded else ["key"] if len(part) == 1 else []
        return "_".join([*words, *ends])

    def text_in(self, key: Key, name: str) -> float:
        """Bytes of a value inside a composed key; one that the key is limited to is always the same."""
        value = dict(key.only).get(name)
        return text_bytes(self.entity.by_name[name]) if value is None else len(value)

    def label(self, name: str) -> str:
        """What stands before a value in a partition key."""
        attribute = self.entity.by_name[name]
        if attribute.refers_to:
            return self.design.entity[attribute.refers_to.partition(".")[0]].token
        if self.entity.identifier == (name,):
            return self.entity.token
        return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name)

    @cached_property
    def ranged(self) -> set[str]:
        """What some read takes a range of: a sort key that ends with it has a sign behind it."""
        return {asked.range.attribute for asked in self.reads if asked.range is not None}

    def listed_bytes(self, base: Key, key: Key, names: frozenset[str]) -> float:
        """An index entry that holds some attributes besides the keys."""
        held = set(names)
        for one in (base, key):
            for part in (one.partition, one.sort):
                if self.is_native(one, part):
                    held |= set(part)
        own = sum(attribute_bytes(self.entity.by_name[name]) for name in sorted(held))
        own += self.missing_bytes(held & set(key.attributes))
        typed = self.type_bytes if held else 0  # an index of keys alone does not hold it
        return own + typed + self.key_bytes(key) + self.key_bytes(base)

    def missing_bytes(self, names: Iterable[str]) -> float:
        """What some attributes would add to the average item, had each item all of them."""
        attributes = [self.entity.by_name[name] for name in sorted(names)]
        return sum(
            (1 - one.present) * (len(one.name) + attribute_value_bytes(one)) for one in attributes
        )

    def fuller_bytes(self, key: Key) -> float:
        """What the items in an index hold more than the average: all that its key is made of, and the whole key."""
        return self.missing_bytes(key.attributes) + (1 - self.density(key)) * self.key_bytes(key)

    def spread(self, key: Key) -> str | None:
        """The attribute of the identifier that spreads the items of a partition; None where there is one item."""
        free = [name for name in self.entity.identifier if name not in key.partition]
        return max(free, key=self.distinct, default=None)

    def made_of(self, key: Key) -> set[str]:
        """The attributes that say where an item lies."""
        source = self.spread(key) if key.shards > 1 else None
        return {*key.attributes, *([source] if source else [])}

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
        if change.verb == "create" or (change.verb != "update" and key.kind != "copy"):
            return False
        changed = self.changed(change)
        available = self.known(change) | set(base.attributes) | {*change.set, *change.remove}
        available |= set(change.greatest)
        if key.kind == "copy":
            return change.verb != "upsert" and not set(key.attributes) <= available
        for part in self.parts(key):
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
        return all(self.is_native(key, part) or not added & set(part) for part in self.parts(key))

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

    def use(self, asked: Asked, key: Key) -> Use | None:
        """How a read uses a key; None when it cannot, or when items of the answer are not there."""
        given = set(asked.equals)
        index = key.kind in ("index", "local")
        if not set(key.partition) <= given or (key.kind == "index" and asked.strong):
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
        may_be_sorted = index and asked.limit and not self.mutable & set(asked.order)
        if may_be_sorted and not ordered and not self.stays_small(fixed):
            return None  # a limited question is read no further than its limit
        shards = 1 if self.spread(key) in given else key.shards
        get = not index and self.made_of(key) <= given
        fixed |= set(dict(key.only))  # all that is in it has these
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
        left, held = returned, read
        if asked.limit is not None:
            returned = min(returned, asked.limit)
            if ordered:
                read, left = min(read, asked.limit / share), returned
        filtered = {condition.attribute for condition in asked.filters}
        there = {n for n in asked.order if self.entity.by_name[n].present < 1} | set(asked.exists)
        tests = filtered | (given - fixed) | (there - set(key.attributes))
        if asked.range is not None and not ranged:
            tests |= {asked.range.attribute}
        # What several partitions give in order is merged by what it is sorted by.
        sorts = frozenset() if ordered and shards == 1 else frozenset(asked.order)
        if get:
            return Use(1.0, 1.0, 1.0, tests, sorts, True)
        unmerged = asked.limit is not None and shards > 1 and not ordered
        return Use(read, returned, left, tests, sorts, False, shards, held, unmerged)

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
        own = [
            self.asked(pattern)
            for pattern in self.design.patterns
            if isinstance(pattern, Read)
            and pattern.entities == (self.entity.name,)
            and not pattern.with_
        ]
        return [*own, *([self.joint] if self.joint is not None else [])]

    @cached_property
    def joint(self) -> Asked | None:
        """This entity's part of the read that joins two."""
        pattern = joint_read(self.design)
        if pattern is None:
            return None
        whole = self.asked(pattern)
        if pattern.entities == (self.entity.name,):
            return whole
        (along,) = pattern.with_
        relationship = self.design.relationship[along.relationship]
        pairs = self.design.references(relationship, relationship.parent)
        order = tuple(one.attribute for one in along.orders)
        joined = {own for own, _ in pairs}
        needs = None if along.attributes is None else frozenset(along.attributes) | joined
        return replace(
            whole,
            equals=dict.fromkeys(joined),
            order=order,
            limit=along.limit,
            needs=needs,
            kind="list",
        )

    def keeps_together(self, asked: Asked, key: Key) -> bool:
        """Whether all that is asked for lies in one collection, in order, from its start or its end."""
        there = set(asked.equals)
        return (
            set(key.partition) == there
            and key.shards == 1
            and not key.only
            and key.kind in ("table", "index")
            and key.sort[: len(asked.order)] == asked.order
            and all(self.entity.by_name[n].present == 1 or n in there for n in key.attributes)
        )

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
        for key, told in product(self.keys(may), self._told_by_keys()):
            if key.partition and (
                self.is_wide(key) or set(key.partition) <= set(self.entity.identifier)
            ):
                rest = (n for n in (*told, *self.entity.identifier) if n not in key.attributes)
                found[Key(key.partition, (*key.sort, *rest))] = None
        yield from found

    def _told_by_keys(self) -> Iterator[tuple[str, ...]]:
        """The unique values that a key may hold for the writes that free them, which need no read then."""
        free = [
            name
            for name in self.unique
            if name not in self.mutable and self.entity.by_name[name].present == 1
        ]
        frees = any(change.verb in ("delete", "upsert") for change, _, _ in self.writes)
        for size in range(len(free) * frees + 1):
            yield from combinations(free, size)

    def _key_names(self, names: Iterable[str]) -> list[str]:
        """Those of some attributes that an index may have in its key."""
        return [n for n in names if self.entity.by_name[n].type in ("S", "N", "B", "BOOL")]

    def index_keys(self) -> Iterator[Key]:
        """Every key of an index, with all items and with those alone that carry constants of the reads."""
        constants: dict[str, dict[str, None]] = {}
        for asked in self.reads:
            for name, value in asked.equals.items():
                if value is not None:
                    constants.setdefault(name, {})[value] = None
        for key in filter(self.is_wide, self.keys(self._key_names(self.in_use))):
            limits = [
                [None, *((name, value) for value in constants.get(name, {}))]
                for name in key.attributes
            ]
            for chosen in product(*limits):
                only = tuple(limit for limit in chosen if limit)
                one = Key(key.partition, key.sort, only, "index")
                if self.can_follow(one):
                    yield one

    def strong_keys(self) -> Iterator[Key]:
        """Every key of a local index or of copies by which some strong read can be answered.

        A local index that only holds less than the items may sort by whatever its read wants.
        """
        strong = [asked for asked in self.reads if asked.strong]
        wanted = dict.fromkeys(n for asked in strong for n in sorted(asked.needs or ()))
        keys = [key for key in self.keys(self._key_names(self.in_use)) if key.sort]
        keys += [
            Key(tuple(name for name in self.in_use if name in asked.equals), (name,))
            for asked in strong
            for name in self._key_names(wanted)
            if name not in self.in_use
        ]
        local = (replace(key, kind="local") for key in keys)
        copies = (replace(key, kind="copy") for key in self.base_keys())
        for key in chain(local, copies) if strong else ():
            if self.can_follow(key) and any(self.use(asked, key) for asked in strong):
                yield key

    def is_local_to(self, base: Key, key: Key, size: float) -> bool:
        """Whether a table can have a local index: the same partitions, none too large with its entries (rule 19)."""
        return (
            base.shards == 1
            and key.partition == base.partition
            and key.sort != base.sort
            and (self.style == "single" or bool(base.sort))
            and 2 * self.items * self.hottest(base) * size <= COLLECTION_BYTES_WITH_LSI
        )

    def may_have(self, base: Key, key: Key, size: float) -> bool:
        """Whether a table of a base key can have another: a copy of the same partitions would lie among the items."""
        if key.kind == "copy":
            return base.shards > 1 or set(key.partition) != set(base.partition)
        return key.kind != "local" or self.is_local_to(base, key, size + self.key_bytes(key))


# Prices


def _steps(size: float, step: int) -> int:
    return max(1, ceil(round(size, 6) / step))


def _too_many(heats: Sequence[float]) -> int:
    """How many reads are by themselves too much for a partition, else whether all together are."""
    alone = sum(heat > PARTITION_READS for heat in heats)
    return alone or int(sum(heats) > PARTITION_READS)


def _shards(writes: float, reads: float, now: int = 1) -> int:
    """Over how many partitions so many units a second on each of those there are now are spread (rule 18).

    One partition takes what DynamoDB lets it; of several, each has a fifth to spare.
    """
    most_written, most_read = PARTITION_WRITES, PARTITION_READS
    if now > 1:
        most_written, most_read = SHARD_WRITES, SHARD_READS
    return max(
        ceil(round(now * writes / SHARD_WRITES, 6)) if writes > most_written else 1,
        ceil(round(now * reads / SHARD_READS, 6)) if reads > most_read else 1,
    )


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
    peak: float = 0.0
    """Read units a second of the table, for each unit of a request, where these may be too many together."""
    got: tuple[float, ...] = ()
    """For each read in two trips the same, for each unit of an item that the second trip gets from the table."""
    key: Key | None = None
    """The index; None for the table and its guards."""
    names: frozenset[str] | None = None
    """What the index holds besides keys; None for all."""
    fuller: float = 0.0
    """Bytes that its items have more than the average item, where it holds all of them."""
    joined: float = 0.0
    """Bytes of an entry, at the least, where a question about two entities reads it."""
    swollen: "Callable[[float], Iterable[Piece]] | None" = None
    """Of shards that are read and written whole: the same with so many bytes of other indexes' keys on each item."""

    @property
    def is_copy(self) -> bool:
        return self.key is not None and self.key.kind == "copy"

    def cost(self, size: float) -> float:
        """US dollars a month where an item has so many bytes on average."""
        size += self.fuller
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
        if self.peak > other.peak or (self.is_copy and not other.is_copy):
            return False
        if sum(self.got) > sum(other.got) or max(self.got, default=0) > max(other.got, default=0):
            return False
        if (
            self.fuller > other.fuller
            or self.joined > other.joined
            or (self.names is None and other.names is not None)
        ):
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
            for key in chain(model.index_keys(), model.strong_keys())
            if any(uses := [model.use(asked, key) for asked in model.reads])
        ]

    def shared(self, way: str, most: float) -> list[tuple[int, float, float]]:
        """What else an entity costs where the joint read finds it in a shared collection, and bytes of an item there.

        (unserved, US dollars a month, bytes) of all choices up to `most` but those that another beats.
        """
        found: set[tuple[int, float, float]] = set()
        for base in self._all_bases():
            assert self.model.joint is not None
            if way == INDEX or self.model.keeps_together(self.model.joint, base):
                found.update(Under(self.model, base, self.index_uses, way).all(most))
        best: list[tuple[int, float, float]] = []
        for one in sorted(found):
            if all(one[0] < other[0] or one[2] < other[2] for other in best):
                best.append(one)
        return best

    def cheapest(self) -> "Found":
        best = Found(10**6, inf)
        under = [Under(self.model, base, self.index_uses) for base in self._all_bases()]
        for one in sorted(under, key=lambda one: one.floor):
            if one.floor < best.figures:
                best = one.cheapest(best)
        return best

    def _all_bases(self) -> Iterator[Key]:
        """The base keys, also over shards."""
        for plain in self._bases():
            yield from (plain, *self._spread(plain))

    def _spread(self, base: Key) -> Iterator[Key]:
        """A base key over as many shards as keep what may be read of it and its writes cool (rule 18)."""
        model = self.model
        under = Under(model, base, ())
        heats = [
            asked.peak
            * asked.factor
            * _steps(use.read * under.size, READ_UNIT_BYTES)
            * model.hottest(base, asked.constants)
            for asked in model.reads
            if asked.limit is None and (use := model.use(asked, base)) is not None
        ]
        writes = under.peak_written((), under.size, base)
        counts = {
            _shards(writes, sum(some))
            for size in range(len(heats) + 1)
            for some in combinations(heats, size)
        }
        if model.spread(base) is not None:
            yield from (replace(base, shards=count) for count in sorted(counts - {1}))

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
        uses = [model.use(asked, key) for asked in model.reads]
        read = [inf if use is None else use.read * (not use.get) for use in uses]
        native = {
            n for part in (key.partition, key.sort) if model.is_native(key, part) for n in part
        }
        heat = [model.hottest(key)]
        heat += [model.hottest(key, asked.constants) for asked in model.reads]
        heat += [model.hottest_written(key, change) for change, _, _ in model.writes]
        return cls(key, model.key_bytes(key), frozenset(native), (*heat, *read))

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
        self,
        model: Model,
        base: Key,
        index_uses: Sequence[tuple[Key, list[Use | None]]],
        way: str = ALONE,
    ) -> None:
        self.model, self.base = model, base
        self.way = way
        self.joint = -1 if way == ALONE else len(model.reads) - 1
        """The read that is answered together with another entity's."""
        self.size = model.own_bytes + model.key_bytes(base)
        self.index_uses = [one for one in index_uses if model.may_have(base, one[0], self.size)]
        self.unserved = 0
        self.guard = self._has_guard()
        self.table, self.doubled = self._table(False), self._table(True)
        self.may_be_hot = self._may_be_hot()
        self.pieces = self._pieces()
        everything = (1 << len(model.reads)) - 1
        if way == TABLE:
            everything &= ~(1 << self.joint)
        self.lowest = self._lowest(everything)
        for bit in range(len(model.reads)):
            if everything >> bit & 1 and self.lowest[1 << bit] == inf:
                self.unserved += 1
                everything &= ~(1 << bit)
        self.everything = everything
        self.floor = (self.unserved, self.table.cost(self.size) + self.lowest[everything])

    # The table

    def _table(self, copied: bool) -> Piece:
        """Writing and keeping the items and their guards, whatever indexes there are; twice as dear with copies."""
        model, prices = self.model, self.model.prices
        usd = written = 0.0
        lost = 0
        for change, rate, _ in model.writes:
            month = rate * model.second
            guards = self._guards_written(change, self.guard)
            doubled = 1 + (copied or guards is not None)
            usd += month * (guards or 0) * float(prices.write_unit)
            written += month * doubled * float(prices.write_unit)
            if change.verb in ("update", "delete") and self._is_lost(change):
                usd += month * float(prices.read_unit)
                lost += not self._is_found(change, self.guard)
        self.unserved = lost
        kept = model.items * float(prices.byte_month)
        usd += kept * ITEM_OVERHEAD_BYTES
        for name in (*model.unique, *[""] * self.guard):
            present = model.entity.by_name[name].present if name else 1.0
            one = model.guard_bytes(self.base, name) + ITEM_OVERHEAD_BYTES
            usd += kept * present * one
        return Piece(0, usd, 0.0, 0, (), written, kept)

    def peak_written(self, copies: Sequence[Key], size: float, on: Key) -> float:
        """Write units a second on the table's busiest partition, by this key, when every pattern runs at its peak."""
        model = self.model
        twice = [model.own_bytes + model.key_bytes(copy) for copy in copies]
        peak = 0.0
        for change, _, most in model.writes:
            guards = self._guards_written(change, self.guard)
            doubled = 1 + (bool(copies) or guards is not None)
            units = doubled * _steps(size, WRITE_UNIT_BYTES) + (guards or 0)
            units += sum(2 * _steps(one, WRITE_UNIT_BYTES) for one in twice)
            peak += most * units * model.hottest_written(on, change)
        return peak

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
        return not self.model.made_of(self.base) <= self.model.known(change)

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
        """The writes that read first for the sake of a unique value's guard, unless the table's key holds the value."""
        found = 0
        for at, (change, _, _) in enumerate(self.model.writes):
            if change.verb == "create":
                continue
            whole = change.verb in ("upsert", "delete")
            uniques = [n for n in self.model.unique if whole or n in self.model.changed(change)]
            known = self.model.known(change) | set(self.base.attributes)
            unknown = any(n not in known for n in uniques)
            if unknown or (change.verb == "upsert" and uniques):
                found |= 1 << at
        return found

    # Reads

    def _pieces(self) -> list[Piece]:
        found = []
        for at, asked in enumerate(self.model.reads):
            if at != self.joint:
                found += self._on_table(at, asked)
        keys = [self._key(key) for key, _ in self.index_uses]
        for (key, uses), figures in zip(self.index_uses, keys, strict=True):
            able = [at for at, use in enumerate(uses) if use is not None and self._may(at, key)]
            for size in range(1, len(able) + 1):
                for group in combinations(able, size):
                    found += self._on_index(key, figures, group, uses)
        by_group: dict[int, list[Piece]] = {}
        for piece in found:
            by_group.setdefault(piece.reads, []).append(piece)
        return [p for pieces in by_group.values() for p in _undominated(pieces, self.size)]

    def _may_be_hot(self) -> bool:
        """Whether all reads together could be more than the busiest partition of the table serves."""
        model, units = self.model, 0.0
        for asked in model.reads:
            use = model.use(asked, self.base)
            if use is not None:
                most = 2 * _steps(use.read * self.size, READ_UNIT_BYTES) + 2
                units += asked.peak * asked.factor * use.shards * most
            if _may_go_twice(model, asked):
                most = 2 * _steps(self.size, READ_UNIT_BYTES) + 2
                units += asked.peak * asked.factor * (model.matching(asked.equals) + 1) * most
        shares = [model.hottest(self.base, asked.constants) for asked in model.reads]
        return units * max(shares, default=0) > PARTITION_READS

    def _hot(self, chosen: Iterable[Piece], size: float) -> int:
        """How much runs hot: reads of the table's busiest partition, and writes of the table and its copies."""
        model = self.model
        share = model.hottest(self.base)
        heats = []
        for piece in chosen:
            if piece.of_table:
                heats.append(piece.peak * _steps(piece.items_read[0][0] * size, READ_UNIT_BYTES))
            heats += [got * _steps(size, READ_UNIT_BYTES) * share for got in piece.got]
        copies = [piece.key for piece in chosen if piece.key is not None and piece.is_copy]
        return _too_many(heats) + sum(
            self.peak_written(copies, size, key) > PARTITION_WRITES for key in (self.base, *copies)
        )

    def _may(self, at: int, key: Key) -> bool:
        """Whether an index may answer a read, as far as that is answered together with another entity's."""
        model = self.model
        if at != self.joint:
            return True
        return (
            self.way == INDEX and key.kind == "index" and model.keeps_together(model.reads[at], key)
        )

    def _on_table(self, at: int, asked: Asked) -> Iterator[Piece]:
        model = self.model
        unit = asked.rate * model.second * asked.factor * float(model.prices.read_unit)
        use = model.use(asked, self.base)
        if use is not None and (use.get or _is_exact(use, self.size)):
            peak = asked.peak * asked.factor * use.shards * self.may_be_hot
            peak *= model.hottest(self.base, asked.constants)
            read = ((use.each, unit * use.shards),)
            yield Piece(1 << at, 0.0, items_read=read, of_table=True, peak=peak)
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
        return density, density * model.key_bytes(key) * (key.kind != "copy"), first

    def _on_index(
        self,
        key: Key,
        figures: tuple[float, float, int],
        group: tuple[int, ...],
        uses: Sequence[Use | None],
    ) -> Iterator[Piece]:
        """An index for some reads, each of them in one trip or in two."""
        model = self.model
        if key.kind == "copy":
            yield from self._on_copy(key, figures[2], group, uses)
            return
        asked = [model.reads[at] for at in group]
        ways = [
            (False, True) if at != self.joint and _may_go_twice(model, one) else (False,)
            for at, one in zip(group, asked, strict=True)
        ]
        for twice in product(*ways):
            yield from self._priced(key, figures, group, uses, twice)

    def _names(
        self, group: tuple[int, ...], uses: Sequence[Use | None], twice: Sequence[bool]
    ) -> frozenset[str] | None:
        """What an index must hold besides keys, for reads that get the items themselves or not; None for all."""
        names: frozenset[str] | None = frozenset()
        for at, again in zip(group, twice, strict=True):
            use, one = uses[at], self.model.reads[at]
            assert use is not None
            if names is None or (one.needs is None and not again):
                names = None
            else:
                names |= use.tests
                if again and one.limit and use.shards > 1:
                    names |= use.sorts
                if not again and one.needs is not None:
                    names |= one.needs | use.sorts
                if at == self.joint:
                    names |= set(one.order)
        return names

    def _on_copy(
        self, key: Key, first: int, group: tuple[int, ...], uses: Sequence[Use | None]
    ) -> Iterator[Piece]:
        """The items a second time in the table, written in a transaction, for some reads."""
        model, prices = self.model, self.model.prices
        size = model.own_bytes + model.key_bytes(key)
        written = sum(rate for _, rate, _ in model.writes) * model.second * float(prices.write_unit)
        usd = 2 * written * _steps(size, WRITE_UNIT_BYTES)
        usd += model.items * float(prices.byte_month) * (size + ITEM_OVERHEAD_BYTES)
        heats, reads = [], 0
        for at in group:
            use, asked = uses[at], model.reads[at]
            assert use is not None
            if not (use.get or _is_exact(use, size)):
                return
            units = asked.factor * _steps(use.read * size, READ_UNIT_BYTES)
            heats.append(asked.peak * units * model.hottest(key, asked.constants))
            usd += asked.rate * model.second * units * float(prices.read_unit)
            reads |= 1 << at
        yield Piece(reads, usd + HOT * _too_many(heats), first=first, key=key)

    def _priced(
        self,
        key: Key,
        figures: tuple[float, float, int],
        group: tuple[int, ...],
        uses: Sequence[Use | None],
        twice: Sequence[bool],
        more: float = 0.0,
    ) -> Iterator[Piece]:
        """An index that holds what its reads need; also over shards, where one partition would run hot.

        `more`: bytes of other indexes' keys, which are in it when it holds everything.
        """
        model, prices = self.model, self.model.prices
        names = self._names(group, uses, twice)
        if names is None and any(twice):
            return  # what holds everything needs no second trip
        density, key_bytes, first = figures
        fuller = model.fuller_bytes(key) if names is None else 0.0
        entry = (
            self.size + key_bytes + more + fuller
            if names is None
            else model.listed_bytes(self.base, key, names)
        )
        usd, items_read, reads, heats, whole = 0.0, [], 0, [], 0.0
        got: tuple[float, ...] = ()
        for at, again in zip(group, twice, strict=True):
            use, asked = uses[at], model.reads[at]
            assert use is not None
            if not _is_exact(use, entry) or (again and use.unmerged):
                return
            reads |= 1 << at
            if at == self.joint:
                continue  # it is priced with the other entity's part
            unit = asked.rate * model.second * asked.factor * float(prices.read_unit) * use.shards
            units = _steps(use.each * entry, READ_UNIT_BYTES)
            then = max(1, ceil(round(use.left, 6))) if again else 0
            heats.append(asked.peak * asked.factor * (use.shards * units))
            heats[-1] *= model.hottest(key, asked.constants)
            whole += heats[-1] * (asked.limit is None)
            if names is None:
                items_read.append((use.each, unit))
            else:
                usd += unit * units
            if again:
                items_read.append((1.0, unit / use.shards * then))
                got += (asked.peak * asked.factor * then,) * self.may_be_hot
        month = model.second * float(prices.write_unit)
        written = [
            (model.entries_written(key, names, c), rate, peak) for c, rate, peak in model.writes
        ]
        entries = sum(count * rate for count, rate, _ in written) * month
        kept = density * model.items * float(prices.byte_month)
        peak = sum(
            count * most * model.hottest_written(key, change)
            for (count, _, most), (change, _, _) in zip(written, model.writes, strict=True)
        )
        peak *= _steps(entry, WRITE_UNIT_BYTES)
        hot = _too_many(heats) + (peak > PARTITION_WRITES)
        count = _shards(peak, whole, key.shards)
        if count > key.shards and (hot or key.shards > 1):
            yield from self._spread(key, count, group, twice, more)
            if key.shards > 1:
                return
        usd += HOT * hot + kept * ITEM_OVERHEAD_BYTES
        joined = entry * (self.joint in group)
        one = Piece(
            reads,
            usd,
            key_bytes,
            first,
            tuple(items_read),
            got=got,
            key=key,
            names=names,
            fuller=fuller,
            joined=joined,
        )
        if names is None:
            swollen = None
            if key.shards > 1:
                alone = replace(key, shards=1)
                used = [model.use(asked, alone) for asked in model.reads]
                swollen = partial(self._priced, alone, self._key(alone), group, used, twice)
            yield replace(one, items_written=entries, bytes_kept=kept, swollen=swollen)
            return
        usd += entries * _steps(entry, WRITE_UNIT_BYTES) + kept * entry
        yield replace(one, usd=usd)

    def _spread(
        self,
        key: Key,
        count: int,
        group: tuple[int, ...],
        twice: Sequence[bool],
        more: float,
    ) -> Iterator[Piece]:
        """An index over so many shards, or over up to a quarter more, where less is rounded up then."""
        if key.kind != "index" or self.model.spread(key) is None:
            return
        for piece in self._over(key, count, group, twice, more):
            assert piece.key is not None
            enough = piece.key.shards
            counts = range(enough + 1, enough * 5 // 4 + 1) if key.shards == 1 else ()
            pieces = [piece]
            for one in counts:
                pieces += self._over(key, one, group, twice, more)
            yield min(pieces, key=lambda one: one.cost(self.size + one.key_bytes + more))

    def _over(
        self,
        key: Key,
        count: int,
        group: tuple[int, ...],
        twice: Sequence[bool],
        more: float,
    ) -> Iterator[Piece]:
        """An index over as many shards as are enough where it is over `count`."""
        if count > 1:
            spread = replace(key, shards=count)
            uses = [self.model.use(asked, spread) for asked in self.model.reads]
            yield from self._priced(spread, self._key(spread), group, uses, twice, more)

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

        def is_enough(least: float) -> bool:
            return (self.unserved, least) >= best.figures

        for usd, chosen, _ in self._choices(is_enough):
            found = Found(self.unserved, usd, self.base, chosen)
            best = min(best, found, key=lambda one: one.figures)
        return best

    def all(self, most: float) -> Iterator[tuple[int, float, float]]:
        """What every choice up to so much costs, and the bytes of an item where the joint read finds it."""
        for usd, chosen, size in self._choices(lambda least: least > most):
            found = {
                p.joined if p.names is not None else size + p.fuller for p in chosen if p.joined
            }
            (joined,) = found or {size}
            yield self.unserved, usd, joined

    def _choices(
        self, is_enough: Callable[[float], bool]
    ) -> Iterator[tuple[float, tuple[Piece, ...], float]]:
        """(US dollars a month, pieces, bytes of an item) of every way to group the reads but those that cost enough."""

        def descend(
            left: int, chosen: tuple[Piece, ...], size: float, first: int
        ) -> Iterator[tuple[float, tuple[Piece, ...], float]]:
            usd = self._usd(chosen, size, first)
            if is_enough(usd + self.lowest[left]):
                return
            if not left:
                chosen, size = self._counted_again(chosen, size)
                yield self._usd(chosen, size, first), chosen, size
                return
            low = left & -left
            for piece in self.pieces:
                if piece.reads & low and piece.reads & ~left == 0:
                    yield from descend(
                        left & ~piece.reads,
                        (*chosen, piece),
                        size + piece.key_bytes,
                        first | piece.first,
                    )

        return descend(self.everything, (), self.size, 0)

    def _usd(self, chosen: tuple[Piece, ...], size: float, first: int) -> float:
        table = self.doubled if any(piece.is_copy for piece in chosen) else self.table
        usd = table.cost(size) + self.first_usd(first, size)
        usd += sum(piece.cost(size) for piece in chosen)
        return usd + HOT * self._hot(chosen, size)

    def _counted_again(
        self, chosen: tuple[Piece, ...], size: float
    ) -> tuple[tuple[Piece, ...], float]:
        """The choice with the shards of whole items counted with the keys of all its indexes."""
        for piece in chosen:
            more = size - self.size - piece.key_bytes
            if piece.swollen is not None and more:
                now = min(piece.swollen(more), key=lambda one: one.cost(size), default=piece)
                chosen = tuple(now if one is piece else one for one in chosen)
                size += now.key_bytes - piece.key_bytes
        return chosen, size


def _is_exact(use: Use, size: float) -> bool:
    """Rule 3: at most nine tenths are dropped, unless little is read."""
    return use.read * size <= SMALL_COLLECTION_BYTES or use.returned >= use.read * (
        1 - MOST_DROPPED
    )


def _may_go_twice(model: Model, asked: Asked) -> bool:
    """Rule 23: a point read by identifier takes one request; and a figure is counted where it is read."""
    one = asked.kind == "get" and set(model.entity.identifier) <= set(asked.equals)
    return not one and asked.kind not in ("count", "exists") and not asked.strong


def joint_read(design: Design) -> Read | None:
    """The read that asks for two entities at once, where a design has one."""
    return next((p for p in design.patterns if isinstance(p, Read) and p.with_), None)


def cheapest(design: Design, style: str) -> tuple[int, float]:
    """(patterns that nothing serves, US dollars a month) of the cheapest keys for a design."""
    entities = [OneEntity(Model(design, entity, style)) for entity in design.entities]
    alone = [entity.cheapest() for entity in entities]
    best = (sum(one.unserved for one in alone), sum(one.cost for one in alone))
    if joint_read(design) is not None and style == "single":
        for way in (TABLE, INDEX):
            best = min([best, *_shared(entities, way, best[1])])
    return best[0], best[1] % HOT


def _shared(entities: Sequence[OneEntity], way: str, most: float) -> Iterator[tuple[int, float]]:
    """What designs cost in which one request answers the joint read: all its items lie in one collection."""
    parts = [entity.model.joint for entity in entities]
    assert all(part is not None for part in parts)
    if way == INDEX and any(part is not None and part.strong for part in parts):
        return
    for chosen in product(*(entity.shared(way, most) for entity in entities)):
        size = 0.0
        for entity, part, (_, _, one) in zip(entities, parts, chosen, strict=True):
            assert part is not None
            rows = entity.model.matching(part.equals)
            size += one * (rows if part.limit is None else min(rows, part.limit))
        model, part = entities[0].model, parts[0]
        assert part is not None
        unit = part.rate * model.second * part.factor * float(model.prices.read_unit)
        usd = sum(one[1] for one in chosen) + unit * _steps(size, READ_UNIT_BYTES)
        yield sum(one[0] for one in chosen), usd
