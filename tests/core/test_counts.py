"""How many items and values there are: the same fact gives the same figure, however it is said."""

import pytest

from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.load import dump, load
from designer.core.errors import DesignError
from designer.core.plan import STYLES, Constant
from designer.core.planner import plan
from designer.core.planner.model.cardinality import (
    matching_items,
    may_be_together,
    share_tested,
)
from designer.core.planner.model.distinct import distinct_values
from designer.core.planner.model.largest import busiest_items
from designer.core.planner.solve.candidate_lists import CACHED
from tests.planned import planned
from tests.proven import in_memory, prove_on

PROJECT = {"name": "projectId", "bytes": 10}
FLAG = {"name": "flagKey", "bytes": 20}
HAS = {"name": "has", "one": "Project", "many": "Flag", "average": 50}
SET = {"name": "set", "one": "Flag", "many": "Setting", "average": 3}


def flags(
    *, of_flag=None, of_setting=(None, None), items=(3000, 150_000, 450_000), has=(), set_=()
):
    """Settings of flags of projects. `of_...`: what their attributes refer to; `has`, `set_`: further fields."""

    def entity(name, count, identifier, attributes):
        stated = {} if count is None else {"items": count}
        return {"name": name, "identifier": identifier, "attributes": attributes, **stated}

    def refers(attribute, to):
        return attribute if to is None else {**attribute, "refers_to": to}

    project, flag, setting = items
    return Design.model_validate(
        {
            "name": "Flags",
            "entities": [
                entity("Project", project, ["projectId"], [PROJECT]),
                entity("Flag", flag, ["projectId", "flagKey"], [refers(PROJECT, of_flag), FLAG]),
                entity(
                    "Setting",
                    setting,
                    ["projectId", "flagKey", "environment"],
                    [
                        refers(PROJECT, of_setting[0]),
                        refers(FLAG, of_setting[1]),
                        {"name": "environment", "values": ["dev", "staging", "prod"]},
                        {"name": "rules", "bytes": 600},
                    ],
                ),
            ],
            "relationships": [
                *([] if has is None else [{**HAS, **dict(has)}]),
                *([] if set_ is None else [{**SET, **dict(set_)}]),
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "Settings of an environment",
                    "kind": "list",
                    "returns": "Setting",
                    "where": [
                        {"attribute": "projectId", "is": {"param": "projectId"}},
                        {"attribute": "environment", "is": {"param": "environment"}},
                    ],
                    "rate": {"average": 400},
                },
            ],
        }
    )


