"""Models and attributes typed as text."""

import pytest

from designer.core.design import gallery
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.edits import add_pattern, identified, new_design
from designer.core.errors import DesignError
from designer.core.evaluation.evaluate import evaluate
from designer.core.examples import examples
from designer.core.lint import RULES
from designer.core.outline import add_attributes, add_outline, read_attributes, read_outline
from designer.core.patterns.base import Condition, Operand
from designer.core.patterns.get import Get

HOTEL = """\
# A hotel, as one would jot it down.
Hotel: hotelId uuid, name, city, stars 1-5, price 2 decimals, createdAt datetime
Room: hotelId, roomNo, kind SINGLE|DOUBLE
  floor, isFree changes
Guest: guestId, email unique, address
Booking: bookingId, checkIn, checkOut, state HELD|PAID changes, total
Hotel 1-N Room
A Guest has many Bookings
Booking belongs to Room as stays.
"""


def added(text: str, design: Design | None = None) -> Design:
    design = design or new_design("Hotels")
    return add_outline(design, read_outline(text, design.entities))


def refusals(text: str, design: Design | None = None) -> list[tuple[int | None, str]]:
    with pytest.raises(DesignError) as error:
        added(text, design)
    return [(each.line, each.message) for each in error.value.problems]


def test_a_model_of_lines_is_a_design() -> None:
    design = added(HOTEL)
    assert not check(design)
    assert {each.name: each.identifier for each in design.entities} == {
        "Hotel": ("hotelId",),
        "Room": ("hotelId", "roomNo"),
        "Guest": ("guestId",),
        "Booking": ("bookingId",),
    }
    assert [(each.name, each.cardinality, each.parent) for each in design.relationships] == [
        ("rooms", "1:N", "Hotel"),
        ("bookings", "1:N", "Guest"),
        ("stays", "1:N", "Room"),
    ]
    room = design.entity["Room"].by_name
    assert plain(room["kind"])["values"] == ["SINGLE", "DOUBLE"]
    assert room["isFree"].mutable and room["isFree"].type == "BOOL"
    # What refers to a hotel is of the hotel's own kind, not of the one that its name alone suggests.
    assert (room["hotelId"].format, room["hotelId"].refers_to) == ("uuid", "Hotel.hotelId")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "stars 1-5",
            {"type": "N", "format": "integer", "minimum": 1, "maximum": 5, "distinct": 5},
        ),
        ("price 2 decimals", {"type": "N", "format": "decimal", "scale": 2}),
        ("code string 8 bytes", {"bytes": 8}),
        ("picture binary 12 KB", {"type": "B", "bytes": 12288}),
        ("comment up to 500 characters", {"format": "text", "most_bytes": 500}),
        ("message up to 22 characters", {"format": "text", "most_bytes": 22, "bytes": 11}),
        ("nick at most 8", {"most_bytes": 8, "bytes": 4}),
        ("code varchar(80)", {"most_bytes": 80}),
        ("page max 2 KB", {"most_bytes": 2048}),
        ("seats up to 90", {"type": "N", "format": "integer", "maximum": 90}),
        ("state FREE|HELD|SOLD", {"format": "enum", "values": ["FREE", "HELD", "SOLD"]}),
        ("nickname 40 %", {"present": 0.4}),
        ("email unique", {"format": "email", "unique": True}),
        ("endsAt ttl", {"type": "N", "format": "epoch", "ttl": True}),
        ("owner -> User.userId", {"refers_to": "User.userId"}),
        ("seen date and time", {"format": "datetime"}),
        ("seen: date", {"format": "date"}),
        ("isOpen", {"type": "BOOL"}),
        ("orderId", {"format": "ulid"}),
        ("total", {"type": "N", "format": "decimal"}),
        ("openedOn", {"format": "date"}),
        ("history", {}),
        ("message", {"format": "text"}),
    ],
)
def test_words_after_a_name_say_what_it_is(words: str, expected: dict[str, object]) -> None:
    entries, problems = read_attributes(words)
    assert problems == []
    said = plain(entries[0].attribute)
    said.pop("name")
    assert said == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Book: isbn, title", "Copy: isbn, copyNo, state"], [["isbn"], ["isbn", "copyNo"]]),
        (["Copy: isbn, copyNo, state", "Book: isbn, title"], [["isbn", "copyNo"], ["isbn"]]),
        (["Book: *isbn, title", "Copy: isbn, copyNo, state"], [["isbn"], ["isbn", "copyNo"]]),
        (
            ["Ship: imo, name", "Deck: imo, deckNo", "Cabin: imo, deckNo, cabin_no, beds"],
            [["imo"], ["imo", "deckNo"], ["imo", "deckNo", "cabin_no"]],
        ),
        (["Shop: name, city", "Brand: name, country"], [["name"], ["name"]]),
        (["Train: code, number, line"], [["code"]]),
    ],
)
def test_what_counts_within_another_entity_is_identified_with_it(
    lines: list[str], expected: list[list[str]]
) -> None:
    outline = read_outline("\n".join(lines))
    assert [list(each.identifier) for each in outline.entities] == expected


