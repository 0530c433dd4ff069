"""Why the plan is as it is: a decision for each key, index, copy and guard, with the rejected choices.

All prices of one decision are on one footing: what this part costs a month, and what it would with the alternative.
"""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.messages import Message, say
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


def _named_by(model: EntityModel, stated: Design) -> Message | tuple[str, ...]:
    """What an entity's items are named by: the attributes where these are not the identifier as stated."""
    entity = stated.entity.get(model.name)
    is_stated = entity is None or entity.identifier == model.entity.identifier
    return say("the-identifier") if is_stated else model.entity.identifier


def _base_decision(context: Context, name: str, named_by: Message | tuple[str, ...]) -> Decision:
    choice, model = context.choice.entities[name], context.model(name)
    base = choice.base
    serves = patterns_answered(context, name, base)
    pattern_reads = context.search.requirements.pattern_reads
    together = [
        group
        for group in context.choice.shared_queries
        if not group.index
        and any(
            pattern_reads[group.pattern_read].entity_reads[at].entity == name for at in group.parts
        )
    ]
    reasons = (
        *_why_base(model, base.plain, named_by, _is_listed(context, name, base)),
        *([say("guard-finds-item", named_by=named_by)] if choice.guard else []),
        *why_together(context, together, "share-partition-key"),
        *why_spread(context, name, base),
    )
    own = choice.score.usd
    rejected = (
        *not_spread(context, name, base, own),
        *(
            Rejected(
                chosen=said_by(model, rival),
                reasons=(why_worse(own, more),),
                per_month=money(own + more.usd) if more.unserved <= 0 else None,
            )
            for rival, more in context.search.rivals(name, context.choice)[:3]
            if rival != base.plain
        ),
    )
    return Decision(
        about=f"key {name}",
        chosen=say("key", key=template(context, context.layout.bases[name])),
        serves=serves,
        reasons=reasons,
        per_month=money(own),
        instead_of=rejected,
    )


def _is_listed(context: Context, name: str, base: Structure) -> bool:
    """Whether a pattern reads several items of a base key's collection."""
    identifier = set(context.model(name).entity.identifier)
    pattern_reads, choice = context.search.requirements.pattern_reads, context.choice
    groups = (group for group in choice.shared_queries if not group.index)
    return any(
        pattern_reads[group.pattern_read].entity_reads[at].entity == name
        for group in groups
        for at in group.parts
    ) or any(
        access.structure == base and not identifier <= set(pattern_reads[q].entity_reads[at].equals)
        for (q, at), access in choice.entities[name].access.items()
    )


def _why_base(
    model: EntityModel, base: Structure, named_by: Message | tuple[str, ...], is_listed: bool
) -> Iterator[Message]:
    """What a base key does for the items, shards apart."""
    identifier = model.entity.identifier
    is_identifier = set(base.attributes) == set(identifier)
    if is_identifier and not base.sort:
        yield say("identifier-is-key", named_by=named_by, entity=model.name)
        return
    items = (
        say("items-with-same", attributes=base.partition) if base.partition else say("all-items")
    )
    if is_identifier:
        id = "identifier-is-split" if base.partition else "identifier-is-sort-key"
        yield say(id, named_by=named_by)
        yield say(
            "collection-listed" if is_listed else "collection-unlisted", items=items, sort=base.sort
        )
    elif model.entity.names_one(base.partition):
        yield say("partition-identifies", attributes=base.partition, entity=model.name)
        if base.sort:
            yield say("sort-key-has", attributes=base.sort)
    else:
        yield say("collection", items=items, sort=base.sort)
        ends = base.sort[-1] in identifier
        yield say("key-ends-with" if ends else "key-contains", named_by=named_by)
