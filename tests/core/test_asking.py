"""Sentences become access patterns, and what means none says why."""

import random
from contextlib import suppress

import pytest

from designer.core.design.document import Design
from designer.core.edits import replacing
from designer.core.errors import DesignError, MisfitError
from designer.core.messages import Message, say
from designer.core.outline import (
    add_asked,
    add_attributes,
    add_outline,
    read_attributes,
    read_outline,
    read_pattern,
)
from designer.core.patterns import KINDS
from designer.core.proposing import hinted, relationships, usual

LINES = """
Hotel: hotelId uuid, name, city, stars 1-5
Room: hotelId, roomNo, kind SINGLE|DOUBLE, state FREE|HELD changes, price 2 decimals
Guest: guestId uuid, name, email unique
Booking: bookingId ulid, guestId, hotelId, roomNo, checkIn, checkOut, isPaid
Payment: paymentId ulid, bookingId, payerId -> Guest.guestId, amount
Hotel 1-N Room
Room 1-N Booking by hotelId + roomNo
Guest 1-N Booking
Booking 1-N Payment
"""
HOTEL = add_outline(Design(name="Hotel"), read_outline(LINES))
ENTITIES = tuple(each.name for each in HOTEL.entities)
STATED = ("SINGLE", "DOUBLE", "FREE", "HELD")
OF_ROOM = tuple(each.name for each in HOTEL.entity["Room"].attributes)


def read(sentence: str) -> dict[str, object]:
    """The pattern without its name, its conditions in short."""
    pattern = dict(read_pattern(sentence, HOTEL))
    KINDS[str(pattern["kind"])].model_validate({"number": 1, **pattern})
    del pattern["name"]
    where = pattern.pop("where", ())
    assert isinstance(where, (list, tuple))
    if where:
        pattern["by"] = {
            each["attribute"]: {k: v for k, v in each.items() if k != "attribute"} for each in where
        }
    return pattern


def given(*names: str) -> dict[str, object]:
    return {name: {"is": {"param": name}} for name in names}


