"""What the planner promises of any design, said on small ones."""

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.plan import Operation, Plan, Style
from designer.core.planner import plan
from designer.core.planner.what_if.patterns_of_key import KeyAsked
from designer.core.planner.what_if.why_not import why_not
from tests.bench.workloads import workload
from tests.core.priced import numbered
from tests.messages import reasons_of
from tests.planned import planned


def design(entities: list[dict], patterns: list[dict], **more: object) -> Design:
    return Design.model_validate(
        {"name": "Test", "entities": entities, "patterns": numbered(patterns), **more}
    )


ORDER = {
    "name": "Order",
    "identifier": ["orderId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "orderId", "format": "uuid"},
        {"name": "userId", "bytes": 12, "distinct": 100_000},
        {"name": "placedAt", "format": "datetime"},
        {
            "name": "status",
            "values": ["OPEN", "DONE"],
            "shares": [0.01, 0.99],
            "mutable": True,
        },
        {"name": "total", "type": "N", "digits": 8, "scale": 2},
        {"name": "note", "bytes": 3000, "mutable": True},
    ],
}
CREATE = {"kind": "create", "entity": "Order", "rate": {"average": 10}}


GET = {
    "kind": "get",
    "returns": "Order",
    "where": [{"attribute": "orderId", "is": {"param": "orderId"}}],
    "rate": {"average": 20},
}


def is_(name: str) -> dict:
    return {"attribute": name, "is": {"param": name}}


def listing(*where: dict, **more: object) -> dict:
    rate = {"average": 5}
    return {"kind": "list", "returns": "Order", "where": list(where), "rate": rate, **more}


def operation(made: Plan, number: int) -> Operation:
    (found,) = made.operations_for(number)
    return found


def indexes(made: Plan) -> list:
    return [index for table in made.tables for index in table.indexes]


@pytest.fixture(params=["single", "multi"])
def style(request) -> Style:
    return request.param


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_the_same_design_gives_the_same_plan_byte_for_byte(slug, style):
    design = gallery.load(slug)
    once = planned(design, style)
    again = plan(Design.model_validate_json(design.model_dump_json()), style)
    assert once.model_dump_json() == again.model_dump_json()


def test_an_index_holds_only_what_its_patterns_need(style):
    asked = listing(is_("userId"), attributes=["orderId", "total"], order=["placedAt descending"])
    (index,) = indexes(plan(design([ORDER], [asked, CREATE, GET]), style))
    assert index.projection.type == "INCLUDE"
    assert "note" not in index.projection.attributes
    assert "total" in index.projection.attributes


def test_a_constant_that_few_items_carry_makes_a_sparse_index(style):
    constant = {"attribute": "status", "is": {"value": "OPEN"}}
    asked = listing(constant, is_("userId"), order=["placedAt ascending"])
    done = {
        "kind": "update",
        "entity": "Order",
        "set": {"status": {"value": "DONE"}},
        "rate": {"average": 10},
    }
    made = plan(design([ORDER], [asked, CREATE, done, GET]), style)
    assert [index.sparse for index in indexes(made)] == [True]
    (step,) = operation(made, 3).steps  # leaving the index takes no read first
    assert step.members[0].remove


def test_a_busy_index_is_not_given_a_rarely_asked_attribute_that_changes(style):
    asked = listing(
        is_("userId"), is_("status"), attributes=["orderId"], limit=20, rate={"average": 0.001}
    )
    often = listing(is_("userId"), attributes=["orderId"], rate={"average": 50})
    change = {
        "kind": "update",
        "entity": "Order",
        "set": {"status": {"param": "status"}},
        "rate": {"average": 500},
    }
    made = plan(design([ORDER], [asked, often, CREATE, change, GET]), style)
    keys = {name.name for index in indexes(made) for name in (*index.partition, *index.sort)}
    assert not any("status" in name for name in keys)


def test_a_strong_read_is_never_served_from_an_index(style):
    asked = listing(is_("userId"), consistency="strong")
    made = plan(design([ORDER], [asked, CREATE, GET]), style)
    for step in operation(made, 1).steps:
        assert step.index is None


def test_what_no_key_can_serve_is_a_finding_and_never_a_scan(style):
    asked = {
        **listing({"attribute": "note", "contains": {"param": "word"}}),
        "consistency": "strong",
    }
    made = plan(design([ORDER], [asked, CREATE, GET]), style)
    assert operation(made, 1).answer == "not served"
    assert [(f.rule, f.where) for f in made.findings if f.severity == "error"] == [
        ("not-served", "patterns.1")
    ]


