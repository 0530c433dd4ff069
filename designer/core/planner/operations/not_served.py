"""Why a pattern is not served, and what would help."""

from designer.core.limits import TRANSACTION_ITEMS
from designer.core.patterns.base import Read
from designer.core.plan import (
    Operation,
)
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.wording import numbered
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.parameters import read_parameters
from designer.core.planner.operations.reading_less import if_not_served, reads_too_much
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.key_matching import must_be_sorted, why_not_sorted
from designer.core.planner.pricing.write_costs import needs_identifier_guard, unroomy, write_costs


def not_served(context: Context, pattern_read: PatternRead, entity_read: EntityRead) -> Operation:
    known = ", ".join(entity_read.equals) or "nothing"
    if entity_read.impossible:
        because = entity_read.impossible
    elif entity_read.is_pinned:
        because = (
            f"It is pinned to an index that cannot serve it{_why_pinned(context, entity_read)}."
        )
    elif crowded := _without_room(context, entity_read):
        because = (
            f"A strongly consistent read by {known} needs a second copy of each item. Then "
            f"{numbered(crowded).lower()} would write more than the {TRANSACTION_ITEMS} items that a transaction "
            f"allows. Lower `most` there, or accept eventually consistent results, so that an index can serve it."
        )
    elif entity_read.strong:
        because = (
            f"A strongly consistent read needs the table's own key, and no key of {entity_read.entity} that never "
            f"changes starts with {known}. Accept eventually consistent results, so that an index can serve it."
        )
    else:
        because = _why_no_key(context.model(entity_read.entity), entity_read, known)
        if isinstance(pattern_read.pattern, Read):
            helps = if_not_served(context.search.design, pattern_read.pattern)
            because += f" {helps}" if helps else ""
    return Operation(
        pattern=pattern_read.number,
        given=pattern_read.given,
        answer="not served",
        because=because,
        parameters=read_parameters(context, pattern_read),
    )


def _without_room(context: Context, entity_read: EntityRead) -> tuple[int, ...]:
    """The transactions that have no room for the copy or the guard with which a strong read would be served."""
    if not entity_read.strong:
        return ()
    search, chosen = context.search, context.choice.entities[entity_read.entity]
    model, found = context.model(entity_read.entity), dict[int, None]()
    for structure in (*search.bases(model.name), *search.indexes(model.name)):
        is_copy = structure.kind == "copy"
        base = chosen.base if is_copy else structure
        if structure.is_index or not any(accesses(model, base, structure, entity_read, 0.0)):
            continue
        projections = {**chosen.projections, structure: None} if is_copy else {}
        guard = needs_identifier_guard(model, base)
        found |= dict.fromkeys(unroomy(model, write_costs(model, base, projections, guard, 0.0)))
    return tuple(sorted(found))


def _why_pinned(context: Context, entity_read: EntityRead) -> str:
    if entity_read.strong:
        return ", because a strongly consistent read needs the table's own key"
    model = context.model(entity_read.entity)
    through = entity_read.through or ()
    if through and all(must_be_sorted(model, structure, entity_read) for structure in through):
        order = ", ".join(order.attribute for order in entity_read.order)
        return f": the index is not sorted by {order}, and {why_not_sorted(model, entity_read)}"
    return ""


def _why_no_key(model: EntityModel, entity_read: EntityRead, known: str) -> str:
    asked = {
        *entity_read.equals,
        *entity_read.also,
        *(order.attribute for order in entity_read.order),
    }
    if entity_read.range is not None:
        asked.add(entity_read.range.attribute)
    counted = sorted(name for name in asked if name in model.counters)
    if counted:
        return (
            f"A write adds to {', '.join(counted)}, and ADD cannot rewrite a composed key. Let the number alone be "
            f"the sort key, or allow multi-attribute keys."
        )
    if len({order.descending for order in entity_read.order}) > 1:
        return (
            "A Query reads a key forwards or backwards, but this order has one attribute ascending and another "
            "descending. A number, a fixed-width date or time, or one of stated values could be stored inverted, "
            "but there is none here. Reading everything to sort it would drop more than 90 % of what is read."
        )
    order = ", ".join(order.attribute for order in entity_read.order)
    return (
        f"No key of {model.name} can serve this read by {known}"
        + (f", sorted by {order}" if order else "")
        + f": a Query would {reads_too_much(entity_read)}"
    )
