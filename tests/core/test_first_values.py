"""A greatest or a least value is that of the first item in its order, wherever a key can have that order."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import STYLES, Plan, Step
from tests.planned import planned

BETS = """
keywright: 1
name: Bets
entities:
  - name: Match
    identifier: [matchId]
    items: 10000
    attributes: [{name: matchId, format: uuid}]
  - name: Bet
    identifier: [betId]
    items: 4000000
    attributes:
      - {name: betId, format: uuid}
      - {name: matchId, refers_to: Match.matchId}
      - {name: userId, bytes: 12, distinct: 60000}
      - {name: stake, type: N, format: decimal, digits: 7, present: 0.9}
      - {name: note, bytes: 1500, most_bytes: 3000, present: 0.5}
      - {name: remark, bytes: 1500, most_bytes: 3000}
      - {name: state, values: [OPEN, WON, LOST], mutable: true}
      - {name: madeAt, format: datetime}
  - name: Payment
    identifier: [paymentId]
    items: 1000000
    attributes:
      - {name: paymentId, format: uuid}
      - {name: userId, bytes: 12, distinct: 60000}
      - {name: madeAt, format: datetime}
relationships:
  - {name: on, one: Match, many: Bet, by: matchId, average: 400, most: 90000}
patterns:
  - {number: 1, name: Bet, kind: create, entity: Bet, rate: {average: 10}}
  - {number: 2, name: Pay, kind: create, entity: Payment, rate: {average: 1}}
"""
MATCH = "where: [{attribute: matchId, is: {param: matchId}}]"
USER = "where: [{attribute: userId, is: {param: userId}}]"
USERS = "where: [{attribute: userId, any_of: {param: userIds, count: 3}}]"
OPEN = "keep: [{attribute: state, is: {param: state}, optional: true}]"
SUM = "result: {sum: stake}, order: [madeAt descending], limit: 2"


def bets(*asked: str, returns: str = "Bet") -> Design:
    """The bets with lists of them, numbered from 3."""
    listed = [
        f"  - {{number: {number}, name: Asked {number}, kind: list, returns: {returns}, {more}, "
        "rate: {average: 5}}\n"
        for number, more in enumerate(asked, 3)
    ]
    return load(BETS + "".join(listed), name="bets")


ALL = (
    f"{MATCH}, result: {{greatest: stake}}",
    f"{MATCH}, {OPEN}, result: {{least: stake}}",
    f"{USERS}, result: {{greatest: madeAt}}",
    f"{USER}, result: {{greatest: note}}",
    f"{USER}, {SUM}",
)


def first_of(made: Plan) -> tuple[Step, str]:
    """The first step of what is asked, with all that it may be asked with, and whether it is served for sure."""
    found, *_ = made.operations_for(3)
    return found.steps[0], "on average" if found.beyond else found.answer


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("figure", "way"), [("greatest", "descending"), ("least", "ascending")])
def test_a_greatest_value_is_planned_as_the_first_item_in_its_order(style, figure, way):
    made = planned(bets(f"{MATCH}, result: {{{figure}: stake}}"), style)
    listed = f"{MATCH}, order: [stake {way}], limit: 1, attributes: [stake]"
    first = planned(bets(listed), style)
    step, served = first_of(made)
    assert served == "in one request"
    assert (step.limit, step.until, step.forward) == (1, {"rows": 1}, figure == "least")
    assert step == first_of(first)[0]
    assert made.tables == first.tables
    assert made.cost.per_month == first.cost.per_month
    (found,) = made.operations_for(3)
    assert (found.result.kind, found.result.attribute) == (figure, "stake")


@pytest.mark.parametrize("style", STYLES)
def test_of_what_no_key_can_sort_it_is_looked_for_among_all(style):
    step, _ = first_of(planned(bets(f"{USER}, result: {{greatest: note}}"), style))
    assert (step.limit, step.pages) == (None, "all")


@pytest.mark.parametrize("style", STYLES)
def test_a_test_drops_items_before_the_first(style):
    step, _ = first_of(planned(bets(f"{MATCH}, {OPEN}, result: {{least: stake}}"), style))
    assert step.filter
    assert (step.pages, step.until) == ("until", {"rows": 1})


def test_of_several_kinds_each_has_its_first():
    made = planned(bets(f"{USER}, result: {{greatest: madeAt}}", returns="[Bet, Payment]"), "multi")
    (found,) = made.operations_for(3)
    assert [step.limit for step in found.steps] == [1, 1]


@pytest.mark.parametrize("style", STYLES)
def test_what_is_expected_says_how_many_items_have_a_figure(style):
    asked = f"{USER}, expects: 10, result: {{greatest: remark}}"
    (found,) = planned(bets(asked), style).operations_for(3)
    assert found.steps[0].expects.read == 10


@pytest.mark.parametrize("style", STYLES)
def test_no_limit_cuts_what_a_sum_adds_up(style):
    """A figure is about all items that meet the conditions."""
    step, _ = first_of(planned(bets(f"{USER}, {SUM}"), style))
    assert (step.limit, step.pages) == (None, "all")
