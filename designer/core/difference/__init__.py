"""What differs between two designs, and between their plans, as sentences about the parts that people know.

`difference` compares what is stated: parts are known by their ids, so that a new name is a new name and nothing else.
`plan_difference` compares what follows from it. A kind of part a file: `stated/` and `planned/`.
"""

from designer.core.difference.base import About, Change, in_order
from designer.core.difference.figures import figures_changed, figures_compared, same_plans
from designer.core.difference.grids import GridPair, grid_difference
from designer.core.difference.in_short import each_in_short, in_short
from designer.core.difference.planned.sides import Side
from designer.core.difference.plans import plan_difference
from designer.core.difference.stated.design import difference

__all__ = [
    "About",
    "Change",
    "GridPair",
    "Side",
    "difference",
    "each_in_short",
    "figures_changed",
    "figures_compared",
    "grid_difference",
    "in_order",
    "in_short",
    "plan_difference",
    "same_plans",
]