def test_a_write_that_is_not_given_a_key_part_reads_it_first(style):
    desk = {"name": "desk", "bytes": 8, "distinct": 1000, "mutable": True}
    hall = {"name": "hall", "bytes": 8, "distinct": 200}
    entity = {**ORDER, "attributes": [*ORDER["attributes"], desk, hall]}
    order = ["desk ascending", "placedAt ascending"]
    asked = listing(is_("hall"), attributes=["orderId"], order=order, limit=3)
    change = {
        "kind": "update",
        "entity": "Order",
        "set": {"desk": {"param": "newDesk"}},
        "rate": {"average": 0.01},
    }
    made = plan(design([entity], [asked, CREATE, change, GET]), style)
    read, write = operation(made, 3).steps
    assert (read.call, read.consistent) == ("GetItem", True)
    (member,) = write.members
    assert [test.attribute for test in member.if_ if test.same_as == read.id] == ["placedAt"]
    given = {**change, "given": ["placedAt"]}
    made = plan(design([entity], [asked, CREATE, given, GET]), style)
    assert operation(made, 3).answer == "in one request"


def test_a_unique_attribute_is_guarded_in_the_same_transaction(style):
    entity = {
        **ORDER,
        "attributes": [*ORDER["attributes"], {"name": "code", "bytes": 9, "unique": True}],
    }
    (step,) = operation(plan(design([entity], [CREATE, GET]), style), 1).steps
    assert step.call == "TransactWriteItems"
    assert [member.verb for member in step.members] == ["put", "put"]
    assert all(member.if_ for member in step.members)


def test_a_transaction_that_may_grow_too_large_is_refused_with_a_remedy(style):
    many = {
        "kind": "transaction",
        "members": [{"create": "Order", "times": {"average": 3, "most": 101}}],
    }
    found = operation(plan(design([ORDER], [many]), style), 1)
    assert found.answer == "not served"
    assert reasons_of(found) == {"too-many-items": {"most": 101, "limit": 100}}


def test_patterns_without_a_rate_are_served_and_left_out_of_the_bill(style):
    asked = listing(is_("userId"), order=["placedAt descending"], limit=10)
    made = plan(design([ORDER], [{**asked, "rate": None}, CREATE, GET]), style)
    assert operation(made, 1).answer == "in one request"
    assert operation(made, 1).usd_per_month is None
    assert made.cost.without_patterns == (1,)


def test_each_case_of_an_optional_condition_has_its_operation(style):
    asked = listing(is_("userId"), {**is_("status"), "optional": True})
    found = plan(design([ORDER], [asked, CREATE, GET]), style).operations_for(1)
    assert [one.given for one in found] == [("status",), ()]


def test_names_that_users_take_do_not_collide_with_ours():
    taken = [{"name": name, "bytes": 5} for name in ("PK", "SK", "Type", "GSI1PK", "GSI1SK")]
    entity = {**ORDER, "attributes": [*ORDER["attributes"], *taken]}
    asked = listing(is_("userId"))
    made = plan(design([entity], [asked, CREATE, GET]), "single")
    (shape,) = made.tables[0].items
    assert not set(shape.set) & set(shape.attributes)


def test_every_key_index_and_guard_has_its_reason(style):
    made = planned(gallery.load("shop"), style)
    about = {decision.about for decision in made.decisions}
    for table in made.tables:
        for index in table.indexes:
            assert f"index {table.name}/{index.name}" in about
    assert {f"key {entity.name}" for entity in gallery.load("shop").entities} <= about
    assert "guard User.email" in about
    assert all(decision.because for decision in made.decisions)


@pytest.mark.slow
def test_a_large_design_is_planned_whole(style):
    made = plan(workload(20, 160), style)
    assert {operation.answer for operation in made.operations} <= {
        "in one request",
        "in several requests",
    }
    assert made.cost.per_month >= made.cost.bound > 0


DEVICE = {
    "name": "Device",
    "identifier": ["homeId", "deviceId"],
    "items": 10_000,
    "attributes": [
        {"name": "homeId", "bytes": 8, "distinct": 1000},
        {"name": "deviceId", "format": "uuid"},
        {"name": "imei", "bytes": 15, "unique": True, "mutable": True},
    ],
}


