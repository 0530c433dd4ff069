"""Mistakes that made-up designs showed, each in its smallest form: on tables in memory."""

import pytest

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.plan import STYLES
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.planned import outlined

USER = {
    "name": "User",
    "identifier": ["userId"],
    "items": 1000,
    "attributes": [
        {"name": "userId", "format": "ulid"},
        {"name": "region", "distinct": 100},
        {"name": "newest", "format": "datetime", "aggregate": "greatest of places.placedAt"},
    ],
}
ORDER = {
    "name": "Order",
    "identifier": ["orderId"],
    "items": 10_000,
    "attributes": [
        {"name": "orderId", "format": "ulid"},
        {"name": "userId", "format": "ulid", "refers_to": "User.userId"},
        {"name": "second", "format": "ulid", "refers_to": "User.userId", "present": 0.5},
        {"name": "placedAt", "format": "datetime"},
    ],
}
PLACES = {"name": "places", "one": "User", "many": "Order", "by": "userId"}
ALSO = {"name": "also", "one": "User", "many": "Order", "by": "second"}
BY_REGION = {
    "kind": "list",
    "returns": "User",
    "where": [{"attribute": "region", "is": {"param": "region"}}],
    "consistency": "strong",
}
CREATE = {"kind": "create", "entity": "Order"}


def design(patterns, user=USER, relationships=(PLACES,)):
    return Design.model_validate(
        {
            "name": "Shop",
            "entities": [user, ORDER],
            "relationships": relationships,
            "patterns": [
                {"number": number, "name": f"Pattern {number}", **pattern}
                for number, pattern in enumerate(patterns, 1)
            ],
        }
    )


def wrong(made):
    found = []
    for style in STYLES:
        verdict = prove_on(Engine("memory", Memory()), made, outlined(made, style))
        found += [verdict.problem] if verdict.problem else []
        found += [one.difference for one in verdict.patterns if one.status != "passed"]
    return found


CHANGES = {
    "a change of what the figure is over": {"placedAt": {"param": "newTime"}},
    "another parent": {"userId": {"param": "newUser"}},
}


@pytest.mark.parametrize("said", CHANGES.values(), ids=CHANGES)
def test_a_write_is_refused_where_no_guard_finds_the_parent_whose_figure_it_changes(said):
    update = {"kind": "update", "entity": "Order", "set": said}
    assert wrong(design([BY_REGION, update])) == []


def test_a_write_is_refused_where_no_guard_finds_a_parent_that_may_be_missing():
    user = {**USER, "attributes": [*USER["attributes"][:2], KEPT_OVER_SECOND]}
    made = design([BY_REGION, CREATE, {"kind": "delete", "entity": "Order"}], user, (PLACES, ALSO))
    assert wrong(made) == []


KEPT_OVER_SECOND = {"name": "orders", "type": "N", "digits": 9, "aggregate": "count of also"}


def test_a_check_of_the_parent_that_a_guard_finds_is_part_of_the_write_of_its_figure():
    members = [{"check": "User", "exists": True}, {"create": "Order"}]
    assert wrong(design([BY_REGION, {"kind": "transaction", "members": members}])) == []


def test_two_references_to_one_parent_whose_figures_both_change_are_refused():
    user = {**USER, "attributes": [*USER["attributes"], KEPT_OVER_SECOND]}
    assert wrong(design([CREATE], user, (PLACES, ALSO))) == []


def test_one_name_for_what_answers_a_pattern_never_puts_two_keys_of_an_entity_into_one_index():
    user = {
        "name": "User",
        "identifier": ["userId"],
        "items": 50_000,
        "attributes": [
            {"name": "userId", "format": "ulid"},
            {"name": "above", "format": "ulid", "refers_to": "User.userId", "present": 0.8},
            {"name": "title", "bytes": 20, "present": 0.4},
        ],
    }
    under = {"name": "under", "one": "User", "many": "User", "by": "above", "average": 3}
    titled = {
        "kind": "list",
        "returns": "User",
        "where": [
            {"attribute": "above", "is": {"param": "above"}},
            {"attribute": "title", "from": {"param": "from"}},
        ],
        "order": ["title descending"],
        "limit": 3,
        "rate": {"average": 20},
    }
    with_all = {
        "kind": "get",
        "returns": "User",
        "where": [{"attribute": "userId", "is": {"param": "userId"}}],
        "with": [{"relationship": "under"}],
        "rate": {"average": 0.5},
    }
    remove = {"kind": "update", "entity": "User", "remove": ["title"], "rate": {"average": 0.5}}
    made = design([titled, remove, with_all], user, (under,))
    planner = made.planner.model_copy(update={"pins": (Pin(pattern=1, index="Answers"),)})
    assert wrong(made.model_copy(update={"planner": planner})) == []


