"""How much a write of an item takes of an index: its entries that are put, changed and deleted, each by its size."""

from collections.abc import Iterator, Mapping
from math import prod

from designer.core.capacity.units import write_units
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.heat.writes import changes_of, key_parts, known_values
from designer.core.patterns.base import Pattern
from designer.core.plan import Constant, Index, Member, Shape
from designer.core.plan.keys import Form, Reference
from designer.core.planner.model.score import exact
from designer.core.planner.model.shares import share_asked
from designer.core.rational import Fraction


def units_of_entries(
    design: Design,
    pattern: Pattern | None,
    member: Member,
    index: Index,
    shape: Shape,
    entry_bytes: float,
) -> Fraction:
    """Write units that a member of a step takes of an index for each of its items, on average.

    They are as the plan shows them, so they tell how its sum divides among several members and are not the sum.
    """
    if member.verb == "check":
        return Fraction(0)
    return write_units(entry_bytes) * exact(_entries(design, pattern, member, index, shape))


def _entries(
    design: Design, pattern: Pattern | None, member: Member, index: Index, shape: Shape
) -> float:
    """Entries that are written: a moved one counts twice, and one that stays as it is does not count."""
    parts = tuple(key_parts(index, shape))
    changes = changes_of(pattern, member, shape)
    old, new = known_values(pattern, changes)
    is_there = _Membership(design, design.entity.get(shape.entity), parts)
    removed = frozenset(name for change in changes for name in change.remove)
    set_ = frozenset(name for change in changes for name in change.written) - removed
    was = is_there.share(old, frozenset(), frozenset())
    becomes = is_there.share(new, set_, removed)
    if member.verb == "put":
        may_move = bool({part.name for part in parts} - is_there.identifier)
        replaces = any(change.may_replace for change in changes)
        return was + becomes if replaces and may_move else becomes
    if member.verb == "delete":
        return was
    touched = frozenset(_touched(member, shape))
    changed = {part.name for change in changes for part in parts if part.name in change.written}
    keys = {attribute.name for attribute in (*index.partition, *index.sort)}
    if not changes and touched & keys:  # upkeep, of which the plan says only what it writes
        return 2 * was
    moved, stays = 0.0, was
    if changed:
        told = {part.name for part in parts if not _is_of_several(part)}
        stays = 0.0 if changed & told else min(was, becomes)
        moved = was + becomes - 2 * stays
    return moved + (stays if _is_projected(index, touched - keys) else 0.0)


class _Membership:
    """Which of an entity's items are in an index, by what its key is written of."""

    def __init__(
        self, design: Design, entity: Entity | None, parts: tuple[Reference | Form, ...]
    ) -> None:
        self.design = design
        self.entity = entity
        self.parts = parts
        self.identifier = frozenset(entity.identifier if entity else ())

    def share(
        self, known: Mapping[str, str], present: frozenset[str], absent: frozenset[str]
    ) -> float:
        """Share of the items that are in it, of those of which some values are known, and what they surely have."""
        found: dict[str, float] = {}
        for part in self.parts:
            there = self._of(part, known, present, absent)
            found[part.name] = min(there, found.get(part.name, 1.0))
        return prod(found.values())

    def _of(
        self,
        part: Reference | Form,
        known: Mapping[str, str],
        present: frozenset[str],
        absent: frozenset[str],
    ) -> float:
        attribute = self.entity.by_name.get(part.name) if self.entity else None
        if attribute is None or self.entity is None:
            return 1.0
        there = 1.0 if part.name in present or part.name in known else attribute.present
        there = 0.0 if part.name in absent else there
        if isinstance(part, Form) and part.form == "absent":
            return 1 - there
        texts = part.texts if isinstance(part, Form) and part.form in ("only", "when") else ()
        if not texts or not there:
            return there
        if part.name in known:
            return float(known[part.name] in texts)
        values = (Constant(value=text) for text in texts)
        return sum(share_asked(self.design, self.entity, attribute, value) for value in values)


def _is_of_several(part: Reference | Form) -> bool:
    """Whether it writes nothing of the value, and lets several of them be there."""
    return isinstance(part, Form) and part.form == "when" and len(part.texts) != 1


def _touched(member: Member, shape: Shape) -> Iterator[str]:
    """The stored attributes that an update changes."""
    changes = (member.set, member.add, member.greatest, member.least)
    for named in (*changes, member.append, member.include, member.exclude, member.remove):
        yield from named
    inner = {one.shape for one in member.inside}
    yield from (name for name, held in shape.holds.items() if held in inner)


def _is_projected(index: Index, names: frozenset[str]) -> bool:
    if index.projection.type == "ALL":
        return bool(names)
    return not names.isdisjoint(index.projection.attributes)