def test_only_kinds_from_names_are_guesses() -> None:
    entries, _ = read_attributes("orderId, orderId2 uuid, note text, *code")
    assert [each.guessed for each in entries] == [True, False, False, True]
    assert [each.identifies for each in entries] == [False, False, False, True]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("Hotel: name\nHotel: city", 2, "is already in line 1"),
        ("Hotel: name, name", 1, "listed twice"),
        ("\n\nHotel: a b", 3, "“b” after a is not understood"),
        ("Guest: check in, name", 1, "If both are one name, write checkIn."),
        ("Hotel: name\n  city, 7up", 2, "A name begins with a letter or _ and"),
        ("Hotel: x 5-1", 1, "from the smallest to the largest"),
        ("Hotel: x up to much", 1, "up to 500 characters"),
        ("Hotel: nick optional", 1, "State how many items have nick"),
        ("Hotel: x integer 50 decimals", 1, "at most 37"),
        ("?!", 1, "is not understood"),
        ("Hotel: name\nHotel 1-N Room", 2, "not an entity"),
        ("A: x\nB: y\nA N-M B", 3, "which entity holds the pairs"),
        ("A: x\nB: y\nA 1-N B sometimes", 3, "“sometimes” is not understood"),
    ],
)
def test_a_line_that_says_nothing_is_named(text: str, line: int, words: str) -> None:
    found = refusals(text)
    assert [number for number, _ in found] == [line]
    assert words in found[0][1]


def test_an_entity_of_several_words_is_written_as_one() -> None:
    outline = read_outline(
        "Guest: guestId\nguest booking: bookingId\n  guestId\nA Guest has many Guest Bookings, by guestId\n"
        "Payment: paymentId\nGuest Booking 1-1 Payment\nBooking owns Payment"
    )
    assert [each.name for each in outline.entities] == ["Guest", "GuestBooking", "Payment"]
    assert [each.many or each.one for _, each in outline.relationships] == [
        "GuestBooking",
        ("GuestBooking", "Payment"),
    ]
    assert [each.line for each in outline.problems] == [7]
    there = [each.entity for each in outline.entities]
    found = read_outline("A Guest has many guest bookings", there)
    assert [each.child for _, each in found.relationships] == ["GuestBooking"]


def test_all_problems_are_told_at_once_and_nothing_is_added() -> None:
    assert [line for line, _ in refusals("A: x y z\nB\n??\nB 1-N C")] == [1, 3, 4]


def test_lines_extend_a_design() -> None:
    design = added(HOTEL)
    more = added("Hotel: name, phone\nRoom 1-N Repair\nRepair: repairId, note", design)
    assert [
        each for each in more.entity["Hotel"].by_name if each not in design.entity["Hotel"].by_name
    ] == ["phone"]
    assert more.relationship["repairs"].parent == "Room"
    assert {"hotelId", "roomNo"} <= set(more.entity["Repair"].by_name)


