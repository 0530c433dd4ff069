"""BatchGetItem returns at most 16 MB: what is said of requests, and what running them takes."""

from collections import Counter

import pytest

from designer.core.design.load import load
from designer.core.messages import say
from designer.core.plan import STYLES, Plan, Style
from designer.core.planner.pipeline import outlined
from designer.core.planner.pricing.requests import batches
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.planned import planned
from tests.runner import Runner

SLIDES = """
keywright: 1
name: Slides
entities:
  - name: Stain
    identifier: [stainId]
    items: 40
    attributes:
      - {name: stainId, bytes: 6}
      - {name: recipe, bytes: 300000}
  - name: Slide
    identifier: [slideId]
    items: 20000
    attributes:
      - {name: slideId, bytes: 6}
      - {name: lab, bytes: 4, distinct: 200}
      - {name: cutAt, format: datetime}
      - {name: stainId, refers_to: Stain.stainId}
      - {name: scan, bytes: 240000}
patterns:
  - number: 1
    name: Many slides
    kind: batch_get
    returns: Slide
    where: [{attribute: slideId, any_of: {param: ids, count: 80}}]
    at_most_requests: 1
    rate: {average: 1}
  - number: 2
    name: Newest of a lab
    kind: list
    returns: Slide
    where: [{attribute: lab, is: {param: lab}}]
    order: [cutAt descending]
    limit: 90
    rate: {average: 0.01}
  - number: 3
    name: Few slides
    kind: batch_get
    returns: Slide
    where: [{attribute: slideId, any_of: {param: ids, count: 60}}]
    rate: {average: 1}
"""


@pytest.fixture(scope="module", params=STYLES)
def plans(request: pytest.FixtureRequest) -> Plan:
    style: Style = request.param
    return outlined(load(SLIDES), style)


def test_a_batch_has_room_for_as_many_items_as_the_reference_says() -> None:
    assert batches(52, 52 * 300 * 1024) == 1
    assert batches(53, 53 * 300 * 1024) == 2
    assert batches(100, 100 * 100) == 1
    assert batches(101, 101 * 100) == 2
    assert batches(0, 0) == 1


def _took(plan: Plan, number: int, params: dict[str, object], many: int) -> Counter[str]:
    """The calls of a pattern over so many slides of one lab."""
    client = Memory()
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    stored: dict[str, list[dict[str, object]]] = {}
    for n in range(many):
        slide = {
            "slideId": f"s{n:05}",
            "lab": "L001",
            "cutAt": f"2026-01-01T00:{n // 60:02}:{n % 60:02}Z",
            "stainId": "st0001",
            "scan": "x" * 240000,
        }
        for table, item in runner.items("Slide", slide, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    operation = next(one for one in plan.operations if one.pattern == number)
    found = execute(Tables(client, plan, ""), operation, params)
    return Counter(one.call for one in found.calls)


@pytest.mark.parametrize(("number", "many", "requests"), [(1, 80, 2), (3, 60, 1)])
def test_a_list_of_large_items_takes_as_many_requests_as_it_says(
    plans: Plan, number: int, many: int, requests: int
) -> None:
    operation = next(one for one in plans.operations if one.pattern == number)
    ids = [f"s{n:05}" for n in range(many)]
    took = _took(plans, number, {"ids": ids}, many)
    assert sum(took.values()) == requests, took
    assert operation.requests == requests
    assert operation.answer == ("in one request" if requests == 1 else "in several requests")


def test_a_second_read_is_counted_by_its_bytes_too(plans: Plan) -> None:
    operation = next(one for one in plans.operations if one.pattern == 2)
    took = _took(plans, 2, {"lab": "L001"}, 95)
    assert [step.call for step in operation.steps] == ["Query", "BatchGetItem"]
    got = operation.steps[-1].expects
    most = got.worst or got
    assert sum(took.values()) == 3, took
    assert (got.requests, most.requests) == (2, 2)


def test_a_limit_of_one_request_is_broken_by_what_one_cannot_return() -> None:
    made = planned(load(SLIDES), "multi")
    said = [one.problem for one in made.findings if one.rule == "too-many-requests"]
    assert said == [say("too-many-requests", pattern=1, requests=2, limit=1)]
