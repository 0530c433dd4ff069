"""Whatever example values a design gives, what follows from them is worked out."""

import pytest

from designer.core.comparison.in_full import compared_in_full
from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.evaluation.evaluate import evaluate
from designer.core.exporters import export
from designer.core.grid.sheets import Look, sheets
from designer.core.plan import ALL_STYLES
from designer.core.planner import plan

TEXTS = (
    "",
    "\r\n",
    " \t ",
    ".",
    "...",
    "#",
    "a#b",
    "{userId}",
    "\u0000",
    "\u202e",
    "😀",
    "NaN",
    "-1",
    "9" * 500,
    "9999-12-31",
    "9999-12-31T23:59:59Z",
    "0001-01-01",
)
NUMBERS = (0, -1, 1e15, -1e15, 0.5, 1e-7, 10**37)
pytestmark = pytest.mark.slow

CASES = (
    *(
        (slug, at)
        for first, slug in enumerate(("event-log", "leaderboards", "user-preferences"))
        for at in range(first, len(TEXTS), 3)
    ),
    *(("shop", at) for at in range(0, len(TEXTS), 9)),
)
"""Each attribute of a design begins with another value, so that a third of the values is enough for each of three.

The shop takes far longer, and has enough attributes for all values at once.
"""


def with_examples(design: Design, which: int) -> Design:
    """The design with one odd value for each attribute, as far as it may have it, and for each another one."""

    def odd(attribute: Attribute, which: int) -> Attribute:
        values = {"S": TEXTS, "N": NUMBERS}.get(attribute.type, ())
        if not values or attribute.derived or attribute.aggregate:
            return attribute
        return attribute.model_copy(update={"examples": (values[which % len(values)],)})

    entities = []
    for entity in design.entities:
        for number, attribute in enumerate(entity.attributes):
            attributes = (
                *entity.attributes[:number],
                odd(attribute, which + number),
                *entity.attributes[number + 1 :],
            )
            changed = entity.model_copy(update={"attributes": attributes})
            others = tuple(changed if e.name == entity.name else e for e in design.entities)
            if not check(design.model_copy(update={"entities": others})):
                entity = changed
        entities.append(entity)
    return design.model_copy(update={"entities": tuple(entities)})


@pytest.mark.parametrize(("slug", "which"), CASES)
def test_odd_values_stop_nothing(slug: str, which: int) -> None:
    design = with_examples(gallery.load(slug), which)
    plans = {style: plan(design, style, reasons="findings") for style in ALL_STYLES}
    evaluate(design, plans)
    compared_in_full(design, plans)
    for pattern in design.patterns:
        sheets(design, tuple(plans.values()), Look(pattern.number))
        sheets(design, tuple(plans.values()), Look(pattern.number, form="templates"))
    for slug in ("requirements", "data-model", "cloudformation", "terraform"):
        export(slug, design, plans["single"])
