"""How many indexes there are to write, to pay and to watch."""

from fractions import Fraction

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style
from designer.core.design.document import Design


class Indexes(Criterion):
    """Each index is written, stored and throttled by itself. Decides late, unless as few as can be are wanted."""

    slug = "indexes"
    title = "Indexes"
    rank = 120
    objective = "indexes"

    def answer(self, design: Design, sides: Sides) -> Answer:
        says = f"In all: {by_style(sides, {side.style: str(side.indexes) for side in sides})}."
        return Answer(says, {side.style: Fraction(side.indexes) for side in sides})
