"""The proof's own items: few, made to break what is nearly right, the same for the same design.

Every entity has a crowd, items that agree in all that patterns ask for, more than any limit lets
through; and others that differ in everything, with values missing where they may be, collections
of one and of none, and a reference to nothing.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.core.answers import Item, Value, canonical, number
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.patterns.base import Condition, Member, Ordered, Read, Write
from designer.proof import samples, ways

LEAST_IN_CROWD = 8
MOST_IN_CROWD = 130
OTHERS = 10
OTHERS_WHEN_SMALL = 6
MOST_WAYS = 24
"""Items that are made to meet one way that conditions leave."""
ENOUGH_BYTES = 1_150_000
"""A little more than a page of a Query, which is 1 MB (Amazon DynamoDB API reference, Query)."""


def rows(
    design: Design, *, small: bool = False, large: bool = False
) -> dict[str, tuple[Item, ...]]:
    """The items of each entity.

    `small` leaves the crowds small, for writes, after each of which tables are compared. `large`
    fills crowds up to more than one page of a Query, where an attribute can hold it.
    """
    return _Maker(design, small, large).state()


@dataclass
class Uses:
    """What the patterns ask of an entity's attributes."""

    equal: set[str] = field(default_factory=set)
    other: set[str] = field(default_factory=set)
    constants: dict[str, list[Value]] = field(default_factory=dict)
    limit: int = 0
    read_whole: bool = False


def uses(design: Design) -> dict[str, Uses]:
    """What the patterns ask of each entity."""
    found = {entity.name: Uses() for entity in design.entities}
    for pattern in design.patterns:
        if isinstance(pattern, Read):
            for name in pattern.entities:
                _note(design, found, name, pattern, pattern.conditions)
                page = sum(along.limit or 0 for along in pattern.with_)
                for along in pattern.with_:
                    relationship = design.relationship[along.relationship]
                    related = _other_side(relationship, name)
                    _note(design, found, related, along, along.keep)
                    if page and along.limit is None:
                        # It may be read in one page with parts that have a limit: fill that page.
                        most = max(relationship.most or 0, *(relationship.mosts or (0,)))
                        found[related].limit = max(found[related].limit, page, most)
        elif isinstance(pattern, Write):
            for change in pattern.changes:
                entity = found[change.entity]
                for name, operand in change.set.items():
                    if operand.value is not None:
                        entity.constants.setdefault(name, []).append(number(operand.value))
                _note_conditions(design, found, change.entity, change.conditions)
            where = getattr(pattern, "where", ())
            for change in pattern.changes:
                _note_conditions(design, found, change.entity, where)
    return found


def _other_side(relationship: Relationship, name: str) -> str:
    return relationship.child if name != relationship.child else relationship.parent


def _note(
    design: Design,
    found: Mapping[str, Uses],
    name: str,
    wanted: Ordered,
    conditions: Sequence[Condition],
) -> None:
    entity = found[name]
    entity.limit = max(entity.limit, wanted.limit or 0)
    entity.read_whole |= wanted.limit is None
    entity.other |= {order.attribute for order in wanted.orders}
    _note_conditions(design, found, name, conditions)


def _note_conditions(
    design: Design, found: Mapping[str, Uses], name: str, conditions: Sequence[Condition]
) -> None:
    for condition in conditions:
        owner, attribute = _owner(design, name, condition.attribute)
        if owner is None:
            continue
        equal = condition.is_ is not None
        (found[owner].equal if equal else found[owner].other).add(attribute)
        source = design.entity[owner].by_name[attribute].source
        if source is not None:
            found[owner].other.add(source[1])
        for value in condition.listed.value or () if condition.listed is not None else ():
            found[owner].constants.setdefault(attribute, []).append(number(value))
        for operand in condition.operands:
            if operand.value is not None:
                found[owner].constants.setdefault(attribute, []).append(number(operand.value))


def _owner(design: Design, name: str, path: str) -> tuple[str | None, str]:
    """The entity and the attribute at the end of a path."""
    first, _, rest = path.partition(".")
    if not rest:
        return (name if path in design.entity[name].by_name else None), path
    relationship = design.relationship.get(first)
    return (None, path) if relationship is None else _owner(design, relationship.parent, rest)


@dataclass(frozen=True)
class Reference:
    """Attributes of an entity that name an item of another."""

    parent: str
    pairs: tuple[tuple[str, str], ...]
    """(own attribute, the parent's attribute)"""
    one_to_one: bool = False