BY_FLAG = ("Flag.projectId", "Flag.flagKey")
BY_PROJECT = ("Project.projectId", "Flag.flagKey")
SAID = {
    "by its parent's key": {"of_flag": "Project.projectId", "of_setting": BY_FLAG},
    "by the key of its parent's parent": {
        "of_flag": "Project.projectId",
        "of_setting": BY_PROJECT,
        "set_": {"by": ["projectId", "flagKey"]},
    },
    "by relationships alone": {
        "has": {"by": "projectId"},
        "set_": {"by": ["projectId", "flagKey"]},
    },
    "by references alone": {
        "of_flag": "Project.projectId",
        "of_setting": BY_FLAG,
        "has": None,
        "set_": None,
    },
    "by one reference": {"of_setting": ("Project.projectId", None), "has": None, "set_": None},
    "by averages, whatever there are": {
        "of_flag": "Project.projectId",
        "of_setting": BY_FLAG,
        "items": (3000, None, 450_000),
    },
    "by how many there are of one and of the other": {
        "of_flag": "Project.projectId",
        "of_setting": BY_FLAG,
        "has": {"average": None},
        "set_": {"average": None},
    },
    "by how many there are at the ends": {
        "of_flag": "Project.projectId",
        "of_setting": BY_FLAG,
        "has": {"average": None},
        "set_": {"average": None},
        "items": (3000, None, 450_000),
    },
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_settings_of_a_project_are_as_many_however_it_is_said(said):
    design = flags(**said)
    setting = design.entity["Setting"]
    assert matching_items(design, setting, {"projectId": "{p}"}) == pytest.approx(150)
    assert matching_items(design, setting, {"projectId": "{p}", "environment": "{e}"}) == (
        pytest.approx(50)
    )
    assert distinct_values(design, setting, setting.by_name["projectId"]) == 3000


def test_what_is_said_in_other_words_has_the_same_plan():
    stated = {**SAID["by its parent's key"], "set_": {"by": ["projectId", "flagKey"]}}
    one, other = flags(**stated), flags(**{**stated, "of_setting": BY_PROJECT})
    for style in ("single", "multi"):
        one_plan, other_plan = plan(one, style), plan(other, style)
        assert one_plan.model_dump(exclude={"design"}) == other_plan.model_dump(exclude={"design"})


def order(reference, items=10_000, **users):
    return Design.model_validate(
        {
            "name": "Orders",
            "entities": [
                {
                    "name": "User",
                    "identifier": ["userId"],
                    "items": 500,
                    "attributes": [{"name": "userId"}],
                },
                {
                    "name": "Order",
                    "identifier": ["orderId"],
                    "items": items,
                    "attributes": [{"name": "orderId"}, {"name": "userId", **reference}],
                },
            ],
            **users,
        }
    )


PLACES = {"relationships": [{"name": "places", "one": "User", "many": "Order", "by": "userId"}]}


@pytest.mark.parametrize("design", [
    order({"refers_to": "User.userId", "present": 0.5}),
    order({"refers_to": "User.userId", "present": 0.5}, **PLACES),
    order({"present": 0.5}, **PLACES),
    order({"distinct": 500, "present": 0.5}),
])  # fmt: skip
def test_those_without_the_reference_are_nobodys(design):
    assert matching_items(design, design.entity["Order"], {"userId": "{u}"}) == pytest.approx(10)


@pytest.mark.parametrize("more", [{}, PLACES])
def test_a_reference_with_fewer_values_in_use_is_counted_by_them(more):
    design = order({"refers_to": "User.userId", "distinct": 40}, **more)
    assert matching_items(design, design.entity["Order"], {"userId": "{u}"}) == pytest.approx(250)


@pytest.mark.parametrize(
    "said",
    [
        {"attributes": [{"name": "id"}, {"name": "above", "refers_to": "Part.id", "present": 0.8}]},
        {
            "attributes": [{"name": "id"}, {"name": "above", "present": 0.8}],
            "relationships": [{"name": "within", "one": "Part", "many": "Part", "by": "above"}],
        },
    ],
)
def test_an_entity_that_refers_to_itself_counts_like_any_other(said):
    relationships = said.get("relationships", [])
    entity = {"name": "Part", "identifier": ["id"], "items": 900, "attributes": said["attributes"]}
    design = Design.model_validate(
        {"name": "Parts", "entities": [entity], "relationships": relationships}
    )
    assert matching_items(design, design.entity["Part"], {"above": "{p}"}) == pytest.approx(0.8)


def test_identifiers_are_held_through_edges_and_partners():
    design = Design.model_validate(
        {
            "name": "School",
            "entities": [
                {
                    "name": name,
                    "identifier": identifier,
                    "attributes": [{"name": one} for one in identifier],
                }
                for name, identifier in (
                    ("City", ["city"]),
                    ("Pupil", ["city", "pupil"]),
                    ("Course", ["course"]),
                    ("Seat", ["city", "pupil", "course"]),
                    ("Badge", ["city", "pupil", "course", "badge"]),
                )
            ],
            "relationships": [
                {"name": "lives", "one": "City", "many": "Pupil", "by": "city", "average": 20},
                {
                    "name": "takes",
                    "many": ["Pupil", "Course"],
                    "through": "Seat",
                    "averages": [4, 30],
                },
                {"name": "wins", "one": ["Seat", "Badge"], "by": ["city", "pupil", "course"]},
            ],
        }
    )
    seat = design.entity["Seat"]
    attributes = {
        "city": "Pupil.city",
        "pupil": "Pupil.pupil",
        "course": "Course.course",
    }
    changed = seat.model_copy(
        update={
            "attributes": tuple(
                one.model_copy(update={"refers_to": attributes[one.name]})
                for one in seat.attributes
            )
        }
    )
    entities = tuple(changed if one.name == "Seat" else one for one in design.entities)
    design = design.model_copy(update={"entities": entities})
    badge = design.entity["Badge"]
    found = {
        frozenset(given): matching_items(design, badge, dict.fromkeys(given, "{p}"))
        for given in (("city",), ("city", "pupil"), ("course",), ("city", "pupil", "course"))
    }
    assert list(found.values()) == [80, 4, 30, 1]


def shops(**city):
    attributes = [{"name": "shopId", "format": "uuid"}, {"name": "city", "bytes": 8, **city}]
    shop = {"name": "Shop", "identifier": ["shopId"], "items": 10_000, "attributes": attributes}
    design = Design.model_validate({"name": "Shops", "entities": [shop], "patterns": []})
    return design, design.entity["Shop"]


def test_a_value_that_is_common_is_asked_for_as_often_as_it_occurs():
    """Six of ten shops are in one city, two in each of two others: a city asked for has 0.36 + 0.04 + 0.04 of them."""
    cities = {"values": ["A", "B", "C"], "shares": [0.6, 0.2, 0.2]}
    for said in (cities, {"distinct": 3, "busiest": 0.6}):
        assert matching_items(*shops(**said), {"city": "{city}"}) == pytest.approx(4400)
    one = Constant(value="B")  # nothing says which value the busiest is
    assert matching_items(*shops(distinct=4, busiest=0.6), {"city": one}) == 2500
    assert matching_items(*shops(distinct=1, busiest=1), {"city": "{city}"}) == 10_000


def test_the_plan_follows_the_values_of_what_is_referred_to():
    def plan_with(sites):
        level = {
            "name": "Level",
            "identifier": ["sku", "site"],
            "items": 100_000,
            "attributes": [{"name": "sku"}, {"name": "site", "bytes": 4, "distinct": sites}],
        }
        hold = {
            "name": "Hold",
            "identifier": ["id"],
            "items": 100_000,
            "attributes": [{"name": "id"}, {"name": "site", "bytes": 4, "refers_to": "Level.site"}],
        }
        listing = {
            "number": 1,
            "name": "Holds of a site",
            "kind": "list",
            "returns": "Hold",
            "where": [{"attribute": "site", "is": {"param": "site"}}],
            "expects": 10,
        }
        made = {
            "number": 2,
            "name": "Hold",
            "kind": "create",
            "entity": "Hold",
            "rate": {"average": 10, "peak": 8000},
        }
        design = {"name": "Stock", "entities": [level, hold], "patterns": [listing, made]}
        return plan(Design.model_validate(design), "multi").model_dump_json()

    plan_with(2000)
    remembered = plan_with(5)
    CACHED.clear()
    assert plan_with(5) == remembered


@pytest.mark.parametrize(
    ("given", "rows"),
    [
        (("of_month",), 30_000),
        (("of_day",), 1000),
        (("of_hour",), 1000 / 24),
        # Who gives the hour gives the day and the month of it, and who gives the time gives all of them.
        (("of_month", "of_day"), 1000),
        (("of_day", "of_hour", "of_month"), 1000 / 24),
        (("of_day", "sentAt"), 1),
        # Days of different times have nothing to do with each other.
        (("of_day", "due_day"), 1000 / 360),
    ],
)
def test_what_is_derived_of_one_time_is_not_there_by_chance(given, rows):
    derived = {"of_hour": "hour(sentAt)", "of_day": "date(sentAt)", "of_month": "month(sentAt)"}
    derived["due_day"] = "date(dueAt)"
    design = Design.model_validate(
        {
            "name": "Letters",
            "entities": [
                {
                    "name": "Letter",
                    "identifier": ["letterId"],
                    "items": 360_000,
                    "growth_per_month": 30_000,
                    "attributes": [
                        {"name": "letterId", "format": "uuid"},
                        {"name": "sentAt", "format": "datetime"},
                        {"name": "dueAt", "format": "datetime"},
                        *({"name": name, "derived": of} for name, of in derived.items()),
                    ],
                }
            ],
        }
    )
    found = matching_items(design, design.entity["Letter"], dict.fromkeys(given, ""))
    assert found == pytest.approx(rows)


@pytest.mark.parametrize(
    ("attribute", "items", "values"),
    [
        ({"format": "date"}, 2_000_000, 3600),
        ({"format": "date"}, 2000, 200),
        ({"format": "date", "distinct": 20_000}, 2_000_000, 20_000),
        ({"derived": "month(arrivesAt)"}, 2_000_000, 120),
        ({"derived": "hour(arrivesAt)"}, 2_000_000, 86_400),
        ({"format": "datetime"}, 2_000_000, 2_000_000),
    ],
)
def test_dates_are_no_more_than_ten_years_have(attribute, items, values):
    entity = {
        "name": "Booking",
        "identifier": ["bookingId"],
        "items": items,
        "attributes": [
            {"name": "bookingId", "format": "uuid"},
            {"name": "arrivesAt", "format": "datetime"},
            {"name": "arrival", **attribute},
        ],
    }
    design = Design.model_validate({"name": "Hotels", "entities": [entity]})
    booking = design.entity["Booking"]
    assert distinct_values(design, booking, booking.by_name["arrival"]) == values


DEAL = {
    "name": "Deal",
    "identifier": ["dealId"],
    "items": 1_500_000,
    "attributes": [
        {"name": "dealId", "format": "ulid"},
        {"name": "firmId", "refers_to": "Firm.firmId"},
        {"name": "sellerId", "format": "uuid", "distinct": 30_000},
        {"name": "board", "distinct": 100_000},
        {"name": "closesOn", "format": "date", "distinct": 3000},
        {"name": "stage", "values": ["OPEN", "WON", "LOST"], "shares": [0.001, 0.5, 0.499]},
    ],
}
FIRM = {
    "name": "Firm",
    "identifier": ["firmId"],
    "items": 2000,
    "attributes": [{"name": "firmId", "format": "uuid"}],
}


@pytest.mark.parametrize(
    ("given", "rows", "together"),
    [
        (("sellerId",), 50, None),
        (("firmId", "stage"), 750 * (0.001**2 + 0.5**2 + 0.499**2), None),
        # A seller works for one firm.
        (("firmId", "sellerId"), 50, 50),
        # Somebody asks for what exists, if hardly any firm has it by chance.
        (("firmId", "sellerId", "closesOn"), 1, 1),
        (("firmId", "closesOn"), 1, 1),
        # Of a board nobody says so: there may be one of each name in each firm.
        (("firmId", "board"), 1, 15),
        # Of the deals that exist it leaves its share.
        (
            ("firmId", "board", "stage"),
            0.001**2 + 0.5**2 + 0.499**2,
            15 * (0.001**2 + 0.5**2 + 0.499**2),
        ),
        (("firmId", "dealId"), 1, None),
    ],
)
def test_what_identifies_something_belongs_to_one_value_of_what_is_coarser(given, rows, together):
    design = Design.model_validate({"name": "Deals", "entities": [FIRM, DEAL]})
    equals = dict.fromkeys(given, "{given}")
    deal = design.entity["Deal"]
    assert matching_items(design, deal, equals) == pytest.approx(rows, abs=1e-6)
    assert may_be_together(design, deal, equals) == (together and pytest.approx(together, abs=1e-6))


@pytest.mark.parametrize(
    ("tested", "share"),
    [
        # One deal of the seller is among the firm's 750, though all 50 of the seller's may be.
        ({"sellerId": "{seller}"}, 1 / 750),
        ({"closesOn": "{day}"}, 1 / 750),
        ({"stage": Constant(value="OPEN")}, 0.001),
        ({"sellerId": "{seller}", "stage": Constant(value="OPEN")}, 0.001 / 750),
    ],
)
def test_what_is_tested_of_a_collection_is_there_at_least_once(tested, share):
    seller = {"name": "Seller", "identifier": ["sellerId"], "items": 30_000}
    seller["attributes"] = [{"name": "sellerId", "format": "uuid"}]
    held = {"name": "sellerId", "refers_to": "Seller.sellerId"}
    attributes = [held if one["name"] == "sellerId" else one for one in DEAL["attributes"]]
    entities = [FIRM, seller, DEAL | {"attributes": attributes}]
    design = Design.model_validate({"name": "Deals", "entities": entities})
    found = share_tested(design, design.entity["Deal"], {"firmId": "{firm}"}, tested)
    assert found == pytest.approx(share)


def test_the_busiest_parent_has_no_fewer_of_something_than_usual():
    """Of a seller of the firm with 5 % of the deals there are no fewer than of any other."""
    attributes = [
        one | ({"busiest": 0.05} if one["name"] == "firmId" else {}) for one in DEAL["attributes"]
    ]
    entities = [FIRM, DEAL | {"attributes": attributes}]
    design = Design.model_validate({"name": "Deals", "entities": entities})
    equals = dict.fromkeys(("firmId", "sellerId"), "{given}")
    assert busiest_items(design, design.entity["Deal"], equals, equals) == 50


def test_listed_numbers_say_how_long_they_are_written():
    def of(**said):
        return Attribute(name="level", type="N", **said).padding

    assert of(values=[1, 2, 3]) == (1, 0)
    assert of(values=["0.5", "12"]) == (3, 1)
    assert of(values=[1, 2], digits=4) == (4, 0)
    assert of(values=[1, 2], minimum=0, maximum=999) == (3, 0)
    assert of() == (38, 0)


def test_of_a_constant_the_largest_collection_is_its_own():
    """Of each team's tickets few are new, though most of all are solved."""
    text = """
keywright: 1
name: Desk
entities:
  - name: Ticket
    identifier: [ticketId]
    items: 5000000
    attributes:
      - {name: ticketId, format: ulid}
      - {name: team, values: [BILLING, TECH], shares: [0.6, 0.4]}
      - {name: status, values: [NEW, SOLVED], shares: [0.001, 0.999], mutable: true}
patterns:
  - {number: 1, name: How many new tickets a team has, kind: count, returns: Ticket,
     where: [{attribute: team, is: {param: team}}, {attribute: status, is: {value: NEW}}],
     rate: {average: 5}}
  - {number: 2, name: Open, kind: create, entity: Ticket, rate: {average: 2}}
"""
    (count, _) = plan(load(text, name="desk"), "multi").operations
    assert count.answer == "in one request"
    assert count.steps[0].expects.worst.read == 3000


def test_a_copy_keeps_what_follows_from_entities_that_stay():
    design = gallery.load("shop")
    found = design.held, design.referred, design.entity
    copied = design.model_copy(update={"patterns": design.patterns[1:]})
    assert all(
        one is other
        for one, other in zip(found, (copied.held, copied.referred, copied.entity), strict=True)
    )
    assert copied.patterns[0].number not in {one.number for one in design.patterns[:1]}
    fewer = design.model_copy(update={"entities": design.entities[1:]})
    assert design.entities[0].name not in fewer.entity
    assert fewer.held.keys() == fewer.entity.keys()


def named_alike(**figures):
    """Stocks of sites, of which another entity says how many there are."""
    place = {"name": "Place", "identifier": ["site", "aisle"], "items": 540}
    place["attributes"] = [{"name": "site", **figures}, {"name": "aisle", "distinct": 60}]
    stock = {"name": "Stock", "identifier": ["stockId"], "items": 90_000}
    stock["attributes"] = [
        {"name": "stockId", "format": "uuid"},
        {"name": "site", "bytes": 8},
        {"name": "aisle", "bytes": 8},
        {"name": "zone", "bytes": 2},
        {"name": "colour", "bytes": 9},
    ]
    design = Design.model_validate({"name": "Stocks", "entities": [place, stock]})
    entity = design.entity["Stock"]
    return [
        distinct_values(design, entity, entity.by_name[name])
        for name in ("site", "aisle", "zone", "colour")
    ]


def test_a_text_is_taken_to_have_the_values_of_one_of_the_same_name():
    assert named_alike(values=["BER", "HAM", "MUC"]) == [3, 60, 4096, 9000]
    assert named_alike(distinct=7) == [7, 60, 4096, 9000]
    assert named_alike() == [9, 60, 4096, 9000]  # places by aisles, as the identifier tells them


TENANTS = """
keywright: 1
name: Segments that flags of a company are for
entities:
  - name: Flag
    identifier: [companyId, flagKey]
    items: 500000
    attributes: [{name: companyId, format: ulid, distinct: 4000}, {name: flagKey, bytes: 24}]
  - name: Segment
    identifier: [companyId, segmentKey]
    items: 60000
    attributes: [{name: companyId, format: ulid, distinct: 4000}, {name: segmentKey, bytes: 16}]
  - name: Use
    identifier: [companyId, flagKey, segmentKey]
    items: 300000
    attributes:
      - {name: companyId, format: ulid}
      - {name: flagKey, bytes: 24}
      - {name: segmentKey, bytes: 16}
relationships:
  - name: uses
    many: [Flag, Segment]
    through: Use
    by: [companyId, flagKey, companyId, segmentKey]
    averages: [0.6, 5]
    mosts: [50, 2000]
patterns:
  - number: 1
    name: A flag with its segments
    kind: get
    returns: Flag
    where: [{attribute: companyId, is: {param: c}}, {attribute: flagKey, is: {param: f}}]
    with: [{relationship: uses}]
    rate: {average: 3}
  - number: 2
    name: A segment with its flags
    kind: get
    returns: Segment
    where: [{attribute: companyId, is: {param: c}}, {attribute: segmentKey, is: {param: s}}]
    with: [{relationship: uses}]
    rate: {average: 3}
  - {number: 3, name: Use a segment, kind: create, entity: Use, rate: {average: 0.2}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_both_sides_of_many_to_many_may_share_an_attribute(style):
    design = load(TENANTS)
    assert load(dump(design)) == design
    (one, first), (other, second) = design.sides(design.relationships[0])
    assert (one, first) == ("Flag", (("companyId", "companyId"), ("flagKey", "flagKey")))
    assert (other, second) == ("Segment", (("companyId", "companyId"), ("segmentKey",) * 2))
    assert prove_on(in_memory(), design, planned(design, style)).passed
    with pytest.raises(DesignError, match="no attribute of Use refers to Flag"):
        load(
            TENANTS.replace(", companyId, segmentKey]\n    averages", ", segmentKey]\n    averages")
        )


def shifts(*, growth=None, of_day=None):
    """Shifts of nurses, one a day at the most, that are asked for by ward and day."""
    return Design.model_validate(
        {
            "name": "Ward rota",
            "entities": [
                {
                    "name": "Shift",
                    "identifier": ["nurseId", "day"],
                    "items": 900_000,
                    "growth_per_month": growth,
                    "attributes": [
                        {"name": "nurseId", "bytes": 9, "distinct": 225_000},
                        {"name": "day", "format": "date", "distinct": of_day},
                        {"name": "ward", "bytes": 6, "distinct": 30},
                    ],
                },
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "Shifts of a ward on a day",
                    "kind": "list",
                    "returns": "Shift",
                    "where": [
                        {"attribute": "ward", "is": {"param": "ward"}},
                        {"attribute": "day", "is": {"param": "day"}},
                    ],
                    "rate": {"average": 2},
                },
            ],
        }
    )


@pytest.mark.parametrize(
    ("said", "days", "lowest"),
    [
        ({}, 3600, 30),
        # 900,000 shifts at 45,000 a month come in during 20 months.
        ({"growth": 45_000}, 600, 30),
        # They come within half a month, but no fewer dates tell the items apart than the identifier needs.
        ({"growth": 1_800_000}, 15, 15),
        ({"growth": 9_000_000}, 4, 4),
        ({"of_day": 700}, 700, None),
    ],
)
def test_how_many_dates_tell_items_apart_is_no_count_of_dates(said, days, lowest):
    """Each nurse has four shifts, but not all nurses on the same four days."""
    design = shifts(**said)
    shift = design.entity["Shift"]
    assert distinct_values(design, shift, shift.by_name["day"]) == days
    found = plan(design, "multi")
    rows = found.operations[0].steps[0].expects.returned
    assert rows == pytest.approx(900_000 / 30 / days, abs=0.01)
    guesses = [(one.value, one.low, one.high) for one in found.assumed if one.what == "values"]
    assert guesses == ([] if lowest is None else [(days, lowest, 10 * days)])


def test_the_dates_of_a_full_calendar_lie_within_the_range_that_is_assumed():
    """Where each of 50,000 rooms has the same 260 nights, these are all dates that there are."""
    nights = {"name": "Night", "identifier": ["roomId", "day"], "items": 13_000_000}
    nights["attributes"] = [
        {"name": "roomId", "bytes": 8, "distinct": 50_000},
        {"name": "day", "format": "date"},
        {"name": "guest", "bytes": 20},
    ]
    asked = {"number": 1, "name": "Nights of a day", "kind": "count", "returns": "Night"}
    asked |= {"where": [{"attribute": "day", "is": {"param": "day"}}], "rate": {"average": 1}}
    design = Design.model_validate({"name": "Inn", "entities": [nights], "patterns": [asked]})
    (guess,) = plan(design, "multi").assumed[:1]
    assert (guess.of, guess.value, guess.low) == ("Night.day", 3600, 260)


SCANS = """
keywright: 1
name: Gates of a stadium
entities:
  - name: Scan
    identifier: [gate, scanId]
    items: 720000
    attributes:
      - {name: gate, bytes: 4, distinct: 10, busiest: 0.37}
      - {name: scanId, format: ulid}
      - {name: at, format: datetime}
      - {name: hourOf, derived: hour(at)}
patterns:
  - {number: 1, name: Scans of a gate in an hour, kind: count, returns: Scan,
     where: [{attribute: gate, is: {param: gate}}, {attribute: hourOf, is: {param: hour}}],
     rate: {average: 1}}
  - {number: 2, name: Scan, kind: transaction, members: [{create: Scan, times: {average: 2, most: 5}}],
     rate: {average: 1}}
"""


def test_what_is_created_says_for_how_many_hours_there_are_items():
    """Two a second for 100 hours; counted over scans that come in one after the other."""
    counted = {}
    for number in range(720_000):
        gate = 0 if number % 100 < 37 else 1 + number % 9
        here = gate, number // 7200
        counted[here] = counted.get(here, 0) + 1
    on_average = sum(many * many for many in counted.values()) / 720_000
    found = plan(load(SCANS, name="stadium"), "multi")
    expects = found.operations[0].steps[0].expects
    assert expects.read == pytest.approx(on_average, rel=0.01)
    assert expects.worst.read == pytest.approx(max(counted.values()), rel=0.01)
    (guess,) = [one for one in found.assumed if one.of == "Scan.hourOf"]
    assert (guess.value, guess.low, guess.high) == (100, 10, 1000)
