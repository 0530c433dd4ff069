"""How many rows an entity read finds and returns, from what a pattern says that it expects."""

from dataclasses import fields, replace
from math import prod

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Read
from designer.core.planner.model.cardinality import may_be_together
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import (
    RANGE_KEEPS,
    presence,
    share_kept_by_all,
    stated_share,
    stored_name,
)
from designer.core.planner.model.way import Way


def in_any_way(ways: list[EntityRead]) -> EntityRead:
    """One read that can be read in several ways, which find the same rows: as many as the fewest that any expects."""
    first = ways[0]
    if len(ways) == 1:
        return first
    rows = min(way.rows for way in ways)
    found = [
        replace(way, kept=way.kept * rows / way.rows) if way.rows > rows else way for way in ways
    ]
    lists = {name for way in ways for name in way.lists}
    ranges = {way.range.attribute for way in ways if way.range is not None}
    needs = [way.needs for way in ways if way.needs is not None]
    return replace(
        found[0],
        also=tuple(sorted(lists | ranges)),
        others=tuple(
            Way(**{one.name: getattr(way, one.name) for one in fields(Way)}) for way in found[1:]
        ),
        # What only some ways test, they name themselves.
        needs=frozenset.intersection(*needs) if needs else None,
    )


def expecting(
    design: Design, pattern: Read, entity_read: EntityRead, rows: float, is_whole: bool
) -> EntityRead:
    """An entity read whose conditions together leave so many rows: what the team expects is truer than our statistics.

    It says nothing of what some of the conditions leave: that is as stated, and no less than what all of them do. So
    there may be more where not all are given, where a limit is reached, or nothing but a limit leaves so few of what is
    no guess. Of a figure it says how many items have it.
    """
    entity_read = replace(entity_read, uneven=())
    tested = entity_read.range is not None or bool(entity_read.filters)
    limit = entity_read.limit if pattern.aggregate is None else None
    entity = design.entity[entity_read.entity]
    guessed = may_be_together(design, entity, entity_read.equals, entity_read.said) is not None
    is_sure = not (tested or guessed) and entity_read.rows > 1
    limited = limit is not None and (rows >= limit or is_sure)
    if is_whole:
        entity_read = replace(entity_read, expected=rows)
    if (limited or not is_whole) and rows <= entity_read.rows:
        return entity_read
    rows /= entity_read.combinations
    if names_one(entity, set(entity_read.equals)):
        return replace(entity_read, matched=1.0, kept=min(rows, 1.0))
    if not tested:
        return replace(entity_read, matched=rows)
    tests = (*((entity_read.range,) if entity_read.range is not None else ()), *entity_read.filters)
    stated = [share for one in tests if (share := stated_share(design, entity, one)) is not None]
    possible = [_share_there(entity, entity_read, one) for one in tests]
    tightest = min((share for share in (*stated, *possible) if share), default=1.0)
    # Conditions may leave the same rows, so no more are there than the one that keeps least leaves so many of.
    found = max(entity_read.matched, rows / tightest)
    if len(stated) < len(tests):
        # Who has more than there are on average is asked for part of it, too.
        found += (found - entity_read.matched) * (1 / RANGE_KEEPS - 1)
    left = rows / found if found else 1.0
    entity_read = replace(entity_read, matched=found, kept=left)
    if entity_read.range is None:
        return entity_read
    if not entity_read.filters:
        return replace(entity_read, range_share=left)
    share = stated_share(design, entity, entity_read.range)
    if share is None:
        # What was not expected is what the filters drop, as far as that is stated; what is not may be less.
        known = prod(stated_share(design, entity, one) or 1.0 for one in entity_read.filters)
        there = {*entity_read.equals, *entity_read.exists, entity_read.range.attribute}
        usual = share_kept_by_all(design, entity, entity_read.filters, there)
        share = max(min(left / usual, entity_read.range_share), left / known) if usual else left
    return replace(entity_read, range_share=min(max(left, share), 1.0))


def _share_there(entity: Entity, entity_read: EntityRead, test: Condition) -> float:
    """The share of what a read finds before its tests that has what a range or a part of a text is looked for in.

    A value that is asked for may come together with what else is known.
    """
    name, there = test.attribute, {*entity_read.equals, *entity_read.exists}
    if not (test.is_range or test.contains) or name not in entity.by_name or name in there:
        return 1.0
    return presence(entity, (stored_name(entity, name),))


def listed_among(entity_read: EntityRead, length: float) -> EntityRead:
    """A read of a collection of which a list names so many items, which are all there."""
    each = length / entity_read.combinations
    found = max(entity_read.matched, each)
    return replace(entity_read, matched=found, kept=each / found)


def tested_within_limit(
    design: Design, pattern: Read, entity_read: EntityRead, then_keep: tuple[Condition, ...]
) -> EntityRead:
    """An entity read with conditions on the items within its limit: they change what is returned, and nothing else.

    What the team expects is what passes, so it says nothing of the items that are found.
    """
    entity = design.entity[entity_read.entity]
    passed = prod(
        1.0 if (share := stated_share(design, entity, one)) is None else share for one in then_keep
    )
    if pattern.expects is not None and then_keep == pattern.after_limit and entity_read.returned:
        passed = min(pattern.expects / entity_read.returned, 1.0)
    needs = entity_read.needs
    return replace(
        entity_read,
        then_keep=then_keep,
        passed=passed,
        needs=None if needs is None else needs | tested_by(then_keep),
    )


def divided_among(
    design: Design,
    pattern: Read,
    roots: list[EntityRead],
    is_whole: bool,
) -> tuple[EntityRead, ...]:
    """What a union is expected to return, divided among its entities as our statistics have it."""
    found = sum(root.rows for root in roots)
    if pattern.expects is None or not found:
        return tuple(roots)
    return tuple(
        in_any_way(
            [
                expecting(design, pattern, way, pattern.expects * root.rows / found, is_whole)
                for way in root.ways
            ]
        )
        for root in roots
    )


def tested_by(conditions: tuple[Condition, ...]) -> frozenset[str]:
    return frozenset(condition.attribute for condition in conditions)


def names_one(entity: Entity, known: set[str]) -> bool:
    """Whether at most one item has what is known."""
    return entity.names_one(known)
