"""Pins: what is taken by hand is obeyed, and what can't be is refused where the design is read."""

import pytest

from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.pins import pin_flaws
from designer.core.design.settings import Pin
from designer.core.messages import Message, say, text
from designer.core.plan import ALL_STYLES
from designer.core.planner import KeyAsked, plan, why_not
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.structures import Structure
from designer.proof.prove import prove
from tests.core.test_planner import CREATE, GET, ORDER, design, indexes, is_, listing, operation
from tests.messages import reasons_of, said_in

OF_USER = listing(is_("userId"), attributes=["orderId", "total"], order=["placedAt descending"])


def pinned(*pins: dict, patterns: list[dict] | None = None, **settings: object) -> Design:
    asked = [OF_USER, CREATE, GET] if patterns is None else patterns
    made = design([ORDER], asked, planner={"pins": list(pins), **settings})
    assert check(made) == ()
    return made


def flaws(*pins: dict) -> list[Message]:
    made = design([ORDER], [OF_USER, CREATE, GET], planner={"pins": list(pins)})
    found = [flaw for _, flaw in pin_flaws(made)]
    assert [problem.message for problem in check(made)] == list(map(text, found))
    return found


USER = {
    "name": "User",
    "identifier": ["userId"],
    "attributes": [{"name": "userId", "format": "uuid"}, {"name": "handle", "unique": True}],
}
JOIN = {"name": "Join", "kind": "create", "entity": "User"}
PROFILE = {**GET, "returns": "User", "where": [is_("userId")]}


def pinned_user(*keys: dict, entity: dict = USER) -> Design:
    pins = [{"entity": "User", "key": key} for key in keys]
    return design([entity], [JOIN, PROFILE], planner={"pins": pins})


def shape(made, name="Order"):
    return next(s for table in made.tables for s in table.items if s.shape == name)


def key_names(made):
    (table,) = made.tables
    return table.key.partition.name, table.key.sort and table.key.sort.name


@pytest.fixture(params=["single", "multi"])
def style(request):
    return request.param


def test_a_pinned_key_is_kept_to_the_letter(style):
    key = {"partition": "U#{userId}", "sort": "O#{placedAt}#{orderId}"}
    names = {"partition": "pk", "sort": "sk"}
    made = plan(pinned({"entity": "Order", "key": key, "names": names}), style)
    assert key_names(made) == ("pk", "sk")
    assert shape(made).set["pk"] == "U#{userId}"
    assert shape(made).set["sk"] == "O#{placedAt}#{orderId}"
    (step,) = operation(made, 1).steps
    assert step.index is None
    assert [c.equals or c.begins_with for c in step.where] == ["U#{userId}", "O#"]


def test_a_sort_key_of_text_alone_is_kept_too(style):
    key = {"partition": "ORD#{orderId}", "sort": "META"}
    made = plan(pinned({"entity": "Order", "key": key}), style)
    (step,) = operation(made, 3).steps
    assert list(step.key.values()) == ["ORD#{orderId}", "META"]


def test_a_lone_attribute_is_itself_in_a_table_of_its_own_and_text_in_a_shared_one():
    made = pinned({"entity": "Order", "key": {"partition": "{orderId}"}})
    assert key_names(plan(made, "multi")) == ("orderId", None)
    assert shape(plan(made, "single")).set["PK"] == "{text(orderId)}"


def test_what_is_left_out_of_a_pinned_key_is_chosen(style):
    made = plan(pinned({"entity": "Order", "key": {"partition": "U#{userId}"}}), style)
    partition, sort = key_names(made)
    assert shape(made).set[partition] == "U#{userId}"
    assert "orderId" in shape(made).set.get(sort, sort)
    assert operation(made, 1).steps[0].index is None


def test_numbers_in_a_pinned_key_are_padded(style):
    pin = {
        "entity": "Order",
        "index": "ByTotal",
        "key": {"partition": "ALL", "sort": "{total}#{orderId}"},
    }
    (index,) = [i for i in indexes(plan(pinned(pin), style)) if i.name == "ByTotal"]
    assert shape(plan(pinned(pin), style)).set[index.sort[0].name] == "{pad(8, 2, total)}#{orderId}"


