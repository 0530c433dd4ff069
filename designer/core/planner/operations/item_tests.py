"""What is tested of items after they are read, and how their rows are sorted."""

from typing import Any

from designer.core.patterns.base import Condition
from designer.core.plan import ItemCondition, keys
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, operand
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Stated
from designer.core.planner.pricing.key_matching import is_native_filter
from designer.core.words.lacking import lacking


def item_condition(model: EntityModel, condition: Condition) -> ItemCondition:
    """A design's condition as the plan writes it."""
    tests: dict[str, Any] = {}
    for name in ("is_", "from_", "after", "to", "below", "begins_with", "contains", "not_"):
        side = getattr(condition, name)
        if side is not None:
            tests[name] = operand(side)
    if condition.listed is not None:
        tests["any_of"] = condition.list_name
    if condition.exists:
        tests["exists"] = True
    if condition.missing:
        tests["exists"] = False
    return ItemCondition(attribute=model.read_as(condition.attribute), **tests)


def tests_after(
    context: Stated, placement: Placement | None, entity_read: EntityRead, access: Access
) -> tuple[tuple[ItemCondition, ...], tuple[ItemCondition, ...]]:
    """(what the engine filters, what the caller cuts) after the key condition."""
    model = context.model(entity_read.entity)
    conditions: list[Condition] = []
    direct: list[ItemCondition] = []
    for name in access.left:
        value, called = entity_read.equals[name], model.read_as(name)
        if name in entity_read.lists:
            direct.append(ItemCondition(attribute=called, any_of=str(value)[1:-1]))
        else:
            direct.append(ItemCondition(attribute=called, is_=value))
    if entity_read.range is not None and not access.ranged:
        conditions.append(entity_read.range)
    conditions += entity_read.filters
    keyed = set(placement.structure.attributes) if placement is not None else set()
    needed = {*entity_read.exists, *(order.attribute for order in entity_read.order)}
    for name in sorted(needed):
        if name not in keyed and model.presence(name) < 1:
            is_there = lacking(name) is None
            direct.append(ItemCondition(attribute=model.stored_name(name), exists=is_there))
    direct += [item_condition(model, condition) for condition in conditions]
    if access.call not in ("query", "query then get") or placement is None:
        return (), tuple(direct)
    cut = tuple(test for test in direct if not may_filter(model, placement, test))
    return tuple(test for test in direct if test not in cut), cut


def may_filter(model: EntityModel, placement: Placement, test: ItemCondition) -> bool:
    """Whether a filter of a Query can test it: no attribute of the key, and no text within the leading part of one."""
    name, structure = keys.stored(test.attribute), placement.structure
    is_key = name in structure.attributes and is_native_filter(model, structure, name)
    return not is_key and (test.contains is None or keys.leading(test.attribute) is None)


def tests_within_limit(context: Stated, entity_read: EntityRead) -> tuple[ItemCondition, ...]:
    """What is tested of the items that the limit leaves."""
    model = context.model(entity_read.entity)
    return tuple(item_condition(model, condition) for condition in entity_read.then_keep)


def order_lines(model: EntityModel, entity_read: EntityRead) -> tuple[str, ...]:
    return tuple(
        f"{model.read_as(o.attribute)} {'descending' if o.descending else 'ascending'}"
        for o in entity_read.order
    )


def sorted_by(context: Stated, entity_read: EntityRead) -> list[str]:
    """The attributes of the items by which rows are sorted."""
    model = context.model(entity_read.entity)
    return [model.stored_name(order.attribute) for order in entity_read.order]
