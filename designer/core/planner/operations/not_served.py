"""Why a pattern is not served, and what would help."""

from designer.core.limits import TRANSACTION_ITEMS
from designer.core.plan import (
    Operation,
)
from designer.core.planner.model.demands import Question, ReadDemand
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.wording import numbered
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.parameters import read_parameters
from designer.core.planner.pricing.access_paths import (
    accesses,
    must_be_sorted,
    why_not_sorted,
)
from designer.core.planner.pricing.structures import needs_identifier_guard, unroomy, write_costs


def not_served(context: Context, question: Question, demand: ReadDemand) -> Operation:
    known = ", ".join(demand.equals) or "nothing"
    if demand.impossible:
        because = demand.impossible
    elif demand.is_pinned:
        because = f"It is pinned to an index that cannot answer it{_why_pinned(context, demand)}."
    elif crowded := _without_room(context, demand):
        because = (
            f"A strong read by {known} takes each item twice, and {numbered(crowded).lower()} would then write more "
            f"than the {TRANSACTION_ITEMS} items that a transaction takes. Lower `most` there, or ask for it "
            "eventually consistent, and an index can answer."
        )
    elif demand.strong:
        because = (
            f"A strong read comes from the table's own key, and no key of {demand.entity} that never changes "
            f"starts with {known}. Ask for it eventually consistent, and an index can answer."
        )
    else:
        because = _why_no_key(context.model(demand.entity), demand, known)
    return Operation(
        pattern=question.number,
        given=question.given,
        answer="not served",
        because=because,
        parameters=read_parameters(context, question),
    )


def _without_room(context: Context, demand: ReadDemand) -> tuple[int, ...]:
    """The transactions that have no room for the copy or the guard with which a strong read would be served."""
    if not demand.strong:
        return ()
    search, chosen = context.search, context.choice.entities[demand.entity]
    model, found = context.model(demand.entity), dict[int, None]()
    for structure in (*search.bases(model.name), *search.indexes(model.name)):
        is_copy = structure.kind == "copy"
        base = chosen.base if is_copy else structure
        if structure.is_index or not any(accesses(model, base, structure, demand, 0.0)):
            continue
        held = {**chosen.held, structure: None} if is_copy else {}
        guard = needs_identifier_guard(model, base)
        found |= dict.fromkeys(unroomy(model, write_costs(model, base, held, guard, 0.0)))
    return tuple(sorted(found))


def _why_pinned(context: Context, demand: ReadDemand) -> str:
    if demand.strong:
        return ", and a strong read comes from the table's own key"
    model = context.model(demand.entity)
    through = demand.through or ()
    if through and all(must_be_sorted(model, structure, demand) for structure in through):
        order = ", ".join(order.attribute for order in demand.order)
        return f": that is not sorted by {order}, and {why_not_sorted(model, demand)}"
    return ""


def _why_no_key(model: EntityModel, demand: ReadDemand, known: str) -> str:
    asked = {*demand.equals, *demand.also, *(order.attribute for order in demand.order)}
    if demand.range is not None:
        asked.add(demand.range.attribute)
    counted = sorted(name for name in asked if name in model.counters)
    if counted:
        return (
            f"{', '.join(counted)} is counted up by a write, and ADD cannot rewrite a key that is composed of texts. "
            "Alone after what is known, the number itself can be the sort key; or allow several attributes in a key."
        )
    if len({order.descending for order in demand.order}) > 1:
        return (
            "A key is read forwards or backwards, not one attribute up and another down, and only a number, a date or "
            "time of fixed width, or one of stated values can be written the other way round; and reading all to sort "
            "it would drop more than nine tenths."
        )
    order = ", ".join(order.attribute for order in demand.order)
    return (
        f"No key of {model.name} can answer this: it is found by {known}"
        + (f", sorted by {order}" if order else "")
        + ", and a query would read and drop more than nine tenths of what it reads."
        + _by_search(demand)
    )


def _by_search(demand: ReadDemand) -> str:
    """Of a part of a text, which no key finds: what does."""
    parts = [test.attribute for test in demand.filters if test.contains is not None]
    return f" A search service finds parts of {' and '.join(parts)}." if parts else ""
