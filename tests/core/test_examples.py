"""Example items: they hang together, and the same design always has the same ones."""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.edits import identified
from designer.core.examples import MOST_ITEMS, examples
from designer.core.examples.ask import ask
from designer.core.examples.asked import constants_of, meets
from designer.core.examples.items import derived, links
from designer.core.examples.words import by_name
from designer.core.outline import add_asked, add_outline, read_outline, read_pattern
from designer.core.patterns.base import Read
from designer.core.planner import plan

from .orders import ORDERS


def shaped(**entity: object) -> Design:
    """A design of one entity."""
    return Design.model_validate({"name": "One", "entities": [{"name": "Thing", **entity}]})


def test_children_belong_to_parents_that_are_there_unevenly() -> None:
    found = examples(ORDERS)
    of_each = Counter(order["userId"] for order in found["Order"])
    users = [user["userId"] for user in found["User"]]
    assert set(of_each) <= set(users)
    assert [of_each[user] for user in users] == [3, 1, 0]


def test_the_same_design_has_the_same_examples() -> None:
    assert examples(ORDERS) == examples(Design.model_validate(ORDERS.model_dump(by_alias=True)))


def test_orders_come_after_their_users_in_time_and_in_order_among_themselves() -> None:
    first_three = [order["placedAt"] for order in examples(ORDERS)["Order"][:3]]
    assert first_three == sorted(first_three)
    assert len(set(first_three)) == 3


def test_rare_values_occur_and_frequent_ones_more_often() -> None:
    statuses = Counter(order["status"] for order in examples(ORDERS)["Order"])
    assert set(statuses) == {"PENDING", "PAID", "DONE"}
    assert statuses.most_common(1)[0][0] == "DONE"


def test_a_sparse_attribute_is_there_at_least_once_and_missing_elsewhere() -> None:
    having = ["premiumSince" in user for user in examples(ORDERS)["User"]]
    assert having.count(True) == 1


def test_numbers_are_exact_and_within_their_digits() -> None:
    for order in examples(ORDERS)["Order"]:
        assert isinstance(order["total"], Decimal)
        assert -order["total"].as_tuple().exponent == 2
    small = shaped(
        identifier=["id"],
        attributes=[{"name": "id"}, {"name": "n", "type": "N", "format": "integer", "digits": 1}],
    )
    assert all(0 <= thing["n"] < 10 for thing in examples(small)["Thing"])


def test_the_teams_own_examples_come_first_and_make_items_together() -> None:
    own = shaped(
        identifier=["id"],
        attributes=[
            {"name": "id", "examples": ["x", "y"]},
            {"name": "size", "type": "N", "examples": [1.5, 2]},
        ],
    )
    assert examples(own)["Thing"] == (
        {"id": "x", "size": Decimal("1.5")},
        {"id": "y", "size": Decimal(2)},
    )


def test_unique_values_differ_even_where_few_values_are_in_use() -> None:
    design = shaped(
        identifier=["id"],
        attributes=[{"name": "id"}, {"name": "code", "unique": True, "distinct": 1}],
    )
    codes = [thing["code"] for thing in examples(design)["Thing"]]
    assert len(set(codes)) == len(codes) > 1


def test_a_reference_to_its_own_kind_names_an_earlier_item_and_the_first_has_none() -> None:
    tree = Design.model_validate(
        {
            "name": "Tree",
            "entities": [
                {
                    "name": "Category",
                    "identifier": ["categoryId"],
                    "attributes": [
                        {"name": "categoryId"},
                        {"name": "parentId", "refers_to": "Category.categoryId"},
                    ],
                }
            ],
            "relationships": [
                {"name": "in", "one": "Category", "many": "Category", "by": "parentId"}
            ],
        }
    )
    found = examples(tree)["Category"]
    seen: set[object] = set()
    for number, category in enumerate(found):
        if number == 0:
            assert "parentId" not in category
        else:
            assert category["parentId"] in seen
        seen.add(category["categoryId"])


