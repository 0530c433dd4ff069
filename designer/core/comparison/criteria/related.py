"""What is read together, of several entities."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style, listed
from designer.core.cost.options import exact
from designer.core.design.document import Design
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read
from designer.core.words import figures


class Related(Criterion):
    """Entities that are asked for in one breath gain from one collection; others do not."""

    slug = "related"
    title = "Read together"
    by = "the requests to read several entities together"
    better = "fewer requests are needed to read several entities together"
    rank = 80

    def answer(self, design: Design, sides: Sides) -> Answer:
        together = [one.number for one in design.patterns if reads_several(one)]
        if not together:
            return Answer("No access pattern reads several entities at once.")
        taken = {side.style: side.takes(together) for side in sides}
        words = {style: figures.number(count) for style, count in taken.items()}
        says = (
            f"{listed(together)[:1].upper()}{listed(together)[1:]} {'reads' if len(together) == 1 else 'read'} several"
            f" entities at once. Requests {'per run' if len(together) == 1 else 'to run each once'}:"
            f" {by_style(sides, words)}."
        )
        return Answer(says, {style: exact(count) for style, count in taken.items()})


def reads_several(pattern: AnyPattern) -> bool:
    """Whether a pattern returns items of several entities."""
    return isinstance(pattern, Read) and (len(pattern.entities) > 1 or bool(pattern.with_))
