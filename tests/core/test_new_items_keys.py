"""A new item has the keys of all sparse indexes that it is in, which few of the other items have."""

import pytest

from designer.core.plan import Plan, keys
from designer.core.planner import plan
from tests.core.test_planner import design, is_, listing, operation

NOTE = 971
PERMIT = {
    "name": "Permit",
    "identifier": ["permitId"],
    "items": 100_000,
    "attributes": [
        {"name": "permitId", "bytes": 10},
        {"name": "office", "bytes": 6, "distinct": 500},
        {"name": "endedOn", "format": "date", "present": 0.95, "mutable": True},
        {"name": "note", "bytes": NOTE},
    ],
}
GIVE = {"kind": "create", "entity": "Permit", "rate": {"average": 2}}
END = {
    "kind": "update",
    "entity": "Permit",
    "set": {"endedOn": {"param": "on"}},
    "if": [{"attribute": "endedOn", "missing": True}],
    "rate": {"average": 2},
}
VALUES = {"permitId": "p" * 10, "office": "o" * 6, "note": "n" * NOTE}


def planned(holding: dict) -> Plan:
    ask = listing(
        is_("office"), {"attribute": "endedOn", "missing": True}, rate={"average": 50}, **holding
    )
    return plan(design([PERMIT], [GIVE, END, {**ask, "returns": "Permit"}]), "multi")


def new_item(made: Plan) -> dict[str, str]:
    """What a new permit has: no end, and so the keys of what holds those without one."""
    (table,) = made.tables
    templates = table.items[0].set
    texts = {name: keys.render(text, VALUES.get) for name, text in templates.items()}
    return {**VALUES, **{name: text for name, text in texts.items() if text is not None}}


@pytest.mark.parametrize(("holding", "in_index"), [({}, 2), ({"attributes": ["permitId"]}, 1)])
def test_a_new_item_is_priced_with_the_keys_that_it_has(holding: dict, in_index: int) -> None:
    made = planned(holding)
    (table,) = made.tables
    (index,) = table.indexes
    assert index.sparse
    item = new_item(made)
    size = sum(len(name) + len(text) for name, text in item.items())
    assert len(item) > len(VALUES)
    assert table.items[0].bytes < 1024 < size < 2048
    expects = operation(made, 1).steps[0].expects
    assert expects.units == 2
    assert sum(expects.index_units.values()) == in_index
