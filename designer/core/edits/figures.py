"""How many items there are and how often access patterns run, stated for several at once."""

from collections.abc import Mapping

from designer.core.design.document import Design
from designer.core.edits.replacing import checked, replaced
from designer.core.patterns.figures import Rate


def state_figures(
    design: Design, items: Mapping[str, int | None], rates: Mapping[int, Rate | None]
) -> Design:
    """The items of entities by their names, and the rates of access patterns by their numbers; None takes one back."""
    entities = tuple(
        replaced(each, items=items[each.name]) if each.name in items else each
        for each in design.entities
    )
    patterns = tuple(
        replaced(each, rate=rates[each.number]) if each.number in rates else each
        for each in design.patterns
    )
    return checked(design, replaced(design, entities=entities, patterns=patterns))