def test_items_of_a_collection_are_deleted_with_their_guards_and_only_with_their_own(style):
    empty = {"kind": "delete", "entity": "Device", "where": [is_("homeId")]}
    read, write = operation(plan(design([DEVICE], [empty]), style), 1).steps
    assert (write.call, write.for_each.rows) == ("TransactWriteItems", read.id)
    item, guard = write.members
    assert [(test.attribute, test.same_as) for test in item.if_] == [("imei", read.id)]
    assert "imei" in str(guard.key)


def test_a_transaction_that_may_name_one_item_twice_is_refused(style):
    twice = {
        "kind": "transaction",
        "members": [
            {"update": "Device", "set": {"imei": {"param": "newImei"}}},
            {"delete": "Device", "by": ["imei"]},
        ],
    }
    found = operation(plan(design([DEVICE], [twice]), style), 1)
    assert found.answer == "not served"
    assert reasons_of(found) == {"same-item-twice": {"entity": "Device"}}


def test_whether_something_exists_is_priced_as_one_item(style):
    asked = {**listing(is_("userId")), "kind": "exists"}
    found = operation(plan(design([ORDER], [asked, CREATE, GET]), style), 1)
    assert (found.requests, found.read_units) == (1, 0.5)


def test_the_steps_of_an_operation_add_up(style):
    keys_then_items = listing(is_("userId"), limit=2, rate={"average": 0.001})
    much_written = {**CREATE, "rate": {"average": 5000}}
    made = plan(design([ORDER], [keys_then_items, much_written, GET]), style)
    found = operation(made, 1)
    assert [step.call for step in found.steps] == ["Query", "BatchGetItem"]
    # One page of keys, and two items of more than 3 KB, each rounded up to 4 KB by itself.
    assert [step.expects.units for step in found.steps] == [0.5, 1.0]
    assert found.read_units == 1.5


def test_several_values_of_an_attribute_are_each_read_no_further_than_the_limit(style):
    some = {"attribute": "userId", "any_of": {"param": "users"}}
    asked = listing(some, order=["placedAt descending"], limit=5, attributes=["orderId"])
    (step,) = operation(plan(design([ORDER], [asked, CREATE, GET]), style), 1).steps
    assert (step.limit, step.until) == (5, {"rows": 5})


def test_entities_whose_keys_read_alike_are_told_apart_where_they_lie():
    cat = {
        "name": "Cat",
        "identifier": ["catId"],
        "attributes": [{"name": "catId", "format": "uuid"}],
    }
    sighting = {
        "name": "Sighting",
        "identifier": ["catId", "seenAt"],
        "attributes": [{"name": "catId", "bytes": 6}, {"name": "seenAt", "format": "datetime"}],
    }
    by_cat = {"attribute": "catId", "is": {"param": "catId"}}
    asked = [
        {"kind": "get", "returns": "Cat", "where": [by_cat]},
        {"kind": "list", "returns": "Sighting", "where": [by_cat]},
    ]
    (table,) = plan(design([cat, sighting], asked), "single").tables
    sort_keys = [shape.set["SK"] for shape in table.items]
    assert len({key.partition("#")[0] for key in sort_keys}) == 2


def test_a_part_of_a_composite_identifier_has_as_many_values_as_it_says():
    level = {
        "name": "Level",
        "identifier": ["sku", "site"],
        "items": 1_500_000,
        "attributes": [{"name": "sku", "bytes": 9}, {"name": "site", "bytes": 4, "distinct": 40}],
    }
    site = {"name": "site", "bytes": 4, "refers_to": "Level.site"}
    order = {**ORDER, "attributes": [*ORDER["attributes"], site]}
    made = plan(design([order, level], [listing(is_("site")), CREATE]), "multi")
    (step,) = operation(made, 1).steps
    assert step.expects.read == pytest.approx(1_000_000 / 40)


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_the_certificate_asks_for_no_more_indexes_than_there_are(slug, style):
    made = planned(gallery.load(slug), style)
    assert made.certificate.indexes_at_least <= len(indexes(made))


def test_what_costs_something_is_priced_on_one_footing():
    made = planned(gallery.load("merchant-orders"), "single")
    (pending,) = [
        d
        for d in made.decisions
        if d.chosen.id == "key-of" and any("when(" in text for _, text in d.chosen.values["key"])
    ]
    for rejected in pending.instead_of:
        if rejected.per_month is not None:
            assert rejected.per_month >= pending.per_month