@pytest.mark.parametrize(
    ("sentence", "pattern"),
    [
        (
            "List Bookings of a Guest, newest first, 20 at a time",
            {
                "kind": "list", "returns": "Booking",
                "by": given("guestId"), "order": ["checkIn descending"], "limit": 20,
            },
        ),
        (
            "show the bookings of a guest oldest first 5 at a time",
            {"kind": "list", "returns": "Booking", "by": given("guestId"), "order": ["checkIn ascending"], "limit": 5},
        ),
        (
            "List FREE Rooms of a Hotel",
            {
                "kind": "list", "returns": "Room",
                "by": {"state": {"is": {"value": "FREE"}}, **given("hotelId")},
            },
        ),
        (
            "List Rooms of a Hotel whose kind is DOUBLE, lowest price first",
            {
                "kind": "list", "returns": "Room", "order": ["price ascending"],
                "by": {**given("hotelId"), "kind": {"is": {"value": "DOUBLE"}}},
            },
        ),
        ("Get a Guest by email.", {"kind": "get", "returns": "Guest", "by": given("email")}),
        ("Find a guest by id", {"kind": "get", "returns": "Guest", "by": given("guestId")}),
        (
            "List Bookings of a Guest and between checkIn",
            {
                "kind": "list", "returns": "Booking",
                "by": {**given("guestId"), "checkIn": {"from": {"param": "since"}, "to": {"param": "until"}}},
            },
        ),
        *(
            (
                f"List Bookings of a Guest {word}",
                {"kind": "list", "returns": "Booking", "by": {**given("guestId"), "checkIn": bound}},
            )
            for said, bound in (
                ("before", {"below": {"param": "until"}}),
                ("until", {"to": {"param": "until"}}),
                ("after", {"after": {"param": "since"}}),
                ("since", {"from": {"param": "since"}}),
            )
            for word in (f"{said} checkIn", f"whose checkIn {said}")
        ),
        ("Get a Room", {"kind": "get", "returns": "Room", "by": given("hotelId", "roomNo")}),
        (
            "Get a Hotel with its Rooms",
            {"kind": "get", "returns": "Hotel", "by": given("hotelId"), "with": [{"relationship": "rooms"}]},
        ),
        (
            "List Bookings of a Room between check in",
            {
                "kind": "list", "returns": "Booking",
                "by": {**given("hotelId", "roomNo"), "checkIn": {"from": {"param": "since"}, "to": {"param": "until"}}},
            },
        ),
        (
            "List Hotels by city and stars, sorted by name, 120/s, 400 at peak",
            {
                "kind": "list", "returns": "Hotel", "by": given("city", "stars"), "order": ["name ascending"],
                "rate": {"average": 120.0, "peak": 400.0},
            },
        ),
        ("List Payments of a Booking", {"kind": "list", "returns": "Payment", "by": given("bookingId")}),
        (
            "List Bookings where isPaid is true",
            {"kind": "list", "returns": "Booking", "by": {"isPaid": {"is": {"value": True}}}},
        ),
        ("Count the Bookings of a Room", {"kind": "count", "returns": "Booking", "by": given("hotelId", "roomNo")}),
        ("How many Guests", {"kind": "count", "returns": "Guest"}),
        ("Check whether a Guest exists by email", {"kind": "exists", "returns": "Guest", "by": given("email")}),
        ("Create a Payment, 5 a minute", {"kind": "create", "entity": "Payment", "rate": {"average": 0.083333333}}),
        (
            "Update the state of a Room",
            {"kind": "update", "entity": "Room", "set": {"state": {"param": "state"}}},
        ),
        (
            "Change check in and check out of a booking",
            {"kind": "update", "entity": "Booking", "set": {n: {"param": n} for n in ("checkIn", "checkOut")}},
        ),
        ("Update a room's state", {"kind": "update", "entity": "Room", "set": {"state": {"param": "state"}}}),
        ("Search Hotels by words", {"kind": "elsewhere", "returns": "Hotel", "because": "full-text search"}),
        (
            "Search hotels, 5/s",
            {"kind": "elsewhere", "returns": "Hotel", "because": "full-text search", "rate": {"average": 5.0}},
        ),
        (
            "List Bookings of a Guest with its Room",
            {"kind": "list", "returns": "Booking", "by": given("guestId"), "with": [{"relationship": "bookings"}]},
        ),
        ("Search Guests by email", {"kind": "list", "returns": "Guest", "by": given("email")}),
        (
            "Sum the amount of Payments of a Booking",
            {"kind": "list", "returns": "Payment", "by": given("bookingId"), "result": {"sum": "amount"}},
        ),
        ("Lowest price of Rooms", {"kind": "list", "returns": "Room", "result": {"least": "price"}}),
        (
            "List Rooms of a Hotel, largest price first",
            {"kind": "list", "returns": "Room", "by": given("hotelId"), "order": ["price descending"]},
        ),
        (
            "Get the latest Booking of a Guest",
            {"kind": "list", "returns": "Booking", "by": given("guestId"), "order": ["checkIn descending"], "limit": 1},
        ),
        (
            "List the last 10 bookings of a Guest",
            {
                "kind": "list", "returns": "Booking",
                "by": given("guestId"), "order": ["checkIn descending"], "limit": 10,
            },
        ),
        (
            "Show the 3 oldest bookings of a guest",
            {"kind": "list", "returns": "Booking", "by": given("guestId"), "order": ["checkIn ascending"], "limit": 3},
        ),
        (
            "Show the most recent bookings of a guest",
            {"kind": "list", "returns": "Booking", "by": given("guestId"), "order": ["checkIn descending"]},
        ),
        (
            "List the first 20 Rooms of a Hotel",
            {"kind": "list", "returns": "Room", "by": given("hotelId"), "limit": 20},
        ),
        (
            "List Rooms of a Hotel that are free",
            {"kind": "list", "returns": "Room", "by": {**given("hotelId"), "state": {"is": {"value": "FREE"}}}},
        ),
        (
            "List Rooms that are HELD or FREE of a Hotel",
            {
                "kind": "list", "returns": "Room",
                "by": {"state": {"any_of": {"value": ["HELD", "FREE"]}}, **given("hotelId")},
            },
        ),
        (
            "List Bookings of a Guest that are not paid",
            {
                "kind": "list", "returns": "Booking",
                "by": {**given("guestId"), "isPaid": {"is": {"value": False}}},
            },
        ),
        (
            "List Rooms that have kind DOUBLE",
            {"kind": "list", "returns": "Room", "by": {"kind": {"is": {"value": "DOUBLE"}}}},
        ),
        (
            "List Hotels of a city, A to Z",
            {"kind": "list", "returns": "Hotel", "by": given("city"), "order": ["name ascending"]},
        ),
        (
            "List Hotels by stars, sorted by city z-a",
            {"kind": "list", "returns": "Hotel", "by": given("stars"), "order": ["city descending"]},
        ),
        ("Delete a Booking", {"kind": "delete", "entity": "Booking"}),
        ("Delete the Bookings of a Guest", {"kind": "delete", "entity": "Booking", "by": given("guestId")}),
    ],
)  # fmt: skip
def test_a_sentence_means_a_pattern(sentence: str, pattern: dict[str, object]) -> None:
    assert read(sentence) == pattern


