"""From an idea to a design that one would show, as somebody new would type and click it, counted."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.test_journeys import sign_up

MOST_CLICKS = 90
MOST_KEYS = 700

MODEL = """\
Hotel: hotelId uuid, name, city, stars 1-5
Room: hotelId, roomNo, kind SINGLE|DOUBLE, state FREE|HELD changes
Guest: guestId uuid, name, email unique
Booking: bookingId ulid, guestId, hotelId, roomNo, checkIn, checkOut, bookedAt
Payment: paymentId ulid, bookingId, amount, paidAt
Review: reviewId ulid, hotelId, guestId, stars 1-5, text, createdAt"""

SENTENCES = """\
List Hotels by city
List FREE Rooms of a Hotel
Update the state of a Room
List Bookings of a Guest, newest first, 20 at a time
List Bookings of a Room between checkIn
List Reviews of a Hotel, newest first"""

TICKED = (
    "Get a hotel by hotelId",
    "Create a hotel",
    "Get a room by hotelId, roomNo",
    "Create a room",
    "Get a guest by guestId",
    "Get a guest by email",
    "Create a guest",
    "Get a booking by bookingId",
    "Create a booking",
    "List payments of a booking",
    "Create a payment",
)


class Person:
    """Somebody at a page. Every click and every key that goes down is counted, Shift and the like too."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.keys = 0

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def types(self, text: str) -> None:
        """One key for each character, and one more wherever Shift goes down for some."""
        self.page.keyboard.type(text)
        shifted = [each.isupper() or each in ':|"' for each in text]
        self.keys += len(text)
        self.keys += sum(
            now and not before for before, now in zip([False, *shifted], shifted, strict=False)
        )


def test_a_hotel_from_nothing_in_few_clicks_and_keys(
    page: Page, at_work: None, capsys: pytest.CaptureFixture[str]
) -> None:
    sign_up(page, "dora")
    person = Person(page)
    person.click(page.locator("form", has_text="From nothing").get_by_label("Name"))
    person.types("Hotel")
    person.press("Enter")

    person.click(page.get_by_role("link", name="Type the whole model"))
    person.click(page.get_by_label("Entities and relationships"))
    person.types(MODEL)
    expect(page.locator("#understood")).to_contain_text("reviewId")
    person.click(page.get_by_role("button", name="Add all of it").last)
    expect(page.locator("#entities li")).to_have_count(6)

    person.click(page.get_by_role("link", name="Add relationships"))
    suggested = page.locator(".is-hinted .tick")
    expect(suggested).to_have_count(7)
    assert_accessible(page)
    for each in suggested.all():
        person.click(each)
    person.click(page.get_by_role("button", name="Add the relationships").last)
    expect(page.locator("#relationships li")).to_have_count(7)

    person.click(page.get_by_role("link", name="Add access patterns").first)
    for name in TICKED:
        person.click(page.locator(".tick").get_by_text(name, exact=True))
    person.click(page.get_by_label("In sentences"))
    person.types(SENTENCES)
    expect(page.locator(".understood-sentences li")).to_have_count(6)
    expect(page.locator(".understood-sentences")).to_contain_text("lists Reviews of one Hotel")
    assert_accessible(page)
    person.click(page.get_by_role("button", name="Add the access patterns").last)
    expect(page.locator("#questions li")).to_have_count(17)
    expect(page.locator("#questions")).to_contain_text("List bookings of a guest, newest first")
    expect(page.locator("#pattern-answer .served")).to_be_visible(timeout=60_000)
    with capsys.disabled():
        print(f"\nA hotel from nothing: {person.clicks} clicks, {person.keys} keys")
    assert person.clicks <= MOST_CLICKS
    assert person.keys <= MOST_KEYS
