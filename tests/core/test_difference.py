"""What differs between two designs is told whole, by name, and the same both ways."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel

from designer.core.cost.price import Price
from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.load import load_plain, plain
from designer.core.design.meaning import meaning
from designer.core.design.settings import IgnoredFinding, Pin, PinnedKey, PlannerSettings
from designer.core.difference import (
    Change,
    Side,
    difference,
    grid_difference,
    in_order,
    plan_difference,
)
from designer.core.difference.fields import paths, shares_of
from designer.core.difference.mentions import Mentions
from designer.core.difference.planned import cost
from designer.core.difference.planned.sides import Sides
from designer.core.difference.stated import attributes, entities, patterns, planner, relationships
from designer.core.difference.stated import design as whole
from designer.core.edits import (
    add_attribute,
    add_entity,
    add_pattern,
    add_pin,
    change_attribute,
    change_entity,
    change_pattern,
    change_relationship,
    change_settings,
    identified,
    ignore_finding,
    remove_attribute,
    remove_entity,
    remove_pattern,
    remove_relationship,
)
from designer.core.edits.references import Renaming, renamed
from designer.core.edits.replacing import replaced
from designer.core.errors import DesignError
from designer.core.lint.base import with_attribute, with_pattern
from designer.core.patterns import KINDS, Create
from designer.core.plan import ALL_STYLES
from designer.core.planner import plan
from tests.designs_generated import generated

SHOP = identified(gallery.load("shop"))


def sentences(before: Design, after: Design) -> list[str]:
    return [change.sentence for change in difference(before, after)]


def planned(before: Design, after: Design, style: Any = "single") -> tuple[Change, ...]:
    return plan_difference(
        Side(before, plan(before, style)),
        Side(after, plan(after, style)),
    )


def test_another_prefix_is_no_other_table() -> None:
    for style in ALL_STYLES:
        for prefix in ("store-", ""):
            other = change_settings(SHOP, table_prefix=prefix)
            (stated,) = difference(SHOP, other)
            assert not stated.is_destructive
            assert planned(SHOP, other, style) == ()


# Every field has its words ------------------------------------------------------------------------

ELSEWHERE = {"entities", "relationships", "patterns", "planner", "ignored_findings", "names"}
PARTS: list[tuple[type[BaseModel], Any, set[str]]] = [
    (Design, whole.WORDS, {"keywright", "name", *ELSEWHERE}),
    (Entity, entities.WORDS, {"id", "name", "attributes"}),
    (Attribute, attributes.WORDS, {"id", "name"}),
    (Relationship, relationships.WORDS, {"id", "name"}),
    (PlannerSettings, planner.WORDS, {"pins"}),
    *((kind, patterns.WORDS, {"id", "number", "name"}) for kind in KINDS.values()),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "words", "told_otherwise"), PARTS)
def test_every_field_of_a_design_has_words(
    kind: type[BaseModel], words: Any, told_otherwise: set[str]
) -> None:
    assert set(paths(kind)) - told_otherwise <= set(words)
    assert not [each for each in words.values() if re.search(r" (is|are)$", str(each))]  # `is is`


# Single edits, said in a sentence ------------------------------------------------------------------

ORDER = SHOP.entity["Order"]

SAID = [
    (lambda d: change_settings(d, name="Store"), ["The design is called `Store` instead of `Shop`."]),
    (
        lambda d: change_entity(d, "Order", replaced(ORDER, items=11_000_000)),
        ["Order: the number of items is 11,000,000 instead of 10,000,000."],
    ),
    (
        lambda d: change_entity(d, "Order", replaced(ORDER, name="Purchase")),
        ["Order is now called Purchase."],
    ),
    (
        lambda d: with_attribute(d, "User", "name", unique=True),
        ["User.name is now unique."],
    ),
    (
        lambda d: with_attribute(d, "User", "name", description="As on the passport."),
        ["User.name: the description is now `As on the passport.`; nothing was stated before."],
    ),
    (
        lambda d: ignore_finding(d, IgnoredFinding(rule="K101", about="patterns.1", because="We know.")),
        ["Finding K101 about patterns.1 is now ignored: `We know.`"],
    ),
    (
        lambda d: with_pattern(d, 4, why=""),
        [
            "Pattern 4 (An order's items): the reason is no longer stated; it was `The packing list shows them.`"
            " before.",
        ],
    ),
    (
        lambda d: with_pattern(d, 2, limit=5, order=()),
        [
            "Pattern 2 (A user's orders, newest first): the order is no longer stated; it was"
            " `placedAt descending` before.",
            "Pattern 2 (A user's orders, newest first): the maximum number of items is 5 instead of 20.",
        ],
    ),
    (
        lambda d: with_pattern(d, 2, rate={"average": 24, "peak": 80}),
        [
            "Pattern 2 (A user's orders, newest first): the average rate is 24 a second instead of 12.",
            "Pattern 2 (A user's orders, newest first): the peak rate is 80 a second instead of 40.",
        ],
    ),
    (
        lambda d: with_pattern(d, 2, rate=None),
        [
            "Pattern 2 (A user's orders, newest first): the average rate is no longer stated; it was 12 a second"
            " before.",
            "Pattern 2 (A user's orders, newest first): the peak rate is no longer stated; it was 40 a second"
            " before.",
        ],
    ),
    (
        lambda d: with_pattern(d, 10, where=({"attribute": "places.email", "is": {"param": "email"}},)),
        [
            "Pattern 10 (Orders with a given status, newest first): the conditions now have “whose User has a given "
            "email” instead of “with a given status”.",
        ],
    ),
    (
        lambda d: with_pattern(d, 10, where=({"attribute": "status", "is": {"param": "now"}},)),
        [
            "Pattern 10 (Orders with a given status, newest first): the conditions now have"
            " `{attribute: status, is: {param: now}}` instead of `{attribute: status, is: {param: status}}`.",
        ],
    ),
    (
        lambda d: with_pattern(d, 8, keep=({"attribute": "quantity", "from": {"value": 2}, "share": 0.4},)),
        [
            "Pattern 8 (A user's cart): the conditions after reading now have"
            " “whose quantity is at least 2 (40 % of the items)” instead of"
            " “whose expiresAt is after a given time (now) (98 % of the items)”.",
        ],
    ),
    (
        lambda d: with_pattern(
            d, 12, with_=({"relationship": "places", "attributes": ["placedAt"], "limit": 2},)
        ),
        [
            "Pattern 12 (A user with their addresses and newest orders): the related items that it includes now have"
            " “at most 2 of its Orders (only placedAt)” instead of “its Addresses” and “its 5 newest Orders”.",
        ],
    ),
    (
        lambda d: with_pattern(d, 38, set={"shelf": {"value": "A1"}}, times={"average": 2, "most": 1000}),
        [
            "Pattern 38 (Move goods to another shelf): what it sets is “shelf to A1” instead of"
            " “shelf to a given shelf”.",
            "Pattern 38 (Move goods to another shelf): how many items it writes is now “2, at most 1,000”;"
            " nothing was stated before.",
        ],
    ),
    (
        lambda d: with_pattern(d, 37, add={"onHand": {"minus": "quantity"}}),
        [
            "Pattern 37 (Receive goods): what it adds is “-quantity to onHand” instead of “quantity to onHand”."
        ],
    ),
    (
        lambda d: with_pattern(d, 30, members=d.pattern(30).members[1:]),
        [
            "Pattern 30 (Move an order to its next status): the members no longer include"
            " “sets status in an Order if its current status is a given one (was)”.",
        ],
    ),
    (
        lambda d: with_pattern(d, 7, result={"sum": "onHand"}, attributes=None),
        [
            "Pattern 7 (A warehouse's stock): the figure is now “the sum of onHand”;"
            " nothing was stated before.",
        ],
    ),
    (
        lambda d: with_pattern(d, 2, hottest=0.2),
        [
            "Pattern 2 (A user's orders, newest first): the share of its hottest key value is now 20 %; nothing was "
            "stated before.",
        ],
    ),
    (
        lambda d: with_attribute(d, "User", "name", present=0.325, busiest=0.0005, distinct=9000),
        [
            "User.name: the number of different values is now 9,000; nothing was stated before.",
            "User.name: the share of the busiest value is now 0.05 %; nothing was stated before.",
            "User.name: the share of the items that have it is 32.5 % instead of 100 %.",
        ],
    ),
    (
        lambda d: with_attribute(d, "Order", "status", shares=(0.5, 0.3, 0.1, 0.05, 0.05)),
        [
            "Order.status: the shares of the values are 50 %, 30 %, 10 %, 5 % and 5 % instead of"
            " 0.1 %, 0.3 %, 0.6 %, 96 % and 3 %."
        ],
    ),
    (
        lambda d: change_settings(d, planner=replaced(d.planner, tolerance=0.075)),
        ["The planner: the tolerance is 7.5 % instead of 5 %."],
    ),
    (
        lambda d: remove_pattern(d, 12),
        ["Pattern 12 (A user with their addresses and newest orders) was removed."],
    ),
    (
        lambda d: add_attribute(d, "User", Attribute(name="tier")),
        ["User has a new attribute tier."],
    ),
]  # fmt: skip


def test_every_share_of_the_format_is_said_in_per_cent() -> None:
    """A field that may hold 1 and no more is a share; its type says so, which its words follow."""
    found = set()
    for kind, _, _ in PARTS:
        schema = kind.model_json_schema(by_alias=False)
        for field, rules in schema["properties"].items():
            options = [rules, *rules.get("anyOf", ())]
            options += [each["items"] for each in options if "items" in each]
            if any(each.get("maximum") == 1 for each in options):
                found.add((kind.__name__, field, field in shares_of(kind)))
    told = {(name, field) for name, field, is_told in found if is_told}
    assert told == {(name, field) for name, field, _ in found}
    assert told >= {("Attribute", "present"), ("PlannerSettings", "tolerance"), ("Get", "hottest")}


@pytest.mark.parametrize(("edit", "said"), SAID)
def test_an_edit_is_told_in_a_sentence(edit: Callable[[Design], Design], said: list[str]) -> None:
    assert sentences(SHOP, edit(SHOP)) == said


def test_what_mentions_a_new_name_is_not_told_of() -> None:
    after = change_entity(SHOP, "Order", replaced(ORDER, name="Purchase"))
    found = difference(SHOP, after)
    assert [change.what for change in found] == ["renamed"]
    assert set(found[0].patterns) == {2, 3, 10, 29, 30, 31}


def test_names_that_are_swapped_are_two_renamings() -> None:
    swapped = {("Address", "city"): "street", ("Address", "street"): "city"}
    after = renamed(Renaming(SHOP, attributes=swapped))
    assert sorted(sentences(SHOP, after)) == [
        "Address.city is now called Address.street.",
        "Address.street is now called Address.city.",
    ]


def test_a_part_made_anew_under_its_name_is_the_same_part() -> None:
    again = plain(SHOP)
    for entity in again["entities"]:
        entity["id"] = f"new-{entity['id']}"
    assert difference(SHOP, load_plain(again)) == ()


def test_what_destroys_comes_first_and_wording_last() -> None:
    after = with_attribute(SHOP, "User", "name", description="In full.")
    after = remove_attribute(after, "Address", "recipient", and_users=True)
    found = difference(SHOP, after)
    assert found == in_order(found)
    assert found[0].is_destructive and found[0].about.name == "Address.recipient"
    assert found[-1].is_wording and found[-1].about.name == "User.name"


def test_a_name_with_a_full_stop_is_followed_by_none() -> None:
    stopped = with_pattern(change_settings(SHOP, name="Tea, and so on."), 4, name="They visit.")
    assert sentences(stopped, SHOP) == [
        "The design is called `Shop` instead of `Tea, and so on.`",
        "Pattern 4 is called `An order's items` instead of `They visit.`",
    ]


# Generated edits ----------------------------------------------------------------------------------

Edit = Callable[[Random, Design], tuple[Design, tuple[str, ...]]]
"""The changed design, and what its sentences have to name."""


def _entity(random: Random, design: Design) -> Entity:
    return random.choice(design.entities)


def _rename_entity(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    new = f"{entity.name}Anew"
    return change_entity(design, entity.name, replaced(entity, name=new)), (entity.name, new)


def _count(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    items = (entity.items or 0) + random.randint(1, 999)
    after = change_entity(design, entity.name, replaced(entity, items=items))
    return after, (entity.name, f"{items:,}")


def _describe(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    return change_entity(design, entity.name, replaced(entity, description="New.")), (entity.name,)


def _add_entity(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    own = Entity(name="Ghost", identifier=("ghostId",), attributes=(Attribute(name="ghostId"),))
    return add_entity(design, own), ("Ghost",)


def _remove_entity(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    return remove_entity(design, entity.name, and_users=True), (entity.name,)


def _rename_attribute(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    attribute = random.choice(entity.attributes)
    new = f"{attribute.name}Of{entity.name}"
    after = change_attribute(design, entity.name, attribute.name, replaced(attribute, name=new))
    return after, (f"{entity.name}.{attribute.name}", f"{entity.name}.{new}")


def _change_attribute(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    attribute = random.choice(entity.attributes)
    changed = replaced(attribute, mutable=not attribute.mutable)
    after = change_attribute(design, entity.name, attribute.name, changed)
    return after, (f"{entity.name}.{attribute.name}", "change")


def _add_attribute(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    after = add_attribute(design, entity.name, Attribute(name="anew"))
    return after, (entity.name, "anew")


def _remove_attribute(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    attribute = random.choice(entity.attributes)
    after = remove_attribute(design, entity.name, attribute.name, and_users=True)
    return after, (entity.name, attribute.name)


def _rename_relationship(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    old = random.choice(design.relationships)
    return change_relationship(design, old.name, replaced(old, name="anew")), (old.name, "anew")


def _change_relationship(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    old = random.choice(design.relationships)
    after = change_relationship(design, old.name, replaced(old, identifying=not old.identifying))
    return after, (old.name,)


def _remove_relationship(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    old = random.choice(design.relationships)
    return remove_relationship(design, old.name, and_users=True), (old.name,)


def _ask_otherwise(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    pattern = random.choice(design.patterns)
    changed: dict[str, object] = random.choice(
        (
            {"rate": {"average": 7.5, "peak": 9_000}},
            {"status": "declined"},
            {"latency_ms": 12},
            {"name": "Otherwise"},
            {"why": "Because."},
            {"workflow": "daily"},
        )
    )
    after = change_pattern(design, pattern.number, replaced(pattern, **changed))
    return after, (f"Pattern {pattern.number}",)


def _add_pattern(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    made = Create(number=1, name="Make it", entity=_entity(random, design).name)
    after = add_pattern(design, made)
    return after, (f"Pattern {after.patterns[-1].number} (Make it)",)


def _remove_pattern(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    pattern = random.choice(design.patterns)
    return remove_pattern(design, pattern.number), (f"Pattern {pattern.number}",)


def _set_planner(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    settings = replaced(design.planner, tolerance=random.random())
    return change_settings(design, planner=settings), ("tolerance",)


def _set_region(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    return change_settings(design, region="eu-west-1"), ("Region", "`eu-west-1`")


def _pin(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    entity = _entity(random, design)
    pin = Pin(entity=entity.name, key=PinnedKey(partition="ALL#{%s}" % entity.identifier[0]))  # noqa: UP031
    return add_pin(design, pin), (entity.name,)


def _ignore(random: Random, design: Design) -> tuple[Design, tuple[str, ...]]:
    ignored = IgnoredFinding(rule="K101", about="patterns.1", because="We know.")
    return ignore_finding(design, ignored), ("K101",)


EDITS: tuple[Edit, ...] = (
    _rename_entity,
    _count,
    _describe,
    _add_entity,
    _remove_entity,
    _rename_attribute,
    _change_attribute,
    _add_attribute,
    _remove_attribute,
    _rename_relationship,
    _change_relationship,
    _remove_relationship,
    _ask_otherwise,
    _add_pattern,
    _remove_pattern,
    _set_planner,
    _set_region,
    _pin,
    _ignore,
)


def edited(random: Random, design: Design, edit: Edit) -> tuple[Design, tuple[str, ...]]:
    """The design after an edit, and unchanged where there is nothing to edit so, or it is refused."""
    try:
        return edit(random, design)
    except (DesignError, IndexError):
        return design, ()


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        is_part = "name" in value
        return {k: without_ids(v) for k, v in value.items() if k != "id" or not is_part}
    return [without_ids(each) for each in value] if isinstance(value, list) else value


def mentioned(changes: tuple[Change, ...]) -> set[tuple[str, str, str]]:
    """Pins have no ids, and are known by what they say of parts by their names."""
    return {
        (each.about.kind, "" if each.about.kind == "pin" else each.about.id, each.field)
        for each in changes
    }


@pytest.mark.parametrize("seed", range(40))
def test_equal_designs_differ_in_nothing(seed: int) -> None:
    design = identified(generated(Random(seed)))
    assert difference(design, design) == ()
    assert difference(design, load_plain(plain(design))) == ()


@pytest.mark.parametrize("edit", EDITS)
def test_each_single_edit_is_told_by_the_names_of_what_was_edited(edit: Edit) -> None:
    edits = 0
    for seed in range(25):
        random = Random(seed)
        before = identified(generated(random))
        after, names = edited(random, before, edit)
        if after == before:
            continue
        edits += 1
        said = " ".join(sentences(before, after))
        assert all(name in said for name in names), (names, said)
    assert edits >= 5


@pytest.mark.parametrize("seed", range(40))
def test_several_edits_are_told_whole_and_the_same_things_both_ways(seed: int) -> None:
    random = Random(seed)
    before = after = identified(generated(random))
    for edit in random.choices(EDITS, k=6):
        after, _ = edited(random, after, edit)
    there, back = difference(before, after), difference(after, before)
    assert bool(there) == (without_ids(plain(before)) != without_ids(plain(after)))
    assert mentioned(there) == mentioned(back)
    assert bool([each for each in there if not each.is_wording]) == (
        meaning(before) != meaning(after)
    )
    opposite = {"added": "removed", "removed": "added"}
    assert sorted(
        (each.about.kind, opposite.get(each.what, each.what)) for each in there
    ) == sorted((each.about.kind, each.what) for each in back)


# Plans --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_plan_differs_from_itself_in_nothing(style: Any) -> None:
    assert planned(SHOP, SHOP, style) == ()


@pytest.mark.parametrize("seed", range(12))
def test_what_planned_parts_differ_is_the_same_both_ways(seed: int) -> None:
    random = Random(seed)
    before = after = identified(generated(random))
    for edit in random.choices(EDITS, k=3):
        after, _ = edited(random, after, edit)
    there, back = planned(before, after), planned(after, before)
    kinds = ("operation", "cost")
    same = [
        {(e.about.kind, e.about.id, e.field) for e in each if e.about.kind in kinds}
        for each in (there, back)
    ]
    assert same[0] == same[1]
    # What stays has the name under which it was there first, another one each way.
    kinds, opposite = ("table", "index", "heat"), {"added": "removed", "removed": "added"}
    assert sorted(
        (e.about.kind, opposite.get(e.what, e.what), e.field)
        for e in there
        if e.about.kind in kinds
    ) == sorted((e.about.kind, e.what, e.field) for e in back if e.about.kind in kinds)
    if meaning(before) == meaning(after):
        assert there == ()


def test_plans_of_two_styles_are_not_compared() -> None:
    with pytest.raises(ValueError, match="not one style"):
        plan_difference(Side(SHOP, plan(SHOP, "single")), Side(SHOP, plan(SHOP, "multi")))


def test_another_prefix_is_a_rewrite_of_all_items() -> None:
    after = change_entity(SHOP, "Warehouse", replaced(SHOP.entity["Warehouse"], prefix="W"))
    found = next(each for each in planned(SHOP, after) if each.about.id == "Warehouse")
    assert found.sentence == (
        "Warehouse items have the key `PK = W#<warehouseId>` and `SK = A` instead of"
        " `PK = WAREHOUSE#<warehouseId>` and `SK = A`."
    )
    assert found.at_stake == (
        "All 8 Warehouse items have to be rewritten under the new key, and deleted under the old one."
    )


@pytest.mark.parametrize(
    ("edit", "concerned"),
    [
        # Who lists by the index, and who makes an order with its key; not who moves it on to another status.
        (
            lambda d: with_pattern(d, 10, order=("total descending",)),
            {"key of GSI2": (10, 29)},
        ),
        # Who names an order, or finds it by an index whose sort key is another.
        (
            lambda d: change_entity(d, "Order", replaced(ORDER, prefix="O")),
            {"key": (3, 29, 30, 31), "key of GSI1": (2, 12, 29), "key of GSI2": (10, 29)},
        ),
        # Who moves an order on writes its status into the index no more.
        (lambda d: remove_pattern(d, 10), {"key of GSI2": (10, 29, 30, 31)}),
    ],
)
def test_another_key_concerns_those_whose_requests_have_it(
    edit: Callable[[Design], Design], concerned: dict[str, tuple[int, ...]]
) -> None:
    found = planned(SHOP, edit(SHOP))
    of_orders = [each for each in found if (each.about.kind, each.about.id) == ("items", "Order")]
    assert {each.field: each.patterns for each in of_orders} == concerned


def test_a_new_name_of_an_attribute_is_no_other_key() -> None:
    product = SHOP.entity["Product"].by_name["productId"]
    after = change_attribute(SHOP, "Product", "productId", replaced(product, name="sku"))
    fields = {each.field for each in planned(SHOP, after) if each.about.id == "Product"}
    assert fields == {"sku"}


def test_an_index_that_goes_is_told_first_with_the_patterns_that_read_it() -> None:
    after = remove_pattern(remove_pattern(SHOP, 11), 6)
    found = [each for each in planned(SHOP, after, "multi") if each.about.kind == "index"]
    assert [each.sentence for each in found] == [
        "Index `UsersByEmail` on `shop-Users` is dropped.",
        "Index `ProductsByCategory` on `shop-Products` is dropped.",
    ]
    assert [each.patterns for each in found] == [(11,), (6,)]
    assert all(each.is_destructive for each in found)


def structures(before: Design, after: Design, style: Any = "single") -> dict[str, str]:
    """What is said of tables and indexes, and what that does to data."""
    found = planned(before, after, style)
    return {each.sentence: each.at_stake for each in found if each.about.kind in ("table", "index")}


def test_an_index_under_another_number_is_neither_dropped_nor_built_and_its_items_stay() -> None:
    before = after = replaced(SHOP, planner=replaced(SHOP.planner, objective="cost"))
    for number in (2, 7, 12, 14):
        after = remove_pattern(after, number)
    assert structures(before, after) == {
        "Index `GSI1` on `shop-app` is dropped.": "Whatever still reads it fails from that moment on.",
        "Index `GSI2` on `shop-app` is called `GSI1` in the later plan. "
        "A migration keeps it and its name.": "",
    }
    assert not [each for each in planned(before, after) if each.about.kind == "items"]
    grids = overlaid(before, after)
    assert grids["Index GSI2 on shop-app, GSI1 in the later plan"].state == "same"
    assert grids["Index GSI1 on shop-app"].state == "removed"
    assert structures(after, before) == {
        "Index `GSI1` on `shop-app` is called `GSI2` in the later plan. "
        "A migration keeps it and its name.": "",
        "Index `GSI2` on `shop-app` is new, with partition key `GSI2PK` (S) and sort key `GSI2SK` (S). "
        "The later plan calls it `GSI1`, but that name is still in use.": "",
    }


def test_an_index_that_takes_the_place_of_another_is_said_with_the_name_that_it_will_have() -> None:
    after = change_entity(SHOP, "Order", replaced(ORDER, prefix="O"))
    assert structures(SHOP, after) == {
        "Index `GSI1` on `shop-app` holds other items, or the same items under other keys.": (
            "The key and the projection of an index cannot be changed, so a migration builds `GSI3` and drops `GSI1`."
        )
    }
    (review,) = [each for each in planned(SHOP, after) if each.about.id == "Review"]
    assert review.at_stake == (
        "All 600,000 Review items lack `GSI3PK` and `GSI3SK` until they are rewritten."
    )


def test_a_table_whose_name_alone_is_another_stays() -> None:
    after = change_entity(SHOP, "Product", replaced(SHOP.entity["Product"], name="Ware"))
    assert structures(SHOP, after, "multi") == {
        "Table `shop-Products` is called `shop-Wares` in the later plan. "
        "A migration keeps it and its name.": "",
        "Index `ProductsByCategory` on `shop-Products` is called `WaresByCategory` in the later plan. "
        "A migration keeps it and its name.": "",
    }
    assert not [each for each in planned(SHOP, after, "multi") if each.is_destructive]


def test_a_table_that_cannot_stay_says_why_and_what_takes_its_place() -> None:
    after = change_entity(SHOP, "Product", replaced(SHOP.entity["Product"], name="Ware"))
    assert structures(SHOP, after) == {
        "Table `shop-app` has to be replaced, because the attribute Type of Ware would have to hold two things at "
        "once.": "A migration creates `shop-app-2` and copies all items into it."
    }


def test_in_another_region_every_table_is_made_anew() -> None:
    assert structures(SHOP, change_settings(SHOP, region="eu-west-1")) == {
        "Table `shop-app` has to be created in the other Region.": (
            "A migration creates `shop-app` and copies all items into it."
        )
    }


def test_a_time_to_live_that_comes_or_goes_is_told_with_what_it_deletes() -> None:
    after = with_attribute(SHOP, "CartItem", "expiresAt", ttl=False)
    (gone,) = [each for each in planned(SHOP, after, "multi") if each.field == "ttl"]
    assert gone.sentence == "Table `shop-CartItems` no longer deletes items by `expiresAt`."
    (come,) = [each for each in planned(after, SHOP, "multi") if each.field == "ttl"]
    assert "Expired items are deleted" in come.at_stake


def test_cost_and_requests_are_told_of_each_pattern() -> None:
    after = with_pattern(SHOP, 2, rate={"average": 500, "peak": 900})
    found = {(each.about.kind, each.about.id): each for each in planned(SHOP, after)}
    assert found["cost", ""].sentence.startswith("A month costs $")
    assert found["cost", "2"].patterns == (2,)
    assert found["cost", "2"].sentence.endswith(" more.")


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (0.486, 0.5249, "A month costs $0.52 instead of $0.49: $0.03 more."),
        (0.504, 0.496, "A month costs $0.496 instead of $0.504: $0.008 less."),
        (1234.1, 1234.4, "A month costs $1,234.40 instead of $1,234.10: $0.30 more."),
        (5000, 6000.4, "A month costs $6,000 instead of $5,000: $1,000 more."),
        (0.002, 0.02, "A month costs $0.02 instead of less than $0.01: $0.02 more."),
    ],
)
def test_what_a_month_costs_more_is_the_difference_of_the_two_amounts_shown(
    was: float, now: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cost, "price", lambda _, plan: Price(plan.cost.per_month))
    made = plan(SHOP, "single")
    before, after = (
        Side(SHOP, made.model_copy(update={"cost": replaced(made.cost, per_month=usd)}))
        for usd in (was, now)
    )
    assert [each.sentence for each in plan_difference(before, after)] == [said]


def test_a_key_that_runs_hot_is_told_with_the_patterns_that_heat_it() -> None:
    after = with_pattern(SHOP, 11, rate={"average": 10, "peak": 60_000}, hottest=0.5)
    heat = [each for each in planned(SHOP, after) if each.about.kind == "heat"]
    assert any("throttles at peak" in each.sentence and 11 in each.patterns for each in heat)
    assert all("The busiest value of" in each.sentence for each in heat)


# Grids --------------------------------------------------------------------------------------------


def overlaid(before: Design, after: Design, style: Any = "single", form: Any = "templates") -> Any:
    was, now = (Side(each, plan(each, style)) for each in (before, after))
    return {grid.title: grid for grid in grid_difference(was, now, form)}


@pytest.mark.parametrize("form", ["templates", "samples"])
@pytest.mark.parametrize("style", ALL_STYLES)
def test_grids_of_one_plan_differ_in_nothing(style: Any, form: Any) -> None:
    found = overlaid(SHOP, SHOP, style, form)
    assert found and all(grid.state == "same" and not grid.differing for grid in found.values())


@pytest.mark.parametrize("form", ["templates", "samples"])
def test_a_new_name_alone_changes_no_row_but_the_cells_that_hold_it(form: Any) -> None:
    after = change_entity(
        SHOP, "Product", replaced(SHOP.entity["Product"], name="Ware", prefix="PRODUCT")
    )
    assert all(grid.state == "same" for grid in overlaid(SHOP, after, "single", form).values())
    (table,) = (
        grid
        for grid in overlaid(SHOP, after, "multi", form).values()
        if grid.title == "Table shop-Products, shop-Wares in the later plan"
    )
    assert table.state == "same"


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_new_name_is_followed_in_its_own_entity_only(style: Any) -> None:
    after = renamed(Renaming(SHOP, attributes={("User", "userId"): "memberId"}))
    found = overlaid(SHOP, after, style)
    assert {row.label for grid in found.values() for row in grid.differing} == set()


def test_names_that_are_swapped_change_no_row() -> None:
    swapped = {("Order", "userId"): "orderId", ("Order", "orderId"): "userId"}
    after = renamed(Renaming(SHOP, attributes=swapped))
    rows = [row for grid in overlaid(SHOP, after).values() for row in grid.rows]
    assert [row.label for row in rows if row.state != "same"] == []


def test_a_text_follows_names_that_are_swapped() -> None:
    after = renamed(Renaming(SHOP, entities={"Order": "Product", "Product": "Order"}))
    sides = Sides(Side(SHOP, plan(SHOP, "single")), Side(after, plan(after, "single")))
    assert sides.said_now("Order and Product, of orders") == "Product and Order, of orders"


def test_a_changed_cell_has_both_values_and_the_others_one() -> None:
    after = change_entity(SHOP, "Warehouse", replaced(SHOP.entity["Warehouse"], prefix="W"))
    table = overlaid(SHOP, after)["Table shop-app"]
    (row,) = (each for each in table.differing if each.label == "Warehouse")
    assert (row.state, row.sentence) == ("changed", "PK changed")
    cells = {cell.name: cell for cell in row.keys}
    said = [
        "".join(piece.text for piece in each) for each in (cells["PK"].before, cells["PK"].after)
    ]
    assert said == ["WAREHOUSE#<warehouseId>", "W#<warehouseId>"]
    assert cells["SK"].state == "same"
    assert re.fullmatch(r"\d+ changed; \d+ as they were\.", table.sentence)


def test_rows_that_come_and_go_are_the_same_both_ways() -> None:
    after = remove_entity(SHOP, "Review", and_users=True)
    there, back = overlaid(SHOP, after), overlaid(after, SHOP)
    gone = [row.label for row in there["Table shop-app"].rows if row.state == "removed"]
    come = [row.label for row in back["Table shop-app"].rows if row.state == "added"]
    assert gone == come == ["Review"]


def test_every_attribute_of_a_wide_table_is_compared() -> None:
    after = remove_attribute(SHOP, "Order", "shipTo", and_users=True)
    (row,) = (r for r in overlaid(SHOP, after)["Table shop-app"].rows if r.label == "Order")
    assert [(cell.name, cell.state) for cell in row.cells] == [("shipTo", "removed")]


def test_what_is_as_it_was_is_asked_for_no_mentions(monkeypatch: pytest.MonkeyPatch) -> None:
    """To know which patterns mention what, all names of a design are replaced: only where something differs."""
    asked: list[Design] = []
    monkeypatch.setattr(
        Mentions, "_by_mark", property(lambda self: asked.append(self.design) or {})
    )
    again = load_plain(plain(SHOP))
    assert again == SHOP and again is not SHOP
    assert difference(SHOP, again) == ()
    assert asked == []
    assert difference(SHOP, remove_attribute(again, "Order", "status", and_users=True))
    assert asked