@pytest.mark.parametrize(
    ("projection", "held", "requests"),
    [("all", "ALL", 1), ("include", "INCLUDE", 1), ("keys-only", "KEYS_ONLY", 2)],
)
def test_a_pinned_projection_is_held(style, projection, held, requests):
    key = {"partition": "U#{userId}", "sort": "{placedAt}"}
    pin = {"entity": "Order", "index": "ByUser", "key": key, "projection": projection}
    made = plan(pinned(pin), style)
    (index,) = indexes(made)
    assert (index.name, index.projection.type) == ("ByUser", held)
    assert operation(made, 1).requests == requests


def test_a_pinned_index_is_there_though_nothing_reads_it(style):
    pin = {"entity": "Order", "index": "ByStatus", "key": {"partition": "{status}"}}
    made = plan(pinned(pin, patterns=[CREATE, GET]), style)
    assert [(index.name, index.serves) for index in indexes(made)] == [("ByStatus", ())]


def test_a_pattern_is_answered_from_the_index_it_is_pinned_to(style):
    pins = (
        {
            "entity": "Order",
            "index": "Wide",
            "key": {"partition": "{userId}", "sort": "{placedAt}#{status}"},
        },
        {"pattern": 1, "index": "Wide", "name": "Renamed"},
    )
    made = plan(pinned(*pins), style)
    assert [index.name for index in indexes(made)] == ["Renamed"]
    assert operation(made, 1).steps[0].index == "Renamed"


def test_a_new_name_is_given_to_the_index_that_answers(style):
    made = plan(pinned({"pattern": 1, "index": "Mine", "projection": "keys-only"}), style)
    assert [(i.name, i.projection.type) for i in indexes(made)] == [("Mine", "KEYS_ONLY")]


def test_the_key_of_the_index_that_answers_is_called_as_pinned(style):
    by_status = listing(is_("status"), order=["placedAt descending"]) | {"number": 7}
    by_user = {"pattern": 1, "name": "GSI7", "names": {"partition": "user", "sort": "newest"}}
    asked = [OF_USER, CREATE, GET, by_status]
    made = plan(pinned(by_user, patterns=asked), style)
    free = plan(design([ORDER], asked), style)
    (own,) = [index for index in indexes(made) if index.name == "GSI7"]
    (was,) = [index for index in indexes(free) if 1 in index.serves]
    if style == "single":
        assert (own.partition[0].name, own.sort[0].name) == ("user", "newest")
        assert (shape(made).set["user"], shape(made).set["newest"]) == tuple(
            shape(free).set[part.name] for part in (*was.partition, *was.sort)
        )
        assert not [each for each in made.findings if each.rule == "pin-not-obeyed"]
    else:
        # The items' own attributes are the key, and nothing can call them otherwise.
        assert (own.partition, own.sort) == (was.partition, was.sort)
        said = [each.problem for each in made.findings if each.rule == "pin-not-obeyed"]
        called = say("key-called", part="partition", name="userId")
        assert said == [say("pin-not-obeyed", pin=1, reason=called)]


def test_an_index_without_a_pin_keeps_its_number_beside_those_that_have_one():
    by = [
        listing(is_(name), order=["placedAt descending"]) for name in ("userId", "status", "total")
    ]
    patterns = [*by, CREATE, GET]
    free = plan(design([ORDER], patterns), "single")
    (first,), (second,), (third,) = (index.serves for index in indexes(free))
    assert [index.name for index in indexes(free)] == ["GSI1", "GSI2", "GSI3"]
    pins = ({"pattern": first, "name": "GSI9"}, {"pattern": third, "name": "GSI1"})
    made = plan(pinned(*pins, patterns=patterns), "single")
    assert {index.serves: index.name for index in indexes(made)} == {
        (first,): "GSI9",
        (second,): "GSI2",
        (third,): "GSI1",
    }


def test_a_table_is_called_as_pinned():
    made = plan(pinned({"style": "multi", "entity": "Order", "name": "all-orders"}), "multi")
    assert [table.name for table in made.tables] == ["all-orders"]


def test_a_pin_of_the_other_style_changes_nothing(style):
    other = "multi" if style == "single" else "single"
    pin = {"style": other, "entity": "Order", "key": {"partition": "X#{orderId}"}}
    free = plan(design([ORDER], [OF_USER, CREATE, GET]), style)
    assert plan(pinned(pin), style).tables == free.tables


def test_key_names_can_be_generic_in_tables_of_their_own_and_natural_in_a_shared_one():
    names = {"single": "natural", "multi": "generic"}
    assert key_names(plan(pinned(key_names=names), "multi")) == ("PK", None)
    assert key_names(plan(pinned(key_names=names), "single")) == ("partitionKey", "sortKey")


