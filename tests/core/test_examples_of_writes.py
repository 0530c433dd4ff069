"""What the grid shows of a write is what such a write does: an item that it may change, and what it leaves."""

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.ask import ask
from designer.core.examples.simulate import Trace
from designer.core.planner import plan
from tests.core.test_planner import design

BOOKING = {
    "name": "Booking",
    "identifier": ["hall", "slot"],
    "items": 1000,
    "attributes": [
        {"name": "hall", "bytes": 6, "examples": ["north", "south", "south"]},
        {"name": "slot", "bytes": 6, "examples": ["a1", "b2", "c3"]},
        {"name": "stage", "values": ["HELD", "PAID"], "examples": ["PAID", "HELD", "PAID"]},
        {"name": "heldAt", "format": "datetime", "examples": [
            "2026-02-01T10:00:00Z", "2026-02-02T10:00:00Z", "2026-02-03T10:00:00Z"]},
    ],
}  # fmt: skip
HELD = {"attribute": "stage", "is": {"value": "HELD"}}


def _asked(pattern: dict) -> tuple[Design, Trace]:
    made = design([BOOKING], [{"rate": {"average": 1}, **pattern}])
    planned = plan(made, "multi")
    trace = ask(made, planned, examples(made), planned.operations[0])
    assert trace is not None
    return made, trace


def test_an_item_that_takes_the_place_of_another_has_another_identifier():
    members = [{"delete": "Booking"}, {"create": "Booking", "set": {"slot": {"param": "newSlot"}}}]
    _, trace = _asked({"kind": "transaction", "members": members})
    assert trace.parameters["newSlot"] not in {"a1", "b2", "c3"}
    assert (len(trace.deleted), trace.added) == (1, 1)


@pytest.mark.parametrize(
    "pattern",
    [
        {"kind": "update", "set": {"stage": {"value": "PAID"}}, "if": [HELD]},
        {"kind": "delete", "if": [HELD]},
        {"kind": "upsert", "set": {"stage": {"value": "HELD"}}},
        {"kind": "create", "set": {"stage": {"value": "HELD"}}},
        {"kind": "delete", "if": [{"attribute": "stage", "not": {"value": "PAID"}}]},
        {"kind": "delete", "if": [{"attribute": "stage", "any_of": {"value": ["HELD"]}}]},
    ],
)
def test_the_item_is_one_that_the_write_is_for(pattern):
    _, trace = _asked({"entity": "Booking", **pattern})
    assert trace.parameters["slot"] == "b2"


def test_what_a_condition_compares_with_lets_the_write_through():
    made, trace = _asked(
        {
            "kind": "delete",
            "entity": "Booking",
            "if": [{"attribute": "heldAt", "below": {"param": "until"}}],
            "or": [[{"attribute": "heldAt", "after": {"param": "since"}}]],
        }
    )
    slot = trace.parameters["slot"]
    (item,) = (one for one in examples(made)["Booking"] if one["slot"] == slot)
    assert trace.parameters["until"] > item["heldAt"] > trace.parameters["since"]


def test_an_item_moves_on_to_its_next_status_and_not_from_the_last_one():
    _, trace = _asked({"entity": "Booking", "kind": "update", "set": {"stage": {"param": "next"}}})
    assert (trace.parameters["slot"], trace.parameters["next"]) == ("b2", "PAID")
