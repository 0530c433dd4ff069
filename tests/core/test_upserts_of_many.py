"""Upserts of many go out in batches, where nothing keeps one of them from being done."""

import pytest

from designer.core.design.load import load
from designer.core.grid.answer import request
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.proof.test_runner import run_design

GAUGES = """
keywright: 1
name: Levels that river gauges send at midnight
entities:
  - name: Level
    identifier: [river, gauge, at]
    items: 20000000
    attributes:
      - {name: river, bytes: 8, distinct: 300}
      - {name: gauge, bytes: 6}
      - {name: at, format: datetime}
      - {name: centimetres, type: N, minimum: -500, maximum: 2500, mutable: true}
      - {name: seal, bytes: 9, present: 0.5, UNIQUE}
patterns:
  - number: 1
    name: Take in a night's levels
    kind: upsert
    entity: Level
    CONDITION
    times: {average: 200, most: 2000}
    each: levels
    rate: {average: 0.5}
  - number: 2
    name: Levels of a gauge
    kind: list
    returns: Level
    where: [{attribute: river, is: {param: river}}, {attribute: gauge, is: {param: gauge}}]
    order: [at descending]
    limit: 30
    rate: {average: 5}
"""


def gauges(condition: str = "why: Nightly.", unique: str = "mutable: true"):
    return load(GAUGES.replace("CONDITION", condition).replace("UNIQUE", unique))


def taken_in(design, style="single"):
    return plan(design, style).operations_for(1)[0]


@pytest.mark.parametrize("style", STYLES)
def test_two_hundred_puts_are_eight_requests(style):
    operation = taken_in(gauges(), style)
    (step,) = operation.steps
    assert (step.call, operation.requests, operation.write_units) == ("BatchWriteItem", 8, 200)
    assert (step.for_each, step.members[0].for_each.values) == (None, "levels")


@pytest.mark.parametrize(
    ("condition", "unique", "call"),
    [
        ("if: [{attribute: centimetres, missing: true}]", "mutable: true", "PutItem"),
        ("why: Nightly.", "unique: true", "TransactWriteItems"),
    ],
)
def test_what_may_be_refused_goes_out_by_itself(condition, unique, call):
    operation = taken_in(gauges(condition, unique))
    assert (operation.steps[-1].call, operation.steps[-1].expects.requests) == (call, 200)


def test_the_request_is_a_batch_of_puts():
    made = plan(gauges(), "multi")
    said = request(made, made.operations_for(1)[0].steps[0])
    ((put,),) = said["RequestItems"].values()
    assert set(put["PutRequest"]["Item"]) >= {"river", "gauge", "at", "centimetres"}


@pytest.mark.parametrize("style", STYLES)
def test_it_is_proven(style):
    design = gauges()
    verdict = prove_on(engine(), design, plan(design, style))
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    run_design(engine(), design, style)