def test_a_design_can_be_priced_with_given_keys(style):
    base = Structure("Order", "base", ("orderId",), ())
    wide = Structure("Order", "index", ("userId",), ("placedAt",))
    extra = Structure("Order", "index", ("status",), ("placedAt",))
    given = Candidates((base,), {wide: "all", extra: frozenset({"total"})})
    made = plan(design([ORDER], [OF_USER, CREATE, GET]), style, {"Order": given})
    held = {index.projection.type for index in indexes(made)}
    assert held == {"ALL", "INCLUDE"}
    none = plan(design([ORDER], [OF_USER, CREATE, GET]), style, {"Order": Candidates((base,), {})})
    assert indexes(none) == []
    assert operation(none, 1).answer == "not served"


# What is refused

REFUSED = [
    (
        {"entity": "Order", "key": {"partition": "S#{status}", "sort": "{orderId}"}},
        say("changes-in-key", attribute="status"),
    ),
    (
        {"entity": "Order", "key": {"partition": "U#{userId}", "sort": "{placedAt}"}},
        say("key-of-two-items", entity="Order", pins=1, missing=("orderId",)),
    ),
    (
        {"entity": "Order", "key": {"partition": "{userId}{orderId}"}},
        say("delimiter-between", value="userId", following="orderId"),
    ),
    (
        {"entity": "Order", "key": {"partition": "{orderId}-{userId}"}},
        say("delimiter-after", value="orderId"),
    ),
    ({"pattern": 1, "names": {"sort": "a b"}}, say("key-name-not-allowed", name="a b")),
    (
        {"entity": "Order", "key": {"partition": "{orderId}#X{userId}"}},
        say("delimiter-before", following="userId"),
    ),
    (
        {"entity": "Order", "key": {"partition": "X#{order}"}},
        say(
            "unknown-in",
            where="Order",
            what="attribute",
            name="order",
            instead=say("did-you-mean", name="orderId"),
        ),
    ),
    ({"entity": "Order", "key": {"partition": "X#{orderId"}}, say("template-unreadable", at=3)),
    (
        {"entity": "Order", "key": {"partition": "{date(placedAt)}"}},
        say("state-derived-attribute", derived="date(placedAt)", entity="Order"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{pad(9, 0, total)}"}},
        say("padded-as-stated", attribute="total", digits=8, scale=2),
    ),
    (
        {"entity": "Order", "key": {"partition": '{only(userId, "1")}#{orderId}'}},
        say("only-index-leaves-out"),
    ),
    (
        {"entity": "Order", "key": {"partition": "{shard(4, userId)}#{orderId}"}},
        say("shard-by-identifier", templates=("{shard(4, orderId)}",)),
    ),
    (
        {"entity": "Order", "key": {"partition": "{shard(1, orderId)}#{orderId}"}},
        say("shard-out-of-range", most=1000, attribute="orderId"),
    ),
    (
        {
            "entity": "Order",
            "index": "ByT",
            "key": {"partition": "{userId}", "sort": "{shard(4, orderId)}"},
        },
        say("shards-in-sort-key"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{inverse(placedAt)}"}},
        say("inverted-partition-key"),
    ),
    (
        {
            "entity": "Order",
            "index": "ByT",
            "key": {"partition": "{userId}", "sort": "{inverse(total)}"},
        },
        say("inverted-is-written", attribute="total", template="{inverse(8, 2, total)}"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "X", "sort": "{inverse(userId)}"}},
        say("cannot-be-inverted", attribute="userId"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{when(total)}{userId}"}},
        say("when-not-in-key", attribute="total"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{only(userId)}"}},
        say("only-lists-values", attribute="userId"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{sum(userId)}"}},
        say("no-form-of-keys", form="sum", attribute="userId"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{inverse(8, 2, total)}"}},
        say("inverted-partition-key"),
    ),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "X", "sort": "{inverse(total)}"}},
        say("inverted-is-written", attribute="total", template="{inverse(8, 2, total)}"),
    ),
    (
        {"entity": "Order", "index": "a", "key": {"partition": "{userId}"}},
        say("name-not-allowed", name="a"),
    ),
    ({"projection": "all"}, say("projection-without-index")),
    ({"name": "Orders"}, say("name-of-nothing")),
    ({"pattern": 2, "index": "ByUser"}, say("pattern-reads-nothing", pattern=2)),
    ({"entity": "Order", "names": {"partition": "p k"}}, say("key-name-not-allowed", name="p k")),
    (
        {"entity": "Order", "key": {"partition": "X#{orderId}"}, "names": {"partition": "orderId"}},
        say("key-named-like-attribute", name="orderId", entity="Order"),
    ),
    (
        {"entity": "Order", "key": {"partition": "O#{orderId}", "sort": "O#{orderId}"}},
        say("repeats-partition-key"),
    ),
    (
        {
            "entity": "Order",
            "style": "single",
            "key": {"partition": "O#{orderId}", "sort": "META#{orderId}"},
        },
        say("partition-key-in-other-words"),
    ),
    ({"key": {"partition": "X#{orderId}"}}, say("key-without-entity")),
    ({"index": "ByUser"}, say("index-without-pattern")),
    ({"style": "single"}, say("empty-pin")),
    (
        {"entity": "Order", "key": {"partition": "{orderId}#{orderId}"}},
        say("attribute-twice-in-key"),
    ),
    (
        {"entity": "Orders", "name": "abc"},
        say("unknown", what="entity", name="Orders", instead=say("did-you-mean", name="Order")),
    ),
    ({"pattern": 9, "index": "ByUser"}, say("no-such-pattern", pattern=9)),
    (
        {"entity": "Order", "index": "ByT", "key": {"partition": "{date(total, userId)}"}},
        say("form-names-one-attribute", form="date"),
    ),
    (
        {
            "entity": "Order",
            "key": {"partition": "{shard(2, orderId)}#{shard(4, orderId)}#{orderId}"},
        },
        say("several-shards"),
    ),
]


@pytest.mark.parametrize(
    "keys",
    [
        [{"partition": "{handle}", "sort": "PROFILE"}],
        [{"partition": "{handle}"}, {"sort": "PROFILE"}],
    ],
)
def test_a_key_of_a_unique_attribute_is_not_said_to_be_that_of_two_items(keys):
    (problem,) = check(pinned_user(*keys))
    assert "it lacks userId; add it, or state handle, which is unique, as the identifier" in str(
        problem
    )
    assert "two items" not in str(problem)
    named = {**USER, "identifier": ["handle"], "attributes": [{"name": "handle"}]}
    get = {**GET, "returns": "User", "where": [is_("handle")]}
    pins = [{"entity": "User", "key": key} for key in keys]
    made = design([named], [JOIN, get], planner={"pins": pins})
    assert check(made) == ()
    for each in ("single", "multi"):
        assert not [one for one in plan(made, each).findings if one.rule == "pin-not-obeyed"]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ({"partition": "{userId}", "sort": "PROFILE"}, "The identifier is the key: "),
        (
            {"partition": "U#{handle}", "sort": "{userId}#"},
            "The partition key contains handle, which identifies one User. The sort key contains userId.",
        ),
        (
            {"partition": "U#{userId}", "sort": "{handle}#"},
            "The partition key contains userId, which identifies one User. The sort key contains handle.",
        ),
        (
            {"partition": "{handle}#{userId}"},
            "The partition key contains userId and handle, which identifies one ",
        ),
        (
            {"partition": "USERS", "sort": "U#{userId}"},
            "The identifier is the sort key. All items form one collection, sorted by userId, but no access pattern ",
        ),
        (
            {"partition": "USERS", "sort": "U#{handle}#{userId}"},
            "All items form one collection, sorted by handle and userId. Each key is unique, because it ends with ",
        ),
        (
            {"partition": "USERS", "sort": "U#{userId}#{handle}"},
            "All items form one collection, sorted by userId and handle. Each key is unique, because it contains ",
        ),
    ],
)
def test_what_is_said_of_a_pinned_key_is_true(key, said, style):
    made = pinned_user(key)
    assert check(made) == ()
    (told,) = [one for one in plan(made, style).decisions if one.about == "key User"]
    assert told.because.startswith(said)


