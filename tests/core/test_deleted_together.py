"""A delete of a collection deletes the items that meet all of its conditions, on average and at the most."""

from collections.abc import Iterable

import pytest

from designer.core.cost.growth import growth_of
from designer.core.cost.options import Changes
from designer.core.design.document import Design
from designer.core.plan import Plan
from designer.core.planner import plan
from tests.core.test_planner import design, is_, operation

GREENHOUSE = {
    "name": "Greenhouse",
    "identifier": ["houseId"],
    "items": 400,
    "attributes": [{"name": "houseId", "bytes": 8}],
}
ALERT = {
    "name": "Alert",
    "identifier": ["houseId", "raisedAt"],
    "items": 400_000,
    "attributes": [
        {"name": "houseId", "bytes": 8, "refers_to": "Greenhouse.houseId"},
        {"name": "raisedAt", "format": "datetime"},
        {"name": "level", "values": ["LOW", "HIGH"], "shares": [0.9, 0.1]},
        {"name": "bench", "bytes": 5, "distinct": 50},
        {"name": "closedAt", "format": "datetime", "present": 0.3, "mutable": True},
        {"name": "text", "bytes": 200},
    ],
}
HOUSE = is_("houseId")
OLD = {"attribute": "raisedAt", "below": {"param": "until"}}
ALL = 1000
"""Alerts of one greenhouse: its 400,000 divided among 400."""
MOST = 20_000


def _of(*where: dict) -> dict:
    rate = {"average": 0.01}
    return {"kind": "delete", "entity": "Alert", "where": [HOUSE, *where], "rate": rate}


def _planned(*where: dict, also: Iterable[dict] = (), alert: dict = ALERT) -> Plan:
    return plan(_designed([_of(*where), *also], alert), "multi")


def _designed(patterns: list[dict], alert: dict = ALERT) -> Design:
    relationship = {
        "name": "raises",
        "one": "Greenhouse",
        "many": "Alert",
        "by": "houseId",
        "average": ALL,
        "most": MOST,
    }
    return design([GREENHOUSE, alert], patterns, relationships=[relationship])


@pytest.mark.parametrize(
    ("where", "deleted"),
    [
        ((), ALL),
        (({**OLD, "share": 0.03},), ALL * 0.03),
        (({**OLD, "share": 0.03}, {"attribute": "level", "is": {"value": "HIGH"}}), 3),
        (({"attribute": "level", "not": {"value": "LOW"}},), ALL * 0.1),
        (({"attribute": "level", "any_of": {"value": ["HIGH"]}},), ALL * 0.1),
        (({"attribute": "bench", "any_of": {"param": "benches", "count": 4}},), ALL * 4 / 50),
        (({"attribute": "closedAt", "exists": True},), ALL * 0.3),
        (({"attribute": "closedAt", "missing": True},), ALL * 0.7),
        (({**is_("bench"), "share": 0.2},), ALL * 0.2),
        (({"attribute": "text", "contains": {"param": "word"}, "share": 0.25},), ALL * 0.25),
    ],
)
def test_what_is_deleted_meets_all_conditions(where, deleted):
    made = _planned(*where)
    found = operation(made, 1)
    indexes = [index for table in made.tables for index in table.indexes]
    assert found.write_units == pytest.approx(deleted * (1 + len(indexes)))
    reads = sum(step.expects.requests for step in found.steps[:-1])
    each = found.steps[-1].call == "BatchWriteItem"
    assert found.requests - reads == pytest.approx(-(-deleted // 25) if each else deleted)


def test_a_list_of_values_is_read_and_deleted_value_by_value():
    by_list = operation(
        _planned({"attribute": "bench", "any_of": {"param": "benches", "count": 10}}), 1
    )
    by_one = operation(_planned(is_("bench")), 1)
    assert by_list.write_units == pytest.approx(10 * by_one.write_units)
    assert by_list.steps[0].expects.returned == pytest.approx(10 * ALL / 50)


def test_at_the_most_those_are_deleted_that_pass_and_not_all_that_are_read():
    high = {"attribute": "level", "is": {"value": "HIGH"}}
    raised = {"kind": "create", "entity": "Alert", "rate": {"average": 300}}
    found = operation(_planned(high, also=[raised]), 1)  # an index of its own would cost more
    step, indexes = found.steps[0], found.steps[-1].expects.index_units
    assert step.filter
    assert step.expects.worst.read == MOST
    assert found.worst.write_units == pytest.approx(MOST * 0.1 * (1 + len(indexes)))


def _effects(made: Plan, what: str) -> list[tuple[float, float]]:
    """Requests and write units at both ends of what is assumed."""
    (use,) = (use for one in made.assumed if one.what == what for use in one.used)
    return [(end.requests, end.write_units) for end in (use.low, use.high)]


def test_a_share_that_nobody_stated_changes_what_is_deleted_and_not_only_what_is_read():
    made = _planned(OLD)
    usual = operation(made, 1)
    each = usual.write_units / (ALL * 0.5)
    assert _effects(made, "share") == [
        (2, pytest.approx(ALL * 0.01 * each)),
        (1 + ALL * 0.9 / 25, pytest.approx(ALL * 0.9 * each)),
    ]
    (one,) = (one for one in made.assumed if one.what == "share")
    more = ALL * (0.9 - 0.01) * each * 0.01 * 30 * 86_400
    assert one.usd_per_month == pytest.approx(more * 0.625e-6, rel=0.02)


def test_how_many_values_a_list_has_is_assumed_of_a_delete_too():
    made = _planned({"attribute": "bench", "any_of": {"param": "benches"}})
    (_, few), (_, many) = _effects(made, "list")
    of_one = operation(_planned(is_("bench")), 1).write_units
    assert (few, many) == (pytest.approx(of_one), pytest.approx(30 * of_one))


def test_the_values_that_nobody_stated_shares_of_change_what_is_deleted():
    alert = {
        **ALERT,
        "attributes": [
            {key: value for key, value in one.items() if key != "shares"}
            for one in ALERT["attributes"]
        ],
    }
    high = {"attribute": "level", "is": {"value": "HIGH"}}
    raised = {"kind": "create", "entity": "Alert", "rate": {"average": 300}}
    made = _planned(high, also=[raised], alert=alert)
    (used,) = (
        use
        for one in made.assumed
        if (one.what, one.has) == ("value", "HIGH")
        for use in one.used
        if use.pattern == 1
    )
    each = operation(made, 1).write_units / (ALL * 0.5)
    assert used.low.write_units == pytest.approx(ALL * 0.01 * each)
    assert used.high.write_units == pytest.approx(ALL * 0.9 * each)


def test_what_is_deleted_together_counts_item_by_item_in_the_growth():
    raised = {"kind": "create", "entity": "Alert", "rate": {"average": 1}}
    one = {"kind": "delete", "entity": "Alert", "rate": {"average": 0.1}}
    together = _of({**OLD, "share": 0.04})
    gained = {
        found.entity: float(found.per_month)
        for found in growth_of(_designed([raised, one, together]), Changes())
    }
    assert gained["Alert"] == pytest.approx((1 - 0.1 - 0.01 * 0.04 * ALL) * 30 * 86_400)