def references(design: Design, entity: Entity) -> tuple[Reference, ...]:
    """An entity's references, those of most attributes first."""
    found: dict[tuple[tuple[str, str], ...], Reference] = {}
    for relationship in design.relationships:
        if relationship.child != entity.name:
            continue
        sides = relationship.many if relationship.through is not None else (relationship.parent,)
        for parent in sides or ():
            pairs = design.references(relationship, parent)
            one_to_one = relationship.cardinality == "1:1"
            if pairs:
                found.setdefault(pairs, Reference(parent, pairs, one_to_one))
    covered = {own for reference in found.values() for own, _ in reference.pairs}
    for attribute in entity.attributes:
        if attribute.refers_to is not None and attribute.name not in covered:
            parent, _, target = attribute.refers_to.partition(".")
            if parent in design.entity:
                pairs = ((attribute.name, target),)
                found.setdefault(pairs, Reference(parent, pairs))
    return tuple(sorted(found.values(), key=lambda reference: -len(reference.pairs)))


def _ways(design: Design) -> dict[str, list[tuple[Member, int]]]:
    """For each entity the ways that the conditions of its writes leave, where there are several."""
    found: dict[str, list[tuple[Member, int]]] = {}
    for pattern in design.patterns:
        for member in pattern.changes if isinstance(pattern, Write) else ():
            several = [(member, at) for at in range(len(ways.twists(member)))]
            found.setdefault(member.entity, []).extend(several)
    return {name: some[:MOST_WAYS] for name, some in found.items() if some}