@pytest.mark.parametrize(("pin", "flaw"), REFUSED, ids=[flaw.id for _, flaw in REFUSED])
def test_a_pin_that_no_plan_can_obey_is_refused(pin, flaw):
    assert flaws(pin) == [flaw]


def test_a_plan_says_of_a_pin_that_cannot_be_obeyed_what_is_wrong_with_it(style):
    """A design from before a rule was added is planned nevertheless."""
    pin = {"entity": "Order", "key": {"partition": "S#{status}", "sort": "{orderId}"}}
    made = plan(design([ORDER], [OF_USER, CREATE, GET], planner={"pins": [pin]}), style)
    (finding,) = [one for one in made.findings if one.rule == "pin-not-obeyed"]
    reason = say("changes-in-key", attribute="status")
    assert finding.problem == say("pin-not-obeyed", pin=1, reason=reason)


@pytest.mark.parametrize(("style", "sort"), [("single", "{rank}"), ("multi", "{placedAt}#{rank}#")])
def test_no_text_of_a_pinned_key_is_made_of_what_is_counted_up(style, sort):
    entity = {**ORDER, "attributes": [*ORDER["attributes"], {"name": "rank", "type": "N"}]}
    counting = {"kind": "update", "entity": "Order", "add": {"rank": {"value": 1}}}
    pin = {"entity": "Order", "index": "ByRank", "key": {"partition": "{userId}", "sort": sort}}
    made = design([entity], [OF_USER, counting], planner={"pins": [{**pin, "style": style}]})
    assert any("ADD" in str(problem) for problem in check(made))


