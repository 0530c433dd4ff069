"""What no key is made for."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides
from designer.core.design.document import Design
from designer.core.patterns.elsewhere import Elsewhere


class Unforeseen(Criterion):
    """No style answers what its keys are not made for: that goes to another service."""

    slug = "unforeseen"
    title = "Access patterns without keys"
    rank = 150

    def answer(self, design: Design, sides: Sides) -> Answer:
        elsewhere = [pattern for pattern in design.patterns if isinstance(pattern, Elsewhere)]
        if not elsewhere:
            says = "No access pattern is marked as full-text search, analytics or similar."
            return Answer(says, is_stated=False)
        named = "; ".join(f"pattern {one.number} ({one.because})" for one in elsewhere)
        return Answer(f"Served without keys in every style: {named}.")