FLAG = {
    "name": "Flag",
    "identifier": ["env", "name"],
    "items": 30_000,
    "attributes": [
        {"name": "env", "values": ["DEV", "STAGE", "PROD"], "shares": [0.05, 0.05, 0.9]},
        {"name": "name", "bytes": 20, "distinct": 10_000},
        {"name": "owner", "bytes": 12, "distinct": 2_000},
        {"name": "rules", "bytes": 300, "mutable": True},
    ],
}


def partition_of(made, index=None):
    """The partition key of flags, in the table or an index: its text, or the attribute it is."""
    (table,) = made.tables
    (shape,) = table.items
    key = table.key.partition
    if index is not None:
        key = next(one for one in table.indexes if one.name == index).partition[0]
    return shape.set.get(key.name, f"{{{key.name}}}")


def test_a_table_key_of_few_values_is_no_better_where_nobody_asks_for_them(style):
    get = {"kind": "get", "returns": "Flag", "where": [is_("env"), is_("name")]}
    put = {"kind": "create", "entity": "Flag", "rate": {"average": 1}}
    flags = design([FLAG], [{**get, "rate": {"average": 300, "peak": 2000}}, put])
    assert "{name}" in partition_of(plan(flags, style))
    found = why_not(flags, style, KeyAsked("Flag", ("env",), ("name",)))
    assert not found.listed and "has few values" in found.listing


def test_no_shorter_text_puts_what_many_ask_for_into_one_partition():
    """Scores of a player, by an index: one key for all scores would be shorter, by a cent's worth of bytes."""
    score = {
        "name": "Score",
        "identifier": ["gameId", "playerId"],
        "items": 5_000_000,
        "attributes": [
            {"name": "gameId", "bytes": 12, "distinct": 40},
            {"name": "playerId", "format": "uuid", "distinct": 400_000},
            {"name": "points", "type": "N", "format": "integer", "digits": 9, "mutable": True},
        ],
    }
    top = {"kind": "list", "returns": "Score", "order": ["points descending"], "limit": 100}
    mine = {"kind": "list", "returns": "Score", "where": [is_("playerId")]}
    rank, over = (
        {"kind": "count", "returns": "Score"},
        {"attribute": "points", "after": {"param": "mine"}},
    )
    won = {"kind": "update", "entity": "Score", "add": {"points": {"param": "won"}}}
    asked = [
        {**mine, "rate": {"average": 30}},
        {**top, "where": [], "rate": {"average": 1}},
        {**top, "where": [is_("gameId")], "rate": {"average": 50, "peak": 800}},
        {**rank, "where": [is_("gameId"), over], "rate": {"average": 20}},
        {**won, "rate": {"average": 500, "peak": 3000}},
        {"kind": "create", "entity": "Score", "rate": {"average": 5}},
    ]
    made = plan(design([score], asked), "single")
    (table,) = made.tables
    through = operation(made, 1).steps[0].index
    index = next((one for one in table.indexes if one.name == through), None)
    partition = table.key.partition if index is None else index.partition[0]
    assert "{playerId}" in table.items[0].set[partition.name]


@pytest.mark.parametrize("items", [10_000_000, 1_000_000_000])
def test_what_takes_ever_so_many_requests_is_served_if_nobody_says_how_often(items, style):
    kind = {"name": "kind", "values": ["VIEW", "BUY"], "shares": [0.8, 0.2]}
    region = {"name": "region", "distinct": 4}
    event = {"name": "Event", "identifier": ["eventId"], "items": items}
    event["attributes"] = [{"name": "eventId", "format": "uuid"}, kind, region]
    event["attributes"] += [{"name": "body", "bytes": 300}]
    lists = [{"kind": "list", "returns": "Event", "where": [is_(by)]} for by in ("kind", "region")]
    often = {"rate": {"average": 10}}
    asked = {"kind": "get", "returns": "Event", "where": [is_("eventId")], **often}
    made = plan(
        design([event], [*lists, asked, {"kind": "create", "entity": "Event", **often}]), style
    )
    assert "not served" not in {one.answer for one in made.operations}
    assert {(one.rule, one.where) for one in made.findings} == {
        ("many-pages", "patterns.1"),
        ("many-pages", "patterns.2"),
    }
