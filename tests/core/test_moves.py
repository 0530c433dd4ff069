"""An item passes through a state that few items have at any time as often as through any other."""

from itertools import pairwise

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import STYLES, Plan
from designer.core.planner import plan
from designer.core.sentences.assumptions import assumption, effects

pytestmark = pytest.mark.slow

LOANS = """
keywright: 1
name: Loans of a tool library
entities:
  - name: Loan
    identifier: [loanId]
    items: 4000000
    attributes:
      - {name: loanId, format: ulid}
      - {name: tool, bytes: 10, distinct: 9000}
      - {name: begunAt, format: datetime}
      - {name: state, values: [ASKED, READY, OUT, BACK], shares: [0.01, 0.002, 0.038, 0.95], mutable: true PRESENT}
      - {name: terms, bytes: 300}
patterns:
  - number: 1
    name: Loans to hand out
    kind: list
    returns: Loan
    where: [{attribute: state, is: {value: READY}}]
    order: [begunAt ascending]
    limit: 20
    rate: {average: 1}
  - {number: 2, name: Ask, kind: create, entity: Loan, rate: {average: 1}}
  - {number: 3, name: Go on, kind: update, entity: Loan, set: {state: {param: state}}, IF rate: {average: 3}}
"""


def loans(condition: str = "", present: str = "") -> Design:
    return load(LOANS.replace("IF", condition).replace(" PRESENT", present))


def entries(made: Plan, number: int = 3) -> float:
    """Write units of a pattern on indexes."""
    (operation,) = made.operations_for(number)
    return sum(operation.steps[-1].expects.index_units.values())


@pytest.mark.parametrize("style", STYLES)
def test_each_state_is_taken_to_be_entered_and_left_as_often_as_another(style):
    assert entries(plan(loans(), style)) == pytest.approx(2 / 4)
    known = "if: [{attribute: state, is: {value: ASKED}}],"
    assert entries(plan(loans(known), style)) == pytest.approx(1 / 3)  # it was another before


def test_a_first_value_is_as_common_as_items_have_it():
    made = plan(loans("if: [{attribute: state, missing: true}],", ", present: 0.5"), "multi")
    assert entries(made) == pytest.approx(0.002)


def test_how_often_is_listed_as_assumed():
    made = plan(loans(), "multi")
    (one,) = (one for one in made.assumed if one.what == "moves")
    assert (one.where, one.of, one.has) == ("patterns.3", "Loan.state", "READY")
    assert (one.value, one.low, one.high) == (0.25, 0.002, 0.5)
    assert assumption(one) == "Pattern 3 sets Loan.state to READY in 25 % of its runs."
    at_low, at_high = one.at_low.per_month, one.at_high.per_month
    unit = 0.625 * 2.592  # a write a second for a month
    assert at_high - at_low == pytest.approx(3 * 2 * 0.498 * unit, rel=1e-3)
    assert made.cost.per_month - at_low == pytest.approx(3 * 2 * 0.248 * unit, rel=1e-3)
    whole, pattern = effects(one)
    assert whole.startswith("With a value of 0.2 %, the plan costs $")
    assert "an item" not in whole and pattern.startswith("With a value of 0.2 %, pattern 3 takes")


def test_two_values_take_turns_so_that_nothing_is_assumed():
    text = LOANS.replace("ASKED, READY, OUT, BACK", "READY, BACK")
    text = text.replace("0.01, 0.002, 0.038, 0.95", "0.01, 0.99")
    made = plan(load(text.replace("IF", "").replace(" PRESENT", "")), "multi")
    assert entries(made) == pytest.approx(2 / 2)
    assert not [one for one in made.assumed if one.what == "moves"]


def test_a_pattern_for_each_change_says_it_exactly():
    text = LOANS.replace(
        "kind: update, entity: Loan, set: {state: {param: state}}, IF rate: {average: 3}", "CHANGE"
    )
    go_on = (
        "kind: update, entity: Loan, set: {state: {value: NOW}},"
        " if: [{attribute: state, is: {value: WAS}}], rate: {average: 1}"
    )
    states = ["ASKED", "READY", "OUT", "BACK"]
    first, *others = (
        go_on.replace("NOW", now).replace("WAS", was) for was, now in pairwise(states)
    )
    text = text.replace("CHANGE", first).replace(" PRESENT", "") + "".join(
        f"  - {{number: {number}, name: Go on {number}, {one}}}\n"
        for number, one in enumerate(others, 4)
    )
    made = plan(load(text), "multi")
    assert [entries(made, number) for number in (3, 4, 5)] == [1, 1, 0]
    assert not [one for one in made.assumed if one.what == "moves"]
