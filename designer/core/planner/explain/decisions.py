"""Why the plan is as it is: a decision for each key, index, copy and guard, with the rejected choices.

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
    why_together,
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
        because += f" A guard item keeps {named_by} unique, and writes find the item through it."
    pattern_reads = context.search.requirements.pattern_reads
    together = [
        group
        for group in context.choice.groups
        if not group.index
        and any(
            pattern_reads[group.pattern_read].entity_reads[at].entity == name for at in group.parts
        )
    ]
    because += "".join(
        f" {said}" for said in why_together(context, together, "share a partition key")
    )
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
    is_ = "is" if named_by == "the identifier" or len(identifier) == 1 else "are"
    if is_identifier and not base.sort:
        return f"{opening} {is_} the key: reads and writes of one {model.name} use it directly."
    same = f"Items with the same {spoken(base.partition)}" if base.partition else "All items"
    together = f"{same} form one collection, sorted by {following}"
    if is_identifier:
        how = "split into partition and sort key" if base.partition else "the sort key"
        listed = (
            "so a Query lists them without an index."
            if is_listed
            else "but no access pattern lists it."
        )
        return f"{opening} {is_} {how}. {together}, {listed}"
    if model.entity.names_one(base.partition):
        then = f" The sort key has {following}." if base.sort else ""
        return f"The partition key has {spoken(base.partition)}, which identifies one {model.name}.{then}"
    how = "ends with" if base.sort[-1] in identifier else "contains"
    return f"{together}. Each key is unique, because it {how} {named_by}."
