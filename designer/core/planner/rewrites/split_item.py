"""Apart (rule 17): attributes that are read or changed without the rest, in an item of their own.

A write is charged by the whole item, so each count of a counter in a large one is as dear as the whole. `splits` lists
the attributes that may lie apart. `rewritten` is the design with a second entity for them, 1:1 with the rest, which is
searched and priced like any other; `mapped_back` puts its plan back into the words of the design as it is stated.

The two items come and go together, in one transaction. Who reads both may find one of them newer than the other.

See docs/modelling-rules.md.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from operator import or_
from typing import Any, TypeVar

from designer.core.design.document import Design, Entity, Pin, PlannerSettings, Relationship
from designer.core.design.kept import kept_figures
from designer.core.design.pins import key_text
from designer.core.limits import TRANSACTION_ITEMS, WRITE_UNIT_BYTES
from designer.core.patterns import AnyPattern, Delete, Transaction
from designer.core.patterns.base import Condition, Member, Pattern, Read, With, Write
from designer.core.plan import Decision, Operation, Plan, Style, Table
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.wording import capital, spoken
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.parameters import write_parameters
from designer.core.planner.rewrites.rewriting import (
    NotApplicableError,
    Tried,
    alone,
    asked_of,
    asking,
    cheaper,
    common,
    may_be_several,
    per_second,
    renamed,
    returned,
    unshareable,
)
from designer.core.planner.workload.copies import with_copies
from designer.core.prices import prices_of
from designer.core.sizes import attribute_bytes, entity_bytes
from designer.core.units import read_units, write_units

TRIED = 3
"""Ways to split one entity that are priced in full: those that promise to save the most."""
NAMED = 2
"""An item of at most so many attributes is named after them."""
_KEYS = 64
"""Bytes that composed keys may add to an item, where only the promise of a split is worked out; a table of one kind of
items may do without any.
"""
_ROWS = 10.0
"""Rows of a list, where only the promise of a split is worked out."""

Changed = TypeVar("Changed")


@dataclass(frozen=True)
class Split:
    """Some attributes of an entity in an item of their own."""

    whole: Entity
    attributes: tuple[str, ...]
    """In the entity's order."""
    name: str
    """The shape of their item, and the entity that stands for it in the rewritten design."""
    style: Style
    shares: bool = True
    """Whether the two items lie in one table; only in multi-table style each may have its own."""

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.whole.name,)

    @cached_property
    def part(self) -> Entity:
        """The entity of the attributes."""
        keys = tuple(
            self.whole.by_name[key].model_copy(update={"refers_to": f"{self.whole.name}.{key}"})
            for key in self.whole.identifier
        )
        own = tuple(self.whole.by_name[name] for name in self.attributes)
        attributes = {"name": self.name, "id": None, "prefix": None, "attributes": (*keys, *own)}
        return self.whole.model_copy(update=attributes)

    @cached_property
    def rest(self) -> Entity:
        """The entity without them."""
        kept = tuple(a for a in self.whole.attributes if a.name not in self.attributes)
        return self.whole.model_copy(update={"attributes": kept})

    @cached_property
    def relationship(self) -> Relationship:
        """How the two belong together."""
        pair = (self.whole.name, self.name)
        return Relationship(name=self.name, one=pair, by=self.whole.identifier, identifying=True)

    @cached_property
    def of_part(self) -> frozenset[str]:
        """What the item of the attributes has."""
        return frozenset((*self.whole.identifier, *self.attributes))

    def blocking_pin(self, design: Design) -> str:
        """What a pin says that the two items can't both obey; empty where it goes together with them."""
        return next(_contradicted(design, self), "")

    def brings(self, pattern: Pattern) -> bool:
        """Whether a pattern of the rewritten design reads both items."""
        return isinstance(pattern, Read) and any(
            along.relationship == self.relationship.name for along in pattern.with_
        )

    def rewritten(self, design: Design) -> Design | None:
        """The design as if the attributes were an entity; None where a pattern needs them in their place."""
        return rewritten(design, self)

    def pays(self, before: Score, after: Score) -> bool:
        """Whether it is kept: where it costs less."""
        return cheaper(before, after)

    def mapped_back(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the rewritten design in the words of the one before. `stated`: its models and patterns."""
        return mapped_back(plan, self, stated)

    def decision(self, design: Design, tried: Tried) -> Decision:
        """Together or apart: how often both are asked for, how big they are and how often they change."""
        name, names = self.whole.name, spoken(self.attributes)
        one = len(self.attributes) == 1
        size = sum(attribute_bytes(self.whole.by_name[each]) for each in self.attributes)
        rewritten = self.rewritten(design)
        assert rewritten is not None
        own, rest = _changes(rewritten, self)
        because = (
            f"{_share_of_both(rewritten, self):.0%} of the reads of {name} need {names} and other attributes, too. "
            f"{name} has {entity_bytes(self.whole):,.0f} bytes, {size:,.0f} of them {names}; without the rest "
            f"{'this changes' if one else 'these change'} {own:g} times a second, the rest {rest:g} times."
        )
        if tried.kept:
            because += (
                " Each change is then charged by the item that has it; both items are created and deleted in one "
                "transaction, and a read of both may find one newer than the other."
            )
        return tried.told(
            f"apart {', '.join(f'{name}.{each}' for each in self.attributes)}",
            (f"in the item of {name}", f"{names} in an item of {'its' if one else 'their'} own"),
            asking(design, name),
            because,
        )


def splits(design: Design, style: Style) -> Iterator[Split]:
    """For each entity, the attributes that the others can do without and that promise to pay apart."""
    # One unit is the least that a write takes.
    large = [e for e in design.entities if entity_bytes(e) + _KEYS > WRITE_UNIT_BYTES]
    copies = with_copies(design).copies if large else ()
    carrying = {name for copied in copies for name in (copied.entity, copied.parent)}
    for entity in large:
        if entity.name in carrying or not may_be_several(design, entity):
            continue
        found: list[tuple[Fraction, int, list[Split]]] = []
        whole = _on_tables(design, {entity.name}, _KEYS)
        for names in _may_leave(design, entity):
            split = _split(design, entity, names, style)
            trial = split.rewritten(design)
            if trial is not None:
                ways = _ways(trial, split)
                keys = _KEYS if all(way.shares for way in ways) else 0
                saved = whole - _on_tables(trial, {entity.name, split.name}, keys)
                found += [(-saved, len(found), ways)] if saved > 0 else []
        for _, _, ways in sorted(found, key=lambda one: one[:2])[:TRIED]:
            yield from ways


def _ways(rewritten: Design, split: Split) -> list[Split]:
    """The split with both items in one table and with a table for each, where there are both ways.

    Tables of their own would make two requests of a read of one item (rule 23).
    """
    if split.style != "multi":
        return [split]
    both = [p for p in rewritten.patterns if isinstance(p, Read) and split.brings(p)]
    named = set(split.whole.identifier)
    of_one = any(p.kind == "get" and named <= {c.attribute for c in p.where} for p in both)
    may_be_own = rewritten.planner.point_reads == "by-price" or not of_one
    return [split] * bool(both) + [replace(split, shares=False)] * may_be_own


def _may_leave(design: Design, entity: Entity) -> Iterable[frozenset[str]]:
    """What some pattern asks for without the rest. Where that has to stay, the rest instead, or what is large of it.

    Patterns in turn, and the one that asks for least together with the next one, and so on.
    """
    free = _free(design, entity)
    changed, read = (_by_bytes(entity, sets) for sets in _asked(design, entity))
    own = (*changed, *accumulate((names for names in changed if names <= free), or_), *read)
    everyone = _by_bytes(entity, (*changed, *read))
    left = [free - names for names in (*everyone, *accumulate(everyone, or_)) if not names <= free]
    large = {name for name in free if attribute_bytes(entity.by_name[name]) > WRITE_UNIT_BYTES}
    found = (
        *(names for names in own if names <= free),
        *(names & large for names in left),
        *left,
    )
    return dict.fromkeys(names for names in found if names)


def _asked(design: Design, entity: Entity) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """The sets of attributes that updates change, and those that reads return, but for the identifier."""
    changed, read = [], []
    for pattern in design.patterns:
        if pattern.rate is None or pattern.status == "declined":
            continue
        if isinstance(pattern, Write):
            for change in pattern.changes:
                if change.entity == entity.name and change.verb == "update":
                    changed.append(frozenset(change.written))
        elif isinstance(pattern, Read) and entity.name in pattern.entities:
            read.append(frozenset(asked_of(pattern, entity)).difference(entity.identifier))
    return changed, read


def _by_bytes(entity: Entity, sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Sets of an entity's attributes, each once, the smallest items first."""
    size = {a.name: attribute_bytes(a) for a in entity.attributes}
    return sorted(dict.fromkeys(sets), key=lambda names: sum(size[name] for name in names))


def _split(design: Design, entity: Entity, names: frozenset[str], style: Style) -> Split:
    attributes = tuple(a.name for a in entity.attributes if a.name in names)
    few = attributes if len(attributes) <= NAMED else ("part",)
    name = re.sub(r"\W", "", entity.name + "".join(map(capital, few)))[:60]
    while name in design.entity or name in design.relationship:
        name += "_"
    return Split(entity, attributes, name, style)


def _free(design: Design, entity: Entity) -> frozenset[str]:
    """The attributes that may leave an entity's item: those that no key, reference, figure or read needs there."""
    figures = {f.name for f in kept_figures(design) if f.entity == entity.name}
    sources = {a.source[1] for a in entity.attributes if a.source is not None}
    fixed = {*entity.identifier, *figures, *sources}
    fixed |= {name for r in design.relationships for name in r.references if r.child == entity.name}
    reads = [
        p
        for p in design.patterns
        if isinstance(p, Read)
        if p.status != "declined" and (entity.name in p.entities or p.with_)
    ]
    return frozenset(
        a.name
        for a in entity.stored
        if not (a.name in fixed or a.unique or a.ttl or a.refers_to is not None)
        if not any(_stays(design, read, entity, a.name) for read in reads)
    )


def _stays(design: Design, pattern: Read, entity: Entity, attribute: str) -> bool:
    """Whether a read needs an attribute of an entity in the entity's own item."""
    try:
        returned(design, pattern, entity, {attribute})
    except NotApplicableError:
        return True
    return False


def _on_tables(design: Design, names: set[str], keys: int) -> Fraction:
    """US dollars a second that the tables' own items of some entities cost at the least, indexes aside.

    `keys`: bytes that composed keys add to each item.
    """
    prices = prices_of(design.region)
    size = {name: entity_bytes(design.entity[name]) + keys for name in names}
    total = Fraction(0)
    for pattern in design.patterns:
        if pattern.rate is None or pattern.status == "declined":
            continue
        if isinstance(pattern, Write):
            for change in pattern.changes:
                if change.entity in names:
                    guarded = _has_guard(design.entity[change.entity], change)
                    transactional = isinstance(pattern, Transaction) or guarded
                    units = write_units(size[change.entity], transactional)
                    total += exact(per_second(pattern, change)) * units * prices.write_unit
        elif isinstance(pattern, Read) and names.issuperset(pattern.entities):
            brought = (design.relationship[along.relationship].child for along in pattern.with_)
            rows = 1.0 if pattern.kind == "get" else pattern.expects or pattern.limit or _ROWS
            read = sum(size[name] for name in names & {*pattern.entities, *brought})
            units = read_units(read * rows, pattern.consistency)
            total += exact(pattern.rate.average) * units * prices.read_unit
    return total


def _has_guard(entity: Entity, change: Member) -> bool:
    """Whether a change writes the guard of a unique attribute in one transaction with its item."""
    unique = {attribute.name for attribute in entity.unique_attributes}
    return bool(unique if change.verb in ("create", "delete") else unique & set(change.written))


def _share_of_both(rewritten: Design, split: Split) -> float:
    """Of the reads that ask for the entity, by their rates, the share that need both items."""
    both = all_of_them = 0.0
    for pattern in rewritten.patterns:
        if isinstance(pattern, Read) and pattern.rate is not None:
            asked = {split.whole.name, split.name} & set(pattern.entities)
            all_of_them += pattern.rate.average * bool(asked)
            both += pattern.rate.average * split.brings(pattern)
    return both / all_of_them if all_of_them else 0.0


def _changes(rewritten: Design, split: Split) -> tuple[float, float]:
    """How often in a second the attributes are changed alone, and how often the rest is."""
    own = rest = 0.0
    for pattern in rewritten.patterns:
        if isinstance(pattern, Write):
            changes = (change for change in pattern.changes if change.verb == "update")
            updated = {change.entity: per_second(pattern, change) for change in changes}
            rest += updated.get(split.whole.name, 0)
            own += updated.get(split.name, 0) if split.whole.name not in updated else 0
    return own, rest


# The design with the attributes as an entity


def rewritten(design: Design, split: Split) -> Design | None:
    """The design as if the attributes were an entity; None where a pattern needs them in their place."""
    name = split.whole.name
    if design.entity.get(name) != split.whole:
        return None  # something lies in it
    try:
        patterns = tuple(_folded(design, split, pattern) for pattern in design.patterns)
    except NotApplicableError:
        return None
    entities = [
        each
        for entity in design.entities
        for each in ((split.rest, split.part) if entity.name == name else (entity,))
    ]
    return design.model_copy(
        update={
            "entities": tuple(entities),
            "relationships": (*design.relationships, split.relationship),
            "patterns": patterns,
            "planner": _pinned(design, split),
        }
    )


# Pins


def _pinned(design: Design, split: Split) -> PlannerSettings:
    """Each pin for the item that has what it speaks of, and one that has both items in one table."""
    both = (split.whole.name, split.name)
    pins = list(design.planner.pins)
    keys = _pinned_indexes(design, split)
    for at, pin in obeyed(design, split.style):
        if pin.entity != split.whole.name:
            continue
        if pin.index is not None:
            in_part = keys[pin.index] <= split.of_part and keys[pin.index] & set(split.attributes)
            pins[at] = pin.model_copy(update={"entity": split.name}) if in_part else pin
        elif pin.name is not None and split.shares:
            pins[at] = pin.model_copy(update={"table": both})
    if split.shares and split.style == "multi":
        pins.append(Pin(style="multi", table=both))
    return design.planner.model_copy(update={"pins": tuple(pins)})


def _pinned_indexes(design: Design, split: Split) -> dict[str, frozenset[str]]:
    """The attributes in the pinned keys of each index of the entity."""
    found: dict[str, frozenset[str]] = {}
    for _, pin in obeyed(design, split.style):
        if pin.entity == split.whole.name and pin.index is not None:
            texts = (
                (key_text(split.whole, template) for template in pin.key.templates)
                if pin.key
                else ()
            )
            held = {name for text in texts for name in text.attributes if not is_shard(name)}
            found[pin.index] = found.get(pin.index, frozenset()) | held
    return found


def _contradicted(design: Design, split: Split) -> Iterator[str]:
    """What pins say that the two items can't both obey."""
    moved, part = set(split.attributes), split.of_part
    everything = {pin.index for _, pin in obeyed(design, split.style) if pin.projection == "all"}
    for index, held in _pinned_indexes(design, split).items():
        if held & moved and not held <= part:
            rest = spoken(tuple(sorted(held - part)))
            yield f"the index {index} is pinned to have {spoken(tuple(sorted(held & moved)))} beside {rest}"
        elif held & moved and index in everything:
            yield f"the index {index} is pinned to hold everything beside {spoken(tuple(sorted(held & moved)))}"
    if split.shares:
        yield from unshareable(design, split.style, split.whole)


def _folded(design: Design, split: Split, pattern: AnyPattern) -> Any:
    if pattern.status == "declined":
        return pattern
    if isinstance(pattern, Read):
        return _folded_read(design, split, pattern)
    if isinstance(pattern, Write) and any(c.entity == split.whole.name for c in pattern.changes):
        return _folded_write(split, pattern)
    return pattern


def _folded_read(design: Design, split: Split, pattern: Read) -> Read:
    moved = set(split.attributes)
    wanted = returned(design, pattern, split.whole, moved)
    if not wanted:
        return pattern
    # A pinned index is the entity's own.
    if _is_of_part(split, pattern) and not _is_pinned(design, split, pattern):
        return pattern.model_copy(update={"returns": split.name})
    own, mine = None, None
    if pattern.attributes is not None:
        own = tuple(name for name in pattern.attributes if name not in moved)
        own = own or split.whole.identifier  # by which the other item is found to belong to it
        mine = tuple(name for name in split.attributes if name in wanted)
    along = With(relationship=split.relationship.name, attributes=mine)
    return pattern.model_copy(update={"attributes": own, "with_": (*pattern.with_, along)})


def _is_pinned(design: Design, split: Split, pattern: Read) -> bool:
    return any(pin.pattern == pattern.number for _, pin in obeyed(design, split.style))


def _is_of_part(split: Split, pattern: Read) -> bool:
    """Whether the part's item alone answers a read: it is named by its identifier, and nothing else is needed."""
    return (
        pattern.kind in ("get", "batch_get")
        and pattern.attributes is not None
        and set(pattern.attributes) <= {a.name for a in split.part.attributes}
        and {c.attribute for c in pattern.where} == set(split.whole.identifier)
        and not pattern.keep
        and not pattern.with_
        and not pattern.order
    )


def _folded_write(split: Split, pattern: Write) -> Write:
    if isinstance(pattern, Delete) and pattern.where:
        raise NotApplicableError
    members: list[Member] = []
    for change in pattern.changes:
        members += _members(split, change) if change.entity == split.whole.name else [change]
    if not isinstance(pattern, Transaction) and len(members) == 1:
        return alone(pattern, members[0])
    if sum(change.times.most if change.times else 1 for change in members) > TRANSACTION_ITEMS:
        raise NotApplicableError
    return Transaction(**common(pattern), members=tuple(members))


def _members(split: Split, change: Member) -> list[Member]:
    """What a change of the entity's item does to the two."""
    if change.verb == "upsert":
        raise NotApplicableError  # it is not known whether the other item is there
    if change.or_:
        raise NotApplicableError  # what is tested of the one item may do for what is tested of the other
    moved = set(split.attributes)
    of_part = moved | set(split.whole.identifier)
    found = []
    for name, mine in ((split.whole.name, None), (split.name, of_part)):
        own = _own(change, moved, mine)
        verb = change.verb
        if verb == "update" and not own.written:
            verb = "check"
        # That it is there is asked of the entity's own item, which has the other with it.
        if verb != "check" or own.if_ or (mine is None and change.exists is not None):
            found.append(own.model_copy(update={change.verb: None, verb: name}))
    if change.times is not None and len(found) > 1:
        raise NotApplicableError  # of many items, each is written by itself
    by_identifier = not change.by or change.by == split.whole.identifier
    if any(member.entity == split.name for member in found) and not by_identifier:
        raise NotApplicableError
    return found


def _own(change: Member, moved: set[str], of_part: set[str] | None) -> Member:
    """Of a change, what concerns the one item or the other."""

    def mine(name: str) -> bool:
        return name not in moved if of_part is None else name in of_part

    def kept(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if mine(name))

    def those(named: dict[str, Changed]) -> dict[str, Changed]:
        return {name: value for name, value in named.items() if mine(name)}

    def tests(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(c for c in conditions if (c.attribute in moved) == (of_part is not None))

    return change.model_copy(
        update={
            "given": kept(change.given),
            "set": those(change.set),
            "remove": kept(change.remove),
            "add": those(change.add),
            "greatest": those(change.greatest),
            "append": those(change.append),
            "include": those(change.include),
            "exclude": those(change.exclude),
            "if_": tests(change.if_),
            "each": change.each or (change.entity if change.times is not None else None),
        }
    )


# Its plan, in the words of the design as it is stated


def mapped_back(plan: Plan, split: Split, stated: Stated) -> Plan:
    """The plan of a rewritten design as one of the design that was rewritten. `stated`: its models and patterns."""
    return plan.model_copy(
        update={
            "tables": tuple(_table(split, table) for table in plan.tables),
            "operations": tuple(_unfolded(split, stated, one) for one in plan.operations),
            "findings": tuple(
                renamed(found, split.name, split.whole.name) for found in plan.findings
            ),
        }
    )


def _table(split: Split, table: Table) -> Table:
    shapes = []
    for shape in table.items:
        if shape.entity == split.name:
            role = "split" if shape.role == "entity" else shape.role
            shape = shape.model_copy(update={"entity": split.whole.name, "role": role})
        shapes.append(shape)
    return table.model_copy(update={"items": tuple(shapes)})


def _unfolded(split: Split, stated: Stated, operation: Operation) -> Operation:
    writes = stated.search.requirements.writes
    entity_reads = [d for d in writes if d.pattern.number == operation.pattern and not d.is_upkeep]
    if any(entity_read.entity == split.whole.name for entity_read in entity_reads):
        parameters = write_parameters(stated, entity_reads)
        return operation.model_copy(update={"parameters": parameters})
    if operation.result is None:
        return operation
    parts = tuple(
        part.model_copy(update={"completes": "rows"})
        if part.name == split.relationship.name
        else part
        for part in operation.result.parts
    )
    result = operation.result.model_copy(update={"parts": parts})
    return operation.model_copy(update={"result": result})
