"""Copies of a parent's attributes on its children: asked by, priced by hand, and kept right."""

from pathlib import Path

import pytest

from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.messages import say
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.workload.copies import with_copies
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory
from tests.messages import reasons_of, said_in

AUCTIONS = load((Path(__file__).parents[1] / "designs" / "auctions.yaml").read_text())

SHOP = {
    "name": "Shop",
    "entities": [
        {
            "name": "Seller",
            "identifier": ["sellerId"],
            "items": 1000,
            "attributes": [
                {"name": "sellerId", "format": "uuid"},
                {"name": "region", "bytes": 8, "distinct": 20},
            ],
        },
        {
            "name": "Item",
            "identifier": ["itemId"],
            "items": 20_000,
            "attributes": [
                {"name": "itemId", "format": "uuid"},
                {"name": "sellerId", "format": "uuid", "refers_to": "Seller.sellerId"},
                {"name": "text", "bytes": 300},
            ],
        },
    ],
    "relationships": [
        {"name": "sells", "one": "Seller", "many": "Item", "by": "sellerId", "average": 20}
    ],
    "patterns": [
        {
            "number": 1,
            "name": "Items in a region",
            "kind": "list",
            "returns": "Item",
            "where": [{"attribute": "sells.region", "is": {"param": "region"}}],
            "attributes": ["itemId"],
            "limit": 50,
            "rate": {"average": 10},
        },
        {
            "number": 2,
            "name": "Offer",
            "kind": "create",
            "entity": "Item",
            "rate": {"average": 2},
        },
    ],
}
MOVE = {
    "number": 3,
    "name": "Move",
    "kind": "update",
    "entity": "Seller",
    "set": {"region": {"param": "newRegion"}},
    "rate": {"average": 0.5, "peak": 3},
}


def shop(*patterns):
    return Design.model_validate({**SHOP, "patterns": [*SHOP["patterns"], *patterns]})


def table_of(made, entity):
    return next(t for t in made.tables if any(shape.entity == entity for shape in t.items))


def test_a_child_carries_what_it_is_asked_by_of_its_parent():
    carrying = with_copies(shop())
    (copied,) = carrying.copies
    assert "sellerRegion" in carrying.design.entity["Item"].by_name
    assert carrying.design.pattern(1).where[0].attribute == "sellerRegion"
    assert (copied.parent, copied.per, copied.attributes) == (
        "Seller",
        (("sellerId", "sellerId"),),
        (("sellerRegion", "region"),),
    )


def test_a_path_over_two_relationships_is_a_copy_of_a_copy():
    copies = with_copies(AUCTIONS).copies
    assert [(one.entity, dict(one.attributes)) for one in copies] == [
        ("Person", {"regionName": "name"}),
        (
            "Item",
            {
                "sellerRegionId": "regionId",
                "sellerRegionName": "regionName",
                "sellerNickname": "nickname",
            },
        ),
    ]


@pytest.mark.parametrize("style", STYLES)
def test_what_never_changes_has_no_upkeep(style):
    made = plan(shop(), style)
    assert made.upkeep == ()
    assert table_of(made, "Seller").stream is None
    assert made.operations_for(1)[0].answer == "in one request"


@pytest.mark.parametrize("style", STYLES)
def test_a_new_child_reads_its_parent_first(style):
    """A strong read of an item below 4 KB is one read unit."""
    operation = plan(shop(), style).operations_for(2)[0]
    assert [step.call for step in operation.steps] == ["GetItem", "PutItem"]
    assert operation.steps[0].consistent
    assert operation.read_units == 1
    (member,) = operation.steps[1].members
    assert member.values["sellerRegion"] == "{parent_sells.region}"
    assert [p.name for p in operation.parameters] == ["itemId", "sellerId", "text"]


def test_a_change_of_the_parent_is_followed_at_its_price():
    """Twenty children lie together: the query reads 20 items of 410 B, 8,200 B, three halves of a unit; each child is
    one unit in the table and two in the index that moves it, 60 units. A month of 0.5 a second is 1,296,000 changes:
    1.5 x $0.125 + 60 x $0.625 for each million."""
    made = plan(shop(MOVE), "multi")
    (upkeep,) = made.upkeep
    assert upkeep.after == "change of Seller.region"
    assert (upkeep.entity, upkeep.attributes) == ("Seller", {"sellerRegion": "region"})
    assert (upkeep.per_second, upkeep.peak_per_second, upkeep.patterns) == (0.5, 3, (3,))
    assert [step.call for step in upkeep.steps] == ["Query", "UpdateItem"]
    assert (upkeep.read_units, upkeep.write_units, upkeep.requests) == (1.5, 60, 21)
    assert upkeep.usd_per_month == round(1.296 * (1.5 * 0.125 + 60 * 0.625), 4)
    assert table_of(made, "Seller").stream == "new-and-old"
    assert made.operations_for(3)[0].write_units == 1
    parts = sum(o.usd_per_month for o in made.operations) + upkeep.usd_per_month
    assert made.cost.per_month == pytest.approx(parts + made.cost.storage_per_month, abs=0.001)


