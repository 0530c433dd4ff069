"""Why the plan is as it is: a decision for each key, index, copy and guard, with what was not chosen.

All prices of one decision are on one footing: what this part costs a month, and what it would with the alternative.
"""

from designer.core.design.document import Design
from designer.core.plan import Decision, Rejected, Upkeep
from designer.core.planner.explain.aggregate_notes import figure_decisions
from designer.core.planner.explain.copy_notes import copy_decisions
from designer.core.planner.explain.guard_decisions import guard_decisions
from designer.core.planner.explain.index_decisions import held_decisions
from designer.core.planner.explain.key_words import (
    not_spread,
    patterns_answered,
    said_by,
    template,
    why_spread,
    why_worse,
)
from designer.core.planner.explain.lookup_notes import lookup_decisions
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import money
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.wording import spoken
from designer.core.planner.operations.context import Context


def decisions(context: Context, upkeep: tuple[Upkeep, ...], stated: Design) -> tuple[Decision, ...]:
    """One decision for each base key, index and guard, in the design's order; then for copies and kept figures.

    `stated`: the design as its team has it, whose identifiers may be others than those by which items are named.
    """
    found: list[Decision] = []
    for name in context.choice.entities:
        found.append(_base_decision(context, name, _named_by(context.model(name), stated)))
        found += held_decisions(context, name)
        found += guard_decisions(context, name)
    return (
        *found,
        *copy_decisions(context, upkeep),
        *figure_decisions(context),
        *lookup_decisions(context),
    )


def _named_by(model: EntityModel, stated: Design) -> str:
    """What an entity's items are named by, in words: the attributes where these are not the identifier as stated."""
    entity = stated.entity.get(model.name)
    is_stated = entity is None or entity.identifier == model.entity.identifier
    return "the identifier" if is_stated else spoken(model.entity.identifier)


def _base_decision(context: Context, name: str, named_by: str) -> Decision:
    choice, model = context.choice.entities[name], context.model(name)
    base = choice.base
    serves = patterns_answered(context, name, base)
    because = _why_base(model, base.plain, named_by, _is_listed(context, name, base))
    if choice.guard:
        because += f" A guard item keeps {named_by} unique and leads writes to the item."
    joined = [
        context.search.requirements.pattern_reads[group.pattern_read].stated_number
        for group in context.choice.groups
        if not group.index
        and any(
            context.search.requirements.pattern_reads[group.pattern_read].entity_reads[at].entity
            == name
            for at in group.parts
        )
    ]
    if joined:
        asked = spoken(tuple(str(number) for number in sorted(set(joined))))
        because += f" Pattern {asked} reads its collection in one request."
    because += why_spread(context, name, base)
    own = choice.score.usd
    rejected = (
        *not_spread(context, name, base, own),
        *(
            Rejected(
                choice=said_by(model, rival),
                because=why_worse(own, more),
                per_month=money(own + more.usd) if more.unserved <= 0 else None,
            )
            for rival, more in context.search.rivals(name, context.choice)[:3]
            if rival != base.plain
        ),
    )
    return Decision(
        about=f"key {name}",
        choice=template(context, context.layout.bases[name]),
        serves=serves,
        because=because,
        per_month=money(own),
        instead_of=rejected,
    )


def _is_listed(context: Context, name: str, base: Structure) -> bool:
    """Whether a pattern reads several items of a base key's collection."""
    identifier = set(context.model(name).entity.identifier)
    pattern_reads, choice = context.search.requirements.pattern_reads, context.choice
    groups = (group for group in choice.groups if not group.index)
    return any(
        pattern_reads[group.pattern_read].entity_reads[at].entity == name
        for group in groups
        for at in group.parts
    ) or any(
        access.structure == base and not identifier <= set(pattern_reads[q].entity_reads[at].equals)
        for (q, at), access in choice.entities[name].access.items()
    )


def _why_base(model: EntityModel, base: Structure, named_by: str, is_listed: bool) -> str:
    """What a base key does for the items, shards apart."""
    identifier, following = model.entity.identifier, spoken(base.sort)
    is_identifier = set(base.attributes) == set(identifier)
    opening = "The identifier" if named_by == "the identifier" else named_by
    if is_identifier and not base.sort:
        return f"{opening} alone finds one {model.name}, and every write names its item by it."
    same = f"items with the same {spoken(base.partition)}" if base.partition else "all items"
    if is_identifier:
        how = "split" if base.partition else "as the sort key"
        listed = (
            ", so they are listed without an index."
            if is_listed
            else ". No access pattern lists them this way."
        )
        return f"{opening}, {how}: {same} lie together, sorted by {following}{listed}"
    if model.entity.names_one(base.partition):
        then = f", and {following} follows in the sort key" if base.sort else ""
        return f"A partition key with {spoken(base.partition)} finds one {model.name}{then}."
    at = "at the end" if base.sort[-1] in identifier else "in it"
    return f"{same[0].upper()}{same[1:]} lie together, sorted by {following}; {named_by} {at} keeps keys apart."
