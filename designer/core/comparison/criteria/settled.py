"""Whether the patterns are settled."""

from collections import Counter
from collections.abc import Iterator

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, Supposition
from designer.core.design.document import Design
from designer.core.rational import Fraction


class Settled(Criterion):
    """Keys that several entities share are made for the patterns that are known; a new one may touch them all."""

    slug = "settled"
    title = "Settled access patterns"
    by = "access patterns that are still open"
    better = "{fewer} entities share a table while access patterns are open"
    rank = 140

    def answer(self, design: Design, sides: Sides) -> Answer:
        standing = Counter(pattern.status for pattern in design.patterns)
        if not standing["agreed"] and not standing["declined"]:
            says = "No access pattern is marked as agreed, so it is unknown whether any is settled."
            return Answer(says, is_stated=False)
        says = f"{standing['agreed']} of {standing.total()} access patterns agreed, {standing['open']} open."
        if not standing["open"]:
            return Answer(f"{says} Keys can be designed for them.")
        sharing = {side.style: Fraction(sum(map(len, side.sharing))) for side in sides}
        return Answer(f"{says} Open access patterns may need other keys.", sharing)

    def suppositions(self, design: Design, sides: Sides) -> Iterator[Supposition]:
        """That half were agreed and half open, or that all were agreed."""
        patterns = design.patterns
        if self.answer(design, sides).scores:
            words, numbers = "every access pattern were agreed", {one.number for one in patterns}
        else:
            words = "half of the access patterns were agreed and the rest open"
            numbers = {one.number for one in patterns[: len(patterns) // 2]}
        if numbers:
            stated = tuple(
                one.model_copy(update={"status": "agreed" if one.number in numbers else "open"})
                for one in patterns
            )
            yield Supposition(words, design.model_copy(update={"patterns": stated}))
