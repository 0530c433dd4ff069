"""Whose range ends what a Query reads that answers several entity reads together (rule 7 of docs/modelling-rules.md).

Its items then lie on the outer side of the others', so that nothing lies beyond the range that is wanted.
"""

from dataclasses import replace

from designer.core.design.document import Design
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead

Side = tuple[str, bool]
"""An entity whose items are to lie outermost in a collection, and whether they come first there."""


def with_ranges_at_ends(
    design: Design, pattern_reads: tuple[PatternRead, ...]
) -> tuple[PatternRead, ...]:
    """Pattern reads with the ranges that may end a shared Query, as far as all patterns want the same order, and pinned
    sort keys have it.
    """
    joint = [one for one in pattern_reads if len(one.entity_reads) > 1]
    wanted = [(_entities(one), _sides(one)) for one in joint]

    def marked(pattern_read: PatternRead) -> PatternRead:
        ends = _ranged(pattern_read) if len(pattern_read.entity_reads) > 1 else None
        if ends is None:
            return pattern_read
        mine, (entity, is_first) = _entities(pattern_read), ends
        sides = (side for entities, sides in wanted if entities & mine for side in sides)
        # Elsewhere it would be in another one's place, or another in its.
        if any((name == entity) != (first == is_first) for name, first in sides):
            return pattern_read
        if not _may_be_pinned(design, mine, entity, is_first):
            return pattern_read
        reads = (
            replace(one, range_ends=True) if one.entity == entity else one
            for one in pattern_read.entity_reads
        )
        return replace(pattern_read, entity_reads=tuple(reads))

    return tuple(map(marked, pattern_reads))


def _may_be_pinned(design: Design, entities: set[str], entity: str, is_first: bool) -> bool:
    """Whether what pinned sort keys start with leaves the items of one of some entities on that side."""
    starts = [
        (pin.entity, pin.key.sort.partition("{")[0])
        for pin in design.planner.pins
        if pin.entity in entities and pin.key is not None and pin.key.sort is not None
    ]
    mine = [start for name, start in starts if name == entity]
    others = [start for name, start in starts if name != entity]
    return all(mine) and all((one < other) == is_first for one in mine for other in others)


def _entities(pattern_read: PatternRead) -> set[str]:
    return {one.entity for one in pattern_read.entity_reads}


def _sides(pattern_read: PatternRead) -> list[Side]:
    ranged = _ranged(pattern_read)
    return [*_limited(pattern_read), *([] if ranged is None else [ranged])]


def _limited(pattern_read: PatternRead) -> list[Side]:
    """What only some of is wanted: it is read last."""
    return [
        (one.entity, one.order[0].descending)
        for one in pattern_read.entity_reads
        if one.limit is not None and not one.one and one.order
    ]


def _ranged(pattern_read: PatternRead) -> Side | None:
    """The only part with a range, where that is open on one side."""
    ranged = [one for one in pattern_read.entity_reads if one.range is not None]
    if len(ranged) != 1 or len(_entities(pattern_read)) < len(pattern_read.entity_reads):
        return None
    return _side_of_range(ranged[0])


def _side_of_range(entity_read: EntityRead) -> Side | None:
    limits = entity_read.range
    if limits is None or limits.begins_with is not None or entity_read.one or entity_read.starts:
        return None
    lower, upper = limits.from_ or limits.after, limits.to or limits.below
    is_open = (lower is None) != (upper is None)
    return (entity_read.entity, lower is not None) if is_open else None