def test_a_name_says_what_is_asked_and_neither_pages_nor_rates() -> None:
    name = read_pattern("list FREE Rooms of a Hotel, newest first, 20 at a time, 5/s", _timed())[
        "name"
    ]
    assert name == "List FREE rooms of a hotel, newest first"


def _timed() -> Design:
    return add_outline(HOTEL, read_outline("Room: createdAt", HOTEL.entities))


def _no_order(words: str) -> Message:
    """The example that it gives is a number, and none of the identifier."""
    return say("order-of-nothing", words=words, entity="Room", known=OF_ROOM, example="price")


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Frobnicate Rooms", say("sentence-without-verb", word="Frobnicate")),
        ("List", say("sentence-without-entity", verb="List")),
        ("List Cats", say("sentence-names-none-of", words="Cats", known=ENTITIES)),
        ("List CHEAP Rooms", say("value-before-unknown", word="CHEAP", entity="Room")),
        ("List Rooms by colour", say("sentence-names-no-attribute", words="colour", entity="Room", known=OF_ROOM)),
        (
            "List Rooms of a Guest",
            say("meets-in-another", child="Room", parent="Guest", between="Booking"),
        ),
        ("List Hotels of a Payment", say("belongs-to-nothing", child="Hotel", parent="Payment")),
        ("Search Hotels by name", say("search-within-text", entity="Hotel", attribute="name")),
        ("Search Hotels, 20 at a time", say("search-has-no", parts=("limit",))),
        ("Average stars of Hotels", say("sentence-asks-average", word="Average")),
        ("Sum Payments", say("number-without-attribute", verb="Sum", entity="Payment")),
        ("Sum the amount of Payments, 20 at a time", say("number-has-no", parts=("limit",))),
        ("List Rooms of a Hotel, best price first", _no_order("best price first")),
        ("List Rooms of a Hotel, best first", _no_order("best first")),
        ("List Guests, newest first", say("no-attribute-of-time", entity="Guest")),
        ("List Rooms, two three", say("sentence-names-no-attribute", words="two three", entity="Room", known=OF_ROOM)),
        ("List Rooms of a Hotel, 20 at a time, whatever", say("tail-unknown", words="whatever")),
        ("List Rooms that are CHEAP", say("state-unknown", words="CHEAP", entity="Room", known=STATED)),
        ("List Guests that are here", say("state-without-values", words="here", entity="Guest")),
        ("List Bookings of a Guest, A to Z", say("no-attribute-of-names", entity="Booking")),
        ("Get the latest Guest", say("no-attribute-of-time", entity="Guest")),
        ("List the last 5 Bookings of a Guest, oldest first", say("said-twice", part="order")),
        ("List the last 5 Bookings, 5 at a time", say("said-twice", part="limit")),
        ("Delete the latest Booking of a Guest", say("write-has-no", parts=("order", "limit"))),
        ("Create a Room, newest first", say("no-attribute-of-time", entity="Room")),
        ("Create a Booking, newest first", say("write-has-no", parts=("order",))),
        ("x" * 400, say("sentence-too-long", start="x" * 30)),
    ],
)  # fmt: skip
def test_what_means_nothing_says_why(sentence: str, why: Message) -> None:
    with pytest.raises(MisfitError) as refused:
        read_pattern(sentence, HOTEL)
    assert refused.value.reason == why
    assert "`" not in str(refused.value)


def test_of_several_ways_to_a_parent_one_is_said() -> None:
    twice = add_outline(
        HOTEL, read_outline("Transfer: fromId -> Guest.guestId, toId -> Guest.guestId, at key")
    )
    with pytest.raises(MisfitError, match="write “by fromId” or “by toId”") as refused:
        read_pattern("List Transfers of a Guest", twice)
    assert refused.value.reason.id == "refers-in-several-ways"
    pattern = read_pattern("List Transfers of a Guest by toId", twice)
    assert [each["attribute"] for each in pattern["where"]] == ["toId"]


def test_what_an_update_sets_may_change_from_then_on() -> None:
    after = add_asked(HOTEL, read_pattern("Update the price of a Room", HOTEL))
    assert after.entity["Room"].by_name["price"].mutable
    assert after.patterns[-1].name == "Update the price of a room"


WORDS = (
    "List Get a an the of by with between , and newest first last 20 at time sorted descending Update set is to"
    " that are A Z Delete Count Check whether exists since before 5/s peak in range Rooms Guests' hotel's ' - ( 1"
)


def test_any_words_mean_a_pattern_or_say_why() -> None:
    words = f"{LINES.replace(',', ' ,')} {WORDS}".split()
    chance = random.Random(7)
    for _ in range(3000):
        sentence = " ".join(chance.choices(words, k=chance.randint(1, 9)))
        with suppress(MisfitError, DesignError):
            add_asked(HOTEL, read_pattern(sentence, HOTEL))