def whole_items(**asked):
    """Items are asked for by themselves a hundred times a second, and whole by their seller."""
    by_itself = {
        "number": 4,
        "name": "An item",
        "kind": "get",
        "returns": "Item",
        "where": [{"attribute": "itemId", "is": {"param": "itemId"}}],
        "consistency": "strong",
        "rate": {"average": 100},
    }
    by_seller = {
        "number": 5,
        "name": "Items of a seller, whole",
        "kind": "list",
        "returns": "Item",
        "where": [{"attribute": "sellerId", "is": {"param": "sellerId"}}],
        "rate": {"average": 10},
    }
    return shop(MOVE, by_itself, {**by_seller, **asked})


@pytest.mark.parametrize("style", STYLES)
def test_an_index_of_whole_items_leaves_out_the_copies_that_others_ask_for(style):
    """So a change of the region writes each item, and moves it in the index by region: three units for each of 20."""
    made = plan(whole_items(), style)
    (whole,) = [i for i in table_of(made, "Item").indexes if 5 in i.serves]
    assert whole.projection.type == "INCLUDE"
    assert {"text"} <= set(whole.projection.attributes) <= {"text", "itemId", "sellerId", "Type"}
    assert made.upkeep[0].write_units == 60


def test_who_asks_for_the_copy_too_has_it_in_the_index():
    """Renaming is so rare that the region comes along from copies; then all of the item is in the index.

    Its sellers are listed: of a single one that the caller names, one read brings the region.
    """
    along = {"with": [{"relationship": "sells", "attributes": ["region"]}]}
    asked = whole_items(**along)
    (*_, brought) = plan(asked, "multi").operations_for(5)[0].steps
    assert (brought.call, brought.key) == ("GetItem", {"sellerId": "{sellerId}"})
    listed = {"attribute": "sellerId", "any_of": {"param": "sellerIds", "count": 60}}
    made = plan(whole_items(**along, where=[listed]), "multi")
    assert made.operations_for(5)[0].result.parts[1].take
    (whole,) = [i for i in table_of(made, "Item").indexes if 5 in i.serves]
    assert whole.projection.type == "ALL"


def test_a_child_that_gets_another_parent_takes_its_copy_from_there():
    hand_over = {
        "number": 3,
        "name": "Hand over",
        "kind": "update",
        "entity": "Item",
        "set": {"sellerId": {"param": "newSeller"}},
        "rate": {"average": 1},
    }
    operation = plan(shop(hand_over), "multi").operations_for(3)[0]
    read, write = operation.steps
    assert read.key == {"sellerId": "{newSeller}"}
    assert write.members[0].set == {
        "sellerId": "{newSeller}",
        "sellerRegion": "{parent_sells.region}",
    }


def test_a_transaction_that_writes_the_parent_too_knows_its_values():
    both = {
        "number": 3,
        "name": "Open with a first item",
        "kind": "transaction",
        "members": [{"create": "Seller"}, {"create": "Item"}],
    }
    (step,) = plan(shop(both), "multi").operations_for(3)[0].steps
    assert step.members[1].values["sellerRegion"] == "{region}"


def test_a_number_that_the_transaction_adds_to_is_not_known_to_it():
    raised = {**SHOP["entities"][0]["attributes"][1], "name": "points", "type": "N"}
    raised.pop("bytes")
    document = {
        **SHOP,
        "entities": [
            {
                **SHOP["entities"][0],
                "attributes": [SHOP["entities"][0]["attributes"][0], raised],
            },
            SHOP["entities"][1],
        ],
        "patterns": [
            {**SHOP["patterns"][0], "where": [{"attribute": "sells.points", "is": {"param": "p"}}]},
            {
                "number": 2,
                "name": "Offer for points",
                "kind": "transaction",
                "members": [
                    {"create": "Item"},
                    {"update": "Seller", "add": {"points": {"value": 1}}},
                ],
            },
        ],
    }
    operation = plan(Design.model_validate(document), "multi").operations_for(2)[0]
    assert operation.answer == "not served"
    assert "copy-value-unknown" in reasons_of(operation)


