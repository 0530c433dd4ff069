"""Example identifiers: they look like their formats, join parent and child, and are short where they are read."""

import re
import uuid
from datetime import UTC, datetime

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.identities import brief, made
from designer.core.grid import grid
from designer.core.outline import add_outline, read_outline
from designer.core.planner import plan

MOMENT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
LOOKS = {
    "uuid": r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    "ulid": r"[0-7][0-9A-HJKMNP-TV-Z]{25}",
    "ksuid": r"[0-9A-Za-z]{27}",
}
HOTEL = """
Hotel: hotelId uuid, name
Guest: guestId uuid, name
Booking: bookingId ulid, guestId, hotelId, bookedAt
Hotel 1-N Booking
Guest 1-N Booking
"""


@pytest.fixture(scope="module")
def hotel() -> Design:
    return add_outline(Design(name="Hotel"), read_outline(HOTEL))


@pytest.mark.parametrize("form", LOOKS)
def test_an_identifier_looks_like_its_format_and_is_one_of_its_own(form: str) -> None:
    every = [made(form, "hotel", number, MOMENT) for number in range(1, 301)]
    assert all(re.fullmatch(LOOKS[form], each) for each in every)
    assert len(set(every)) == 300
    assert every[1].endswith("0002")
    assert made(form, "guest", 1, MOMENT) != every[0]


def test_a_made_uuid_is_read_as_a_uuid() -> None:
    assert uuid.UUID(made("uuid", "hotel", 7, MOMENT)).version == 4


@pytest.mark.parametrize("form", ["ulid", "ksuid"])
def test_what_is_made_later_sorts_behind(form: str) -> None:
    later = datetime(2026, 3, 2, 10, 30, tzinfo=UTC)
    assert made(form, "hotel", 2, MOMENT) < made(form, "hotel", 1, later)


def test_children_name_the_identifiers_of_their_parents(hotel: Design) -> None:
    found = examples(hotel)
    for entity, name in (("Hotel", "hotelId"), ("Guest", "guestId")):
        parents = {item[name] for item in found[entity]}
        assert {booking[name] for booking in found["Booking"]} <= parents
        assert all(re.fullmatch(LOOKS["uuid"], each) for each in parents)
    made_first = [
        each["bookingId"] for each in sorted(found["Booking"], key=lambda b: b["bookedAt"])
    ]
    assert [each[:10] for each in made_first] == sorted(each[:10] for each in made_first)


def test_what_no_relationship_joins_names_what_is_there() -> None:
    lines = HOTEL.replace("Hotel 1-N Booking", "")
    found = examples(add_outline(Design(name="Hotel"), read_outline(lines)))
    hotels = {hotel["hotelId"] for hotel in found["Hotel"]}
    assert {booking["hotelId"] for booking in found["Booking"]} <= hotels


def test_few_values_in_use_stay_few() -> None:
    attributes = [{"name": "id"}, {"name": "batchId", "format": "ulid", "distinct": 1}]
    thing = {"name": "Thing", "identifier": ["id"], "attributes": attributes}
    design = Design.model_validate({"name": "One", "entities": [thing]})
    assert len({each["batchId"] for each in examples(design)["Thing"]}) == 1


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        ("7d444840-9dc0-41d1-b245-5ffdce740002", "7d44…0002"),
        ("01KJPY4ZJ0ABCDEFGHJKMN0003", "01KJPY4…0003"),
        ("3AKsRbNkVwJAbcDe1fGhIjK0001", "3AKsRb…0001"),
        ("averyveryveryverylongname12", "averyveryveryverylongname12"),
        ("ORDER-2026-0001", "ORDER-2026-0001"),
        ("", ""),
    ],
)
def test_only_identifiers_of_known_formats_are_shortened(whole: str, short: str) -> None:
    assert brief(whole) == short


def test_the_grid_shortens_identifiers_and_keeps_them_whole_beside(hotel: Design) -> None:
    made_plan = plan(hotel, "single")
    shown = grid(hotel, made_plan, examples(hotel), made_plan.tables[0].name)
    first = examples(hotel)["Hotel"][0]["hotelId"]
    pieces = [piece for each in shown.collections for piece in each.partition]
    assert any((piece.text, piece.full) == (brief(first), first) for piece in pieces)
    cells = [cell for row in shown.rows for cell in row.cells if cell.name == "hotelId"]
    assert any(cell.full == first and cell.pieces[0].text == brief(first) for cell in cells)


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_identifier_of_the_gallery_is_of_its_format(slug: str) -> None:
    design = gallery.load(slug)
    for name, items in examples(design).items():
        for attribute in design.entity[name].stored:
            if attribute.format in LOOKS and not attribute.examples:
                for item in items:
                    value = item.get(attribute.name)
                    assert value is None or re.fullmatch(LOOKS[attribute.format], value)
