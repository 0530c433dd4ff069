"""What a design's patterns must answer, said about a handful of items."""

from decimal import Decimal

import pytest

from designer.core import answers
from designer.core.answers import Refused
from designer.core.design.document import Design

ORDER_ATTRIBUTES = [
    {"name": "orderId"},
    {"name": "userId", "refers_to": "User.userId"},
    {"name": "placedAt", "format": "datetime"},
    {"name": "day", "derived": "date(placedAt)"},
    {"name": "status", "values": ["OPEN", "PAID"], "mutable": True},
    {"name": "total", "type": "N"},
    {"name": "tags", "type": "SS", "present": 0.5},
]


def design_with(*patterns):
    return Design.model_validate(
        {
            "name": "Shop",
            "entities": [
                {
                    "name": "User",
                    "identifier": ["userId"],
                    "attributes": [
                        {"name": "userId"},
                        {"name": "email", "unique": True, "present": 0.9},
                        {"name": "region"},
                        {"name": "visits", "type": "N", "present": 0.5},
                    ],
                },
                {"name": "Order", "identifier": ["orderId"], "attributes": ORDER_ATTRIBUTES},
            ],
            "relationships": [{"name": "places", "one": "User", "many": "Order", "by": "userId"}],
            "patterns": [
                {"number": n, "name": "p", **pattern} for n, pattern in enumerate(patterns, 1)
            ],
        }
    )


def order(number, user, at, status="OPEN", total="1", **more):
    return {
        "orderId": number,
        "userId": user,
        "placedAt": at,
        "status": status,
        "total": Decimal(total),
        **more,
    }


STATE = {
    "User": (
        {"userId": "ann", "email": "a@x", "region": "north", "visits": Decimal(2)},
        {"userId": "bob", "region": "south"},
    ),
    "Order": (
        order("1", "ann", "2026-01-01T10:00:00Z", total="10"),
        order("2", "ann", "2026-01-02T10:00:00Z", "PAID", "9.5", tags={"gift"}),
        order("3", "ann", "2026-01-02T10:00:00Z", total="-1"),
        order("4", "bob", "2026-01-03T10:00:00Z"),
        order("5", "gone", "2026-01-03T10:00:00Z"),
    ),
}


def read(pattern, **parameters):
    design = design_with(pattern)
    return answers.answer(design, STATE, design.patterns[0], parameters)


def ids(rows):
    return [sorted(row.item["orderId"] for row in group) for group in rows.groups]


OF_USER = {
    "kind": "list",
    "returns": "Order",
    "where": [{"attribute": "userId", "is": {"param": "u"}}],
}


def test_rows_come_in_order_and_ties_stay_together():
    answer = read(OF_USER | {"order": ["placedAt descending"], "limit": 2}, u="ann")
    assert ids(answer.rows) == [["2", "3"], ["1"]]
    assert answer.rows.count == 2


def test_a_second_order_attribute_breaks_ties_numerically():
    answer = read(OF_USER | {"order": ["placedAt ascending", "total ascending"]}, u="ann")
    assert ids(answer.rows) == [["1"], ["3"], ["2"]]


def test_an_item_without_an_order_attribute_is_not_in_the_answer():
    answer = read({"kind": "list", "returns": "User", "order": ["visits ascending"]})
    assert [row.item["userId"] for group in answer.rows.groups for row in group] == ["ann"]


@pytest.mark.parametrize(
    ("condition", "parameters", "found"),
    [
        ({"attribute": "total", "from": {"param": "n"}}, {"n": Decimal("9.5")}, "12"),
        ({"attribute": "total", "after": {"param": "n"}}, {"n": Decimal("9.5")}, "1"),
        ({"attribute": "total", "to": {"value": 1}}, {}, "345"),
        ({"attribute": "total", "below": {"value": 1}}, {}, "3"),
        ({"attribute": "day", "is": {"param": "d"}}, {"d": "2026-01-02"}, "23"),
        ({"attribute": "placedAt", "begins_with": {"param": "d"}}, {"d": "2026-01-0"}, "12345"),
        ({"attribute": "status", "any_of": {"param": "s"}}, {"s": ["PAID", "GONE"]}, "2"),
        ({"attribute": "status", "not": {"value": "OPEN"}}, {}, "2"),
        ({"attribute": "tags", "contains": {"param": "t"}}, {"t": "gift"}, "2"),
        ({"attribute": "tags", "missing": True}, {}, "1345"),
        ({"attribute": "tags", "exists": True}, {}, "2"),
        ({"attribute": "places.region", "is": {"param": "r"}}, {"r": "south"}, "4"),
        ({"attribute": "places.region", "not": {"value": "north"}}, {}, "45"),
        ({"attribute": "status", "is": {"param": "s"}, "optional": True}, {}, "12345"),
    ],
)
def test_each_condition(condition, parameters, found):
    rows = read({"kind": "list", "returns": "Order", "where": [condition]}, **parameters).rows
    assert "".join(sorted(row.item["orderId"] for group in rows.groups for row in group)) == found


def test_texts_compare_by_their_bytes():
    assert answers.sort_key("\uffff") < answers.sort_key("\U0001f600")


def test_true_is_not_one():
    assert not answers.equal(True, Decimal(1))


def test_children_come_along_with_their_own_order_and_limit():
    with_orders = {"relationship": "places", "order": ["orderId descending"], "limit": 2}
    by_id = [{"attribute": "userId", "is": {"param": "u"}}]
    answer = read(
        {"kind": "get", "returns": "User", "where": by_id, "with": [with_orders]}, u="ann"
    )
    along = answer.rows.groups[0][0].along["places"]
    assert ids(along.rows) == [["3"], ["2"], ["1"]]
    assert along.rows.count == 2


