"""A finding on what may make a key hot says how hot that key is at the stated rates, and whether it can stay."""

import pytest

from designer.core.design.load import load
from designer.core.lint import RULES
from designer.core.plan import STYLES
from tests.planned import planned

PASSES = """\
keywright: 1
name: Passes
entities:
  - name: Pass
    identifier: [passId]
    items: 2000000
    attributes:
      - {name: passId, format: ulid}
      - {name: lane, format: enum, values: [N, E, S, W]}
      - {name: state, format: enum, values: [OPEN, PAID]}
      - {name: at, format: datetime}
patterns:
  - number: 1
    name: The latest of a kind
    kind: list
    returns: Pass
    where: [{attribute: lane, is: {param: lane}}]
    order: [at descending]
    limit: 20
    rate: {average: 0.1}
  - {number: 2, name: Pass, kind: create, entity: Pass, rate: {average: 10, peak: PEAK}}
"""
BY_STATE = (
    "attribute: lane, is: {param: lane}",
    "attribute: state, is: {param: state}",
    "values: [OPEN, PAID]",
    "values: [OPEN, PAID], mutable: true",
)
OPENED = ("kind: create, entity: Pass", "kind: create, entity: Pass, set: {state: {value: OPEN}}")
ALL = "    where: [{attribute: lane, is: {param: lane}}]\n"


def passes(rule, peak):
    text = PASSES.replace("PEAK", str(peak))
    if rule == "K103":
        text = text.replace(*BY_STATE[:2]).replace(*BY_STATE[2:]).replace(*OPENED)
    return text.replace(ALL, "") if rule == "K102" else text


def said_of(rule, text):
    design = load(text)
    plans = {style: planned(design, style) for style in STYLES}
    (found,) = RULES[rule]().findings(design, plans)
    return found.solution


# A pass is one write unit. Of four lanes each gets a quarter of them; the first state and the one key get all.
@pytest.mark.parametrize(
    ("rule", "peak", "units"), [("K101", 200, 50), ("K102", 60, 60), ("K103", 60, 60)]
)
def test_a_key_that_is_cool_can_stay(rule, peak, units):
    said = said_of(rule, passes(rule, peak))
    assert said.id == "key-can-stay"
    assert said.values["used"] == pytest.approx(units / 1000, rel=0.05)


@pytest.mark.parametrize(
    ("rule", "peak", "units", "remedy"),
    [
        ("K101", 1200, 300, "query-by-more-values"),
        ("K102", 300, 300, "query-by-differing-value"),
        ("K103", 300, 300, "query-by-owner-or-spread"),
    ],
)
def test_of_a_warmer_key_it_is_said_how_warm_it_is(rule, peak, units, remedy):
    said = said_of(rule, passes(rule, peak))
    assert (said.id, said.values["remedy"].id) == ("as-hot-as", remedy)
    assert said.values["used"] == pytest.approx(units / 1000, rel=0.05)


@pytest.mark.parametrize(
    ("rule", "remedy"),
    [
        ("K101", "query-by-more-values"),
        ("K102", "query-by-differing-value"),
        ("K103", "query-by-owner-or-spread"),
    ],
)
def test_without_a_rate_nothing_is_said_of_heat(rule, remedy):
    text = passes(rule, 60).replace(", rate: {average: 10, peak: 60}", "")
    assert said_of(rule, text).id == remedy
