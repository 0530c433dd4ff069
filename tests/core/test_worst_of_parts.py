"""A read of an index of few items, or of fixed values, takes at the worst what those items and values are.

Rows as each design states them are read by its plan.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.plan import STYLES, Operation
from designer.core.planner.pipeline import plan
from tests.traffic import Facts, Made, Simulated, owned, rows_of, simulated

pytestmark = pytest.mark.slow

OWNERS, ROWS = 8, 4000


def made(
    where: list[dict],
    more: dict,
    busiest: float | None,
    shares: tuple[float, ...],
    states: tuple[str, ...] = ("DONE", "NEW", "OPEN", "LATE"),
) -> Made:
    """Rows of owners, with one read; states with these shares, and nine of ten rows with a time of sending."""
    sizes = owned(OWNERS, ROWS, busiest)
    by_state = tuple(zip(states, shares, strict=True))
    facts = Facts(tuple(sizes.items()), by_state, 0.9, 400)
    rows = rows_of(Random(7), facts)
    owner = {"name": "owner", "bytes": 8, "distinct": OWNERS}
    attributes = [
        {"name": "rowId", "bytes": 8},
        owner if busiest is None else {**owner, "busiest": busiest},
        {
            "name": "state",
            "values": [name for name, _ in by_state],
            "shares": shares,
            "mutable": True,
        },
        {"name": "madeAt", "format": "datetime"},
        {"name": "sentAt", "format": "datetime", "present": 0.9, "mutable": True},
        {"name": "text", "bytes": 400},
    ]
    entity = {"name": "Row", "identifier": ["rowId"], "items": len(rows), "attributes": attributes}
    read = {"number": 1, "name": "Read", "kind": "list", "returns": "Row", "where": where}
    create = {"number": 2, "name": "Make", "kind": "create", "entity": "Row"}
    patterns = [{**read, "rate": {"average": 50}, **more}, {**create, "rate": {"average": 0.1}}]
    design = Design.model_validate({"name": "Rows", "entities": [entity], "patterns": patterns})
    weights = tuple((name, size / len(rows)) for name, size in sizes.items())
    return Made(design, facts, rows, weights)


def read_of(of: Made, style: str) -> tuple[Operation, Simulated]:
    found = plan(of.design, style)
    (operation,) = found.operations_for(1)
    assert operation.steps[0].index is not None
    return operation, simulated(of, found)[1]


BY_OWNER = {"attribute": "owner", "is": {"param": "owner"}}
UNSENT = {"attribute": "sentAt", "missing": True}
FEW = {"attribute": "state", "any_of": {"value": ["NEW", "OPEN"]}}
NOT_DONE = {"attribute": "state", "any_of": {"value": ["NEW", "OPEN", "LATE"]}}
LATEST = {"order": ["madeAt descending"], "limit": 20}
MOST_DONE = (0.898, 0.002, 0.1, 0.0)


def with_states_in_the_key(of: Made, where: list[object]) -> Made:
    """The same with the state in the key, where the planner would leave it out."""
    partition = "{owner}#{state}" if BY_OWNER in where else "{state}"
    key = {"partition": partition, "sort": "{madeAt}"}
    pins = ({"entity": "Row", "index": "ByState", "key": key}, {"pattern": 1, "index": "ByState"})
    design = of.design.with_planner(pins=tuple(map(Pin.model_validate, pins)))
    return replace(of, design=design)


@pytest.mark.parametrize("more", [{}, LATEST, {"kind": "count"}], ids=["all", "latest", "count"])
@pytest.mark.parametrize("where", [[BY_OWNER, FEW], [FEW]], ids=["of an owner", "of all"])
@pytest.mark.parametrize("style", STYLES)
def test_values_of_unlike_shares_are_read_as_many_as_each_has(style, where, more):
    """Of one state an owner has one row, of the other fifty: a limit cuts the other alone."""
    operation, took = read_of(
        with_states_in_the_key(made(where, more, None, MOST_DONE), where), style
    )
    assert operation.steps[0].for_each is not None
    assert took.average == pytest.approx(operation.read_units, rel=0.1)
    if where == [BY_OWNER, FEW]:
        assert operation.steps[0].expects.read == (21 if more == LATEST else 51)


@pytest.mark.parametrize("where", [[BY_OWNER, FEW], [BY_OWNER, NOT_DONE], [BY_OWNER, UNSENT]])
@pytest.mark.parametrize("more", [{}, {"kind": "count"}], ids=["all", "count"])
@pytest.mark.parametrize("style", STYLES)
def test_the_busiest_owner_has_no_more_in_an_index_than_is_there(style, where, more):
    of = made(where, more, 0.4, MOST_DONE)
    operation, took = read_of(of, style)
    held = Counter(
        row["owner"]
        for row in of.rows
        if ("sentAt" not in row if UNSENT in where else row["state"] != "DONE")
    )
    assert operation.worst is not None
    assert operation.worst.read == pytest.approx(max(held.values()), rel=0.01)
    assert took.most <= operation.worst.units * 1.05


@pytest.mark.parametrize("style", STYLES)
def test_what_is_asked_for_by_its_states_alone_finds_no_more_than_has_them(style):
    of = made([FEW], {}, 0.4, MOST_DONE)
    operation, took = read_of(of, style)
    worst = operation.worst or operation.steps[0].expects
    there = sum(row["state"] in ("NEW", "OPEN") for row in of.rows)
    assert worst.read == pytest.approx(there, rel=0.01)
    assert took.most <= (operation.worst.units if operation.worst else operation.read_units) * 1.05


@pytest.mark.parametrize("style", STYLES)
def test_the_commonest_value_makes_no_key_hot_that_is_not_asked_for(style):
    """Nine of ten rows are done: nobody asks for them."""
    for where in ([FEW], [BY_OWNER, FEW]):
        operation, took = read_of(made(where, {}, 0.4, MOST_DONE), style)
        step = operation.steps[0].expects
        assert (step.busiest_units or step.units) <= took.most * 1.05


LONG = "FAILED-FOR-A-REASON-THAT-NOBODY-KNOWS-SO-FAR"


@pytest.mark.parametrize("asked", [{"is": {"value": LONG}}, {"any_of": {"value": [LONG, "NEW"]}}])
@pytest.mark.parametrize("style", STYLES)
def test_what_is_found_has_the_length_of_the_value_that_is_asked_for(style, asked):
    """Most states have four letters, those that are asked for over forty."""
    where = [{"attribute": "state", **asked}]
    of = made(where, {"kind": "count"}, None, (0.88, 0.02, 0.0, 0.1), ("DONE", "NEW", "OPEN", LONG))
    operation, took = read_of(of, style)
    assert took.average == pytest.approx(operation.read_units, rel=0.1)
