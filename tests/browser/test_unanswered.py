"""Nobody answers, as when a machine ends in the middle of it: what is typed stays, and is saved a little later."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PATIENCE
from tests.browser.slow import is_save

GONE = (502, 0)
"""A proxy says so, or the connection ends."""


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """In a browser whose console may speak of answers that did not come."""
    context = browser.new_context(base_url=live_server.url)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def lose(page: Page, status: int, times: int, *, after: bool = False) -> list[str]:
    """Lose the answers to so many saves; `after` the site has saved. What was sent, in the end."""
    sent: list[str] = []

    def lost(route: Route) -> None:
        if not is_save(route.request):
            route.continue_()
            return
        sent.append(route.request.post_data or "")
        if len(sent) > times:
            route.continue_()
            return
        if after:
            route.fetch()
        if status:
            route.fulfill(status=status, content_type="text/html", body="Bad Gateway")
        else:
            route.abort("connectionreset")

    page.route("**", lost)
    return sent


@pytest.mark.parametrize("status", GONE)
@pytest.mark.parametrize("after", [False, True])
def test_a_save_is_sent_again_by_itself(page: Page, status: int, after: bool) -> None:
    page.goto("/d/shop/settings/")
    page.wait_for_load_state()
    sent = lose(page, status, 2, after=after)
    name = page.get_by_label("Name", exact=True)
    name.fill("Tea and coffee")
    name.press("Tab")
    said = page.locator("#status")
    expect(said).to_contain_text("is sent again in a moment")
    box = said.bounding_box()
    assert box is not None and box["width"] > 300  # for everybody, not for screen readers alone
    expect(page.locator(".saved")).to_contain_text("r2")
    expect(said).not_to_contain_text("does not answer")
    expect(name).to_have_value("Tea and coffee")
    assert len(sent) == 3 and len(set(sent)) == 1
    page.reload()
    expect(page.locator(".saved")).to_contain_text("r2")
    expect(name).to_have_value("Tea and coffee")


def test_what_would_be_done_twice_is_not_sent_again(page: Page) -> None:
    page.goto("/d/shop/entities/add/")
    page.wait_for_load_state()
    sent = lose(page, 502, 1)
    name = page.get_by_label("Name", exact=True)
    name.fill("Voucher")
    name.press("Enter")
    expect(page.locator("#status")).to_contain_text("this may or may not have been saved")
    page.wait_for_timeout(1500)
    assert len(sent) == 1
    expect(name).to_have_value("Voucher")
    name.press("Enter")
    expect(page.locator(".saved")).to_contain_text("r2")
    expect(page.locator("#status")).not_to_contain_text("may be saved")


def test_one_question_for_news_that_nobody_answers_is_not_spoken_of(page: Page) -> None:
    lost: list[str] = []

    def lose_one(route: Route) -> None:
        lost.append(route.request.url)
        if len(lost) == 1:
            route.fulfill(status=502)
        else:
            route.continue_()

    page.goto("/d/shop/settings/")
    name = page.get_by_label("Name", exact=True)
    name.fill("Tea")
    name.press("Tab")
    expect(page.locator(".saved")).to_contain_text("r2")
    page.route(re.compile("/rev[?]"), lose_one)
    status = page.locator("#status")
    for _ in range(100):
        page.wait_for_timeout(100)
        assert "answer" not in (status.text_content() or "")
        if len(lost) > 1:
            return
    pytest.fail("It did not ask again.")


@pytest.mark.parametrize("status", [429, 502])
def test_of_a_link_nothing_is_said_to_have_been_typed(page: Page, status: int) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=status, content_type="text/plain", body="Too many requests.")

    page.goto("/d/shop/")
    page.wait_for_load_state()
    page.route(re.compile("/entities/[^/]+/"), refuse)
    page.locator("#entities a.list-line").first.click()
    said = page.locator("#status")
    expect(said).to_contain_text("Too many requests." if status == 429 else "does not answer")
    expect(said).not_to_contain_text("typed")


def test_of_a_form_what_was_typed_is_said_to_be_still_there(page: Page) -> None:
    page.goto("/d/shop/entities/add/")
    page.wait_for_load_state()
    page.route(
        "**",
        lambda route: (
            route.fulfill(status=429, content_type="text/plain", body="Too many requests.")
            if is_save(route.request)
            else route.continue_()
        ),
    )
    name = page.get_by_label("Name", exact=True)
    name.fill("Voucher")
    name.press("Enter")
    expect(page.locator("#status")).to_have_text("Too many requests. What you typed is still here.")
