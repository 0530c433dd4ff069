"""Alternatives, why not otherwise, and what a key answers, as people come to them."""

import re

from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

LONG = 60_000


def test_from_an_answer_to_what_was_not_chosen_and_to_another_key(page: Page) -> None:
    page.goto("/d/starter/?pattern=2")
    page.get_by_role("link", name="Why this?").click()
    expect(page.locator(".rivals li").first).to_contain_text("$", timeout=LONG)
    expect(page.locator("#results")).to_contain_text("Served by")
    page.goto("/d/starter/keys/single/Task/")
    expect(page.locator("#key-answers")).to_be_visible(timeout=LONG)
    page.get_by_label("Partition key").fill("ghost")
    page.get_by_label("Sort key").fill("")
    page.get_by_role("button", name="Check the key").click()
    expect(page.get_by_role("alert")).to_contain_text("ghost", timeout=LONG)
    expect(page.get_by_label("Partition key")).to_have_value("ghost")
    page.get_by_label("Partition key").fill("number")
    page.get_by_label("Partition key").press("Enter")
    expect(page.locator("#key-answers .is-no").first).to_be_visible(timeout=LONG)


def test_an_alternative_is_used_without_script(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    context.set_default_timeout(LONG)
    page = context.new_page()
    page.goto("/d/merchant-orders/alternatives/")
    while page.get_by_role("link", name="Check again").count():
        page.wait_for_timeout(1000)
        page.get_by_role("link", name="Check again").click()
    page.get_by_role("button", name=re.compile("Use plan.*Multi table.*Fewest requests")).click()
    expect(page).to_have_url(re.compile("view=multi"))
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="History").click()
    expect(page.locator("#main")).to_contain_text("Use the plan with the fewest requests")
    context.close()