def test_the_last_of_a_key_has_no_range():
    asked = listing(is_("userId"), {"attribute": "placedAt", "below": {"param": "until"}})
    pin = {
        "entity": "Order",
        "index": "ByUser",
        "key": {"partition": "{userId}", "sort": "{placedAt}"},
    }
    made = design([ORDER], [asked, CREATE, GET], planner={"pins": [pin]})
    assert "a composed key cannot end with it" in str(check(made)[0])
    assert "or pin it for the multi-table style alone (`style: multi`)" in str(check(made)[0])
    free = design([ORDER], [asked, CREATE, GET], planner={"pins": [{**pin, "style": "multi"}]})
    assert check(free) == ()


CONTRADICTING = [
    (
        {"entity": "Order", "key": {"partition": "A#{orderId}"}},
        {"entity": "Order", "key": {"partition": "B#{orderId}"}},
    ),
    (  # two orders of one user would have one key
        {"entity": "Order", "key": {"partition": "{userId}"}},
        {"entity": "Order", "key": {"sort": "A"}},
    ),
    ({"pattern": 1, "index": "One"}, {"pattern": 1, "index": "Two"}),
    ({"pattern": 1, "projection": "all"}, {"pattern": 1, "projection": "keys-only"}),
    ({"pattern": 1, "names": {"sort": "one"}}, {"pattern": 1, "names": {"sort": "two"}}),
    ({"entity": "Order", "name": "orders"}, {"entity": "Order", "name": "Orders"}),
]


@pytest.mark.parametrize(("one", "other"), CONTRADICTING)
def test_pins_that_contradict_each_other_are_refused_in_one_style_only(one, other):
    found = flaws(one, other)
    assert any(f.id == "contradicts-earlier-pin" or f.values.get("pins") == 2 for f in found)
    assert flaws({"style": "single", **one}, {"style": "multi", **other}) == []


def test_pins_of_the_older_form_are_read_with_their_names():
    pin = Pin.model_validate({"entity": "Order", "key": {"PK": "ORDER#{orderId}", "SK": "A"}})
    assert (pin.key.partition, pin.key.sort) == ("ORDER#{orderId}", "A")
    assert (pin.names.partition, pin.names.sort) == ("PK", "SK")


# Entities that share a table

CUSTOMER = {
    "name": "Customer",
    "identifier": ["customerId"],
    "items": 100_000,
    "attributes": [{"name": "customerId", "format": "uuid"}, {"name": "name", "bytes": 20}],
}
PURCHASE = {
    "name": "Purchase",
    "identifier": ["customerId", "purchaseId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "customerId", "format": "uuid", "refers_to": "Customer.customerId"},
        {"name": "purchaseId", "format": "ulid"},
        {"name": "total", "type": "N", "digits": 8, "scale": 2},
    ],
}
NEWEST = {
    "kind": "get",
    "returns": "Customer",
    "where": [is_("customerId")],
    "with": [{"relationship": "buys", "order": ["purchaseId descending"], "limit": 3}],
    "rate": {"average": 50},
}


def created(entity: str) -> dict:
    return {"kind": "create", "entity": entity, "rate": {"average": 500}}


def bought(*pins: dict) -> Design:
    return design(
        [CUSTOMER, PURCHASE],
        [NEWEST, created("Customer"), created("Purchase")],
        relationships=[
            {
                "name": "buys",
                "one": "Customer",
                "many": "Purchase",
                "by": "customerId",
                "average": 10,
            }
        ],
        planner={"pins": list(pins)},
    )


