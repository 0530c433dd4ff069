"""Values that an attribute lists without their shares are taken to be equally common, and that is said."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import Assumed
from designer.core.planner import plan
from designer.core.sentences.assumptions import SAID, assumption, effects

TEXT = """
keywright: 1
name: Tickets
entities:
  - name: Ticket
    identifier: [ticketId]
    items: 1000000
    attributes:
      - {name: ticketId, format: uuid}
      - {name: team, bytes: 9, distinct: 1000}
      - {name: state, values: [NEW, OPEN, WAITING, DONE, REFUSED], mutable: true}
      - {name: text, bytes: 600}
patterns:
  - {number: 1, name: Open ones, kind: list, returns: Ticket,
     where: [{attribute: team, is: {param: team}}, {attribute: state, CONDITION}], rate: {average: 20}}
  - {number: 2, name: Make, kind: create, entity: Ticket, rate: {average: 1}}
  - {number: 3, name: Change, kind: update, entity: Ticket, by: [ticketId], set: {state: {param: state}},
     rate: {average: 3}}
"""


def tickets(condition: str = "is: {value: OPEN}", *changes: tuple[str, str]) -> Design:
    text = TEXT.replace("CONDITION", condition)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load(text, name="tickets")


def assumed(design: Design, style: str = "multi") -> list[Assumed]:
    return [one for one in plan(design, style).assumed if one.what == "value"]  # type: ignore[arg-type]


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_share_of_a_constant_is_assumed_where_it_matters(style: str) -> None:
    (one,) = assumed(tickets(), style)
    assert (one.where, one.has) == ("entities.Ticket.attributes.state", "OPEN")
    assert (one.value, one.low, one.high) == (0.2, 0.01, 0.9)
    assert assumption(one) == "Ticket.state is OPEN in 20 % of the items that have it."
    assert SAID[one.what] == "State the shares of its values."
    (use,) = (use for use in one.used if use.pattern == 1)
    # 10 or 900 tickets of a team; an item has about 0.7 KB.
    assert 0.5 <= use.low.units <= 1.5
    assert 60 <= use.high.units <= 110
    assert any(said.startswith("With a value of 1 %, pattern 1 takes ") for said in effects(one))


def test_a_plan_with_the_stated_share_costs_what_the_assumption_says() -> None:
    (one,) = assumed(tickets())
    stated = "mutable: true, shares: [0.025, 0.9, 0.025, 0.025, 0.025]"
    as_stated = tickets("is: {value: OPEN}", ("mutable: true", stated))
    assert assumed(as_stated) == []
    (first, *_) = plan(as_stated, "multi").operations
    (use,) = (use for use in one.used if use.pattern == 1)
    assert first.read_units == pytest.approx(use.high.units, rel=0.03)  # of shorter values
    assert one.at_high is not None
    assert plan(as_stated, "multi").cost.per_month == pytest.approx(one.at_high.per_month, rel=0.03)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_limit_ends_reads_of_common_values_where_other_shares_are_assumed(style: str) -> None:
    limited = (
        "rate: {average: 20}",
        "order: [ticketId ascending], limit: 800, rate: {average: 20}",
    )
    (one,) = assumed(tickets("is: {param: state}", limited), style)
    (use,) = one.used
    stated = "mutable: true, shares: [0.9, 0.025, 0.025, 0.025, 0.025]"
    (first, *_) = plan(
        tickets("is: {param: state}", limited, ("mutable: true", stated)), style
    ).operations  # type: ignore[arg-type]
    # Nine of ten ask for the common state, of which the limit takes 800 of 900; on average 812 have a state.
    assert first.steps[0].expects.returned == pytest.approx(0.9 * 800 + 0.1 * 25)
    assert use.high.units == pytest.approx(first.read_units, rel=0.03)


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("any_of: {value: [NEW, OPEN]}", ["NEW", "OPEN"]),
        ("not: {value: DONE}", ["DONE"]),
        ("is: {param: state}", [""]),
    ],
)
def test_lists_negations_and_parameters_assume_shares_too(
    condition: str, values: list[str]
) -> None:
    assert sorted(one.has for one in assumed(tickets(condition))) == values


def test_a_caller_who_gives_the_value_may_mostly_give_the_most_common_one() -> None:
    (one,) = assumed(tickets("is: {param: state}"))
    assert (
        assumption(one)
        == "The most common value of Ticket.state is in 20 % of the items that have it."
    )
    assert (one.low, one.high) == (0.2, 0.9)


def test_what_decides_nothing_is_not_listed() -> None:
    seldom = [(f"average: {rate}}}", "average: 0.0001}") for rate in (20, 1, 3)]
    assert assumed(tickets("is: {value: OPEN}", *seldom)) == []
    # What the team expects, a read finds; the writes of the sparse index still depend on the share.
    expects = ("rate: {average: 20}", "expects: 40, rate: {average: 20}")
    (one,) = assumed(tickets("is: {value: OPEN}", expects))
    assert {use.pattern for use in one.used} == {2, 3}