def test_a_missing_parent_brings_nothing_along():
    answer = read(OF_USER | {"with": [{"relationship": "places"}]}, u="gone")
    along = answer.rows.groups[0][0].along["places"]
    assert along.towards_one
    assert along.rows.count == 0


def test_figures():
    assert read({**OF_USER, "kind": "count"}, u="ann").value == 3
    assert read({**OF_USER, "kind": "exists"}, u="nobody").value is False
    assert read({**OF_USER, "result": {"sum": "total"}}, u="ann").value == Decimal("18.5")
    assert read({**OF_USER, "result": {"greatest": "total"}}, u="ann").value == 10
    assert read({**OF_USER, "result": {"least": "total"}}, u="nobody").value is None


def write(pattern, **parameters):
    design = design_with(pattern)
    return answers.apply(design, STATE, design.patterns[0], parameters)


def test_create_adds_the_item_with_its_constants():
    pattern = {"kind": "create", "entity": "Order", "set": {"status": {"value": "OPEN"}}}
    given = order("6", "bob", "2026-01-04T10:00:00Z")
    after = write(pattern, **{name: given[name] for name in given if name != "status"})
    assert after["Order"] == (*STATE["Order"], given)


@pytest.mark.parametrize(
    ("pattern", "parameters", "because"),
    [
        ({"kind": "create", "entity": "User"}, {"userId": "ann"}, "User already exists"),
        (
            {"kind": "create", "entity": "User"},
            {"userId": "new", "email": "a@x"},
            "User: email is already taken",
        ),
        (
            {"kind": "upsert", "entity": "User"},
            {"userId": "bob", "email": "a@x"},
            "User: email is already taken",
        ),
        (
            {"kind": "update", "entity": "User", "set": {"email": {"param": "email"}}},
            {"userId": "bob", "email": "a@x"},
            "User: email is already taken",
        ),
        ({"kind": "delete", "entity": "User"}, {"userId": "zoe"}, "User does not exist"),
        (
            {"kind": "update", "entity": "User", "greatest": {"visits": "n"}},
            {"userId": "ann", "n": Decimal(2)},
            "User: visits is not smaller",
        ),
        (
            {
                "kind": "update",
                "entity": "User",
                "add": {"visits": {"minus": "n"}},
                "if": [{"attribute": "visits", "from": {"param": "n"}}],
            },
            {"userId": "ann", "n": Decimal(3)},
            "User: the condition on visits does not hold",
        ),
        (
            {"kind": "transaction", "members": [{"check": "User", "exists": False}]},
            {"userId": "ann"},
            "User exists",
        ),
        (
            {
                "kind": "transaction",
                "members": [{"check": "User", "if": [{"attribute": "visits", "missing": True}]}],
            },
            {"userId": "nobody"},
            "User does not exist",
        ),
        (
            {
                "kind": "transaction",
                "members": [{"delete": "Order", "times": {"average": 2, "most": 5}}],
            },
            {"Order": [{"orderId": "1"}, {"orderId": "1"}]},
            "Order: the same item is written twice",
        ),
    ],
)
def test_a_write_is_refused(pattern, parameters, because):
    assert write(pattern, **parameters) == Refused(because)


def test_update_sets_removes_adds_and_keeps_the_greatest():
    pattern = {
        "kind": "update",
        "entity": "User",
        "by": ["email"],
        "set": {"region": {"value": "west"}},
        "add": {"visits": {"value": 5}},
    }
    assert write(pattern, email="a@x")["User"][0]["visits"] == 7
    pattern = {"kind": "update", "entity": "User", "greatest": {"visits": "n"}}
    assert write(pattern, userId="bob", n=Decimal(3))["User"][1]["visits"] == 3
    pattern = {"kind": "update", "entity": "User", "remove": ["visits", "email"]}
    assert write(pattern, userId="ann")["User"][0] == {"userId": "ann", "region": "north"}


def test_an_own_unique_value_is_not_taken():
    pattern = {"kind": "update", "entity": "User", "set": {"email": {"param": "email"}}}
    assert write(pattern, userId="ann", email="a@x") == STATE


def test_delete_with_where_takes_every_match_and_is_never_refused():
    pattern = {"kind": "delete", "entity": "Order", "where": OF_USER["where"]}
    assert [item["orderId"] for item in write(pattern, u="ann")["Order"]] == ["4", "5"]
    assert write(pattern, u="nobody") == STATE


def test_a_transaction_writes_every_row_or_nothing():
    members = [
        {"check": "User", "exists": True},
        {"update": "Order", "set": {"status": {"value": "PAID"}}, "each": "lines",
         "times": {"average": 2, "most": 9}},
    ]  # fmt: skip
    pattern = {"kind": "transaction", "members": members}
    after = write(pattern, userId="ann", lines=[{"orderId": "1"}, {"orderId": "3"}])
    assert [item["status"] for item in after["Order"][:3]] == ["PAID"] * 3
    refused = write(pattern, userId="ann", lines=[{"orderId": "1"}, {"orderId": "9"}])
    assert refused == Refused("Order does not exist")


def test_rows_of_a_single_write_stand_each_on_its_own():
    pattern = {"kind": "delete", "entity": "Order", "times": {"average": 2, "most": 5}}
    after = write(pattern, Order=[{"orderId": "1"}, {"orderId": "9"}])
    assert [item["orderId"] for item in after["Order"]] == ["2", "3", "4", "5"]
