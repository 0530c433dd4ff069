"""Two plans of one style, whole."""

from dataclasses import replace

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
from designer.core.renaming import under_prefix

KINDS = (tables, indexes, items, operations, upkeep, cost, heat)
"""In the order in which they are told."""


def plan_difference(before: Side, after: Side) -> tuple[Change, ...]:
    """What is planned otherwise in `after`, with what that does to data that is there; what destroys comes first.

    Nothing where both are the same. Both are of one style; ValueError where they are not.
    """
    if before.plan.style != after.plan.style:
        raise ValueError(f"{before.plan.style} and {after.plan.style} are not one style")
    # With another prefix alone a table is no other table: what is deployed keeps its name.
    was = under_prefix(before.design, before.plan, after.design.table_prefix)
    sides = Sides(replace(before, plan=was), after)
    return in_order(change for kind in KINDS for change in kind.changes(sides))
