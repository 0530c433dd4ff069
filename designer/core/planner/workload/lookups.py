"""Items that a write finds through an index, where the team allows it: another way than a guard of the identifier.

Rule 12: a write must be able to name its item. Where the base key is more than what the caller gives, a guard leads to
it: read strongly, but written and deleted with its item in one transaction. An index follows its table by itself, a
moment later, so an item that was just created may not be found yet, and the write is refused. The key that was found
is right for ever, as base keys never change; the write is on condition that an item is still there.
"""

from dataclasses import replace

from designer.core.design.document import Design
from designer.core.design.kept import kept_figures
from designer.core.patterns.base import Write
from designer.core.planner.model.busier import busier_of_write
from designer.core.planner.model.reads_and_writes import (
    FOUND,
    EntityRead,
    EntityWrite,
    PatternRead,
    Requirements,
)


def who_looks_up(design: Design) -> tuple[str, ...]:
    """The entities of which some write may find its item through an index.

    Where the identifier is not generated, a guard keeps it unique anyway, and that is the better way to the item.
    """
    if design.planner.lookups_before_writes != "gsi":
        return ()
    changes = [
        change
        for pattern in design.patterns
        if isinstance(pattern, Write) and pattern.status != "declined"
        for change in pattern.changes
    ]
    found = []
    figures = {figure.entity for figure in kept_figures(design)}
    for entity in design.entities:
        if entity.name in figures:
            continue  # their children's writes need a guard to it
        whole = [change.writes_whole for change in changes if change.entity == entity.name]
        is_free = design.is_generated(entity) or not any(whole)
        if is_free and not all(whole):
            found.append(entity.name)
    return tuple(found)


def with_lookups(needed: Requirements, entities: frozenset[str]) -> Requirements:
    """The requirements where the writes of some entities ask an index for their item."""
    if not entities:
        return needed
    asked = tuple(
        _pattern_read(needed.design, write)
        for write in needed.writes
        if write.entity in entities and _names_by_identifier(needed.design, write)
    )
    return replace(needed, pattern_reads=(*needed.pattern_reads, *asked), looked_up=entities)


def _names_by_identifier(design: Design, write: EntityWrite) -> bool:
    identifier = design.entity[write.entity].identifier
    return (
        not write.writes_whole
        and not write.deletes_collection
        and not write.is_upkeep
        and write.follows is None
        and set(write.change.by or identifier) == set(identifier)
    )


def _pattern_read(design: Design, write: EntityWrite) -> PatternRead:
    """The eventually consistent read of an item's key by its identifier."""
    identifier = design.entity[write.entity].identifier
    entity_read = EntityRead(
        entity=write.entity,
        part=FOUND,
        equals={name: f"{{{name}}}" for name in identifier},
        needs=frozenset(identifier),
        wanted=identifier,
        one=True,
        times=write.times,
        busier=busier_of_write(design, write),
    )
    return PatternRead(
        write.pattern,
        None,
        (entity_read,),
        average=write.average,
        peak=write.peak,
        change=write.at,
        finds=write,
    )
