"""One entity of a small design as its document says it: how its values spread, what is asked of it and written."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.attributes import GENERATED_FORMATS
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.limits import COOL_VALUES, SMALL_COLLECTION_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.patterns.base import Condition, Member, Read, Write
from tests.enumerator.lists import among, found_by, is_uneven, one_by_one, together

RANGE_KEEPS = 0.5
FILTER_KEEPS = 0.5
"""Share of the items that a range or a filter keeps where its pattern does not say."""
NOTHING: Mapping[str, float] = {}
ELEMENTS = 3.0
"""Elements of a list that a read asks for, where there are so many values."""


@dataclass(frozen=True)
class Key:
    """A partition key and a sort key over an entity's attributes; `only`: the values of which an item must carry one
    to be in."""

    partition: tuple[str, ...]
    sort: tuple[str, ...]
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    kind: str = "table"
    """`table`, `index`, `local` (under the table's own partitions) or `copy` (items twice in the table)."""
    shards: int = 1
    """Partitions that the items of one partition key are spread over, by their identifier."""

    @property
    def attributes(self) -> tuple[str, ...]:
        return (*self.partition, *self.sort)

    @property
    def alike(self) -> set[str]:
        """The attributes of which all that is in it has one value."""
        return {name for name, values in self.only if len(values) == 1}

    @property
    def hidden(self) -> tuple[str, ...]:
        """The attributes that it is limited to, and that it does not show."""
        return tuple(name for name, _ in self.only if name not in self.attributes)

    @property
    def decided_by(self) -> tuple[str, ...]:
        """The attributes that decide whether an item has the key, those that it is limited to among them."""
        return tuple(dict.fromkeys((*self.attributes, *(name for name, _ in self.only))))


@dataclass(frozen=True)
class Asked:
    """What a read pattern asks, as its document says it.

    A key serves one range, and one list by asking for each of its values: of several, `ways` has each choice.
    """

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
    listed: str | None = None
    """Of what is given, the attribute whose values are a list."""
    always: tuple[str, ...] = ()
    """The values of the list, where they are always the same."""
    elements: float | None = None
    """How many values the list has, where the pattern says it."""
    rows: float | None = None
    """Items that it finds, where the shares by one way say less than by another."""
    is_named: bool = False
    """Whether a list names these, which are all there."""
    also: frozenset[str] = frozenset()
    """The attributes of all its ranges and lists."""
    others: "tuple[Asked, ...]" = ()
    said: Mapping[str, float] = field(default_factory=dict)
    """The shares that conditions state of what is given or must be there; of a list, that of all its values."""
    more: tuple[tuple[str, tuple[str, ...], float | None], ...] = ()
    """Further lists that are asked for together with the first: `listed`, `always` and `elements` of each."""

    @cached_property
    def lists(self) -> dict[str, tuple[tuple[str, ...], float | None]]:
        """What it asks for by lists, the first one first: the values that are always the same, and how many."""
        first = () if self.listed is None else ((self.listed, self.always, self.elements),)
        return {name: (always, elements) for name, always, elements in (*first, *self.more)}

    @property
    def ways(self) -> "tuple[Asked, ...]":
        return (self, *self.others)

    @property
    def constants(self) -> list[str]:
        """What it always asks the same value of."""
        return [name for name, value in self.equals.items() if value is not None]

    def values(self, name: str) -> tuple[str, ...]:
        """The values of what is given that are always the same: one, or all of a list; none where a caller says it."""
        value = self.equals[name]
        if name in self.lists:
            return self.lists[name][0]
        return () if value is None else (value,)


class Model:
    """One entity, its reads and writes, in one style."""

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
        own = [n for n in entity.identifier if not entity.by_name[n].refers_to]
        last = entity.by_name[own[-1]] if own else None
        # What a generator made for each item: the last part that is the item's own, if it has enough values.
        self.generated = (
            last is not None
            and last.format in GENERATED_FORMATS
            and (entity.identifier == (last.name,) or (last.distinct or self.items) >= self.items)
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
        if entity is not self.entity:
            return min(float(entity.items or 1000), most)
        # Identifiers, unique values and times; a part of an identifier tells apart what the others do not.
        others = [other for other in entity.identifier if other != name]
        is_own = not attribute.format and not attribute.unique
        if name in entity.identifier and is_own and all(map(self._is_counted, others)):
            apart = prod(map(self.distinct, others))
            return self.items / apart if apart < self.items else self.items
        return self.items

    def _is_counted(self, name: str) -> bool:
        """Whether the document says, or lets follow, how many values an attribute has."""
        one = self.entity.by_name[name]
        return bool(one.distinct or one.values or one.refers_to or one.format)

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

    def share_of(self, name: str, values: Iterable[str]) -> float:
        """Share of the items that carry any of some values."""
        return sum(self.share(name, value) for value in values)

    def occurring(self, name: str) -> list[tuple[float, float]]:
        """How often values are asked for, and the share of the items with each, of those that have the attribute."""
        attribute = self.entity.by_name[name]
        if attribute.values:
            total = sum(attribute.shares or ())
            return [(share / total, share) for share in attribute.shares or () if share]
        first = attribute.busiest
        if first is None or self.distinct(name) <= 1:
            return []
        return [(first, first), (1 - first, (1 - first) / (self.distinct(name) - 1))]

    def given(self, condition: Condition) -> list[tuple[float, float]]:
        """The same of what a caller gives in a condition, one value or a list; nothing where all are alike."""
        found, listed = self.occurring(condition.attribute), condition.listed
        if condition.share is not None or not is_uneven(found):
            return []
        if condition.is_ is not None:
            return found if condition.is_.param else []
        if listed is None or listed.value is not None or listed.count is None:
            return []
        return together(found, listed.count)

    def uneven(self, asked: "Asked", is_each: bool) -> dict[str, list[tuple[float, float]]]:
        """The values asked for of which there are more or fewer items: how often, and how many times as many.

        `is_each`: of a list each value by itself, and not all together.
        """
        equals = {name: value for name, value in asked.equals.items() if name not in asked.lists}
        if self.names_one(equals) or self.by_chance(equals, asked.said) < 1:
            return {}
        free = {name for name, value in equals.items() if value is None}
        free -= self.joined(equals) | asked.said.keys()
        apart = {name: self.occurring(name) for name in free}
        if self.by_chance(equals, asked.said) * self.usual(asked) >= 1:
            apart |= {one.attribute: self.given(one) for one in asked.filters if self.given(one)}
        for name in asked.lists:
            if self.lists_unevenly(asked, name):
                of = one_by_one if is_each else together
                apart[name] = of(self.occurring(name), self.length(asked, name))
        found = {}
        for name, values in apart.items():
            if is_uneven(values):
                usual = sum(often * part for often, part in values)
                found[name] = [(often, part / usual) for often, part in values]
        return found

    def lists_unevenly(self, asked: "Asked", listed: str) -> bool:
        """Whether callers list values of which some have more items than others, as far as chance says how many."""
        equals = asked.equals
        if asked.lists[listed][0] or listed in asked.said or self.names_one(equals):
            return False
        if listed in self.joined(equals) or self.by_chance(equals, asked.said) < 1:
            return False
        return is_uneven(self.occurring(listed))

    def joined(self, equals: dict[str, str | None]) -> set[str]:
        """The attributes that refer to a parent of which the values are known."""
        found: set[str] = set()
        for relationship in self.design.relationships:
            if relationship.child == self.entity.name:
                by = {own for own, _ in self.design.references(relationship, relationship.parent)}
                found |= by if by <= equals.keys() else set()
        return found

    def matching(self, equals: dict[str, str | None], said: Mapping[str, float] = NOTHING) -> float:
        """Items that carry the values. `said`: the shares of some, whatever the attributes say.

        Of what callers give one item at least has all, unless it is one of a few kinds: they ask for what exists.
        """
        given = {
            name: value
            for name, value in equals.items()
            if value is None and name not in said and not self.entity.by_name[name].values
        }
        found = self.by_chance(equals, said)
        together = self.by_chance(given)
        if self.names_one(equals) or not 0 < together < 1:
            return found
        least = min(self.by_chance({name: None}) for name in given)
        return found / together * max(together, min(1.0, least))

    def by_chance(
        self, equals: dict[str, str | None], said: Mapping[str, float] = NOTHING
    ) -> float:
        """The same if all values occur together by chance."""
        if self.names_one(equals):
            return 1.0
        rows, joined = self.items, set()
        for relationship in self.design.relationships:
            if relationship.child != self.entity.name:
                continue
            by = {own for own, _ in self.design.references(relationship, relationship.parent)}
            if by <= equals.keys() - said.keys():
                rows, joined = relationship.average or 10.0, by
        for name, value in equals.items():
            if name not in joined:
                rows *= said[name] if name in said else self.share(name, value)
        return rows

    def of_each(self, asked: "Asked", names: Iterable[str]) -> float:
        """Items that carry some of the values that a read knows, for each value of its list: none is found twice."""
        if asked.more:
            return self.of_each_pair(asked, names)
        equals = {name: asked.equals[name] for name in names}
        if asked.always and asked.listed in equals and asked.listed not in asked.said:
            each = ({**equals, asked.listed: value} for value in asked.always)
            return sum(self.matching(one, asked.said) for one in each) / len(asked.always)
        found = self.matching(equals, asked.said)
        if asked.listed not in equals or self.names_one(equals):
            return found
        others = {n: v for n, v in equals.items() if n != asked.listed}
        together = self.matching(others, asked.said)
        if asked.listed in asked.said:
            return together * asked.said[asked.listed] / self.elements(asked)
        together *= self.entity.by_name[asked.listed].present
        apart, occurring = 1.0, self.occurring(asked.listed)
        if asked.listed not in self.joined(equals) and is_uneven(occurring):
            usual = sum(often * part for often, part in occurring) * self.elements(asked)
            apart = min(1.0, found_by(occurring, self.elements(asked)) / usual)
        return min(found * apart, together / self.elements(asked))

    def of_each_pair(self, asked: "Asked", names: Iterable[str]) -> float:
        """The same for each combination of the values of several lists."""
        equals = {name: asked.equals[name] for name in names}
        first, *more = [name for name in asked.lists if name in equals] or [None]
        said, apart = dict(asked.said), 1.0
        for name in more:
            assert name is not None
            always, length = asked.lists[name][0], self.length(asked, name)
            if name in said:
                said[name] /= len(always) or length
            elif always:
                said[name] = self.share_of(name, always) / len(always)
            elif name not in self.joined(equals) and not self.names_one(equals):
                occurring, present = self.occurring(name), self.entity.by_name[name].present
                every = length * self.share(name, None)
                found = found_by(occurring, length) if is_uneven(occurring) else every / present
                apart *= min(present, found * present) / every
        always, elements = asked.lists[first] if first is not None else ((), None)
        of_one = replace(asked, listed=first, always=always, elements=elements, more=(), said=said)
        return self.of_each(of_one, equals) * apart

    def once(self, key: Key, asked: "Asked") -> float:
        """What part of a list's queries can be for one value of a partition key: a value is in a list once."""
        listed = [n for n, (always, _) in asked.lists.items() if n in key.partition and not always]
        if not listed:
            return 1.0
        length, constants, there = 1.0, set(asked.constants), 1.0
        for name in listed:
            many, occurring = self.length(asked, name), self.occurring(name)
            length *= many
            if is_uneven(occurring):
                parts = [part for _, part in occurring]
                there *= max(zip(parts, among(occurring, many), strict=True))[1]
            else:
                there *= min(1.0, many / self.distinct(name))
        hot = self.hottest(key, constants) * key.shards
        others = self.hottest(key, constants.union(listed)) * key.shards
        return min(1.0, min(there, others) / (hot * length))

    def names_one(self, equals: Mapping[str, str | None]) -> bool:
        return set(self.entity.identifier) <= equals.keys() or any(n in equals for n in self.unique)

    def largest_shares(self, asked: "Asked", names: Iterable[str]) -> dict[str, float]:
        """Share of the items on the most common value of each attribute that states one, and is not always the same."""
        shares = {}
        for name in names:
            attribute = self.entity.by_name[name]
            is_free = asked.equals.get(name) is None and not asked.lists.get(name, ((), 0))[0]
            if is_free and (attribute.busiest or attribute.shares):
                shares[name] = attribute.busiest or max(attribute.shares or ())
        return shares

    def fuller(self, asked: "Asked", names: list[str]) -> float:
        """How many times as many items as usual the most common values of some attributes have."""
        common = self.largest_shares(asked, names)
        if not common:
            return 1.0
        found = self.items
        for name in names:
            many = self.length(asked, name) if name in asked.lists else 1
            said = asked.said.get(name, 0.0) / many
            found *= common.get(name) or said or self.asked_share(asked, name)
        for relationship in self.design.relationships:
            if relationship.child == self.entity.name and relationship.most is not None:
                by = {own for own, _ in self.design.references(relationship, relationship.parent)}
                found = min(found, relationship.most) if by <= set(names) else found
        return max(1.0, found / self.of_each(asked, names))

    def asked_share(self, asked: "Asked", name: str) -> float:
        """Share of the items that carry what is asked for; of a list that is always the same, each of its values."""
        if always := asked.lists.get(name, ((), 0))[0]:
            return self.share_of(name, always) / len(always)
        return self.share(name, asked.equals[name])

    def stays_small(self, names: set[str]) -> bool:
        """Whether a collection has at most 64 KB with all the children that a parent may have."""
        return any(
            relationship.most is not None
            and relationship.most * self.stated_bytes <= SMALL_COLLECTION_BYTES
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
        if values := values_of(condition):
            return min(1.0, self.share_of(condition.attribute, values))
        if condition.listed is not None and condition.listed.length is not None:
            attribute, length = condition.attribute, condition.listed.length
            occurring = self.occurring(attribute)
            if is_uneven(occurring):
                return self.entity.by_name[attribute].present * found_by(occurring, length)
            return min(1.0, length * self.share(attribute, None))
        usual = RANGE_KEEPS if condition.is_range else FILTER_KEEPS
        there = self.entity.by_name[condition.attribute].present
        return usual * there if condition.needs_a_value else usual

    def is_cool(self, partition: tuple[str, ...], shards: int = 1) -> bool:
        values = float(shards)
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

    @cached_property
    def stated_bytes(self) -> float:
        """Without keys and type, which decide nothing about how much a read may drop."""
        return entity_bytes(self.entity)

    @cached_property
    def own_bytes(self) -> float:
        return self.stated_bytes + self.type_bytes

    @property
    def type_bytes(self) -> int:
        """In a shared table every item says of which entity it is."""
        return len("Type") + len(self.entity.name) if self.style == "single" else 0

    # Writes

    def changed(self, change: Member) -> set[str]:
        if change.verb in ("create", "upsert", "delete"):
            return {a.name for a in self.entity.stored} - set(self.entity.identifier)
        return {
            *change.set,
            *change.remove,
            *change.add,
            *change.greatest,
            *change.append,
            *change.include,
            *change.exclude,
        }

    def known(self, change: Member) -> set[str]:
        if change.verb in ("create", "upsert"):
            return set(self.entity.by_name)
        equal = {c.attribute for c in change.required if c.is_ is not None}
        return {*(change.by or self.entity.identifier), *change.given, *equal}

    # Reads

    def asked(self, pattern: Read) -> Asked:
        ranges: list[Condition | None] = [one for one in pattern.where if one.is_range]
        lists: list[Condition | None] = [one for one in pattern.where if one.listed is not None]
        ways = [
            self._asked(pattern, ranged, listed)
            for ranged, listed in product(ranges or [None], lists or [None])
        ]
        by_all = sorted(filter(None, lists), key=lambda one: (not values_of(one), one.attribute))
        if len(by_all) > 1 and pattern.crossing is None:
            ways += [self._asked(pattern, one, *by_all) for one in ranges or [None]]
        tested = self.tested_lists(pattern)
        ways += [
            self._asked(pattern, ranged, listed)
            for ranged, listed in product(
                ranges or [None], [one for one in lists if one not in tested] or [None]
            )
            if tested
        ]
        if len(ways) == 1:
            return ways[0]
        is_named = pattern.kind == "batch_get"  # all that its list names is there
        rows = self.rows(ways[0]) if is_named else min(map(self.rows, ways))
        also = frozenset(one.attribute for one in (*ranges, *lists) if one is not None)
        ways = [replace(way, rows=rows, also=also, is_named=is_named) for way in ways]
        return replace(ways[0], others=tuple(ways[1:]))

    def tested_lists(self, pattern: Read) -> list[Condition]:
        """Lists of a part of the identifier, which may be tested after the reading where anything else is known."""
        if not any(one.is_ is not None for one in pattern.where):
            return []
        return [
            one
            for one in pattern.where
            if one.any_of is not None and one.attribute in self.entity.identifier
        ]

    def rows(self, asked: Asked) -> float:
        """Items that a read finds, as the shares of what it asks say."""
        found = self.of_each(asked, asked.equals) * self.combinations(asked)
        for name in asked.exists:
            found *= self.there(asked, name)
        return found * self.usual(asked)

    def there(self, asked: Asked, name: str) -> float:
        """Share of the items that have what must be there."""
        return asked.said.get(name, self.entity.by_name[name].present)

    def elements(self, asked: Asked) -> float:
        """How many values of its first list a read asks for; one where it asks for no list."""
        return 1.0 if asked.listed is None else self.length(asked, asked.listed)

    def length(self, asked: Asked, listed: str) -> float:
        """How many values of a list a read asks for: not all of a few fixed values."""
        stated, values = asked.lists[listed][1], self.distinct(listed)
        if self.entity.by_name[listed].values:
            values = max(1.0, values - 1)
        return stated or min(ELEMENTS, values)

    def combinations(self, asked: Asked, names: Iterable[str] | None = None) -> float:
        """Combinations of the values of its lists, or of some of them."""
        return prod(self.length(asked, one) for one in (asked.lists if names is None else names))

    def usual(self, asked: Asked) -> float:
        """The share of what a read knows that its range and its filters keep."""
        ranged = [asked.range] if asked.range else []
        return self.kept_by_all((*ranged, *asked.filters), {*asked.equals, *asked.exists})

    def kept_by_all(self, conditions: Iterable[Condition], there: set[str]) -> float:
        """The share that several conditions keep of items that have some attributes in any case."""
        share, seen = 1.0, set(there)
        for condition in conditions:
            share *= self.kept(condition)
            if condition.needs_a_value:
                if condition.attribute in seen:
                    share /= self.entity.by_name[condition.attribute].present
                seen.add(condition.attribute)
        return share

    def held(self, asked: Asked, names: Iterable[str]) -> float:
        """The share of what a read knows that has those of some attributes which range and filters need."""
        tests = (*asked.filters, *([asked.range] if asked.range else []))
        needed = {one.attribute for one in tests if one.needs_a_value}
        needed -= {*asked.equals, *asked.exists}
        return prod(self.entity.by_name[name].present for name in needed & set(names))

    def _asked(
        self,
        pattern: Read,
        ranged: Condition | None,
        listed: Condition | None,
        *more: Condition,
    ) -> Asked:
        """What a pattern asks where a key serves this range and this list, or all of these lists together."""
        equals: dict[str, str | None] = {}
        exists, filters = [], list(pattern.keep)
        said = {
            condition.attribute: condition.share
            for condition in pattern.where
            if condition.share is not None
            and (condition.is_ is not None or condition.exists or condition in (listed, *more))
        }
        for condition in pattern.where:
            if condition.is_ is not None:
                value = condition.is_.value
                equals[condition.attribute] = None if value is None else str(value)
            elif condition.exists:
                exists.append(condition.attribute)
            elif condition not in (ranged, listed, *more):
                filters.append(condition)
        for one in filter(None, (listed, *more)):
            equals[one.attribute] = None
        order = tuple(o.attribute for o in pattern.orders if o.attribute not in equals)
        tested = {condition.attribute for condition in (*pattern.where, *pattern.keep)}
        known = [self.entity.by_name[name] for name in equals if name in self.entity.by_name]
        if all(one.present == 1 for one in known):
            exists += [
                name
                for name in dict.fromkeys(order)
                if self.entity.by_name[name].present < 1 and name not in tested
            ]
        needs: frozenset[str] | None = None
        if pattern.kind in ("count", "exists"):
            needs = frozenset()
        elif pattern.attributes is not None:
            needs = frozenset(pattern.attributes) | {c.attribute for c in pattern.after_limit}
        crossing = pattern.crossing
        if crossing is not None and needs is not None:
            needs |= {crossing.attribute}
        assert pattern.rate is not None
        return Asked(
            equals,
            ranged,
            tuple(exists),
            tuple(filters),
            order,
            # What has all values of a list is cut and sorted when everything has been read.
            1 if pattern.kind == "exists" else None if crossing is not None else pattern.limit,
            needs,
            "crossed" if crossing is not None else pattern.kind,
            pattern.consistency != "eventual",
            {"eventual": 0.5, "strong": 1.0, "transactional": 2.0}[pattern.consistency],
            pattern.rate.average,
            pattern.rate.peak or pattern.rate.average,
            None if listed is None else listed.attribute,
            () if listed is None or listed.listed is None else values_of(listed),
            None if listed is None or listed.listed is None else listed.listed.length,
            said=said,
            more=tuple(
                (one.attribute, values_of(one), one.listed.length if one.listed else None)
                for one in more
            ),
        )

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
    def every_way(self) -> list[Asked]:
        return [way for asked in self.reads for way in asked.ways]

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

    @cached_property
    def in_use(self) -> tuple[str, ...]:
        """Attributes that some read speaks of, and the identifier."""
        names = dict.fromkeys(self.entity.identifier)
        for asked in self.every_way:
            ranged = [asked.range.attribute] if asked.range else []
            for name in (*asked.equals, *ranged, *asked.exists, *asked.order):
                names[name] = None
        return tuple(names)

    @cached_property
    def ranged(self) -> set[str]:
        """What some read takes a range of: a sort key that ends with it has a sign behind it."""
        return {way.range.attribute for way in self.every_way if way.range is not None}


def values_of(condition: Condition) -> tuple[str, ...]:
    """The values of a list that is always the same."""
    listed = condition.listed
    return () if listed is None else tuple(map(str, listed.value or ()))


def joint_read(design: Design) -> Read | None:
    """The read that asks for two entities at once, where a design has one."""
    return next((p for p in design.patterns if isinstance(p, Read) and p.with_), None)
