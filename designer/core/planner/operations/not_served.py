"""Why a pattern is not served, and what would help."""

from designer.core.dynamodb.limits import TRANSACTION_ITEMS
from designer.core.messages import Message, say
from designer.core.patterns.base import Read
from designer.core.plan import Operation
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.parameters import read_parameters
from designer.core.planner.operations.reading_less import if_not_served, in_case, reads_too_much
from designer.core.planner.operations.unstated_shares import share_to_state
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.key_matching import must_be_sorted, why_not_sorted
from designer.core.planner.pricing.write_costs import needs_identifier_guard, unroomy, write_costs


def not_served(context: Context, pattern_read: PatternRead, entity_read: EntityRead) -> Operation:
    return Operation(
        pattern=pattern_read.number,
        given=pattern_read.given,
        answer="not served",
        reasons=_reasons(context, pattern_read, entity_read),
        parameters=read_parameters(context, pattern_read),
    )


def _reasons(
    context: Context, pattern_read: PatternRead, entity_read: EntityRead
) -> tuple[Message, ...]:
    known = _known(entity_read)
    if entity_read.impossible is not None:
        return (entity_read.impossible,)
    if entity_read.is_pinned:
        return (_why_pinned(context, entity_read),)
    if crowded := _without_room(context, entity_read):
        limit = TRANSACTION_ITEMS
        return (say("no-room-for-copy", known=known, patterns=crowded, limit=limit),)
    if entity_read.consistency == "transactional":
        return (say("not-of-one-moment"),)
    if entity_read.strong:
        return (say("no-key-for-strong-read", entity=entity_read.entity, known=known),)
    found = _why_no_key(context.model(entity_read.entity), entity_read)
    if stated := share_to_state(context, entity_read):
        found = (*found, stated)
    if not isinstance(pattern_read.pattern, Read):
        return found
    asked = in_case(pattern_read.pattern, pattern_read.given)
    helps = if_not_served(context.search.design, asked)
    return found if helps is None else (*found, helps)


def _known(entity_read: EntityRead) -> tuple[str | Message, ...]:
    """The attributes that the caller gives: those that must be equal, or else the one in a range."""
    ranged = () if entity_read.range is None else (entity_read.range.attribute,)
    return tuple(entity_read.equals) or ranged or (say("nothing"),)


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


def _why_pinned(context: Context, entity_read: EntityRead) -> Message:
    if entity_read.strong:
        return say("pinned-index-not-for-strong-read")
    model = context.model(entity_read.entity)
    through = entity_read.through or ()
    if through and all(must_be_sorted(model, structure, entity_read) for structure in through):
        reason = why_not_sorted(model, entity_read)
        return say("pinned-index-not-sorted", order=_order(entity_read), reason=reason)
    return say("pinned-index-cannot-serve")


def _order(entity_read: EntityRead) -> tuple[str, ...]:
    return tuple(order.attribute for order in entity_read.order)


def _why_no_key(model: EntityModel, entity_read: EntityRead) -> tuple[Message, ...]:
    order, known = _order(entity_read), _known(entity_read)
    if counted := _counted(model, entity_read):
        found = say("counter-in-composed-key", attributes=counted)
        return (found, *_without_composing(model, entity_read))
    if len({order.descending for order in entity_read.order}) > 1:
        return (say("mixed-order"),)
    too_much = reads_too_much(entity_read)
    is_of_all = not entity_read.equals and entity_read.range is None
    if order and is_of_all:
        message = say("no-key-serves-all-sorted", entity=model.name, order=order, too_much=too_much)
    elif order:
        message = say(
            "no-key-serves-sorted",
            entity=model.name,
            known=known,
            order=order,
            too_much=too_much,
        )
    elif is_of_all:
        message = say("no-key-serves-all", entity=model.name, too_much=too_much)
    else:
        message = say("no-key-serves", entity=model.name, known=known, too_much=too_much)
    return (message,)


def _counted(model: EntityModel, entity_read: EntityRead) -> tuple[str, ...]:
    """The counters for which alone no key serves a read: these would be in a text with other attributes.

    None where no key has the range and the order that are asked, or the counter could be a key by itself.
    """
    order, known = _order(entity_read), entity_read.equals.keys()
    limits = {way.range.attribute for way in entity_read.ways if way.range is not None} - known
    if limits and order and order[0] not in limits:
        return ()
    sort = {*limits, *order} - known
    counted = model.counters & {*known, *sort}
    is_alone = len(sort) < 2 and (counted == sort or not sort)
    if is_alone and not (model.style == "single" and known and known <= model.counters):
        return ()
    return tuple(sorted(counted))


def _without_composing(model: EntityModel, entity_read: EntityRead) -> tuple[Message, ...]:
    """How a counter can be a key by itself; a shared table has no key for it where nothing else is known."""
    known = entity_read.equals.keys()
    if known and known <= model.counters:
        return ()
    is_mixed = len({order.descending for order in entity_read.order}) > 1
    if is_mixed or model.design.planner.composite_index_keys == "multi-attribute":
        return (say("let-number-sort"),)
    return (say("let-number-sort-or-keys"),)