# What is proposed ---------------------------------------------------------------------------------


def test_the_usual_patterns_are_those_that_are_not_there_yet() -> None:
    names = [each.name for each in usual(HOTEL)]
    assert "Get a guest by email" in names and "List bookings of a guest" in names
    after = HOTEL
    for each in usual(HOTEL):
        after = add_asked(after, each.pattern)
    assert usual(after) == ()


def test_a_pattern_of_a_sentence_is_not_proposed_again() -> None:
    after = add_asked(HOTEL, read_pattern("List Bookings of a Guest, newest first", HOTEL))
    assert "List bookings of a guest" not in [each.name for each in usual(after)]


def test_attributes_hint_at_relationships_until_they_are_there() -> None:
    plain = add_outline(Design(name="Hotel"), read_outline(LINES[: LINES.index("Hotel 1-N")]))
    sentences = [each.sentence for each in hinted(plain)]
    assert sentences == [
        "A Hotel has many Rooms, by hotelId",
        "A Hotel has many Bookings, by hotelId",
        "A Room has many Bookings, by hotelId and roomNo",
        "A Guest has many Bookings, by guestId",
        "A Booking has many Payments, by bookingId",
    ]
    assert [each.sentence for each in hinted(HOTEL)] == ["A Hotel has many Bookings, by hotelId"]


def entities(*named: tuple[str, str, tuple[str, ...]]) -> Design:
    every = [
        {"name": name, "identifier": [by], "attributes": [{"name": each} for each in (by, *more)]}
        for name, by, more in named
    ]
    return Design.model_validate({"keywright": 1, "name": "Many", "entities": every})


def test_a_long_list_is_checked_once_and_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each check looks at the whole design."""
    said = LINES + "\n".join(f"E{at}: id uuid, a, b" for at in range(20)) + "\nE0 1-N E1\nE1 1-N E2"
    empty = Design(name="Hotel")
    one_by_one = add_outline(empty, read_outline(said))
    checks: list[Design] = []
    check = replacing.check
    monkeypatch.setattr(replacing, "check", lambda design: checks.append(design) or check(design))
    monkeypatch.setattr(replacing, "ONE_BY_ONE", 0)
    assert add_outline(empty, read_outline(said)) == one_by_one
    assert checks == [one_by_one]
    long = read_attributes(", ".join(f"a{at}" for at in range(500)))[0]
    with pytest.raises(DesignError, match="at most 500 attributes"):
        add_attributes(HOTEL, "Hotel", long)
    with pytest.raises(DesignError, match="at most 500 attributes"):
        add_outline(
            HOTEL,
            read_outline("Hotel: " + ", ".join(f"a{at}" for at in range(500)), HOTEL.entities),
        )


def test_hints_are_looked_for_among_entities_that_have_a_name_in_common(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All pairs of 500 entities would be a quarter of a million."""
    looked: list[str] = []
    matching = relationships._matching
    monkeypatch.setattr(
        relationships,
        "_matching",
        lambda parent, child, names: looked.append(child.name) or matching(parent, child, names),
    )
    many = [(f"E{at}", "id", (f"a{at}",)) for at in range(100)]
    design = entities(*many, ("A", "aId", ("e7id", "e_3_id")), ("B", "bId", ("e3_id", "e7Id")))
    assert [each.key for each in hinted(design)] == ["E3 B e3_id", "E7 A e7id", "E7 B e7Id"]
    assert looked == ["B", "A", "B"]


def test_no_more_is_proposed_than_a_page_shows() -> None:
    """Half of 100 entities are identified by what the other half has: 2,500 relationships."""
    parents = [(f"P{at}", "code", ()) for at in range(50)]
    design = entities(*parents, *((f"C{at}", "id", ("code",)) for at in range(50)))
    assert len(hinted(design)) == relationships.MOST == 200
    assert hinted(design)[0].key == "P0 C0 code"
    assert len(usual(design)) == 350
    many = entities(*((f"E{at}", "id", ("a",)) for at in range(501)))
    assert len(usual(many)) == 2000


def test_what_its_parent_identifies_alone_hints_at_one() -> None:
    design = add_outline(Design(name="x"), read_outline("User: userId\nProfile: userId key, bio"))
    assert [each.sentence for each in hinted(design)] == []
    design = add_outline(Design(name="x"), read_outline("User: id, name\nProfile: userId key, bio"))
    (one,) = hinted(design)
    assert one.sentence == "A User has one Profile, by userId"
    assert one.relationship(design).one == ("User", "Profile")
