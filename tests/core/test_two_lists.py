"""Two lists at once: a Query for each combination of their values where a key has both, and what that takes."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from designer.core.design.load import load
from designer.core.heat.keys import plan_heat
from designer.core.plan import STYLES, Operation, Style
from designer.core.planner.pipeline import outlined
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.core.test_lists_of_callers import _different
from tests.memory import Memory
from tests.runner import Runner

pytestmark = pytest.mark.slow

WARDS = [0.3] + [0.7 / 39] * 39
KINDS = {"PLAIN": 0.6, "CHILD": 0.25, "CARE": 0.1, "BIRTH": 0.05}
BEDS = 8000
HOSPITAL = f"""
keywright: 1
name: Hospital
entities:
  - name: Bed
    identifier: [bedId]
    items: {BEDS}
    attributes:
      - {{name: bedId, bytes: 6}}
      - {{name: ward, bytes: 4, distinct: 40, busiest: 0.3}}
      - {{name: kind, values: [{", ".join(KINDS)}], shares: {list(KINDS.values())}}}
      - {{name: note, bytes: 100}}
patterns:
  - number: 1
    name: Beds of wards and kinds
    kind: list
    returns: Bed
    where:
      - {{attribute: ward, any_of: {{param: wards, count: 3}}}}
      - {{attribute: kind, any_of: {{param: kinds, count: 2}}}}
    rate: {{average: 10}}
  - number: 2
    name: A bed
    kind: get
    returns: Bed
    where: [{{attribute: bedId, is: {{param: bedId}}}}]
    rate: {{average: 20}}
