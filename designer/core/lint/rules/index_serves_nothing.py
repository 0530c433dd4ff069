"""An index that no operation reads."""

from collections.abc import Iterator
from functools import partial

from designer.core.design.document import Design
from designer.core.edits.pins import without_pins
from designer.core.lint.base import Fix, Found, Plans, Rule, indexes, named, steps
from designer.core.messages import say


class IndexServesNothing(Rule):
    id = "I102"
    severity = "warning"
    title = "Unused index"
    about = "pins"
    what = "A pin keeps an index in the plan, but neither an access pattern nor the upkeep of copies reads it."
    why = "You pay for every write to an index and for its storage. This index serves no access pattern."
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html"
    )
    cure = "Remove the pin, or add the access pattern that needs the index."
    offers = {
        "unpin": "Removes the pins that keep the index.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for table, index in _unread(plans):
            yield Found(
                "planner.pins",
                say("index-serves-nothing", index=named(table, index)),
                say("remove-pin-or-add-pattern"),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        for name in dict.fromkeys(index for _, index in _unread(plans)):
            pins = tuple(pin for pin in design.planner.pins if name in (pin.index, pin.name))
            if pins:
                yield Fix(
                    f"unpin-{name}",
                    f"Remove {'the pin' if len(pins) == 1 else 'the pins'} of index {name}",
                    partial(without_pins, pins=pins),
                )


def _unread(plans: Plans) -> Iterator[tuple[str, str]]:
    """Tables with indexes that neither an operation nor the upkeep of copies and aggregates reads."""
    read = {(plan.style, step.table, step.index) for plan, _, step in steps(plans)}
    read |= {
        (plan.style, step.table, step.index)
        for plan in plans.values()
        for upkeep in plan.upkeep
        for step in upkeep.steps
    }
    for plan, table, index in indexes(plans):
        if (plan.style, table.name, index.name) not in read:
            yield table.name, index.name
