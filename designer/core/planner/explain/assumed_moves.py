"""How often callers move items to a value, as a plan assumes it: to each value as often as to another.

The shares of the items do not say it: an item passes quickly through a value that few items have at any time.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from designer.core.plan import Assumed, Constant
from designer.core.planner.explain.repricing import Repricing
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.shares import share_asked
from designer.core.planner.model.structures import Structure
from designer.core.planner.rewrites.rewritten import Rewritten

HALF = 0.5
"""The most: after each move to a value comes one to another, before the next to this one."""
MOST_TRIED = 100
"""Values of all patterns that are looked at."""


def assumed_moves(pricing: Repricing, found: Rewritten) -> Iterator[Assumed]:
    """The values that an index is limited to, and that callers give in updates, where it matters how often."""
    tried = islice(_moves(pricing, found), MOST_TRIED)
    listed = (_listed(pricing, *one) for one in tried)
    yield from (one for one in listed if one is not None)


_Move = tuple[EntityModel, EntityWrite, str, str]
"""An entity, an update of it, an attribute that it sets, and a value that callers may give."""


def _moves(pricing: Repricing, found: Rewritten) -> Iterator[_Move]:
    context = pricing.context
    for name, chosen in context.choice.entities.items():
        if name not in found.stated.entity:
            continue
        model = context.model(name)
        limited = dict.fromkeys(one for held in chosen.projections for one in _limited(held))
        for write in model.writes:
            for attribute, value in limited if not write.is_upkeep else ():
                if 0 < model.share_moved(write, attribute, (value,)) < HALF:
                    yield model, write, attribute, value


def _limited(structure: Structure) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, values in structure.only for value in values)


def _listed(
    pricing: Repricing, model: EntityModel, write: EntityWrite, name: str, value: str
) -> Assumed | None:
    even = model.share_moved(write, name, (value,))
    at_rest = share_asked(model.design, model.entity, model.attribute(name), Constant(value=value))
    low = min(even, at_rest)
    ends = (
        pricing.with_writes(model.name, partial(_moving, write, (name, value, share)))
        for share in (low, HALF)
    )
    lower, upper = ends
    one = pricing.assumed("moves", (model.name, name), (even, low, HALF), (lower, upper), value)
    where = f"patterns.{write.pattern.number}"
    return None if one is None else one.model_copy(update={"where": where})


def _moving(write: EntityWrite, moved: tuple[str, str, float], other: EntityWrite) -> EntityWrite:
    """An update with another share of its moves to a value; others as they are."""
    return replace(other, moved=(moved,)) if other is write else other
