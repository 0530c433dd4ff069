"""A test of what a read is sorted by: what passes comes first or last, not here and there."""

from statistics import mean

import pytest

from designer.core.design.load import load
from designer.core.plan import Plan, Style
from designer.core.planner import plan
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.runner import Runner

pytestmark = pytest.mark.slow  # it plans many designs

TEXT = """
keywright: 1
name: Notes
entities:
  - name: Note
    identifier: [noteId]
    items: 20000
    attributes:
      - {name: noteId, bytes: 8}
      - {name: owner, bytes: 8, distinct: 100}
      - {name: madeAt, format: datetime}
      - {name: state, values: [NEW, DONE], shares: [0.5, 0.5]}
      - {name: text, bytes: 400}
patterns:
  - {number: 1, name: Some, kind: list, returns: Note, order: [madeAt WAY], limit: 10, rate: {average: 20},
     where: [{attribute: owner, is: {param: owner}}],
     keep: [{attribute: madeAt, END: {param: end}, share: SHARE}, {attribute: state, is: {value: DONE}}]}
  - {number: 2, name: Make, kind: create, entity: Note, rate: {average: 1}}
"""
TIMES = [f"2026-01-{at // 24 + 1:02}T{at % 24:02}:00:00Z" for at in range(200)]


def notes_kept(made: Plan) -> Memory:
    """200 notes of one owner, of which each hour has one; every other one is done."""
    client = Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    stored = [
        pair
        for at, time in enumerate(TIMES)
        for pair in runner.items(
            "Note",
            {
                "noteId": f"{at:08}",
                "owner": "owner001",
                "madeAt": time,
                "state": ("NEW", "DONE")[at % 2],
                "text": "x" * 400,
            },
            {},
        )
    ]
    for table in dict.fromkeys(name for name, _ in stored):
        client.fill(table, [item_to_wire(item) for name, item in stored if name == table])
    return client


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    ("way", "end", "share", "needed"),
    [
        ("descending", "from", 0.2, 20),  # the newest, of which half are done
        ("ascending", "to", 0.2, 20),
        ("descending", "from", 0.05, 200),  # five of ten pass, so all are read
        ("descending", "to", 0.2, 180),  # the newest four fifths are too new
        ("ascending", "from", 0.2, 180),
    ],
)
def test_what_passes_a_test_of_the_order_comes_first_or_last(
    way: str, end: str, share: float, needed: int, style: Style
) -> None:
    text = TEXT.replace("WAY", way).replace("END", end).replace("SHARE", str(share))
    made = plan(load(text), style)
    client = notes_kept(made)
    operation, *_ = made.operations
    step, *_ = operation.steps
    assert needed <= step.expects.read <= needed + 25  # what fills pages
    place = round(200 * share)
    params = {"owner": "owner001", "end": TIMES[-place if end == "from" else place - 1]}
    execute(Tables(client, made, ""), operation, params)  # type: ignore[arg-type]
    assert client.units == pytest.approx(operation.read_units, rel=0.1, abs=0.5)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("way", ["descending", "ascending"])
@pytest.mark.parametrize(
    ("tested", "kept"),
    [
        ("from: {param: start}, to: {param: end}, share: 0.2", 40),
        ("after: {param: start}, below: {param: end}, share: 0.02", 6),  # too few: all are read
        ("begins_with: {param: day}, share: 0.12", 24),
    ],
)
def test_what_lies_between_two_ends_is_looked_for_from_one_of_them_on(
    tested: str, kept: int, way: str, style: Style
) -> None:
    text = TEXT.replace("WAY", way).replace("END: {param: end}, share: SHARE", tested)
    text = text.replace("limit: 10", "limit: 3")
    made = plan(load(text), style)
    client = notes_kept(made)
    operation, *_ = made.operations
    requests, units = [], []
    starts = range(0, 192, 24) if "day" in tested else range(0, 201 - kept, 4)
    for at in starts:
        start, end = TIMES[at], TIMES[at + kept - 1]
        client.units = 0.0
        params = {"owner": "owner001", "start": start, "end": end, "day": start[:10]}
        taken = {name: value for name, value in params.items() if f"{{param: {name}}}" in text}
        outcome = execute(Tables(client, made, ""), operation, taken)  # type: ignore[arg-type]
        requests.append(len(outcome.calls))
        units.append(client.units)
    assert mean(requests) == pytest.approx(operation.requests, rel=0.1)
    assert mean(units) == pytest.approx(operation.read_units, rel=0.1)
