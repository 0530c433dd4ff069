"""What often changes is tested of items that are got by an index without it, where that saves its writes."""

from collections.abc import Sequence

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES, Operation, Plan
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.core.sentences.steps import served_by
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

SCOOTER = {
    "name": "Scooter",
    "identifier": ["scooterId"],
    "items": 60_000,
    "attributes": [
        {"name": "scooterId", "format": "uuid"},
        {"name": "zone", "distinct": 3_000},
        {"name": "model", "values": ["S1", "S2", "X"]},
        {"name": "battery", "type": "N", "format": "integer", "digits": 3, "mutable": True},
        {"name": "plate", "bytes": 10},
        {"name": "notes", "bytes": 200},
    ],
}
LOW = {"attribute": "battery", "below": {"param": "least"}, "share": 0.3}


def scooters(
    reads: float = 2,
    scooter: dict[str, object] | None = None,
    beside: Sequence[object] = (),
    relationships: Sequence[object] = (),
    pins: Sequence[object] = (),
    **asked: object,
) -> Design:
    """Scooters that report their battery 200 times a second; of a zone, those with a low one."""
    zone = [{"attribute": "zone", "is": {"param": "zone"}}]
    low = {"kind": "list", "returns": "Scooter", "where": zone, "keep": [LOW], **asked}
    patterns = [
        {**low, "number": 1, "name": "Low in a zone", "rate": {"average": reads}},
        {
            "number": 2,
            "name": "Report the battery",
            "kind": "update",
            "entity": "Scooter",
            "set": {"battery": {"param": "battery"}},
            "rate": {"average": 200},
        },
        {"number": 3, "name": "Add", "kind": "create", "entity": "Scooter", "rate": {"average": 1}},
    ]
    return Design.model_validate(
        {
            "name": "Scooters",
            "entities": [scooter or SCOOTER, *beside],
            "relationships": relationships,
            "patterns": patterns,
            "planner": {"pins": pins},
        }
    )


def with_zone(zone: dict[str, object]) -> dict[str, object]:
    """The scooter with something else stated of its zone."""
    attributes = [
        {"name": "zone", **zone} if one["name"] == "zone" else one for one in SCOOTER["attributes"]
    ]
    return {**SCOOTER, "attributes": attributes}


def low_of(made: Plan) -> Operation:
    return made.operations_for(1)[0]


def held(made: Plan) -> tuple[str, tuple[str, ...]]:
    ((index,),) = (table.indexes for table in made.tables)
    return index.projection.type, index.projection.attributes or ()


def all_pass(design: Design, made: Plan) -> bool:
    verdict = prove_on(Engine("memory", Memory()), design, made)
    return {one.status for one in verdict.patterns} == {"passed"}


@pytest.mark.parametrize("style", STYLES)
def test_items_are_got_before_what_often_changes_is_tested(style):
    design = scooters()
    made = plan(design, style)
    operation = low_of(made)
    query, got = operation.steps
    assert held(made)[0] == "KEYS_ONLY"
    assert (query.call, query.filter, got.call) == ("Query", (), "BatchGetItem")
    assert operation.result is not None
    (part,) = operation.result.parts
    assert [test.attribute for test in part.keep] == ["battery"]
    assert got.for_each is not None
    assert got.for_each.keep == ()
    assert got.expects.read == query.expects.read == 20  # all of the zone, before the test
    sentence = served_by(made, operation)
    assert "kept in the application only if battery < <least>" in sentence
    assert all_pass(design, made)


def test_the_decision_says_so_and_what_it_saves():
    made = plan(scooters(), "multi")
    decision = next(one for one in made.decisions if one.about.startswith("index"))
    (reason,) = (one for one in decision.reasons if one.id == "tested-on-items")
    assert reason.values == {"patterns": (1,), "attributes": ("battery",)}
    dearer = next(one for one in decision.instead_of if one.chosen.id == "parts-projected")
    assert dearer.per_month > 300 > decision.per_month


def test_it_is_tested_in_the_index_where_it_is_read_as_often_as_it_changes():
    made = outlined(scooters(reads=200), "multi")
    (query,) = low_of(made).steps
    assert [test.attribute for test in query.filter] == ["battery"]


def test_what_never_changes_is_tested_in_the_index_before():
    asked = [LOW, {"attribute": "model", "is": {"value": "X"}}]
    design = scooters(keep=asked)
    made = outlined(design, "multi")
    query, got = low_of(made).steps
    kept = [test.attribute for part in low_of(made).result.parts for test in part.keep]
    assert ([test.attribute for test in query.filter], kept) == (["model"], ["battery"])
    assert got.expects.read == pytest.approx(query.expects.read / 3, abs=1e-5)
    assert all_pass(design, made)


def test_a_limit_cuts_what_the_test_leaves():
    """All of a small collection is got, then tested, sorted and cut."""
    asked = {"order": ["plate ascending"], "limit": 5}
    stands = {"name": "stands", "one": "Zone", "many": "Scooter", "by": "zone"}
    zone = {"name": "Zone", "identifier": ["zone"], "items": 3_000}
    design = scooters(
        scooter=with_zone({"refers_to": "Zone.zone"}),
        beside=[{**zone, "attributes": [{"name": "zone"}]}],
        relationships=[{**stands, "average": 20, "most": 60}],
        **asked,
    )
    made = outlined(design, "multi")
    query, got = low_of(made).steps
    (part,) = low_of(made).result.parts
    assert (query.pages, query.limit, part.limit) == ("all", None, 5)
    assert got.expects.read == 20
    assert got.expects.worst.read == 60
    assert "sorted by plate and cut to 5" in served_by(made, low_of(made))
    assert all_pass(design, made)


@pytest.mark.parametrize(("share", "distinct"), [(0.01, 30), (0.3, 3)])
def test_items_are_not_got_to_drop_most_or_many_of_them(share, distinct):
    """A twentieth of two thousand, or two thirds of twenty thousand."""
    scooter = with_zone({"distinct": distinct})
    design = scooters(scooter=scooter, keep=[{**LOW, "share": share}], reads=0.01)
    made = outlined(design, "multi")
    operation = low_of(made)
    assert operation.answer == "not served" or not any(p.keep for p in operation.result.parts)


def test_an_index_may_be_pinned_to_keys_though_a_read_tests_more():
    design = scooters(reads=200, pins=[{"pattern": 1, "projection": "keys-only"}])
    made = outlined(design, "multi")
    assert held(made)[0] == "KEYS_ONLY"
    assert low_of(made).answer == "in several requests"
