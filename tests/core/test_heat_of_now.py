"""A window that counts what comes in now is one item of its key: neither its time nor a shard cools it."""

from fractions import Fraction

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.heat.keys import KeyLoad, plan_heat
from designer.core.heat.remedies import sharded
from designer.core.plan import STYLES, Plan, Shape, Style
from designer.core.planner import plan
from tests.core.test_heat import _agree

BUSIEST = 0.25
"""Share of the calls that come with the busiest key."""
WINDOWS = """
keywright: 1
name: Limits
entities:
  - name: Window
    identifier: [keyHash, start]
    items: 2000000
    attributes:
      - {name: keyHash, bytes: 32, distinct: 20000, busiest: 0.25}
      - {name: start, %s}
      - {name: used, type: N, format: integer, digits: 9, mutable: true}
      - {name: last, bytes: 20, present: 0.5, mutable: true}
      - {name: seen, type: SS, elements: {average: 4, most: 40}}
%s
patterns:
  - {number: 1, name: Count, kind: update, entity: Window, %s, rate: {average: 400, peak: %d}%s}
"""
TTL = "      - {name: expires, type: N, format: epoch, ttl: true}"
ADD = "add: {used: {value: 1}}"
TIME = "format: datetime"


def _of(
    time: str = TIME, change: str = ADD, peak: int = 8000, more: str = "", hottest: str = ""
) -> Design:
    return load(WINDOWS % (time, more, change, peak, hottest), name="limits")


def _shapes(made: Plan) -> list[Shape]:
    return [shape for table in made.tables for shape in table.items]


def _planned(design: Design, style: Style) -> tuple[Plan, KeyLoad]:
    """The plan, and the load of the first pattern; the page and the planner agree."""
    made = plan(design, style)
    _agree(design, made, style)
    keys = plan_heat(design, made).keys
    return made, next(load for key in keys for load in key.loads if load.writes)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("time", [TIME, "type: N, format: epoch", "format: date"])
def test_additions_of_now_take_one_item_of_the_busiest_key(time: str, style: Style) -> None:
    # A quarter of 2,000 calls a second: 500 of 1,000 units on one item.
    _, on = _planned(_of(time, peak=2000), style)
    assert on.share == Fraction(1, 4)
    assert on.of_one
    assert on.hot_writes == 500


@pytest.mark.parametrize("style", STYLES)
def test_what_counts_too_often_is_counted_in_several_items(style: Style) -> None:
    # A quarter of 8,000 is 2,000 a second: three items, each with at most 800. A shard by the time cools none of it.
    made, on = _planned(_of(), style)
    (counters,) = (shape for shape in _shapes(made) if shape.role == "counter")
    assert counters.shards == 3
    assert 600 < on.hot_writes < 700
    assert not made.findings or all(one.rule != "hot-partition" for one in made.findings)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("change", "more"),
    [
        (ADD, TTL),
        ("append: {log: line}", "      - {name: log, type: L, elements: {average: 2, most: 9}}"),
        ("include: {seen: who}", ""),
    ],
    ids=["counters that would not expire", "list", "set"],
)
def test_an_item_that_no_counters_cool_is_hot_and_no_shards_are_advised(
    change: str, more: str, style: Style
) -> None:
    design = _of(change=change, more=more)
    made, on = _planned(design, style)
    assert on.hot_writes >= 2000
    assert any(one.rule == "hot-partition" for one in made.findings)
    hottest = plan_heat(design, made).hottest
    assert hottest is not None and hottest.level == "hot"
    assert sharded(hottest) is None
    assert "shard(" not in "".join(text for shape in _shapes(made) for text in shape.set.values())


@pytest.mark.parametrize(
    ("time", "change", "share"),
    [
        # Today's item is written each time.
        ("format: date", "set: {last: {param: who}}", BUSIEST),  # hot, as no key cools it
        # It is taken once by each item: they are many.
        ("format: date", "set: {last: {param: who}}, if: [{attribute: last, missing: true}]", 0),
        ("format: date", "set: {last: {value: A}}, if: [{attribute: last, is: {value: B}}]", 0),
        # An order or a message is changed whenever it came.
        (TIME, "set: {last: {param: who}}", 0),
        # Values that are stated say how hot the time is.
        ("format: datetime, busiest: 0.01", ADD, 0.01),
    ],
)
def test_what_is_not_of_now_is_as_hot_as_its_key_says(time: str, change: str, share: float) -> None:
    _, on = _planned(_of(time, change), "single")
    assert float(on.share) == pytest.approx(share, abs=0.002)


def test_a_pattern_says_itself_how_hot_its_item_is() -> None:
    _, on = _planned(_of(hottest=", hottest: 0.01"), "single")
    assert on.share == Fraction(1, 100)


DAYS = """
keywright: 1
name: Days
entities:
  - name: Day
    identifier: [deviceId, day]
    items: 600000
    attributes:
      - {name: deviceId, bytes: 12, distinct: 20000, busiest: 0.2}
      - {name: day, format: date}
      - {name: readings, %stype: N, format: integer, digits: 9, mutable: true}
  - name: Reading
    identifier: [deviceId, at]
    items: 60000000
    attributes:
      - {name: deviceId, bytes: 12, distinct: 20000, busiest: 0.2}
      - {name: at, format: datetime}
      - {name: day, format: date}
      - {name: value, type: N, format: integer, digits: 9}
relationships:
  - {name: of, one: Day, many: Reading, by: [deviceId, day]}
patterns:
%s
"""
TOGETHER = """
  - number: 1
    name: Take
    kind: transaction
    members: [{create: Reading}, {update: Day, add: {readings: {value: 1}}}]
    rate: {average: 100, peak: 1000}
"""
CREATED = (
    "  - {number: 1, name: Take, kind: create, entity: Reading, rate: {average: 100, peak: 1000}}"
)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("text", "each"),
    [
        (DAYS % ("", TOGETHER), 2),
        (DAYS % ("aggregate: count of of, ", CREATED), 2),
        (DAYS % ("aggregate: count of of, kept: by-stream, ", CREATED), 1),
    ],
    ids=["member of the transaction", "aggregate", "aggregate by a stream"],
)
def test_what_comes_in_now_is_counted_on_the_parent_of_now(
    text: str, each: int, style: Style
) -> None:
    # A fifth of 1,000 readings a second is of one device, and all of these of its item of today.
    design = load(text, name="days")
    made = plan(design, style)
    _agree(design, made, style)
    loads = [load for key in plan_heat(design, made).keys for load in key.loads]
    (on,) = (load for load in loads if load.shape == "Day")
    assert on.share == Fraction(1, 5)
    assert on.hot_writes == 200 * each