"""
FIXED = HOSPITAL.replace("{param: kinds, count: 2}", "{value: [CARE, BIRTH]}")
COUNTED = HOSPITAL.replace("kind: list", "kind: count")
KEY = '{partition: "W#{ward}", sort: "{kind}#{bedId}"}'
BY_BOTH = f"""
planner: {{pins: [{{entity: Bed, index: OfBoth, key: {KEY}}}, {{pattern: 1, index: OfBoth}}]}}
"""
LIMITED = (
    HOSPITAL.replace(
        "    rate: {average: 10}",
        "    order: [bedId descending]\n    limit: 30\n    rate: {average: 10}",
    )
    + BY_BOTH
)


class Counting(Memory):
    """Tables in memory that count the Queries which they answer, and the items that these read."""

    queries = 0
    read = 0

    def query(self, **request: Any) -> Any:
        answer = super().query(**request)
        self.queries += 1
        self.read += answer["ScannedCount"]
        return answer


def _made(text: str, style: Style) -> tuple[Operation, Tables, Counting]:
    plan = outlined(load(text), style)
    client, random = Counting(), Random(11)
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    stored: dict[str, list[dict[str, object]]] = {}
    kinds = random.choices(list(KINDS), list(KINDS.values()), k=BEDS)
    for n, ward in enumerate(random.choices(range(40), WARDS, k=BEDS)):
        bed = {"bedId": f"b{n:05}", "ward": f"w{ward:03}", "kind": kinds[n], "note": "x" * 100}
        for table, item in runner.items("Bed", bed, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    return plan.operations[0], Tables(client, plan, ""), client


def _asked(random: Random) -> dict[str, list[str]]:
    wards = [f"w{one:03}" for one in _different(random, WARDS, 3)]
    kinds = [list(KINDS)[one] for one in _different(random, list(KINDS.values()), 2)]
    return {"wards": wards, "kinds": kinds}


def _took(
    text: str, style: Style, asked: Callable[[Random], dict[str, list[str]]], times: int
) -> tuple[Operation, list[tuple[int, int, float]]]:
    """The operation, and the Queries, items and read units of so many runs."""
    operation, tables, client = _made(text, style)
    random, took = Random(5), []
    for _ in range(times):
        client.units, client.queries, client.read = 0.0, 0, 0
        execute(tables, operation, asked(random))
        took.append((client.queries, client.read, client.units))
    return operation, took


@pytest.mark.parametrize("text", [HOSPITAL, LIMITED, COUNTED], ids=["all", "limited", "counted"])
@pytest.mark.parametrize("style", STYLES)
def test_it_takes_what_lists_that_are_drawn_at_random_take(text: str, style: Style) -> None:
    operation, took = _took(text, style, _asked, 60)
    step = operation.steps[0]
    assert step.for_each is not None
    assert {step.for_each.values, *step.for_each.and_values} == {"wards", "kinds"}
    requests, read, units = (sum(each) / len(took) for each in zip(*took, strict=True))
    assert step.expects.requests == pytest.approx(requests, rel=0.03)
    assert step.expects.read == pytest.approx(read, rel=0.1)
    # How far a limit's few items fill their last step of 4 KB is not told apart by values.
    assert step.expects.units == pytest.approx(units, rel=0.12 if text != LIMITED else 0.3)


@pytest.mark.parametrize("text", [HOSPITAL, LIMITED, COUNTED], ids=["all", "limited", "counted"])
@pytest.mark.parametrize("style", STYLES)
def test_at_worst_it_takes_what_the_largest_of_both_take(text: str, style: Style) -> None:
    largest = {"wards": ["w000", "w001", "w002"], "kinds": ["PLAIN", "CHILD"]}
    operation, took = _took(text, style, lambda _: largest, 1)
    ((requests, read, units),) = took
    worst = operation.steps[0].expects.worst
    assert worst is not None
    assert worst.requests == pytest.approx(requests, abs=1)
    assert worst.read == pytest.approx(read, rel=0.05)
    assert units - 0.5 <= worst.units <= units + 0.5 * requests


@pytest.mark.parametrize("style", STYLES)
def test_a_fixed_list_needs_no_query_of_its_own_in_an_index_of_its_values(style: Style) -> None:
    operation, took = _took(FIXED, style, _asked, 60)
    step = operation.steps[0]
    assert step.for_each is not None
    assert (step.for_each.values, step.for_each.and_values) == ("wards", ())
    assert step.filter == ()
    requests, read, units = (sum(each) / len(took) for each in zip(*took, strict=True))
    assert step.expects.requests == requests == 3
    assert step.expects.read == pytest.approx(read, rel=0.1)
    assert step.expects.units == pytest.approx(units, abs=0.5 * requests)


@pytest.mark.parametrize("style", STYLES)
def test_with_a_fixed_list_in_the_key_each_of_its_values_is_asked_for(style: Style) -> None:
    operation, took = _took(FIXED + BY_BOTH, style, _asked, 60)
    step = operation.steps[0]
    assert step.for_each is not None
    assert len(step.for_each.and_values) == 1
    requests, read, units = (sum(each) / len(took) for each in zip(*took, strict=True))
    assert step.expects.requests == requests == 6
    assert step.expects.read == pytest.approx(read, rel=0.1)
    assert step.expects.units == pytest.approx(units, abs=0.5 * requests)


@pytest.mark.parametrize("style", STYLES)
def test_the_busiest_of_both_is_asked_once_of_a_request(style: Style) -> None:
    design = load(COUNTED + BY_BOTH)
    plan = outlined(design, style)
    hottest = plan_heat(design, plan).hottest
    assert hottest is not None
    # The busiest ward is in nearly three lists of four, with two kinds each time.
    asked, (step,) = 10 * 0.72, plan.operations[0].steps
    size = step.expects.bytes / step.expects.read
    kept = 0.6 * 0.88 + 0.25 * 0.63 + 0.1 * 0.31 + 0.05 * 0.18
    most = asked * 0.3 * BEDS * kept * size / 4096 / 2
    assert most * 0.95 <= float(hottest.reads) <= most * 1.4


def test_of_many_lists_a_key_serves_the_three_that_find_the_fewest() -> None:
    """So that its keys stay few enough to be listed; the others are tested."""
    names = [f"mark{n}" for n in range(5)]
    marks = "".join(f"      - {{name: {n}, bytes: 4, distinct: 20}}\n" for n in names)
    tests = "".join(
        f"      - {{attribute: {n}, any_of: {{param: {n}s, count: 2}}}}\n" for n in names
    )
    text = HOSPITAL.replace("      - {name: note", f"{marks}      - {{name: note")
    text = text.replace("    rate: {average: 10}", f"{tests}    rate: {{average: 10}}")
    (step, *_) = outlined(load(text), "single").operations[0].steps
    assert step.for_each is not None
    assert 1 <= len(step.for_each.and_values) <= 2
    asked = {step.for_each.values, *step.for_each.and_values}
    assert {one.any_of for one in step.filter}.isdisjoint(asked)
