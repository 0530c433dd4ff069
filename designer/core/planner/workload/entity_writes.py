"""What each write pattern writes, entity by entity."""

from collections.abc import Iterator

from designer.core.design.changes import changed_attributes, left_out
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Member, Write
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite, with_absences


def writes_of(
    design: Design, pattern: Write, found: EntityRead | None = None
) -> Iterator[EntityWrite]:
    """What a pattern writes; nothing where it is declined. `found`: the read that finds what it deletes."""
    if pattern.status == "declined":
        return
    average = pattern.rate.average if pattern.rate else None
    peak = (pattern.rate.peak or pattern.rate.average) if pattern.rate else None
    transactional = pattern.is_transaction
    for at, change in enumerate(pattern.changes):
        entity = design.entity[change.entity]
        times = change.times.average if change.times else 1.0
        if found is not None:
            times = found.rows
        yield EntityWrite(
            pattern,
            at,
            change,
            entity.name,
            average,
            peak,
            times,
            transactional,
            known_attributes(entity, change),
            with_absences(changed_attributes(entity, change)),
            left_out=left_out(entity, change),
        )


def known_attributes(entity: Entity, change: Member) -> frozenset[str]:
    """The attributes whose present value a write is given."""
    if change.writes_whole:
        return frozenset(a.name for a in entity.attributes)
    known = set(change.by or entity.identifier) | set(change.given)
    equal = {c.attribute for c in change.required if c.is_ is not None}
    return frozenset(known | equal)
