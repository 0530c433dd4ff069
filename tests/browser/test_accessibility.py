"""axe finds nothing on any page, in light and in dark; none scrolls sideways, or needs what the policy forbids."""

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible

PAGES = {
    "landing": "/",
    "side by side": "/?view=both&pattern=3",
    "templates": "/?form=templates&pattern=29",
    "gallery": "/gallery/",
    "import": "/import/",
    "design of the gallery": "/gallery/social-network/",
    "workspace": "/d/shop/?view=multi",
    "grouped tables beside": "/d/shop/?view=both&beside=grouped&pattern=3",
    "diagram": "/d/shop/?show=diagram&pattern=2",
    "pattern": "/d/shop/patterns/p-2/",
    "transaction": "/d/shop/patterns/p-29/",
    "new pattern": "/d/shop/patterns/add/",
    "entity": "/d/shop/entities/e-order/",
    "new entity": "/d/shop/entities/add/",
    "attribute": "/d/shop/entities/e-order/attributes/a-order-status/",
    "relationship": "/d/shop/relationships/r-places/",
    "settings": "/d/shop/settings/",
    "items and rates": "/d/shop/figures/",
    "alternatives": "/d/starter/alternatives/",
    "comparison": "/d/merchant-orders/compare/?pattern=2&styles=all",
    "why not": "/d/shop/why/single/key Order/?pattern=2",
    "a key's access patterns": "/d/shop/keys/single/e-order/",
    "heat": "/d/leaderboards/heat/",
    "cost": "/d/shop/cost/?recovery=on&rate-1=90",
    "a key's traffic": "/d/leaderboards/heat/key/",
    "decisions": "/d/shop/decisions/?view=multi",
    "pins": "/d/shop/pins/",
    "new pin": "/d/shop/pins/add/single/index shop-app/GSI1 Order/",
    "ignored finding": "/d/shop/findings/K101/entities.Product.attributes.category/ignore/",
    "a fix": "/d/event-log/findings/P107/patterns.1/fix/ask-for-the-living/",
    "findings": "/findings/",
    "a finding": "/findings/P107/",
    "text": "/d/starter/text/",
    "prove": "/d/shop/prove/?view=multi",
    "exports": "/d/shop/exports/",
    "sharing": "/d/shop/share/",
    "history": "/d/shop/history/",
    "migration": "/d/order-states/migration/?was=single&view=multi",
    "migration from SQL": "/d/order-states/migration/?from=sql",
    "sign in": "/sign-in/",
    "sign up": "/sign-up/",
    "forgotten password": "/password/forgotten/",
    "designs": "/designs/",
    "nothing here": "/nowhere/",
}
BESIDE_THE_SAME = {
    "new pattern",
    "entity",
    "new entity",
    "attribute",
    "relationship",
    "settings",
    "items and rates",
    "pins",
    "new pin",
    "ignored finding",
    "a fix",
    "why not",
    "a key's access patterns",
}
"""Pages that differ in their panel alone: what stands beside it is looked at in the workspace and beside a pattern."""
RESULTS = "#results"
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
WIDTHS = (1440, 1024, 390)
FITS = "width => document.documentElement.scrollWidth <= width"


@pytest.mark.usefixtures("at_work")
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(name: str, page: Page) -> None:
    """Of each page once it is complete; planning and loading take longer than any of these checks."""
    page.goto(PAGES[name])
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    usual = page.viewport_size
    assert usual is not None
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(FITS, arg=width)
    page.set_viewport_size(usual)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert_accessible_in_both_schemes(page, RESULTS if name in BESIDE_THE_SAME else None)


def assert_accessible_in_both_schemes(page: Page, but: str | None = None) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert_accessible(page, but)


def test_axe_finds_nothing_where_something_is_wrong(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/d/shop/patterns/p-2/")
    page.get_by_label("At most (items)").fill("-1")
    page.get_by_label("At most (items)").press("Tab")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("At most (items)")).to_have_attribute("aria-invalid", "true")
    expect(page.locator('[aria-busy="true"]')).to_have_count(0)
    assert_accessible(page)


def test_who_asks_for_less_motion_sees_none(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/d/starter/")
    moving = page.evaluate(
        """[...document.querySelectorAll("*")].map(each => getComputedStyle(each)).filter(
            style => !/^0m?s(, 0m?s)*$/.test(style.transitionDuration) || style.animationName !== "none"
        ).length"""
    )
    assert moving == 0


def test_pages_of_the_plan_are_tabs_of_one_place(page: Page) -> None:
    page.goto("/d/shop/")
    page.get_by_role("link", name="Plan", exact=True).click()
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    tabs = page.get_by_role("navigation", name="Plan")
    expect(tabs.get_by_role("link")).to_have_count(6)
    decisions = tabs.get_by_role("link", name="Decisions")
    expect(decisions).to_have_attribute("aria-current", "page")
    assert_accessible_in_both_schemes(page)
    decisions.focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Cost")
    expect(tabs.get_by_role("link", name="Cost")).to_contain_text("a month")


def test_what_is_needed_now_and_then_is_in_a_menu(page: Page) -> None:
    page.goto("/d/shop/history/")
    history = page.get_by_role("link", name="History", exact=True)
    share = page.get_by_role("link", name="Share", exact=True)
    expect(share).to_be_hidden()
    button = page.get_by_role("button", name="More")
    button.press("Enter")
    expect(share).to_be_visible()
    expect(history).to_have_attribute("aria-current", "page")
    assert_accessible_in_both_schemes(page)
    page.keyboard.press("Tab")
    expect(history).to_be_focused()
    page.keyboard.press("Escape")
    expect(share).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    share.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Shar")


@pytest.mark.parametrize("width", [1280, 1440])
def test_the_header_of_a_design_is_one_line(width: int, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/d/shop/")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    height = page.locator(".header").bounding_box()
    assert height is not None and height["height"] <= 50
