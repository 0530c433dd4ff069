"""What decides between the styles, one file each."""

from designer.core.comparison.criteria.base import Answer, Criterion, Supposition
from designer.core.design.document import Design
from designer.core.registry import load

__all__ = ["CRITERIA", "Answer", "Criterion", "Supposition", "in_order"]

_FOUND = load(__name__, Criterion, "slug")  # type: ignore[type-abstract]
CRITERIA: tuple[Criterion, ...] = tuple(
    criterion() for criterion in sorted(_FOUND.values(), key=lambda one: (one.rank, one.slug))
)
"""In the order in which they decide, as long as the planner aims at the lowest cost."""

COST = 50
"""The rank of what things cost. Before it stand what no saving makes up for, and needs that two entities of one table
cannot both have."""


def in_order(design: Design) -> tuple[Criterion, ...]:
    """The criteria as they decide for a design: what its planner aims at stands before what things cost."""

    def place(criterion: Criterion) -> tuple[int, int]:
        aimed_at = criterion.objective == design.planner.objective
        return (COST, 0) if aimed_at else (criterion.rank, 1)

    return tuple(sorted(CRITERIA, key=place))
