"""At the worst, a second read gets no more items than can have what the first one tests, as where a key finds them."""

from decimal import Decimal
from math import ceil

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from tests.core.test_along import Rows, ran

pytestmark = pytest.mark.slow

LOCKERS = """
keywright: 1
name: Lockers
entities:
  - name: Locker
    identifier: [lockerId]
    items: 100000
    attributes:
      - {name: lockerId, format: uuid}
      - {name: station, bytes: 5, distinct: 2000, busiest: 0.08}
      - {name: size, values: [S, M, L, XL], shares: [0.6, 0.3, 0.08, 0.02], mutable: true}
      - {name: jammed, type: BOOL, present: 0.02, mutable: true}
      - {name: checked, type: N, digits: 4, present: 0.98, mutable: true}
      - {name: fill, type: N, digits: 2, mutable: true}
      - {name: sheet, bytes: 3000}
patterns:
  - {number: 1, name: Lockers of a station, kind: list, returns: Locker, rate: {average: 2}, ASKED}
  - {number: 2, name: Set, kind: update, entity: Locker, rate: {average: 9},
     set: {size: {param: a}, jammed: {param: b}, checked: {param: c}, fill: {param: d}}}
"""
STATION = "{attribute: station, is: {param: s}}"
TESTS = [
    ("{attribute: size, is: {value: XL}}", 160),
    ("{attribute: size, is: {param: z}}", 4800),  # it may be the commonest
    ("{attribute: size, any_of: {value: [XL, L]}}", 800),
    ("{attribute: fill, is: {value: 0}, share: 0.02}", 160),
    ("{attribute: jammed, exists: true}", 160),
    ("{attribute: checked, missing: true}", 160),
]


def asked(where: str, style: str):
    design = load(LOCKERS.replace("ASKED", where), name="lockers")
    (operation,) = plan(design, style).operations_for(1)
    return design, operation


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("test", "most"), TESTS)
def test_what_is_got_is_as_rare_in_the_largest_collection_tested_or_found_by_a_key(
    style, test, most
):
    """Of the 8,000 lockers of the busiest station so many pass: items of 3 KB, of which a request gets a hundred."""
    _, operation = asked(f"where: [{STATION}], keep: [{test}]", style)
    first, *others = operation.steps
    assert (first.call, first.expects.worst.read) == ("Query", pytest.approx(8000))
    assert first.filter and others
    for got in others:
        assert (got.call, got.expects.worst.read) == ("BatchGetItem", pytest.approx(most))
        assert got.expects.worst.requests == ceil(most / 100)
        assert got.expects.worst.units == pytest.approx(most * 0.5)
    _, keyed = asked(f"where: [{STATION}, {test}]", style)
    assert keyed.steps[-1].expects.worst.read == pytest.approx(most)


@pytest.mark.parametrize("style", STYLES)
def test_no_more_is_got_than_the_largest_collection_that_is_tested_has(style):
    """Run on a station with 8,000 lockers, of which a fiftieth is jammed."""
    design, operation = asked(
        f"where: [{STATION}], keep: [{{attribute: jammed, exists: true}}]", style
    )
    rows: Rows = []
    for n in range(8000):
        locker = {"lockerId": f"00000000-0000-4000-8000-{n:012}", "station": "north", "size": "S"}
        jammed = {"jammed": True} if n % 50 == 0 else {}
        rest = {"checked": Decimal(7), "fill": Decimal(40), "sheet": "s" * 3000}
        rows.append(("Locker", {**locker, **jammed, **rest}))
    _, outcome, took = ran(plan(design, style), rows, {"s": "north"})
    assert len(outcome.answered.parts["rows"]) == 160
    assert took <= operation.worst.units
    assert took == pytest.approx(operation.worst.units, rel=0.1)
    assert operation.worst.requests <= 5
    assert operation.beyond == ()


TESTED = [
    ("kept of a range", "{attribute: fill, from: {param: f}, share: 0.02}"),
    ("kept of a list that a caller gives", "{attribute: size, any_of: {param: zs}, share: 0.02}"),
]


@pytest.mark.parametrize(("what", "test"), TESTED)
def test_what_the_caller_may_ask_for_more_widely_may_be_all_of_it(what, test):
    _, operation = asked(f"where: [{STATION}], keep: [{test}]", "multi")
    assert operation.steps[-1].expects.worst.read == pytest.approx(8000), what


def test_where_nothing_says_how_many_have_a_value_all_that_is_read_may_be_got():
    """A hundred lockers of a station, of which nobody says how many have one fill at the most."""
    text = LOCKERS.replace(", busiest: 0.08", "").replace("distinct: 2000", "distinct: 1000")
    text = text.replace("average: 9", "average: 0.01")  # no item is split for so few writes
    where = f"where: [{STATION}], keep: [{{attribute: fill, is: {{param: f}}}}]"
    (operation,) = plan(load(text.replace("ASKED", where)), "multi").operations_for(1)
    assert operation.steps[-1].expects.worst.read == pytest.approx(100)
    stated = where.replace("{param: f}", "{value: 0}, share: 0.02")
    (operation,) = plan(load(text.replace("ASKED", stated)), "multi").operations_for(1)
    got = operation.steps[-1].expects
    assert (got.worst or got).read == pytest.approx(2)