def test_two_references_of_an_edge_name_different_items() -> None:
    network = gallery.load("social-network")
    friendships = examples(network)["Friendship"]
    assert friendships
    assert all(edge["userId"] != edge["friendId"] for edge in friendships)


def test_a_count_over_children_counts_the_examples() -> None:
    document = ORDERS.model_dump(by_alias=True, mode="json")
    document["entities"][0]["attributes"].append(
        {"name": "orderCount", "type": "N", "aggregate": "count of places"}
    )
    users = examples(Design.model_validate(document))["User"]
    assert [user["orderCount"] for user in users] == [3, 1, 0]


def test_derived_attributes_are_worked_out_and_not_stored() -> None:
    design = shaped(
        identifier=["id"],
        attributes=[
            {"name": "id"},
            {"name": "readAt", "format": "datetime"},
            {"name": "day", "derived": "date(readAt)"},
        ],
    )
    thing = examples(design)["Thing"][0]
    assert "day" not in thing
    assert derived(design.entity["Thing"], thing)["day"] == thing["readAt"][:10]


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_gallery_design_has_examples_that_hold_together(slug: str) -> None:
    design = gallery.load(slug)
    found = examples(design)
    assert sum(len(items) for items in found.values()) <= MOST_ITEMS
    for entity in design.entities:
        items = found[entity.name]
        assert items, f"{entity.name} has no example"
        identities = [tuple(item[name] for name in entity.identifier) for item in items]
        assert len(set(identities)) == len(identities)
        for attribute in entity.unique_attributes:
            values = [item[attribute.name] for item in items if attribute.name in item]
            assert len(set(values)) == len(values)
        for link in links(design, entity):
            there = {
                tuple(item.get(theirs) for _, theirs in link.pairs) for item in found[link.target]
            }
            for item in items:
                reference = tuple(item.get(mine) for mine, _ in link.pairs)
                assert None in reference or reference in there


def test_many_entities_share_the_most_items_a_page_can_hold() -> None:
    entities = [
        {"name": f"Entity{n}", "identifier": ["id"], "attributes": [{"name": "id"}]}
        for n in range(200)
    ]
    found = examples(Design.model_validate({"name": "Many", "entities": entities}))
    assert sum(len(items) for items in found.values()) <= MOST_ITEMS
    assert all(found.values())


HOTEL = """
Hotel: hotelId uuid, name, city
Room: hotelId, roomNo, state HELD|BLOCKED|CLOSED|FREE, view, beds 1-4
Guest: guestId uuid, name
Booking: bookingId ulid, guestId, hotelId, roomNo, bookedAt, checkIn, checkOut
Hotel 1-N Room
Guest 1-N Booking
"""


def hotel(*sentences: str) -> Design:
    design = add_outline(Design(name="Hotel"), read_outline(HOTEL))
    for sentence in sentences:
        design = add_asked(design, read_pattern(sentence, design))
    return identified(design)


def test_what_a_pattern_always_asks_for_occurs_together() -> None:
    design = hotel("List FREE Rooms of a Hotel with view is SEA and beds at least")
    assert any(
        room["state"] == "FREE" and room["view"] == "SEA" for room in examples(design)["Room"]
    )
    other = hotel("List HELD Rooms with view is SEA", "List FREE Rooms with view is CITY")
    states = {(room["state"], room["view"]) for room in examples(other)["Room"]}
    assert states >= {("HELD", "SEA"), ("FREE", "CITY")}


def test_a_selected_pattern_finds_what_it_always_asks_for() -> None:
    design = hotel("List FREE Rooms of a Hotel", "List Rooms with view is SEA")
    made = plan(design, "single")
    for operation in made.operations:
        trace = ask(design, made, examples(design), operation)
        assert trace is not None and trace.returned, design.pattern(operation.pattern).name