def test_the_plan_says_why_a_copy_is_made_and_that_it_lags():
    made = plan(shop(MOVE), "single")
    (decision,) = [one for one in made.decisions if one.about == "copy Item.sellerRegion"]
    assert decision.serves == (1,)
    assert reasons_of(decision)["copy-updated-by-stream"]["items"] == 20
    # The upkeep, and for two new items a second a strong read of the seller.
    (upkeep,) = made.upkeep
    assert decision.per_month == pytest.approx(upkeep.usd_per_month + 2 * 2.592 * 0.125, abs=0.001)
    (lags,) = [one for one in made.findings if one.rule == "copy-lags"]
    assert said_in(lags.problem)["see-old-value"] == {"patterns": (1,)}
    added = said_in(lags.problem)["upkeep-adds-reads"]
    assert added["usd"] == upkeep.usd_per_month
    assert added["write"] == upkeep.write_units * upkeep.per_second * 2_592_000
    assert said_in(lags.problem)["copies-updated"]["parent"] == "Seller"
    assert lags.solution == say("deploy-consumer-or-query-own")


def test_upkeep_that_costs_more_than_it_answers_is_a_finding():
    busy = {**MOVE, "rate": {"average": 5}}
    rules = {one.rule for one in plan(shop(busy), "single").findings}
    assert "copy-dear" in rules
    assert "copy-dear" not in {one.rule for one in plan(shop(), "single").findings}


def test_a_strong_read_of_a_copy_that_lags_is_a_warning():
    strong = {**SHOP["patterns"][0], "number": 4, "name": "Now", "consistency": "strong"}
    finding = next(
        one for one in plan(shop(MOVE, strong), "single").findings if one.rule == "copy-lags"
    )
    assert finding.severity == "warning"
    assert said_in(finding.problem)["need-strong-results"] == {"patterns": (4,)}


def test_an_order_can_be_by_a_path():
    sorted_by = {**SHOP["patterns"][0], "number": 4, "name": "Sorted", "where": []}
    good = shop({**sorted_by, "order": ["sells.region descending"]})
    assert check(good) == ()
    bad = shop({**sorted_by, "order": ["sells.size descending"]})
    (problem,) = check(bad)
    assert problem.place == "patterns[2].order[0] (pattern 4)"


# What comes along: from copies or by a second read


def order_items(*, renamed, read=100.0, along=("name",), **asked):
    """An order's items with their products' names; a product is in 150 items."""
    return Design.model_validate(
        {
            "name": "Orders",
            "entities": [
                {
                    "name": "Item",
                    "identifier": ["orderId", "line"],
                    "items": 3_000_000,
                    "attributes": [
                        {"name": "orderId", "format": "uuid"},
                        {"name": "line", "type": "N", "digits": 4},
                        {"name": "productId", "format": "uuid", "refers_to": "Product.productId"},
                    ],
                },
                {
                    "name": "Product",
                    "identifier": ["productId"],
                    "items": 20_000,
                    "attributes": [
                        {"name": "productId", "format": "uuid"},
                        {"name": "name", "bytes": 40},
                        {"name": "colour", "bytes": 8, "present": 0.5},
                        {"name": "text", "bytes": 600},
                    ],
                },
            ],
            "relationships": [
                {"name": "of", "one": "Product", "many": "Item", "by": "productId", "average": 150}
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "Items of an order",
                    "kind": "list",
                    "returns": "Item",
                    "where": [{"attribute": "orderId", "is": {"param": "orderId"}}],
                    "with": [{"relationship": "of", "attributes": list(along)}],
                    "expects": 3,
                    "rate": {"average": read},
                    **asked,
                },
                {
                    "number": 2,
                    "name": "Add",
                    "kind": "create",
                    "entity": "Item",
                    "rate": {"average": 10},
                },
                {
                    "number": 3,
                    "name": "Rename",
                    "kind": "update",
                    "entity": "Product",
                    "set": {"name": {"param": "newName"}},
                    "rate": {"average": renamed},
                },
            ],
        }
    )


