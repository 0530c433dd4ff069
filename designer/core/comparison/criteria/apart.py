"""What fails, is restored and is granted together only because it is stored together."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style
from designer.core.comparison.side import Side
from designer.core.design.document import Design
from designer.core.rational import Fraction


class Apart(Criterion):
    """Where all else is alike, fewer entities in one table are fewer that one mistake, or one restore, is about."""

    slug = "apart"
    title = "Shared tables"
    better = "{fewer} entities share a table"
    rank = 160
    chosen = "one in which the fewest entities share a table"

    def answer(self, design: Design, sides: Sides) -> Answer:
        says = f"Entities that share a table: {by_style(sides, {side.style: _words(side) for side in sides})}."
        return Answer(says, {side.style: _sharing(side) for side in sides})


def _sharing(side: Side) -> Fraction:
    """Entities that would have to leave for each to be alone."""
    return Fraction(sum(len(entities) - 1 for entities in side.sharing))


def _words(side: Side) -> str:
    return " and ".join(str(len(entities)) for entities in side.sharing) or "none"