@pytest.mark.parametrize(
    "condition",
    [
        {"from": {"value": 90}},
        {"after": {"value": 90}},
        {"below": {"value": 0}},
        {"missing": True},
        {"not": {"value": 3}},
        {"is": {"value": "no number"}},
    ],
)
def test_every_kind_of_constant_is_met_or_left_alone(condition: dict[str, object]) -> None:
    pattern = {
        "number": 1, "name": "n", "kind": "list", "returns": "Room",
        "where": [{"attribute": "beds", **condition}],
    }  # fmt: skip
    plain = hotel()
    design = Design.model_validate({**plain.model_dump(by_alias=True), "patterns": [pattern]})
    beds = [room.get("beds") for room in examples(design)["Room"]]
    (test,) = design.patterns[0].where
    assert any(meets(test, value) for value in beds) == (condition.get("is") is None)


def test_the_teams_own_examples_stay_whatever_patterns_ask() -> None:
    design = Design.model_validate(
        {
            "name": "One",
            "entities": [{
                "name": "Thing", "identifier": ["id"],
                "attributes": [{"name": "id", "examples": ["x", "y"]}, {"name": "size", "examples": ["L", "L"]}],
            }],
            "patterns": [{
                "number": 1, "name": "n", "kind": "list", "returns": "Thing",
                "where": [{"attribute": "size", "is": {"value": "S"}}],
            }],
        }
    )  # fmt: skip
    assert [thing["size"] for thing in examples(design)["Thing"]] == ["L", "L"]


def test_guests_check_in_after_they_booked_and_out_after_that() -> None:
    for booking in examples(hotel())["Booking"]:
        assert booking["bookedAt"][:10] < booking["checkIn"] < booking["checkOut"]


@pytest.mark.parametrize(
    ("entity", "begins", "ends"),
    [
        ("Booking: bookingId ulid, guestId, hotelId, roomNo, checkIn, checkOut", "checkIn", "checkOut"),
        ("Rate: rateId, hotelId, roomNo, validFrom date, validTo date, price", "validFrom", "validTo"),
        ("Shift: shiftId, hotelId, roomNo, startsAt, endsAt", "startsAt", "endsAt"),
    ],
)  # fmt: skip
def test_what_begins_and_ends_follows_what_has_the_same_parent(
    entity: str, begins: str, ends: str
) -> None:
    lines = (
        "Hotel: hotelId uuid, name",
        "Room: hotelId, roomNo",
        "Guest: guestId uuid",
        entity,
        "Hotel 1-N Room",
        "Room 1-N " + entity.split(":")[0],
    )
    design = identified(add_outline(Design(name="Stays"), read_outline("\n".join(lines))))
    found = examples(design)[entity.split(":")[0]]
    of_a_room: dict[object, list[tuple[str, str]]] = {}
    for item in found:
        room = (item["hotelId"], item["roomNo"])
        of_a_room.setdefault(room, []).append((str(item[begins]), str(item[ends])))
    assert max(len(each) for each in of_a_room.values()) > 1
    for spans in of_a_room.values():
        in_order = sorted(spans)
        assert all(begin < end for begin, end in in_order)
        assert all(one[1] <= other[0] for one, other in pairwise(in_order)), in_order


def test_references_that_share_an_attribute_agree_on_it() -> None:
    """A booking says its guest, its hotel, and a room that this hotel has."""
    names = {
        "Guest": ["guestId"],
        "Hotel": ["hotelId"],
        "Room": ["hotelId", "roomNumber"],
        "Booking": ["bookingId"],
    }
    attributes = names | {"Booking": ["bookingId", "guestId", "hotelId", "roomNumber"]}
    design = Design.model_validate(
        {
            "name": "Hotels",
            "entities": [
                {
                    "name": name,
                    "identifier": names[name],
                    "attributes": [{"name": each} for each in attributes[name]],
                }
                for name in names
            ],
            "relationships": [
                {"name": f"r{one}{many}", "one": one, "many": many, "by": names[one]}
                for one, many in (
                    ("Hotel", "Room"),
                    ("Guest", "Booking"),
                    ("Hotel", "Booking"),
                    ("Room", "Booking"),
                )
            ],
        }
    )
    found = examples(design)
    rooms = {(room["hotelId"], room["roomNumber"]) for room in found["Room"]}
    bookings = [(each["hotelId"], each["roomNumber"]) for each in found["Booking"]]
    assert len({hotel for hotel, _ in bookings}) > 1
    assert set(bookings) <= rooms


