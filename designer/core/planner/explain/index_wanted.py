"""The index that would serve a read at the worst too, and that the plan leaves out: as a pin says it."""

from dataclasses import replace

from designer.core.messages import Message, say
from designer.core.plan.pinning import pinned_text
from designer.core.planner.explain.key_words import described
from designer.core.planner.layout.key_templates import item_template
from designer.core.planner.layout.placements import lay_out
from designer.core.planner.model.chosen import RatedRead
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.at_worst import at_worst, keeps_most
from designer.core.planner.pricing.pages import asks_on_and_on


def index_wanted(context: Context, number: int) -> Message | None:
    """The cheapest index that serves a pattern without optional conditions at the worst, with its key as a pin says it.

    None where no candidate does, or where an answer has several parts.
    """
    every = enumerate(context.search.requirements.pattern_reads)
    found = [(q, one) for q, one in every if one.stated_number == number]
    if len(found) != 1 or len(found[0][1].entity_reads) != 1:
        return None
    q, entity = found[0][0], found[0][1].entity_reads[0].entity
    (rated,) = (one for one in context.search.of_entity[entity] if one.pattern_read == q)
    model, choice = context.model(entity), context.choice.entities[entity]
    search = context.search

    def price(access: Access, score: Score) -> Score:
        assert access.structure is not None
        more: Projection = access.projection
        held = {**choice.projections, access.structure: more}
        return score + search.owned(choice.base, held)

    ways: dict[Structure, list[tuple[Score, Projection, bool]]] = {}
    for access, score in search.options(model, choice.base, rated):
        if access.structure is not None and access.structure.kind == "index":
            is_served = _is_served(model, rated, access)
            found_there = ways.setdefault(access.structure, [])
            found_there.append((price(access, score), access.projection, is_served))
    # A pin says the key. What an index by it holds is then as is cheapest, which has to serve the read.
    cheapest = {key: min(each, key=lambda one: one[0].key) for key, each in ways.items()}
    served = [(one[0].key, key.label, key, one[1]) for key, one in cheapest.items() if one[2]]
    if not served:
        return None
    _, _, structure, projection = min(served, key=lambda one: one[:2])
    return _pinned(context, entity, structure, projection, _called(context, number))


def _called(context: Context, number: int) -> str | None:
    """What a pin calls the index that serves a pattern; None where none does."""
    style = context.search.style
    pins = context.search.design.planner.pins
    mine = (pin.index for pin in pins if pin.pattern == number and pin.style in (None, style))
    return next((index for index in mine if index is not None), None)


def _is_served(model: EntityModel, rated: RatedRead, access: Access) -> bool:
    """Whether an access path reads no more than a few pages at the worst that it does not return."""
    entity_read = rated.entity_read.ways[access.way]
    worst = at_worst(model, entity_read, access, access.page)
    if worst is None:
        return True
    may_miss = not keeps_most(model, entity_read, access)
    return not worst.is_short and not (may_miss and asks_on_and_on(model, entity_read, access))


def _pinned(
    context: Context,
    entity: str,
    structure: Structure,
    projection: Projection,
    called: str | None,
) -> Message | None:
    """An index as the plan would write it beside what it has; None where a pin cannot say its key."""
    choice = context.choice.entities[entity]
    more = replace(choice, projections={**choice.projections, structure: projection})
    entities = {**context.choice.entities, entity: more}
    layout = lay_out(context.search, replace(context.choice, entities=entities))
    place = layout.others[entity, structure]
    if len(place.partition) != 1 or len(place.sort) > 1:
        return None
    model = context.model(entity)
    partition, *sort = (pinned_text(item_template(part, model)) for part in place.parts)
    # In a shared index a lone attribute is itself, and not its text, where the key is called so.
    is_own = model.style == "single" and any(part.native is not None for part in place.sort)
    sorted_by = "pinned-own-sort-key" if is_own else "pinned-sort-key"
    return say(
        "pin-index",
        index=described(structure),
        entity=entity,
        called=called or place.index or "",
        partition=partition,
        sort=say(sorted_by, sort=sort[0]) if sort else say("no-sort-key"),
        effect=say("pin-not-tried"),
    )