def both(customer: str, purchase: str) -> tuple[dict, dict]:
    of_customer = {"partition": "C#{customerId}", "sort": customer}
    of_purchase = {"partition": "C#{customerId}", "sort": purchase}
    return {"entity": "Customer", "key": of_customer}, {"entity": "Purchase", "key": of_purchase}


def test_pinned_keys_in_the_right_order_are_read_in_one_request():
    (step,) = operation(plan(bought(*both("PROFILE", "BUYS#{purchaseId}")), "single"), 1).steps
    assert (step.call, step.forward, step.limit) == ("Query", False, 4)


def test_pinned_keys_in_the_wrong_order_take_a_second_request_and_the_plan_says_so():
    made = plan(bought(*both("A-PROFILE", "BUYS#{purchaseId}")), "single")
    assert operation(made, 1).requests == 2
    said = [finding.problem for finding in made.findings if finding.rule == "pin-costs"]
    assert said_in(*said)["takes-other-requests"] == {"pattern": 1, "before": 1, "now": 2}


def test_what_is_not_pinned_goes_where_the_pattern_wants_it():
    made = plan(bought(both("", "BUYS#{purchaseId}")[1]), "single")
    (step,) = operation(made, 1).steps
    assert (step.index, step.forward) == (None, False)
    assert shape(made, "Customer").set["PK"] == "C#{customerId}"
    assert shape(made, "Customer").set["SK"] > "BUYS#"


def test_a_pinned_sort_key_that_begins_with_a_value_says_whose_it_is_where_others_lie_beside_it():
    pin = {"entity": "Customer", "key": {"sort": "{name}"}}
    made = plan(bought(pin), "single")
    assert shape(made, "Customer").set["SK"] == "CUSTOMER#{name}"
    (said,) = [finding for finding in made.findings if finding.rule == "pin-not-obeyed"]
    assert said.where == "planner.pins.1"
    assert said_in(said.problem)["key-needs-prefix"]["prefix"] == "CUSTOMER#"
    as_said = plan(bought({"entity": "Customer", "key": {"sort": "CUSTOMER#{name}"}}), "single")
    assert as_said.tables == made.tables
    assert "pin-not-obeyed" not in {finding.rule for finding in as_said.findings}


def test_a_pinned_sort_key_may_begin_with_a_value_where_nothing_lies_beside_it():
    pin = {"entity": "Customer", "key": {"sort": "{name}"}}
    other = {"name": "Shop", "identifier": ["shopId"], "attributes": [{"name": "shopId"}]}
    alone = design([CUSTOMER, other], [created("Customer")], planner={"pins": [pin]})
    for made in (plan(alone, "single"), plan(bought(pin), "multi")):
        assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}
    assert shape(plan(alone, "single"), "Customer").set["SK"] == "{text(name)}"


USERS = {"partition": "USERS", "sort": "{userId}"}
SHOP = {
    "name": "Shop",
    "identifier": ["shopId"],
    "items": 5000,
    "attributes": [{"name": "shopId", "format": "uuid"}, {"name": "userId", "bytes": 12}],
}
ALL_SHOPS = {"kind": "list", "returns": "Shop", "where": [], "rate": {"average": 1}}
LIST_USERS = {"kind": "list", "returns": "User", "where": [], "rate": {"average": 1}}


def users_and_shops(*patterns: dict, users: dict, shops: dict | None = None) -> Design:
    pins = [{"entity": "User", "key": users}]
    pins += [{"entity": "Shop", "key": shops}] * (shops is not None)
    return design([USER, SHOP], [JOIN, PROFILE, *patterns], planner={"pins": pins})


@pytest.mark.parametrize(
    ("patterns", "users", "shops"),
    [
        ((LIST_USERS,), USERS, None),
        ((LIST_USERS,), {"partition": "SHOPS", "sort": "{userId}"}, None),
        ((LIST_USERS, ALL_SHOPS), USERS, {"partition": "SHOPS", "sort": "{shopId}"}),
        ((), {"partition": "{userId}", "sort": "{handle}"}, {"partition": "X#{shopId}"}),
    ],
)
def test_a_pinned_sort_key_is_a_value_where_no_other_item_has_its_partition(patterns, users, shops):
    said = users_and_shops(*patterns, users=users, shops=shops)
    made = plan(said, "single")
    assert shape(made, "User").set["PK"] in (users["partition"], "{text(userId)}")
    assert shape(made, "User").set["SK"] == users["sort"].replace("{", "{text(").replace("}", ")}")
    assert not [one for one in made.findings if one.severity == "error"]
    assert {one.status for one in prove(said, made).patterns} == {"passed"}


