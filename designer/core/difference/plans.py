"""Two plans of one style, whole."""

from designer.core.difference.base import Change, in_order
from designer.core.difference.planned import (
    cost,
    heat,
    indexes,
    items,
    operations,
    tables,
    upkeep,
)
from designer.core.difference.planned.sides import Side, Sides

KINDS = (tables, indexes, items, operations, upkeep, cost, heat)
"""In the order in which they are listed."""


def plan_difference(before: Side, after: Side) -> tuple[Change, ...]:
    """What is planned otherwise in `after`, with what that does to data that is there; what destroys comes first.

    Nothing where both are the same. Both are of one style; ValueError where they are not.
    """
    if before.plan.style != after.plan.style:
        raise ValueError(f"{before.plan.style} and {after.plan.style} are not one style")
    sides = Sides(before, after)
    return in_order(change for kind in KINDS for change in kind.changes(sides))