class _Maker:
    def __init__(self, design: Design, small: bool, large: bool) -> None:
        self.design = design
        self.small = small
        self.large = large
        self.uses = uses(design)
        self.ways = _ways(design)
        self.references = {entity.name: references(design, entity) for entity in design.entities}
        self.made: dict[str, list[Item]] = {entity.name: [] for entity in design.entities}

    def state(self) -> dict[str, tuple[Item, ...]]:
        for entity in self.parents_first():
            self.fill(entity)
        return {name: tuple(items) for name, items in self.made.items()}

    def parents_first(self) -> Iterator[Entity]:
        done: set[str] = set()

        def visit(name: str) -> Iterator[Entity]:
            if name in done:
                return
            done.add(name)
            for reference in self.references[name]:
                yield from visit(reference.parent)
            yield self.design.entity[name]

        for entity in self.design.entities:
            yield from visit(entity.name)

    def crowd(self, name: str) -> int:
        """How many items agree: more than any limit lets through."""
        if self.small:
            return 3
        return max(LEAST_IN_CROWD, min(self.uses[name].limit + 4, MOST_IN_CROWD))

    def size(self, name: str) -> int:
        """How many items there are; for the second end of an edge as many as the first may have."""
        others = OTHERS_WHEN_SMALL if self.small else OTHERS
        edges = [
            self.crowd(entity.name)
            for entity in self.design.entities
            if self.is_edge(entity)
            and any(name == end.parent for end in self.references[entity.name][1:])
        ]
        return max([self.crowd(name), *edges]) + others + len(self.ways.get(name, ()))

    def is_edge(self, entity: Entity) -> bool:
        """Whether nothing but references identifies an item."""
        referring = {own for one in self.references[entity.name] for own, _ in one.pairs}
        return set(entity.identifier) <= referring

    def fill(self, entity: Entity) -> None:
        seen: set[Value] = set()
        for at in range(self.size(entity.name)):
            for attempt in range(40):
                item = self.item(entity, at, attempt)
                identities = set(_identities(entity, item))
                if identities.isdisjoint(seen):
                    seen |= identities
                    self.made[entity.name].append(self.shaped(entity, item, at))
                    break
        if self.large:
            self.enlarge(entity)

    def shaped(self, entity: Entity, item: dict[str, Value], at: int) -> Item:
        """The last items are each made to meet one of the ways that the conditions of writes leave."""
        wanted = self.ways.get(entity.name, ())
        turn = at - (self.size(entity.name) - len(wanted))
        if turn < 0:
            return item
        member, way = wanted[turn]
        shaped = ways.shaped(entity, item, member, way)
        bound = {own for one in self.references[entity.name] for own, _ in one.pairs}
        bound |= {*entity.identifier, *entity.unique_names}
        kept = {name: value for name, value in item.items() if name in bound}
        return {name: value for name, value in shaped.items() if name not in bound} | kept

    def item(self, entity: Entity, at: int, attempt: int) -> dict[str, Value]:
        """The item at a place; a later attempt has another identity."""
        crowd = at < self.crowd(entity.name)
        item: dict[str, Value] = {}
        for turn, reference in enumerate(self.references[entity.name]):
            self.refer(entity, reference, turn, at, attempt, item)
        asked = self.uses[entity.name]
        for turn, attribute in enumerate(entity.stored):
            name = attribute.name
            if name in item or attribute.type == "NULL":
                continue
            wanted = name in asked.equal or name in asked.other or name in entity.identifier
            if attribute.present < 1 and not (crowd and wanted) and mix(name, at) % 2:
                continue
            item[name] = self.value(entity, attribute, turn, at, attempt)
        return item

    def value(
        self, entity: Entity, attribute: Attribute, turn: int, at: int, attempt: int
    ) -> Value:
        crowd = at < self.crowd(entity.name)
        asked = self.uses[entity.name]
        name = attribute.name
        if name in entity.identifier:
            alone = len(entity.identifier) == 1
            return samples.nth(attribute, at if alone or crowd else mix(name, at) % 3 + attempt)
        if attribute.unique:
            return samples.nth(attribute, at)
        if attribute.unique_within:
            # Those after the crowd have its values once more, in other scopes.
            again = not crowd and not attempt
            return samples.nth(attribute, at - self.crowd(entity.name) if again else at + attempt)
        values = self.pool(attribute, asked.constants.get(name, ()))
        if crowd and name in asked.equal:
            return values[0]
        if crowd and name in asked.other:  # every two tie
            place = at // 2 + turn
            return (
                values[place % len(values)]
                if place < 2 * len(values)
                else samples.nth(attribute, place)
            )
        if attribute.values is not None:  # all of them occur
            place = at - self.crowd(entity.name)
            return values[(place + place // 5) % len(values)]
        return values[mix(name, at) % len(values)]

    def pool(self, attribute: Attribute, constants: Sequence[Value]) -> tuple[Value, ...]:
        """The worst values, after those that patterns name and what comes close to them."""
        near: list[Value] = []
        for constant in constants:
            if attribute.values is not None and constant not in attribute.values:
                continue
            near.append(constant)
            if (
                isinstance(constant, str)
                and attribute.type == "S"
                and attribute.format in (None, "text")
            ):
                near += (
                    []
                    if attribute.values
                    else [f"{constant}#", f"{constant}a", constant[:-1] or "m"]
                )
        if attribute.aggregate and attribute.digits:
            # A figure goes on from there, and has to have room for it.
            digits, scale = attribute.padding
            attribute = attribute.model_copy(update={"digits": max(digits - 1, scale + 1)})
        pool = samples.worst(attribute) or tuple(samples.nth(attribute, i) for i in range(12))
        fitting = [value for value in near if isinstance(value, type(pool[0]))]
        return tuple({canonical(value): value for value in (*fitting, *pool)}.values())

    def refer(
        self,
        entity: Entity,
        reference: Reference,
        turn: int,
        at: int,
        attempt: int,
        item: dict[str, Value],
    ) -> None:
        """Point an item at a parent: the crowd at the first, one at nothing, the rest at others."""
        known = entity.by_name
        open_ = [own for own, _ in reference.pairs if own not in item]
        optional = any(known[own].present < 1 for own in open_)
        in_identity = any(own in entity.identifier for own in open_)
        crowd = at < self.crowd(entity.name)
        if not open_ or (optional and not crowd and mix(open_[0], at) % 3 == 0):
            return
        parents = [
            parent
            for parent in self.made[reference.parent]
            if all(
                item.get(own, parent.get(theirs)) == parent.get(theirs)
                for own, theirs in reference.pairs
            )
        ]
        last = at == self.size(entity.name) - 1 - turn
        if not parents or (last and not reference.one_to_one):
            parent = self.nobody(reference)
        elif (
            reference.one_to_one
            or (self.is_edge(entity) and in_identity and turn > 0)
            or any(known[own].unique_within for own in open_)
        ):
            parent = parents[(at + attempt) % len(parents)]
        elif crowd:
            parent = parents[0]
        else:
            # Two or three at each of the next few; the last parents have none.
            place = 1 + (at - self.crowd(entity.name)) % 5 + attempt
            parent = parents[place % len(parents)]
        for own, theirs in reference.pairs:
            if own not in item and parent.get(theirs) is not None:
                item[own] = parent[theirs]

    def nobody(self, reference: Reference) -> Item:
        """What a reference to nothing holds."""
        parent = self.design.entity[reference.parent]
        return {theirs: samples.nobodys(parent.by_name[theirs]) for _, theirs in reference.pairs}

    def enlarge(self, entity: Entity) -> None:
        """Fill the crowd with text until it takes more than one page to read."""
        asked = self.uses[entity.name]
        referring = {own for one in self.references[entity.name] for own, _ in one.pairs}
        free = [
            attribute.name
            for attribute in entity.stored
            if attribute.type == "S"
            and attribute.format in (None, "text", "json")
            and attribute.values is None
            and attribute.name not in entity.unique_names
            and attribute.name not in asked.equal | asked.other | referring | set(entity.identifier)
        ]
        if not free or not asked.read_whole:
            return
        crowd = self.crowd(entity.name)
        filler = "m" * min(ENOUGH_BYTES // crowd, 350_000)
        items = self.made[entity.name]
        items[:crowd] = [{**item, free[0]: filler} for item in items[:crowd]]


def _identities(entity: Entity, item: Item) -> Iterator[Value]:
    """What no other item may have: the identifier, and what is unique within a scope."""
    yield canonical([item.get(name) for name in entity.identifier])
    for unique in entity.uniques:
        if unique.within and all(name in item for name in unique.names):
            yield canonical([*unique.names, *(item[name] for name in unique.names)])


def mix(*parts: object) -> int:
    """A number that looks random and is not."""
    return zlib.crc32(repr(parts).encode()) >> 4
