"""Deletion of all items that meet conditions: found by a Query, then deleted with their guards and copies.

Through the table they are found strongly consistent. An index follows its table a moment later, so each item is deleted
on condition that it still meets what was asked for, and the index is asked until it has none (rule 12).

See docs/modelling-rules.md.
"""

from dataclasses import replace

from designer.core.messages import say
from designer.core.patterns.base import Write
from designer.core.plan import Expression, ItemCondition, Member, Repeat, ResultPart, Step
from designer.core.planner.model.reads_and_writes import PatternRead
from designer.core.planner.operations.along import rows_at_worst
from designer.core.planner.operations.item_change import ItemChange
from designer.core.planner.operations.item_tests import item_condition
from designer.core.planner.operations.key_conditions import key_of
from designer.core.planner.operations.largest_read import largest_part_steps
from designer.core.planner.operations.related_items import figures_over
from designer.core.planner.operations.written import Written


def delete_collection(change: ItemChange) -> Written:
    """The steps that find the items, and the members that delete each."""
    kept = [f for f in figures_over(change) if f.is_touched_by(change.change)]
    if kept:
        return Written(
            impossible=say("deletes-counted", aggregate=f"{kept[0].entity}.{kept[0].name}")
        )
    q, pattern_read = _read_that_finds_all(change)
    access = change.choice.access.get((q, 0))
    if access is None:
        names = tuple(pattern_read.entity_reads[0].equals)
        return Written(impossible=say("no-key-finds-items", entity=change.entity.name, names=names))
    steps, part = largest_part_steps(change.context, pattern_read, access)
    through_index = steps[-1].index is not None and not steps[-1].consistent
    most = rows_at_worst(change.context, q)
    if through_index:
        return replace(_through_index(change, pattern_read, steps, part), most=most)
    if part.keep:
        tests = (*steps[-1].filter, *part.keep)
        steps[-1] = steps[-1].model_copy(update={"filter": tests})
    found = _row(change)
    together = bool(change.copies or change.guards_changed)
    rows = Repeat(rows=steps[-1].id)
    key = key_of(change.context, change.base, found)
    repeat = None if together else rows
    members = _members(change, key, found, _still_unique(change), repeat)
    return Written(steps, members, change.cost, each=rows if together else None, most=most)


def _through_index(
    change: ItemChange, pattern_read: PatternRead, steps: list[Step], part: ResultPart
) -> Written:
    """By the keys in the entries, which may be behind: an item may be gone by now, or belong to another collection."""
    pattern = pattern_read.pattern
    assert isinstance(pattern, Write)
    is_there = ItemCondition(attribute=change.base.parts[0].name, exists=True)
    meets = [item_condition(change.model, condition) for condition in pattern.collection]
    key: dict[str, Expression] = {one.name: f"{{s1.{one.name}}}" for one in change.base.parts}
    still = [is_there, *meets, *_still_unique(change)]
    members = _members(change, key, _row(change), still, None)
    rows = Repeat(rows=steps[-1].id, keep=part.keep)
    return Written(steps, members, change.cost, each=rows, until_none=True)


def _read_that_finds_all(change: ItemChange) -> tuple[int, PatternRead]:
    number = change.entity_write.pattern.number
    return next(
        (at, one)
        for at, one in enumerate(change.context.search.requirements.pattern_reads)
        if one.number == number and one.copied is None and one.finds is None
    )


def _row(change: ItemChange) -> dict[str, Expression]:
    """What is known of an item that was found."""
    return {one.name: f"{{s1.{one.name}}}" for one in change.entity.stored}


def _still_unique(change: ItemChange) -> list[ItemCondition]:
    """That an item has the unique values that were read, whose guards go with it."""
    names = dict.fromkeys(name for guarded in change.guards_changed for name in guarded)
    return [ItemCondition(attribute=name, same_as="s1") for name in names]


def _members(
    change: ItemChange,
    key: dict[str, Expression],
    found: dict[str, Expression],
    still: list[ItemCondition],
    repeat: Repeat | None,
) -> list[Member]:
    """What is deleted for each row: the item on its conditions, its copies and its guards."""
    item = Member(
        delete=change.entity.name,
        table=change.base.table,
        key=key,
        if_=tuple(dict.fromkeys(still)),
        for_each=repeat,
    )
    copies = [
        Member(
            delete=copy.shape,
            table=copy.table,
            key=key_of(change.context, copy, found),
            for_each=repeat,
        )
        for copy in change.copies
    ]
    guards = [
        Member(delete=guard.shape, table=guard.table, key=change.guard_key(guard, found))
        for guard in map(change.guards.__getitem__, change.guards_changed)
    ]
    return [item, *copies, *guards]