def test_what_comes_along_is_copied_where_that_costs_less():
    """Apart: 100 x 3 reads of half a unit a second, $48.60 a month. Copied: ten reads of the product before each new
    item, $3.24; the items of a product in an index of their own, ten writes, $16.20; and a rename in 1,000 seconds
    rewrites 150 items, $0.24."""
    made = plan(order_items(renamed=0.001), "multi")
    assert made.operations_for(1)[0].answer == "in one request"
    _, along = made.operations_for(1)[0].result.parts
    assert (along.name, along.entity) == ("of", "Product")
    assert along.take == {"productId": "productId", "name": "productName"}
    assert [test.attribute for test in along.keep] == ["productName"]
    (decision,) = [one for one in made.decisions if one.about == "copy Item.productName"]
    (apart,) = decision.instead_of
    saved = apart.per_month - decision.per_month
    assert saved == pytest.approx(48.6 - 3.24 - 16.2 - 0.243, abs=0.6)  # and the index's storage
    (lags,) = [one for one in made.findings if one.rule == "copy-lags"]
    remedy = say("deploy-consumer-or-read-parent", patterns=(1,), parent="Product")
    assert lags.solution == remedy


def test_what_changes_often_is_read_apart():
    """A rename in five seconds rewrites 30 items a second, $48.60 a month: as much as all second reads."""
    made = plan(order_items(renamed=0.2), "multi")
    assert made.upkeep == ()
    assert [step.call for step in made.operations_for(1)[0].steps] == ["Query", "BatchGetItem"]
    (decision,) = [one for one in made.decisions if one.about == "pattern 1"]
    assert decision.choice == "Product by a second read"
    assert reasons_of(decision.instead_of[0])["costs-more"]["usd"] > 10


def test_a_choice_by_little_says_both_prices():
    made = plan(order_items(renamed=0.12), "multi")
    (decision,) = [one for one in made.decisions if one.about == "pattern 1"]
    assert reasons_of(decision.instead_of[0])["costs-slightly-more"]["usd"] > 0


def test_a_copy_whose_price_the_design_does_not_tell_is_not_made():
    told = order_items(renamed=0.0001).model_dump(by_alias=True, exclude_none=True)
    assert plan(Design.model_validate(told), "multi").operations_for(1)[0].result.parts[1].take
    untold = {**told, "patterns": [p for p in told["patterns"] if p["kind"] != "create"]}
    unrated = {**told, "patterns": [{**p} for p in told["patterns"]]}
    del unrated["patterns"][2]["rate"]
    for document in (untold, unrated):
        (_, along) = (
            plan(Design.model_validate(document), "multi").operations_for(1)[0].result.parts
        )
        assert not along.take


@pytest.mark.parametrize(
    "asked",
    [
        {"along": ["colour"]},  # whether the product is there could not be told
        {"consistency": "strong"},
    ],
)
def test_only_what_a_copy_can_tell_comes_from_one(asked):
    made = plan(order_items(renamed=0.0001, **asked), "multi")
    assert all(not part.take for part in made.operations_for(1)[0].result.parts)


# Many items of one parent in a transaction


def offers_at_once(*members):
    """A transaction that offers items of a seller; ten at a time."""
    items = {"create": "Item", "times": {"average": 10, "most": 10}, "each": "items"}
    offer = {
        "number": 2,
        "name": "Offer some",
        "kind": "transaction",
        "members": [*members, items],
        "rate": {"average": 2},
    }
    return Design.model_validate({**SHOP, "patterns": [SHOP["patterns"][0], offer]})


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("members", "reads"),
    [(({"check": "Seller", "by": ["sellerId"], "exists": True},), 1), ((), 10)],
)
def test_a_parent_that_is_named_once_is_read_once_for_all_its_children(members, reads, style):
    design = offers_at_once(*members)
    made = plan(design, style)
    (operation,) = made.operations_for(2)
    first = operation.steps[0]
    assert first.call == ("GetItem" if reads == 1 else "BatchGetItem")
    assert (first.for_each is None) == (reads == 1)
    assert operation.read_units == reads
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert {one.status for one in verdict.patterns} == {"passed"}
    assert not verdict.problem


@pytest.mark.parametrize("style", STYLES)
def test_an_index_that_almost_all_items_are_in_is_not_said_to_leave_some_out(style):
    """A few may lack what is copied from their parents: no more than "100 %" would say."""
    shares = [
        values["percent"]
        for decision in plan(AUCTIONS, style).decisions
        for name, values in reasons_of(decision).items()
        if name == "sparse"
    ]
    assert shares
    assert max(shares) < 99.95