def test_a_room_has_few_beds() -> None:
    design = shaped(
        identifier=["id"], attributes=[{"name": "id"}, {"name": "beds", "type": "N", "digits": 3}]
    )
    assert all(1 <= thing["beds"] <= 4 for thing in examples(design)["Thing"])


def test_rooms_have_the_numbers_of_rooms_and_hotels_the_names_of_hotels() -> None:
    found = examples(hotel())
    assert [room["roomNo"] for room in found["Room"]][:3] == ["101", "102", "201"]
    assert found["Hotel"][0]["name"] != found["Hotel"][0]["city"]


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_read_of_the_gallery_that_asks_for_a_constant_finds_an_example(slug: str) -> None:
    design = gallery.load(slug)
    found = examples(design)
    for entity in design.entities:
        items = found[entity.name]
        for constants in constants_of(design).get(entity.name, ()):
            if any(len(attribute.examples) >= len(items) for _, attribute in constants):
                continue  # all of them are the team's own
            assert any(
                all(meets(condition, item.get(a.name)) for condition, a in constants)
                for item in items
            ), (entity.name, constants)


@pytest.mark.parametrize(
    ("entity", "attribute", "example"),
    [("Book", "title", "The Long Harvest"), ("Film", "title", "The Night Ferry"), ("Book", "genre", "Novel"),
     ("MenuDish", "name", "Lentil soup"), ("Task", "title", "Write the outline"), ("Product", "name", "Desk lamp")],
)  # fmt: skip
def test_names_suit_what_they_name(entity: str, attribute: str, example: str) -> None:
    assert by_name(entity, attribute, 0) == example


def test_of_a_design_twice_as_large_twice_as_much_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: Counter[str] = Counter()
    child, entities = Relationship.child.fget, Read.entities.fget  # type: ignore[attr-defined]

    def counted(name: str, get: Callable[[object], object]) -> property:
        def value(of: object) -> object:
            looked[name] += 1
            return get(of)

        return property(value)

    def looks(children: int) -> Counter[str]:
        design = star(children)
        looked.clear()
        examples(design)
        return looked.copy()

    monkeypatch.setattr(Relationship, "child", counted("relationships", child))
    monkeypatch.setattr(Read, "entities", counted("patterns", entities))
    some, twice = looks(20), looks(40)
    assert {name: twice[name] / some[name] for name in some} == {
        "relationships": pytest.approx(2, rel=0.2),
        "patterns": pytest.approx(2, rel=0.2),
    }


def star(children: int) -> Design:
    """One parent, with so many kinds of children, each with a list of its own."""
    names = [f"C{at}" for at in range(children)]
    attributes = [{"name": "id"}, {"name": "pId"}]
    return Design.model_validate(
        {
            "name": "Star",
            "entities": [
                {"name": "P", "identifier": ["id"], "attributes": [{"name": "id"}]},
                *({"name": n, "identifier": ["id"], "attributes": attributes} for n in names),
            ],
            "relationships": [{"name": f"r{n}", "one": "P", "many": n, "by": "pId"} for n in names],
            "patterns": [
                {
                    "number": at,
                    "name": f"List {name}",
                    "kind": "list",
                    "returns": name,
                    "where": [{"attribute": "pId", "is": {"param": "p"}}],
                }
                for at, name in enumerate(names, 1)
            ],
        }
    )
