"""How many indexes there are to write, to pay and to watch."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style
from designer.core.comparison.side import Side
from designer.core.design.document import Design
from designer.core.rational import Fraction
from designer.core.words import figures


class Indexes(Criterion):
    """What an index costs is in the bill. How many there are matters to those who want few, whatever that costs."""

    slug = "indexes"
    title = "Indexes"
    by = "the number of indexes"
    better = "{fewer} indexes or copies are needed"
    rank = 120
    objective = "indexes"

    def answer(self, design: Design, sides: Sides) -> Answer:
        says = f"Total: {by_style(sides, {side.style: _built(side) for side in sides})}."
        if design.planner.objective != self.objective:
            return Answer(f"{says} This counts only if the objective is “fewest indexes”.")
        # To the planner, too, a copy is no better than an index then.
        return Answer(says, {side.style: Fraction(side.indexes + side.copies) for side in sides})


def _built(side: Side) -> str:
    if not side.copies:
        return str(side.indexes)
    return f"{side.indexes} and {figures.count(side.copies, 'copy', 'copies')} of the items"
