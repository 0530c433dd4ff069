"""Which keys a plan assumes to have evenly spread traffic that would be hot if it were not so."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.plan import Assumed
from designer.core.planner.explain.assumed_shares import Other
from designer.core.planner.explain.heat import heat
from designer.core.planner.explain.repricing import Changes, Repricing
from designer.core.planner.model.distinct import distinct_values
from designer.core.planner.rewrites.rewritten import Rewritten

TENTH = 0.1
"""A share that is plausible of the busiest of several values of which nothing is known."""
MANY = 10_000
"""Of more values than that, it is not plausible that one has a tenth."""


def assumed_busiest(pricing: Repricing, found: Rewritten) -> Iterator[Assumed]:
    """The attributes whose values nobody said to be uneven, with a key that would be hot if one had a tenth."""
    for entity in found.stated.entities:
        for attribute in entity.stored:
            if _is_open(attribute) and _is_in_key(pricing, entity, attribute):
                one = _listed(pricing, found.stated, entity, attribute)
                if one is not None:
                    yield one


def _is_bounded(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether it says whose child an item is, and the relationship how many of them a parent has at the most."""
    return any(
        relationship.most is not None or relationship.mosts is not None
        for held in design.held[entity.name]
        for relationship, _ in held.by
        if any(attribute.name in part for part in held.parts)
    )


def _is_open(attribute: Attribute) -> bool:
    """Whether its values are taken to be evenly common; the other assumed shares have those that are listed."""
    is_said = attribute.busiest is not None or attribute.shares is not None
    return (
        not is_said and not attribute.listed and attribute.type != "BOOL" and not attribute.source
    )


def _is_in_key(pricing: Repricing, entity: Entity, attribute: Attribute) -> bool:
    """Whether a partition key is made of it."""
    if not pricing.stores(entity.name, attribute.name):
        return False
    chosen = pricing.context.choice.entities[entity.name]
    return any(attribute.name in one.partition for one in (chosen.base, *chosen.projections))


def _listed(
    pricing: Repricing, stated: Design, entity: Entity, attribute: Attribute
) -> Assumed | None:
    """The share of the busiest value; None where no key would be hot with it that is not so anyway."""
    planned = pricing.context.search.design
    values = distinct_values(planned, entity, attribute)
    even = 1 / values
    if even >= TENTH or values > MANY or _is_bounded(stated, entity, attribute):
        return None
    asked = planned.entity.get(entity.name, entity)
    of = (entity.name, attribute.name)
    uneven: Changes = {of: {"busiest": TENTH}}
    other = attribute.model_copy(update={"busiest": TENTH})
    lower = pricing.with_({of: {}})
    one_each = entity.names_one(
        {attribute.name}
    )  # which is then asked for more often, and no larger
    finds = None if one_each else Other(planned, asked, attribute, other).of
    upper = pricing.with_(uneven, finds)
    if not upper.exceeds and not _hot(pricing, entity.name, uneven) > _hot(pricing, entity.name):
        return None
    figures = (even, even, TENTH)
    return pricing.assumed("busiest", of, figures, (lower, upper), always=True)


def _hot(pricing: Repricing, name: str, changes: Changes | None = None) -> int:
    """How many keys of an entity are hot."""
    context = pricing.context
    if changes is not None:
        search = copy(context.search)
        search.models = {**search.models, name: pricing.model(name, changes)}
        context = replace(context, search=search)
    return sum(one.is_hot for one in heat(context, name).values())
