"""A pinned index key that only items with some values have, and that does not show them."""

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES, Style
from designer.core.planner import plan
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.test_planner import design, is_, listing, operation
from tests.memory import Memory

pytestmark = pytest.mark.slow

CRATE = {
    "name": "Crate",
    "identifier": ["crateId"],
    "items": 500_000,
    "attributes": [
        {"name": "crateId", "format": "ulid"},
        {"name": "dock", "bytes": 6, "distinct": 100, "mutable": True},
        {"name": "kilos", "type": "N", "format": "integer", "digits": 5},
        {
            "name": "stage",
            "values": ["PACKED", "SEALED", "SHIPPED"],
            "shares": [0.02, 0.03, 0.95],
            "mutable": True,
        },
        {"name": "label", "bytes": 300},
    ],
}
PACK = {
    "kind": "create",
    "entity": "Crate",
    "set": {"stage": {"value": "PACKED"}},
    "rate": {"average": 3},
}


def change(sets: dict[str, str], found: str | None = None, **more: object) -> dict:
    known = {"if": [{"attribute": "stage", "is": {"value": found}}]} if found else {}
    made = {"set": {"stage": sets}, "rate": {"average": 3}}
    return {"kind": "update", "entity": "Crate", **known, **made, **more}


SEAL = change({"value": "SEALED"}, "PACKED")
SHIP = change({"value": "SHIPPED"}, "SEALED")


def crates(key: dict[str, str], ask: dict, *writes: dict, **names: object) -> Design:
    pins = [
        {"entity": "Crate", "index": "Here", "key": key, **names},
        {"pattern": 1, "index": "Here"},
    ]
    return design([CRATE], [{**ask, "returns": "Crate"}, PACK, *writes], planner={"pins": pins})


def assert_proven(stated: Design, style: Style) -> None:
    made = plan(stated, style)
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}
    verdict = prove_on(Engine("memory", Memory()), stated, made)
    assert {one.status for one in verdict.patterns} == {"passed"}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("names", [{}, {"names": {"sort": "kilos"}}])
def test_a_write_reads_what_keeps_its_item_out_where_it_does_not_know_it(
    names: dict, style: Style
) -> None:
    key = {"partition": '{when(stage, "PACKED")}DOCK#{dock}', "sort": "{kilos}"}
    if not names:
        key["sort"] += "#"
    ask = listing(
        is_("dock"),
        {"attribute": "stage", "is": {"value": "PACKED"}},
        order=["kilos ascending"],
        limit=5,
        rate={"average": 9},
    )
    stated = crates(key, ask, change({"param": "to"}), **names)
    made = plan(stated, style)
    assert operation(made, 3).requests == 2
    assert operation(made, 1).steps[0].expects.read == 5
    assert_proven(stated, style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "key",
    [
        {"partition": "{dock}", "sort": '{when(stage, "PACKED", "SEALED")}{crateId}'},
        {"partition": "{dock}", "sort": 'HERE#{when(stage, "PACKED", "SEALED")}{crateId}'},
        {"partition": '{when(stage, "PACKED", "SEALED")}AT#{dock}', "sort": "CRATE#{crateId}"},
    ],
)
def test_an_index_of_the_values_that_are_asked_for_has_nothing_left_to_test(
    key: dict, style: Style
) -> None:
    both = {"attribute": "stage", "any_of": {"value": ["PACKED", "SEALED"]}}
    ask = listing(
        is_("dock"), both, order=["crateId ascending"], limit=8, rate={"average": 9, "peak": 9}
    )
    stated = crates(key, ask, SEAL, SHIP)
    made = plan(stated, style)
    (step,) = operation(made, 1).steps
    assert (step.index, step.filter) == ("Here", ())
    assert (step.expects.read, step.expects.returned, operation(made, 1).worst) == (8, 8, None)
    (index,) = (one for table in made.tables for one in table.indexes)
    assert index.sparse
    # A crate is put once, written where it is when it is sealed, and deleted once.
    for number in (2, 3, 4):
        assert operation(made, number).write_units == 2
    assert_proven(stated, style)


@pytest.mark.parametrize("style", STYLES)
def test_one_of_the_values_is_tested_after_the_reading(style: Style) -> None:
    key = {"partition": "AT#{dock}", "sort": '{when(stage, "PACKED", "SEALED")}{crateId}#'}
    ask = listing(
        is_("dock"), {"attribute": "stage", "is": {"value": "SEALED"}}, rate={"average": 9}
    )
    stated = crates(key, ask, SEAL, SHIP)
    (step,) = operation(plan(stated, style), 1).steps
    assert step.expects.read == pytest.approx(500_000 / 100 * 0.05)
    assert step.expects.returned == pytest.approx(500_000 / 100 * 0.03)
    assert_proven(stated, style)
