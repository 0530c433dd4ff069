"""A write is charged by its item before it or after it, whichever is larger, and by an average only in doubt."""

import pytest

from designer.core.plan import Expected
from designer.core.planner import plan
from tests.core.test_planner import design, is_, listing, operation

PAPERS = {"name": "papers", "bytes": 1500, "present": 0.1, "mutable": True}
SEAL = {"name": "seal", "bytes": 12, "mutable": True}
ABOARD = {"name": "aboard", "values": ["SHIP"], "present": 0.02, "mutable": True}
LANDED = {"name": "landed", "format": "date", "present": 0.98, "mutable": True}
RATE = {"rate": {"average": 2}}
HAS_PAPERS = {"attribute": "papers", "exists": True}
SEALED = {"attribute": "seal", "is": {"param": "sealedAs"}}
IS_ABOARD = {"attribute": "aboard", "exists": True}
LOAD = {"kind": "create", "entity": "Crate", "set": {"aboard": {"value": "SHIP"}}, **RATE}
ABOARD_OF = {
    **listing(is_("harbour"), {"attribute": "aboard", "is": {"value": "SHIP"}}),
    "returns": "Crate",
    "rate": {"average": 200},
}
WHOLE = {"kind": "get", "returns": "Crate", "where": [is_("crateId")], "rate": {"average": 500}}


def crate(manifest: int, *more: dict) -> dict:
    """A crate with a manifest of so many bytes, and these attributes."""
    attributes = [
        {"name": "crateId", "bytes": 10},
        {"name": "harbour", "bytes": 6, "distinct": 500},
        {"name": "manifest", "bytes": manifest},
        *more,
    ]
    return {
        "name": "Crate",
        "identifier": ["crateId"],
        "items": 100_000,
        "attributes": attributes,
    }


def change(kind: str, *conditions: dict, **fields: object) -> dict:
    tests = {"if": list(conditions)} if conditions else {}
    return {"kind": kind, "entity": "Crate", **RATE, **tests, **fields}


def expected(entity: dict, style: str, *patterns: dict) -> Expected:
    """What the first of some patterns takes, where the average item has less than 1 KB and is often read whole."""
    made = plan(design([entity], [*patterns, WHOLE]), style)
    assert 900 < made.tables[0].items[0].bytes < 1024
    return operation(made, 1).steps[0].expects


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    ("write", "units"),
    [
        (change("update", set={"seal": {"param": "seal"}}), 1),
        (change("update", SEALED, set={"papers": {"param": "papers"}}), 3),
        (change("update", SEALED, HAS_PAPERS, remove=["papers"]), 3),
        (change("update", HAS_PAPERS, set={"seal": {"param": "seal"}}), 3),
        (change("delete", HAS_PAPERS), 3),
        (change("delete"), 1),
        (change("create", set={"papers": {"param": "papers"}}), 3),
    ],
)
def test_a_write_is_charged_by_the_larger_of_its_item_before_and_after(
    write: dict, units: int, style: str
) -> None:
    assert expected(crate(760, PAPERS, SEAL), style, write).units == units


@pytest.mark.parametrize(
    ("held", "kept", "units"), [(None, "papers", 3), (None, "seal", 1), (("papers",), "papers", 2)]
)
def test_an_entry_is_charged_by_its_size_when_it_is_deleted(
    held: tuple[str, ...] | None, kept: str, units: int
) -> None:
    land = change("update", IS_ABOARD, {"attribute": kept, "exists": True}, remove=["aboard"])
    read = ABOARD_OF if held is None else {**ABOARD_OF, "attributes": list(held)}
    took = expected(crate(760, PAPERS, SEAL, ABOARD), "multi", land, LOAD, read)
    assert took.index_units and sum(took.index_units.values()) == units


def test_what_ends_the_state_of_a_new_item_is_charged_by_that_of_a_new_item() -> None:
    """With the keys of an index that it leaves, a new item has over 1 KB, and an updated one less."""
    land = change("update", IS_ABOARD, set={"landed": {"param": "on"}}, remove=["aboard"])
    entity = crate(920, ABOARD, LANDED)
    took = expected(entity, "single", land, LOAD, ABOARD_OF)
    made = expected(entity, "single", LOAD, land, ABOARD_OF)
    assert took.index_units
    assert (took.units, made.units) == (2, 2)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_comes_later_is_not_there_before(style: str) -> None:
    """An update that finds an item without what most items have, and gives it nothing, is charged by the fewer."""
    hold = change(
        "update", {"attribute": "papers", "missing": True}, set={"seal": {"param": "seal"}}
    )
    file = change("update", set={"papers": {"param": "papers"}})
    entity = crate(100, {**PAPERS, "bytes": 1000, "present": 0.8}, SEAL)
    assert expected(entity, style, hold).units == 1
    assert expected(entity, style, file).units == 2