@pytest.mark.parametrize(
    ("users", "shops"),
    [
        (USERS, {"partition": "USERS", "sort": "A#{shopId}"}),
        (USERS, {"partition": "{userId}", "sort": "A#{shopId}"}),
        (
            {"partition": "{handle}", "sort": "{userId}"},
            {"partition": "SHOPS", "sort": "A#{shopId}"},
        ),
    ],
)
def test_a_pinned_sort_key_says_whose_it_is_where_others_may_have_its_partition(users, shops):
    made = plan(users_and_shops(LIST_USERS, ALL_SHOPS, users=users, shops=shops), "single")
    (said,) = [one for one in made.findings if one.rule == "pin-not-obeyed"]
    assert said.message == (
        "Pin 1 is not followed: the partition key is as pinned, but the sort key is not `{userId}`, because its values "
        "could equal keys of Shop in the same collection: begin it with `USER#`."
    )


def test_of_a_key_that_no_pin_takes_as_it_is_the_answer_names_the_one_that_a_pin_takes():
    pins = [{"entity": "Shop", "key": {"partition": "USERS", "sort": "A#{shopId}"}}]
    free = design([USER, SHOP], [JOIN, PROFILE, LIST_USERS, ALL_SHOPS], planner={"pins": pins})
    found = why_not(free, "single", KeyAsked("User", "USERS", "{userId}"))
    assert found.forbidden == "" and found.rivals
    assert found.listing.endswith(
        "A pin cannot set it exactly: the partition key is as pinned, but the sort key is not "
        "`{userId}`, because its values could equal keys of Shop in the same collection: begin it with `USER#`."
    )
    taken = why_not(free, "single", KeyAsked("User", "USERS", "USER#{userId}"))
    assert taken.rivals and "to the letter" not in taken.listing


def test_a_constant_that_is_pinned_as_a_partition_is_warned_of_where_it_runs_hot():
    often = {**JOIN, "rate": {"average": 100, "peak": 3000}}
    pins = [{"entity": "User", "key": USERS}]
    made = plan(design([USER, SHOP], [often, PROFILE], planner={"pins": pins}), "single")
    assert shape(made, "User").set["SK"] == "{text(userId)}"
    assert "hot-partition" in {one.rule for one in made.findings}


def test_entities_pinned_to_one_index_share_it():
    index = {"index": "ByCustomer", "projection": "all"}
    pins = (
        {"entity": "Customer", "key": {"partition": "X#{customerId}", "sort": "C"}, **index},
        {
            "entity": "Purchase",
            "key": {"partition": "X#{customerId}", "sort": "P#{purchaseId}"},
            **index,
        },
    )
    made = plan(bought(*pins), "single")
    assert [i.name for i in indexes(made)] == ["ByCustomer"]
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}


def test_keys_of_two_kinds_pinned_to_one_index_are_two_indexes():
    """One index has one sort key: the item's own attribute, as of what is counted up, or a text that was composed."""
    player = {
        "name": "Player",
        "identifier": ["playerId"],
        "items": 1_000_000,
        "attributes": [
            {"name": "playerId", "format": "uuid"},
            {"name": "game", "distinct": 50},
            {"name": "score", "type": "N"},
        ],
    }
    best = {
        "kind": "list",
        "returns": "Player",
        "where": [is_("game")],
        "order": ["score descending"],
        "limit": 5,
        "rate": {"average": 5},
    }
    won = {"kind": "update", "entity": "Player", "add": {"score": {"value": 1}}}
    asked = [best, won, created("Player"), created("Customer")]
    name = {"entity": "Customer", "key": {"partition": "N#{name}", "sort": "C#{customerId}"}}
    pins = [{"pattern": 1, "index": "Shared"}, {**name, "index": "Shared"}]
    made = plan(design([CUSTOMER, player], asked, planner={"pins": pins}), "single")
    sorts = {index.name: [one.name for one in index.sort] for index in indexes(made)}
    assert sorts.keys() == {"Shared", "Shared2"}
    assert sorts["Shared"] == ["score"] != sorts["Shared2"]
    broken = [one.where for one in made.findings if one.rule == "pin-not-obeyed"]
    assert broken == ["planner.pins.2"]


