"""Which entities share a table in the style between one table and many."""

import pytest

from designer.core.design import gallery
from designer.core.messages import say
from designer.core.plan import ALL_STYLES
from designer.core.planner import plan
from tests.core.test_planner import design, is_
from tests.planned import outlined

SHOP = [
    {
        "name": "User",
        "identifier": ["userId"],
        "items": 1000,
        "attributes": [{"name": "userId", "format": "uuid"}],
    },
    {
        "name": "Order",
        "identifier": ["orderId"],
        "items": 10_000,
        "attributes": [
            {"name": "orderId", "format": "ulid"},
            {"name": "userId", "refers_to": "User.userId"},
        ],
    },
    {
        "name": "Product",
        "identifier": ["sku"],
        "items": 500,
        "attributes": [{"name": "sku", "bytes": 8}],
    },
]
PLACES = {"name": "places", "one": "User", "many": "Order", "average": 10}
BY_ID = [
    {"kind": "get", "returns": name, "where": [is_(key)], "rate": {"average": 1}}
    for name, key in (("User", "userId"), ("Order", "orderId"), ("Product", "sku"))
]
TOGETHER = {
    "kind": "get",
    "returns": "User",
    "where": [is_("userId")],
    "with": [{"relationship": "places"}],
    "rate": {"average": 50},
}


def tables(made):
    return [sorted({shape.entity for shape in table.items}) for table in made.tables]


def shop(patterns=(), needs=None, identifying=False, **settings):
    entities = [
        {
            **entity,
            **({"needs": needs[entity["name"]]} if needs and entity["name"] in needs else {}),
        }
        for entity in SHOP
    ]
    relationships = [{**PLACES, "identifying": identifying}]
    return design(entities, [*BY_ID, *patterns], relationships=relationships, planner=settings)


def test_what_nothing_holds_together_has_a_table_of_its_own():
    assert tables(plan(shop(), "grouped")) == [["User"], ["Order"], ["Product"]]


def test_what_is_read_in_one_request_shares_a_table():
    made = plan(shop([TOGETHER]), "grouped")
    assert tables(made) == [["Order", "User"], ["Product"]]
    assert [table.name for table in made.tables] == ["Users", "Products"]
    (answer,) = made.operations_for(4)
    assert answer.answer == "in one request"


def test_what_is_meaningless_without_another_shares_its_table():
    assert tables(plan(shop(identifying=True), "grouped")) == [["Order", "User"], ["Product"]]


def test_a_team_has_one_table_called_after_it():
    mine = {"team": "catalogue"}
    made = plan(shop(needs={"Order": mine, "Product": mine}), "grouped")
    assert tables(made) == [["User"], ["Order", "Product"]]
    assert made.tables[1].name == "Catalogue"


@pytest.mark.parametrize(
    "need",
    [
        {"stream": "new"},
        {"recovery_days": 7},
        {"table_class": "infrequent-access"},
        {"team": "orders"},
    ],
)
def test_entities_with_other_needs_do_not_share_a_table(need):
    made = plan(shop([TOGETHER], needs={"Order": need}), "grouped")
    assert tables(made) == [["User"], ["Order"], ["Product"]]
    (answer,) = made.operations_for(4)
    assert answer.answer == "in several requests"


def test_a_pin_brings_together_what_differs_and_a_finding_says_so():
    pin = {"table": ["User", "Order"], "name": "people"}
    made = plan(shop([TOGETHER], needs={"Order": {"stream": "new"}}, pins=[pin]), "grouped")
    assert [table.name for table in made.tables] == ["people", "Products"]
    assert tables(made)[0] == ["Order", "User"]
    (said,) = [f.problem for f in made.findings if f.rule == "needs-differ"]
    assert said == say("needs-differ", table="people", needs=("stream",))


def test_a_pin_lets_entities_share_a_table_in_multi_table_style_too():
    pin = {"style": "multi", "table": ["Order", "User"], "name": "people"}
    made = plan(shop([TOGETHER], pins=[pin]), "multi")
    assert tables(made) == [["Order", "User"], ["Product"]]
    (answer,) = made.operations_for(4)
    assert answer.answer == "in one request"


def test_only_shared_tables_have_a_type():
    made = plan(shop([TOGETHER]), "grouped")
    typed = {table.name: {"Type" in shape.set for shape in table.items} for table in made.tables}
    assert typed == {"Users": {True}, "Products": {False}}


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_entity_has_one_home_in_each_style(slug):
    made = gallery.load(slug)
    for style in ALL_STYLES:
        homes = [
            s.entity for t in outlined(made, style).tables for s in t.items if s.shape == s.entity
        ]
        assert sorted(homes) == sorted(made.entity)
