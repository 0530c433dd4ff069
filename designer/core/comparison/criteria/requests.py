"""How many requests the application makes."""

from collections.abc import Mapping

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style
from designer.core.cost.options import exact
from designer.core.design.document import Design
from designer.core.plan import Style
from designer.core.rational import Fraction
from designer.core.words import figures


class Requests(Criterion):
    """Each request is a way to DynamoDB and back; a difference within the planner's tolerance is none."""

    slug = "requests"
    title = "Requests"
    by = "the number of requests"
    better = "fewer requests are needed"
    rank = 90
    objective = "requests"

    def answer(self, design: Design, sides: Sides) -> Answer:
        if not design.patterns:
            return Answer("There is no access pattern yet.", is_stated=False)
        if any(pattern.rate for pattern in design.patterns):
            counted: Mapping[Style, float] = {side.style: side.per_second for side in sides}
            says = "Requests a second, on average"
        else:
            numbers = [pattern.number for pattern in design.patterns]
            counted = {side.style: side.takes(numbers) for side in sides}
            says = "Requests to run each access pattern once (none has a rate)"
        words = {style: figures.number(count) for style, count in counted.items()}
        scores: dict[Style, Fraction] = {style: exact(count) for style, count in counted.items()}
        return Answer(f"{says}: {by_style(sides, words)}.", scores, exact(design.planner.tolerance))