def test_what_the_caller_says_of_an_item_is_in_it():
    """The proof's own caller: an attribute that an item lacks cannot be given."""
    entity = {**ORDER, "attributes": [*ORDER["attributes"][:3], TIME]}
    by_time = {"attribute": "placedAt", "is": {"param": "placedAt"}}
    made = Design.model_validate(
        {
            "name": "Shop",
            "entities": [USER_ALONE, entity],
            "patterns": [
                {"number": 1, "name": "Listed", **LISTED, "where": [by_time]},
                {"number": 2, "name": "Moved", **MOVED},
            ],
        }
    )
    assert wrong(made) == []


TIME = {"name": "placedAt", "format": "datetime", "present": 0.4}
USER_ALONE = {**USER, "attributes": USER["attributes"][:2]}
LISTED = {"kind": "list", "returns": "Order", "order": ["second ascending"]}
MOVED = {
    "kind": "update",
    "entity": "Order",
    "given": ["placedAt"],
    "set": {"second": {"param": "other"}},
}


def test_several_items_are_asked_of_an_index_that_their_identifier_only_ends():
    several = {"attribute": "orderId", "any_of": {"param": "ids"}}
    by_user = [{"attribute": "userId", "is": {"param": "userId"}}]
    with_orders = {"where": by_user, "with": [{"relationship": "places"}]}
    made = design(
        [
            {"kind": "list", "returns": "Order", "order": ["placedAt ascending"]},
            {"kind": "get", "returns": "User", **with_orders, "rate": {"average": 0.5}},
            {"kind": "batch_get", "returns": "Order", "where": [several], "expects": 3},
        ],
        USER_ALONE,
    )
    few = tuple(entity.model_copy(update={"items": 200}) for entity in made.entities)
    planner = made.planner.model_copy(update={"max_gsis": 1})
    assert wrong(made.model_copy(update={"entities": few, "planner": planner})) == []


def test_a_list_of_derived_values_is_asked_by_a_key():
    entity = {**ORDER, "attributes": [*ORDER["attributes"], DAY], "items": 200}
    days = {"attribute": "day", "any_of": {"param": "days"}}
    later = {"attribute": "placedAt", "after": {"param": "time"}}
    by_user = {"attribute": "userId", "is": {"param": "userId"}}
    asked = {"kind": "list", "returns": "Order", "where": [by_user, days, later]}
    made = {"name": "Shop", "entities": [USER_ALONE, entity]}
    made["patterns"] = [{"number": 1, "name": "Days", **asked, "rate": {"average": 1}}]
    assert wrong(Design.model_validate(made)) == []


DAY = {"name": "day", "derived": "date(placedAt)"}


def test_what_has_one_of_several_values_is_put_in_the_order_of_these():
    """A filter keeps items of all the values, in the order of the key that is read, which says nothing of theirs."""
    kept = {"name": "state", "values": ["NEW", "PAID", "SENT"], "mutable": True}
    entity = {**ORDER, "attributes": [*ORDER["attributes"], kept], "items": 200}
    several = {"attribute": "state", "any_of": {"param": "states"}}
    newest = {
        "where": [several],
        "order": ["state descending"],
        "limit": 1,
        "rate": {"average": 20},
    }
    made = {"name": "Shop", "entities": [USER_ALONE, entity]}
    made["patterns"] = [
        {"number": 1, "name": "Of some", "kind": "list", "returns": "Order", **newest},
        {"number": 2, "name": "All", "kind": "list", "returns": "Order", "rate": {"average": 20}},
        {"number": 3, "name": "Pay", "kind": "update", "entity": "Order", "rate": {"average": 200}}
        | {"set": {"state": {"param": "state"}}},
    ]
    made["planner"] = {"pins": [{"pattern": 1, "projection": "all"}]}
    chosen = Design.model_validate(made)
    assert [o.steps[0].filter for o in outlined(chosen, "multi").operations_for(1)] != [()]
    assert wrong(chosen) == []
