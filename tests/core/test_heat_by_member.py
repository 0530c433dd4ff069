"""What a write of several items puts on an index that they share: each item only what its own entries take."""

from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.plan import STYLES, Plan
from designer.core.planner.pipeline import plan
from tests.core.test_heat import _agree

BELTS = 0.4
"""Share of the scans at the busiest belt."""
RATE = 1500
LARGE = 1500
"""Bytes of a note."""


def of(name: str) -> dict[str, Any]:
    return {"attribute": name, "is": {"param": name}}


def design_of(
    change: dict[str, Any],
    scan: dict[str, Any] | None = None,
    listed: str = "place",
    note: int = LARGE,
    lists: float = 5,
) -> Design:
    """A transaction scans a parcel: it changes the parcel and creates a scan. Both are listed by an index."""
    parcel = {
        "name": "Parcel",
        "identifier": ["parcelId"],
        "items": 5_000_000,
        "attributes": [
            {"name": "parcelId", "format": "uuid"},
            {"name": "sender", "format": "uuid", "distinct": 200_000},
            {"name": "place", "distinct": 1000, "mutable": True},
            {"name": "weight", "type": "N", "mutable": True},
            {"name": "note", "bytes": note},
        ],
    }
    scanned = {
        "name": "Scan",
        "identifier": ["scanId"],
        "items": 20_000_000,
        "attributes": [
            {"name": "scanId", "format": "uuid"},
            {"name": "belt", "distinct": 8, "busiest": BELTS},
            {"name": "at", "format": "datetime"},
            {"name": "label", "bytes": 200},
        ],
    }
    scans = {"kind": "list", "returns": "Scan", "order": ["at descending"], "limit": 20}
    parcels = {"kind": "list", "returns": "Parcel"}
    patterns: list[dict[str, Any]] = [
        {
            "kind": "transaction",
            "members": [{"update": "Parcel", **change}, {"create": "Scan", **(scan or {})}],
            "rate": {"average": 40, "peak": RATE},
        },
        {**scans, "where": [of("belt")], "rate": {"average": 5}},
        {**parcels, "where": [of(listed)], "rate": {"average": lists}},
        {"kind": "get", "returns": "Parcel", "where": [of("parcelId")], "rate": {"average": 90}},
        {"kind": "get", "returns": "Scan", "where": [of("scanId")], "rate": {"average": 90}},
    ]
    numbered = [{"number": at, "name": f"P{at}", **one} for at, one in enumerate(patterns, 1)]
    return Design.model_validate(
        {"name": "Depot", "entities": [parcel, scanned], "patterns": numbered}
    )


def of_scans(design: Design, found: Plan) -> KeyHeat:
    """The key of the index that lists scans by their belt."""
    keys = [key for key in plan_heat(design, found).keys if key.index is not None]
    (key,) = [key for key in keys if any(load.shape == "Scan" for load in key.loads)]
    return key


@pytest.mark.parametrize("style", STYLES)
def test_an_update_that_touches_no_entry_takes_no_heat_from_the_item_beside_it(style):
    design = design_of({"set": {"weight": {"param": "weight"}}}, None, "sender", 20, 0.01)
    found = plan(design, style)
    assert float(of_scans(design, found).writes) == pytest.approx(RATE * BELTS, rel=1e-3)
    _agree(design, found, style)


@pytest.mark.parametrize("style", STYLES)
def test_what_moves_an_entry_takes_two_and_each_by_its_own_size(style):
    """The parcel's entry is deleted and put again, and may be large; the scan's is put once, and small."""
    design = design_of({"set": {"place": {"param": "place"}}})
    found = plan(design, style)
    assert float(of_scans(design, found).writes) == pytest.approx(RATE * BELTS, rel=1e-3)
    _agree(design, found, style)


@pytest.mark.parametrize("style", STYLES)
def test_several_scans_of_one_parcel_take_an_entry_each(style):
    design = design_of({"set": {"place": {"param": "place"}}}, {"times": {"average": 3, "most": 9}})
    found = plan(design, style)
    key = of_scans(design, found)
    assert float(key.writes) * key.shards == pytest.approx(3 * RATE * BELTS, rel=1e-3)
    _agree(design, found, style)


def busy(attributes: list[dict[str, Any]], member: dict[str, Any], *more: dict[str, Any]) -> Design:
    """A transaction on a ticket of a queue, which also creates a scan; both are listed by an index."""
    design = design_of({}, None).model_dump(mode="json", by_alias=True, exclude_unset=True)
    _, scanned = design["entities"]
    ticket = {
        "name": "Ticket",
        "identifier": ["ticketId"],
        "items": 1_000_000,
        "attributes": [{"name": "ticketId", "format": "uuid"}, *attributes],
    }
    scans, got = design["patterns"][1], design["patterns"][-1]
    patterns = [
        {
            "name": "Both",
            "kind": "transaction",
            "members": [member, {"create": "Scan"}],
            "rate": {"average": 40, "peak": RATE},
        },
        scans,
        got,
        *more,
    ]
    numbered = [{**one, "number": at} for at, one in enumerate(patterns, 1)]
    return Design.model_validate(
        {"name": "Tickets", "entities": [ticket, scanned], "patterns": numbered}
    )


STATE = {"name": "state", "values": ["OPEN", "DONE"], "shares": [0.2, 0.8], "mutable": True}
QUEUE = {"name": "queue", "distinct": 300, "mutable": True}
CLERK = {"name": "clerk", "distinct": 300, "present": 0.3, "mutable": True}
OPEN, DONE = {"attribute": "state", "is": {"value": "OPEN"}}, {"value": "DONE"}
MEMBERS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], list[dict[str, Any]]]] = {
    "leaves": ([STATE, QUEUE], {"update": "Ticket", "set": {"state": DONE}, "if": [OPEN]}, [of("queue"), OPEN]),
    "may leave": ([STATE, QUEUE], {"update": "Ticket", "set": {"state": DONE}}, [of("queue"), OPEN]),
    "new": ([STATE, QUEUE], {"create": "Ticket"}, [of("queue"), OPEN]),
    "new elsewhere": ([STATE, QUEUE], {"create": "Ticket", "set": {"state": DONE}}, [of("queue"), OPEN]),
    "gone": ([STATE, QUEUE], {"delete": "Ticket"}, [of("queue"), OPEN]),
    "gone at some": ([CLERK], {"delete": "Ticket"}, [of("clerk")]),
    "given up": ([CLERK], {"update": "Ticket", "remove": ["clerk"]}, [of("clerk")]),
    "taken": ([CLERK], {"update": "Ticket", "set": {"clerk": {"param": "clerk"}}}, [of("clerk")]),
    "put over": ([CLERK, QUEUE], {"upsert": "Ticket"}, [of("queue")]),
    "checked": ([QUEUE], {"check": "Ticket", "exists": True}, [of("queue")]),
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", MEMBERS)
def test_each_item_takes_of_an_index_what_the_planner_reckons(name, style):
    attributes, member, where = MEMBERS[name]
    asked = {"name": "A list", "kind": "list", "returns": "Ticket", "where": where}
    one = {"name": "A ticket", "kind": "get", "returns": "Ticket", "where": [of("ticketId")]}
    rated = ({**asked, "rate": {"average": 0.1}}, {**one, "rate": {"average": 20}})
    design = busy(attributes, member, *rated)
    found = plan(design, style)
    assert float(of_scans(design, found).writes) == pytest.approx(RATE * BELTS, rel=1e-3)
    _agree(design, found, style)
