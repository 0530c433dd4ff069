"""The workspace stays live while a plan is being worked out."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.planner import SlowPlanner, planted


@pytest.fixture
def planner(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    with planted(monkeypatch) as slow:
        yield slow


def test_a_slow_plan_blocks_nothing_and_replaces_the_last_one(
    page: Page, planner: SlowPlanner
) -> None:
    page.goto("/d/shop/patterns/p-2/?pattern=2")
    planning = page.locator("#planning")
    expect(planning).to_contain_text("Planning …")
    planner.go()
    expect(page.locator("#pattern-answer")).to_contain_text("20 a page")
    expect(planning).to_have_count(0)
    planner.stop()
    most = page.get_by_label("At most (items)")
    most.fill("7")
    most.press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved")
    expect(planning).to_contain_text("plan below is from before this change")
    expect(page.locator("#pattern-answer")).to_contain_text("20 a page")
    # The plan on the screen can still be looked through, and every field be changed.
    page.get_by_role("link", name="Multi table").click()
    expect(page.locator("[aria-label='Style'] [aria-current]")).to_contain_text("Multi table")
    most.fill("9")
    most.press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved")
    words = page.get_by_label("In your words")
    words.press("End")
    words.press_sequentially(" of theirs", delay=20)
    expect(planning).to_be_visible()
    planner.go()
    expect(page.locator("#pattern-answer")).to_contain_text("9 a page")
    expect(page.locator("#pattern-answer-title")).to_contain_text("of theirs")
    expect(planning).to_have_count(0)
    expect(words).to_be_focused()
    expect(words).to_have_value("A user's orders, newest first of theirs")
    words.press("Tab")
    expect(page.locator("#status")).to_contain_text("The plan is ready")
    expect(page.locator("#summary")).not_to_contain_text("planning")
    expect(page.locator("#pattern-answer-title")).to_contain_text("of theirs")


def test_an_export_comes_when_its_plan_does(page: Page, planner: SlowPlanner) -> None:
    page.goto("/d/shop/exports/?as=terraform")
    expect(page.locator("#main")).to_contain_text("Only a finished plan can be exported")
    expect(page.locator("#export")).to_have_count(0)
    planner.go()
    expect(page.locator("#export")).to_contain_text('resource "aws_dynamodb_table"')
    expect(page.locator("#summary")).to_contain_text("Single table")


def test_what_is_typed_in_the_text_stays(page: Page, planner: SlowPlanner) -> None:
    page.goto("/d/starter/text/")
    page.get_by_label("YAML or JSON").fill("name: Mine")
    planner.go()
    expect(page.locator("#summary")).to_contain_text("Single table")
    expect(page.get_by_label("YAML or JSON")).to_have_value("name: Mine")


def test_without_script_one_looks_again(
    browser: Browser, live_server: LiveServer, planner: SlowPlanner
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    page.goto("/d/shop/?pattern=2")
    planner.finish()
    page.get_by_role("link", name="Check again").click()
    expect(page.locator("#pattern-answer")).to_contain_text("20 a page")
    context.close()
