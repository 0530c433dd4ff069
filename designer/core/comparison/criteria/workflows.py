"""What is asked one after the other, for one thing that a person does."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style
from designer.core.cost.options import exact
from designer.core.design.document import Design
from designer.core.words import figures


class Workflows(Criterion):
    """The requests of a workflow add up before its end is reached."""

    slug = "workflows"
    title = "Workflows"
    by = "the requests of workflows"
    better = "workflows need fewer requests"
    rank = 70

    def answer(self, design: Design, sides: Sides) -> Answer:
        flows: dict[str, list[int]] = {}
        for pattern in design.patterns:
            if pattern.workflow:
                flows.setdefault(pattern.workflow, []).append(pattern.number)
        if not flows:
            return Answer("No access pattern is said to belong to a workflow.", is_stated=False)
        says = []
        for name, numbers in flows.items():
            words = {side.style: figures.number(side.takes(numbers)) for side in sides}
            says.append(
                f"Requests of {name} ({figures.count(len(numbers), 'access pattern')}): {by_style(sides, words)}."
            )
        asked = [number for numbers in flows.values() for number in numbers]
        return Answer(" ".join(says), {side.style: exact(side.takes(asked)) for side in sides})
