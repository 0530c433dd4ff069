"""The tour of the first page: by keyboard, passed once, and no obstacle to whoever would rather try."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import assert_accessible

STOPS = (
    ("An access pattern", ".pattern"),
    ("The rows that answer it", ".grid-scroll"),
    ("What it takes", "#pattern-answer"),
    ("One table, several, or groups", ".segments"),
    ("Change it", "#change-pattern"),
)


@pytest.fixture
def shop(landing: Page) -> Page:
    expect(landing.locator("#planning")).to_have_count(0, timeout=180_000)
    return landing


def test_it_is_taken_by_keyboard_and_not_offered_again(shop: Page) -> None:
    tour, start = shop.locator("#tour"), shop.locator("[data-tour-start]")
    start.focus()
    shop.keyboard.press("Enter")
    for number, (title, about) in enumerate(STOPS, start=1):
        expect(tour.get_by_role("heading", name=title)).to_be_focused()
        expect(tour).to_contain_text(f"{number} of 5")
        expect(shop.locator(".is-toured")).to_have_count(1)
        expect(shop.locator(f"{about}.is-toured")).to_be_in_viewport()
        assert_accessible(shop)
        shop.keyboard.press("Enter" if number % 2 else "ArrowRight")
    expect(tour).to_be_hidden()
    expect(start).to_be_hidden()
    expect(shop.locator(".is-toured")).to_have_count(0)
    expect(shop.locator("#pattern-2 [data-pattern]")).to_be_focused()
    shop.reload()
    expect(shop.locator("#change-pattern")).to_be_visible()
    expect(start).to_have_count(0)


def test_it_is_skipped_and_found_again(shop: Page) -> None:
    tour = shop.locator("#tour")
    shop.get_by_role("button", name="Tour").click()
    shop.get_by_role("button", name="Next").click()
    shop.get_by_role("button", name="Back").click()
    expect(tour).to_contain_text("1 of 5")
    shop.keyboard.press("Escape")
    expect(tour).to_be_hidden()
    shop.reload()
    expect(shop.locator("[data-tour-start]")).to_have_count(0)
    shop.keyboard.press("Control+k")
    shop.keyboard.type("tour")
    expect(shop.get_by_role("option", name="Tour of the shop")).to_be_visible()
    shop.keyboard.press("Enter")
    expect(tour).to_contain_text("1 of 5")
    expect(shop).to_have_url(re.compile("/$"))
    shop.get_by_role("button", name="Skip").click()
    expect(tour).to_be_hidden()


def test_something_is_found_meanwhile(shop: Page) -> None:
    shop.get_by_role("button", name="Tour").click()
    found = shop.get_by_role("dialog", name="Find")
    shop.keyboard.press("Control+k")
    expect(found).to_be_visible()
    shop.keyboard.press("Escape")
    expect(found).to_be_hidden()
    expect(shop.locator("#tour")).to_contain_text("1 of 5")


def test_the_page_can_be_used_meanwhile(shop: Page) -> None:
    shop.get_by_role("button", name="Tour").click()
    shop.keyboard.press("ArrowRight")
    expect(shop.locator(".grid-scroll.is-toured")).to_be_visible()
    shop.locator("#pattern-12 [data-pattern]").click()
    expect(shop.locator("#pattern-answer-title")).to_contain_text("Change a price")
    expect(shop.locator(".grid-scroll.is-toured")).to_have_count(1)
    shop.get_by_role("button", name="Next").click()
    expect(shop.locator("#pattern-answer.is-toured")).to_be_in_viewport()


def test_whoever_does_what_it_ends_with_has_taken_it(shop: Page) -> None:
    shop.get_by_role("button", name="Tour").click()
    for _ in STOPS[1:]:
        shop.get_by_role("button", name="Next").click()
    shop.locator("#change-pattern").click()
    expect(shop.get_by_role("heading", name="Pattern 2")).to_be_visible()
    shop.goto("/")
    expect(shop.locator("#change-pattern")).to_be_visible()
    expect(shop.locator("[data-tour-start]")).to_have_count(0)


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 844}, has_touch=True
    )
    yield context.new_page()
    context.close()


def test_on_a_phone_it_covers_nothing_that_it_is_about(phone: Page) -> None:
    phone.goto("/")
    expect(phone.locator("#planning")).to_have_count(0, timeout=180_000)
    phone.get_by_role("button", name="Tour").tap()
    for _ in STOPS:
        told = phone.locator("#tour").bounding_box()
        about = phone.locator(".is-toured").bounding_box()
        assert told is not None and about is not None
        assert 0 <= about["y"] < told["y"] - 40
        assert told["y"] + told["height"] <= 844
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phone.get_by_role("button", name=re.compile("Next|Done")).tap()
    expect(phone.locator("#tour")).to_be_hidden()