def test_indexes_of_two_names_stay_two():
    pins = (
        {"entity": "Customer", "index": "OneIndex", "key": {"partition": "{name}"}},
        {"entity": "Purchase", "index": "OtherIndex", "key": {"partition": "{purchaseId}"}},
    )
    assert {i.name for i in indexes(plan(bought(*pins), "single"))} >= {"OneIndex", "OtherIndex"}


def test_indexes_of_two_tables_may_have_one_name():
    held = {"Customer": ("{name}", "all"), "Purchase": ("{purchaseId}", "keys-only")}
    pins = [
        {
            "style": "multi",
            "entity": entity,
            "index": "Same",
            "key": {"partition": key},
            "projection": projection,
        }
        for entity, (key, projection) in held.items()
    ]
    made = plan(bought(*pins), "multi")
    found = {i.projection.type for table in made.tables for i in table.indexes if i.name == "Same"}
    assert found == {"ALL", "KEYS_ONLY"}
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}
    every = bought(*({**pin, "style": "single"} for pin in pins))
    assert any("an earlier pin" in str(problem) for problem in check(every))


def test_an_index_pinned_to_have_a_usual_name_has_its_number():
    key = {"partition": "U#{userId}", "sort": "O#{placedAt}#{orderId}"}
    by_total = listing(is_("status"), attributes=["orderId"], order=["placedAt descending"])
    pin = {"entity": "Order", "index": "GSI2", "key": key}
    made = plan(pinned(pin, patterns=[OF_USER, {**by_total, "number": 2}, CREATE, GET]), "single")
    assert {i.name: i.partition[0].name for i in indexes(made)}["GSI2"] == "GSI2PK"
    assert shape(made).set["GSI2PK"] == "U#{userId}"
    assert "pin-not-obeyed" not in {finding.rule for finding in made.findings}


def test_all_attributes_are_priced_with_the_second_read_that_they_spare():
    asked = listing(is_("userId"), order=["placedAt descending"])
    key = {"partition": "U#{userId}", "sort": "{placedAt}#{orderId}"}

    def made(projection):
        pin = {"entity": "Order", "index": "Mine", "key": key, "projection": projection}
        return plan(pinned(pin, patterns=[asked, CREATE, GET]), "multi")

    keys, whole = made("keys-only"), made("all")
    (decision,) = [one for one in keys.decisions if one.about.endswith("/Mine")]
    rejected = decision.instead_of[0]
    assert rejected.chosen.id == "all-projected"
    assert reasons_of(rejected) == {"saves-second-read-but-pinned": {"patterns": (1,)}}
    more = whole.cost.per_month - keys.cost.per_month
    assert rejected.per_month - decision.per_month == pytest.approx(more, abs=2e-4)


def lists_by_anything(count: int, **pin: object) -> Design:
    """An entity of so many attributes besides its identifier, listed by each of eight of them."""
    names = [f"a{number}" for number in range(count)]
    attributes = [{"name": "id", "format": "uuid"}]
    attributes += [{"name": name, "bytes": 9, "distinct": 500} for name in names]
    item = {"name": "Item", "identifier": ["id"], "items": 50_000, "attributes": attributes}
    lists = [
        {"kind": "list", "returns": "Item", "where": [is_(name)], "rate": {"average": 5}}
        for name in names[:8]
    ]
    create = {"kind": "create", "entity": "Item", "rate": {"average": 1}}
    return design([item], [*lists, create], planner={"pins": [pin]})


@pytest.mark.parametrize("style", ALL_STYLES)
def test_an_index_may_be_pinned_to_a_list_of_all_however_many_patterns_there_are(style):
    listed = lists_by_anything(9, pattern=1, index="Mine", projection="include")
    made = plan(listed, style)
    assert [f.message for f in made.findings if f.rule in ("pin-breaks", "pin-not-obeyed")] == []
    (step,) = made.operations_for(1)[0].steps
    (index,) = [i for table in made.tables for i in table.indexes if i.name == step.index]
    assert (index.name, index.projection.type) == ("Mine", "INCLUDE")
    assert prove(listed, made).passed


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_list_that_would_be_too_long_is_said_to_be(style):
    made = plan(lists_by_anything(25, pattern=1, projection="include"), style)
    (finding,) = [f for f in made.findings if f.rule == "pin-not-obeyed"]
    assert said_in(finding.problem)["index-holds-all"]["most"] == 20
    assert made.operations_for(1)[0].answer != "not served"
