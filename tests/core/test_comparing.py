"""Plans compared in words."""

import re

import pytest

from designer.core.design import gallery
from designer.core.messages import text
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.what_if.why_not import why_not
from tests.planned import planned

from .orders import PLAN


def costing(usd: float):
    return PLAN.model_copy(update={"cost": PLAN.cost.model_copy(update={"per_month": usd})})


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (55.1949, 55.2051, "costs $0.02 a month less"),
        (55.2049, 55.1951, "costs about the same"),
        (1000.0, 991.0, "costs $9.00 a month more"),
        (55.9, 55.0, "costs $0.90 a month more"),
        (96.2, 55.2, "costs $41 a month more"),
    ],
)
def test_a_difference_agrees_with_the_amounts_beside_it(now, before, said):
    """Of $55.19 and $55.21 it is $0.02, though they are $0.0102 apart."""
    assert [*map(text, Difference(costing(now), costing(before)).sums())] == [said]


def test_a_difference_is_the_same_of_an_entity_and_of_the_whole_plan():
    """A decision compares what one entity costs, and the reasons for it compare whole plans."""
    design = gallery.load("idempotency")
    (decision,) = (one for one in planned(design, "single").decisions if one.about == "key Payment")
    of_whole = {one.choice: one.because for one in why_not(design, "single", decision.about).rivals}
    for one in decision.instead_of:
        assert re.fullmatch(r"costs \$\d\d a month more", one.because)
        assert of_whole[one.choice].partition(";")[0] == one.because
