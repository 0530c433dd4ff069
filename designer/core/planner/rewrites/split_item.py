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
from itertools import accumulate
from operator import or_

from designer.core.capacity.sizes import attribute_bytes, entity_bytes
from designer.core.capacity.units import read_units, write_units
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import kept_figures
from designer.core.dynamodb.limits import WRITE_UNIT_BYTES
from designer.core.dynamodb.prices import prices_of
from designer.core.messages import Message, say
from designer.core.patterns.base import Member, Read, Write
from designer.core.plan import Decision, Plan, Style
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.score import exact
from designer.core.planner.model.wording import capital
from designer.core.planner.operations.context import Stated
from designer.core.planner.rewrites.rewriting import (
    NotApplicableError,
    Tried,
    asked_of,
    asking,
    may_be_several,
    per_second,
    returned,
    unshareable,
)
from designer.core.planner.rewrites.rewritten import Variant
from designer.core.planner.rewrites.split_items import SplitItems
from designer.core.planner.rewrites.split_mapping import mapped_back
from designer.core.planner.rewrites.split_rewriting import pinned_indexes, rewritten
from designer.core.planner.workload.copies import with_copies
from designer.core.rational import Fraction

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


@dataclass(frozen=True)
class Split(SplitItems, Variant):
    """Some attributes of an entity in an item of their own."""

    def blocking_pin(self, design: Design) -> Message | None:
        """What a pin says that the two items can't both obey; None where it goes together with them."""
        return next(_contradicted(design, self), None)

    def rewritten(self, design: Design) -> Design | None:
        """The design as if the attributes were an entity; None where a pattern needs them in their place."""
        return rewritten(design, self)

    def mapped_back(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the rewritten design in the words of the one before. `stated`: its models and patterns."""
        return mapped_back(plan, self, stated)

    def decision(self, design: Design, tried: Tried) -> Decision:
        """Together or apart: how often both are asked for, how big they are and how often they change."""
        name, names = self.whole.name, self.attributes
        size = sum(attribute_bytes(self.whole.by_name[each]) for each in names)
        rewritten = self.rewritten(design)
        assert rewritten is not None
        own, rest = _changes(rewritten, self)
        reasons = [
            say(
                "read-with-rest",
                share=_share_of_both(rewritten, self),
                entity=name,
                attributes=names,
                item_bytes=float(entity_bytes(self.whole)),
                bytes=float(size),
                writes=own,
                other_writes=rest,
            )
        ]
        if tried.kept:
            reasons.append(say("charged-apart"))
        return tried.decided(
            f"apart {', '.join(f'{name}.{each}' for each in names)}",
            (say("in-the-item", entity=name), say("attributes-apart", attributes=names)),
            asking(design, name),
            tuple(reasons),
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
    of_one = any(p.returns_one and named <= {c.attribute for c in p.where} for p in both)
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
        if not (
            a.name in fixed or a.name in entity.unique_names or a.ttl or a.refers_to is not None
        )
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
                    transactional = pattern.is_transaction or guarded
                    units = write_units(size[change.entity], transactional)
                    total += exact(per_second(pattern, change)) * units * prices.write_unit
        elif isinstance(pattern, Read) and names.issuperset(pattern.entities):
            brought = (design.relationship[along.relationship].child for along in pattern.with_)
            rows = 1.0 if pattern.returns_one else pattern.expects or pattern.limit or _ROWS
            read = sum(size[name] for name in names & {*pattern.entities, *brought})
            units = read_units(read * rows, pattern.consistency)
            total += exact(pattern.rate.average) * units * prices.read_unit
    return total


def _has_guard(entity: Entity, change: Member) -> bool:
    """Whether a change writes the guard of what is unique in one transaction with its item."""
    unique = entity.unique_names
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


def _contradicted(design: Design, split: Split) -> Iterator[Message]:
    """What pins say that the two items can't both obey."""
    moved, part = set(split.attributes), split.of_part
    everything = {pin.index for _, pin in obeyed(design, split.style) if pin.projection == "all"}
    for index, held in pinned_indexes(design, split).items():
        own = tuple(sorted(held & moved))
        if own and not held <= part:
            rest = tuple(sorted(held - part))
            yield say("index-pinned-to-both", index=index, attributes=own, others=rest)
        elif own and index in everything:
            yield say("index-pinned-to-everything", index=index, attributes=own)
    if split.shares:
        yield from unshareable(design, split.style, split.whole)
