"""What an access pattern takes where items are as large as the design says at the most, beside the average."""

import pytest

from designer.core.capacity.sizes import item_bytes
from designer.core.capacity.units import write_units
from designer.core.design.load import load
from designer.core.grid.answer import answer
from designer.core.plan import STYLES, Operation, Plan
from designer.core.planner.pricing.largest_items import LARGEST_ITEMS
from designer.core.report.data_model import units
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.planned import outlined
from tests.runner import Runner

LETTERS = """keywright: 1
name: Letters
entities:
  - name: Letter
    identifier: [box, sentAt]
    items: 60000
    attributes:
      - {name: box, bytes: 8, distinct: 5000}
      - {name: sentAt, bytes: 20}
      - {name: text, bytes: 2500, most_bytes: 300000, mutable: true}
      - {name: topic, bytes: 10, distinct: 400, mutable: true}
      - {name: drawing, type: B, bytes: 60000, present: 0.01, mutable: true}
relationships: []
patterns:
  - number: 1
    name: A letter
    kind: get
    returns: Letter
    where:
      - {attribute: box, is: {param: box}}
      - {attribute: sentAt, is: {param: at}}
    rate: {average: 9}
  - number: 2
    name: Latest
    kind: list
    returns: Letter
    where: [{attribute: box, is: {param: box}}]
    order: [sentAt descending]
    limit: 12
    rate: {average: 9}
  - number: 3
    name: Of a topic
    kind: list
    returns: Letter
    where: [{attribute: topic, is: {param: topic}}]
    rate: {average: 0.5}
  - number: 4
    name: Some
    kind: list
    returns: Letter
    where:
      - {attribute: box, is: {param: box}}
      - {attribute: sentAt, any_of: {param: times, count: 6}}
    rate: {average: 1}
  - number: 5
    name: Write again
    kind: update
    entity: Letter
    set: {text: {param: text}, topic: {param: topic}}
    rate: {average: 3}
  - {number: 6, name: Send, kind: create, entity: Letter, rate: {average: 2}}
"""
"""A letter is short, and may be long; few have a drawing."""
ROWS = [
    {
        "box": "box00001",
        "sentAt": f"2031-02-03T04:05:{at:02}Z",
        "text": "x" * 300_000,
        "topic": "greeting-1",
        "drawing": b"x" * 60_000,
    }
    for at in range(12)
]
"""As many as a box has on average, each the largest."""


def made(style: str, text: str = LETTERS) -> Plan:
    return outlined(load(text, name="letters"), style)


def found(style: str, number: int, text: str = LETTERS) -> Operation:
    (operation,) = made(style, text).operations_for(number)
    return operation


@pytest.mark.parametrize(
    ("number", "given"),
    [
        (1, {"box": "box00001", "at": ROWS[3]["sentAt"]}),
        (2, {"box": "box00001"}),
        (3, {"topic": "greeting-1"}),
        (4, {"box": "box00001", "times": [row["sentAt"] for row in ROWS[:6]]}),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_a_read_of_the_largest_items_takes_no_more_than_its_worst_case(style, number, given):
    plan, operation = made(style), found(style, number)
    client = Memory()
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    for row in ROWS:
        for table, item in runner.items("Letter", row, {}):
            client.fill(table, [item_to_wire(item)])
    client.units = 0.0
    took = execute(Tables(client, plan, ""), operation, given)
    assert operation.worst is not None
    assert operation.requests < operation.worst.requests or number in (1, 4)
    assert operation.read_units < client.units / 5
    assert len(took.calls) <= operation.worst.requests
    assert client.units <= operation.worst.units
    if number != 3:  # of a topic there are more letters than these
        assert client.units >= operation.worst.units * 0.98


@pytest.mark.parametrize("number", [5, 6])
@pytest.mark.parametrize("style", STYLES)
def test_a_write_of_the_largest_item_takes_its_worst_case(style, number):
    operation = found(style, number)
    runner = Runner(Memory(), made(style).as_json())
    ((_, item), *_) = runner.items("Letter", ROWS[0], {})
    largest = float(write_units(item_bytes(dict(item))))
    worst = operation.worst
    assert worst is not None
    assert operation.write_units * 20 < largest
    entries = len(operation.steps[-1].expects.index_units)
    # A moved entry is deleted and put.
    moved = 2 * entries if number == 5 else entries
    assert largest <= worst.write_units <= largest * (1 + moved) + 1
    assert worst.requests == operation.requests


@pytest.mark.parametrize("style", STYLES)
def test_a_largest_size_alone_decides_no_verdict(style):
    large = made(style)
    usual = made(style, LETTERS.replace(", most_bytes: 300000", ""))
    for one, other in zip(large.operations, usual.operations, strict=True):
        assert (one.answer, one.beyond) == (other.answer, other.beyond)
        assert (one.requests, one.read_units, one.write_units) == (
            other.requests,
            other.read_units,
            other.write_units,
        )


@pytest.mark.parametrize("style", STYLES)
def test_of_many_items_a_hundred_are_the_largest(style):
    """A topic has 150 letters on average: the other fifty are of the average size."""
    operation = found(style, 3)
    items = sum(step.expects.read for step in operation.steps[-1:])
    assert items == 150
    largest, usual = 362_000, 3_200
    in_all = LARGEST_ITEMS * largest + (items - LARGEST_ITEMS) * usual
    assert operation.worst.units == pytest.approx(in_all / 4096 / 2, rel=0.05)


def test_what_has_no_larger_size_has_no_worst_case():
    text = LETTERS.replace(", most_bytes: 300000", "").replace(", present: 0.01", "")
    for number in (1, 2, 4, 5, 6):
        assert found("multi", number, text).worst is None


def test_a_page_and_a_document_say_what_the_largest_takes():
    design, plan = load(LETTERS, name="letters"), made("multi")
    read, wrote = plan.operations_for(1)[0], plan.operations_for(5)[0]
    assert read.worst is not None
    assert wrote.worst is not None
    assert units(read) == f"0.5 read (at worst {read.worst.units:g})"
    said = f"{wrote.write_units:g} write (at worst {wrote.worst.write_units:,.0f})"
    assert units(wrote) == said
    labels = []
    for number in (1, 5):
        shown = answer(design, plan, number)
        assert shown is not None
        labels.append([(one.value, one.label) for one in shown.figures])
    assert (f"{read.worst.units:g}", "read units at worst") in labels[0]
    assert (f"{wrote.worst.write_units:,.0f}", "write units at worst") in labels[1]