def test_names_of_relationships_are_kept_apart() -> None:
    design = added("A: aId\nB: bId\nC: cId\nA 1-N C\nB 1-N C")
    assert list(design.relationship) == ["cs", "bCs"]


def test_what_is_too_long_is_refused_before_it_is_read() -> None:
    assert "at most" in refusals("x\n" * 3000)[0][1]
    assert "too long" in refusals(f"A: {'word ' * 200}")[0][1]
    assert "at most 500" in refusals(f"A: {', '.join(f'a{i}' for i in range(600))}")[0][1]


def test_the_names_of_the_gallery_are_guessed_right() -> None:
    """A guess is worth showing only if it is mostly right."""
    right = wrong = 0
    for slug in gallery.SLUGS:
        for entity in gallery.load(slug).entities:
            for attribute in entity.stored:
                if attribute.format in (None, "enum") and attribute.type == "S":
                    continue
                entries, problems = read_attributes(attribute.name)
                assert problems == []
                guess = entries[0].attribute
                good = guess.type == attribute.type and (
                    guess.format == attribute.format
                    or {guess.format, attribute.format} <= {"ulid", "uuid", "ksuid"}
                )
                right, wrong = right + good, wrong + (not good)
    assert right > 3 * wrong, (right, wrong)


def test_attributes_that_are_there_already_are_refused() -> None:
    design = added(HOTEL)
    with pytest.raises(DesignError, match="already has an attribute called city"):
        add_attributes(design, "Hotel", read_attributes("phone, city")[0])


def test_a_model_without_patterns_is_not_told_of_what_no_pattern_does() -> None:
    model = identified(added(HOTEL))
    rules = {each.rule for each in evaluate(model).findings}
    assert not rules & {each.id for each in RULES.values() if each.misses_patterns}
    by_id = Condition(attribute="hotelId", is_=Operand(param="hotelId"))
    pattern = Get(number=1, name="A hotel", returns="Hotel", where=(by_id,))
    asked = add_pattern(model, pattern)
    assert {"P102", "P103"} <= {each.rule for each in evaluate(asked).findings}


def test_examples_of_a_range_lie_within_it() -> None:
    design = add_outline(Design(name="Hotel"), read_outline("Room: roomNo, beds 1-4"))
    beds = [room["beds"] for room in examples(design)["Room"]]
    assert beds and all(1 <= each <= 4 for each in beds)


def test_sets_have_the_names_that_dynamodb_gives_them() -> None:
    entries, problems = read_attributes("tags string set, sizes number set, codes set of texts")
    assert problems == []
    assert [each.attribute.type for each in entries] == ["SS", "NS", "SS"]


@pytest.mark.parametrize(
    ("words", "type", "stated"),
    [
        ("price decimal(10,2)", "N", {"format": "decimal", "digits": 10, "scale": 2}),
        ("price numeric (10, 2) not null", "N", {"format": "decimal", "digits": 10, "scale": 2}),
        ("count numeric(5)", "N", {"format": "integer", "digits": 5}),
        ("name varchar (80)", "S", {"most_bytes": 80}),
        ("name text not null", "S", {}),
        ("name (string)", "S", {}),
        ("tags list of strings", "L", {}),
        ("seenAt timestamptz", "S", {"format": "datetime"}),
        ("qty", "N", {"format": "integer"}),
    ],
)
def test_types_of_sql_are_read_as_they_are_pasted(words, type, stated):
    entries, problems = read_attributes(f"id PK, {words}, other primary key")
    assert problems == []
    assert [entry.identifies for entry in entries] == [True, False, True]
    found = entries[1].attribute
    assert found.type == type
    assert {name: getattr(found, name) for name in stated} == stated


def test_a_comma_parts_attributes_but_for_one_within_a_size():
    entries, problems = read_attributes("a decimal(10,2),b,c (string), d 1-5)")
    assert [entry.attribute.name for entry in entries] == ["a", "b", "c"]
    assert len(problems) == 1
