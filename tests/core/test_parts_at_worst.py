"""What is asked for each row of another read at the worst: no more rows than can have the values that are tested."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan

CRANES = """
keywright: 1
name: Cranes
entities:
  - name: Crane
    identifier: [craneId]
    items: 20000
    attributes:
      - {name: craneId, format: uuid}
      - {name: owner, bytes: 10, distinct: 1000, busiest: 0.05}
      - {name: build, values: [TOWER, MOBILE, FLOATING], shares: [0.7, 0.25, 0.05]}
  - name: Check
    identifier: [craneId, at]
    items: 60000000
    attributes:
      - {name: craneId, refers_to: Crane.craneId}
      - {name: at, format: datetime}
      - {name: tons, type: N, minimum: 0, maximum: 900}
relationships:
  - {name: checked, one: Crane, many: Check, by: craneId, identifying: true, most: 60000}
patterns:
  - {number: 1, name: Cranes with their newest check, kind: list, returns: Crane, ASKED, rate: {average: 3},
     with: [{relationship: checked, order: [at descending], limit: 1}]}
"""
OWNED = "{attribute: owner, is: {param: o}}"
BUILD = "{attribute: build, is: BUILT}"
RANGE = "{attribute: made, from: {param: since}, share: 0.1}"
KEPT = f"where: [{OWNED}], keep: [{BUILD}]"
KEYED = f"where: [{OWNED}, {BUILD}]"


def cranes(asked, built="{param: b}"):
    return load(CRANES.replace("ASKED", asked).replace("BUILT", built), name="cranes")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("built", "share"), [("{param: b}", 0.7), ("{value: FLOATING}", 0.05)])
def test_what_is_asked_for_each_row_has_the_same_worst_case_tested_or_found_by_a_key(
    style, built, share
):
    """No more cranes of an owner are of one build than the share of the commonest says, and each is asked once."""
    for asked in (KEPT, KEYED):
        (operation,) = plan(cranes(asked, built), style).operations_for(1)
        assert operation.worst.requests == 1 + 1000 * share


@pytest.mark.parametrize("style", STYLES)
def test_how_wide_a_range_of_rows_is_the_caller_says(style):
    """The range decides how many rows there are on average, and at the worst it holds all of an owner's."""
    text = CRANES.replace("ASKED", f"where: [{OWNED}, {RANGE}]")
    text = text.replace("{name: owner", "{name: made, type: N, digits: 4}\n      - {name: owner")
    (operation,) = plan(load(text, name="cranes"), style).operations_for(1)
    assert operation.worst.requests == 1001
