"""The grid shows attributes beside the keys, and tells what every key is made of."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import assert_accessible

ORDER = "tr[id$='Order-2']"


@pytest.mark.parametrize(("width", "least"), [(1440, 2), (1024, 1)])
def test_attributes_are_seen_beside_the_keys(width: int, least: int, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for style in ("single", "multi"):
        page.goto(f"/d/shop/?view={style}&pattern=3")
        expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
        seen = page.locator(".grid-scroll").first.evaluate(
            """area => {
                const other = ":not(.grid-shape, .grid-others, .key)";
                const cells = [...area.querySelectorAll(`tbody tr:first-child > td${other}`)];
                return cells.filter(cell => cell.textContent.trim()
                    && cell.getBoundingClientRect().right <= area.getBoundingClientRect().right).length;
            }"""
        )
        assert seen >= least, style


def test_key_columns_unfold_and_fold(page: Page) -> None:
    page.goto("/d/shop/?pattern=3")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    head = page.locator("thead").first
    expect(head).not_to_contain_text("GSI1PK")
    fold = page.get_by_role("link", name="Indexes")
    fold.press("Enter")
    expect(head).to_contain_text("GSI1PK")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(fold).to_be_focused()
    expect(head).to_contain_text("GSI2SK")
    assert "unfold=keys" in page.url
    assert_accessible(page)
    fold.press("Enter")
    expect(head).not_to_contain_text("GSI1PK")


def test_a_key_is_told_on_hover_focus_and_escape_ends_it(page: Page) -> None:
    page.goto("/d/shop/?pattern=2")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    tip = page.get_by_role("tooltip")
    page.locator(f"{ORDER} .grid-sort").first.hover()
    expect(tip).to_contain_text("Sorted by placedAt")
    expect(tip).to_contain_text("# sorts before every letter")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()

    page.locator(".grid-scroll").first.focus()
    page.keyboard.press("Tab")
    while "grid-fold" in (page.evaluate("document.activeElement.className") or ""):
        page.keyboard.press("Tab")
    expect(tip).to_contain_text("form one collection")
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("Sorted by")
    before = page.evaluate("document.activeElement.closest('tr').id")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('tr').id") != before
    expect(page.locator(":focus")).to_have_attribute("aria-describedby", "key-tip")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    assert "pattern=2" in page.url


def test_a_key_that_comes_under_a_pointer_that_rests_is_not_told(page: Page) -> None:
    page.goto("/d/shop/?pattern=2")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    key = page.locator(f"{ORDER} .grid-sort").first
    box = key.bounding_box()
    assert box is not None
    page.evaluate(
        """() => {
            const over = document.body.appendChild(document.createElement("div"));
            over.id = "over";
            over.setAttribute("popover", "manual");
            over.showPopover();
            Object.assign(over.style, {position: "fixed", inset: "0", width: "100vw", height: "100vh"});
        }"""
    )
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.move(box["x"] + 22, box["y"] + 12)
    page.evaluate(
        "() => { window.came = 0; addEventListener('pointerover', () => { window.came += 1; });"
        " document.getElementById('over').remove(); }"
    )
    page.wait_for_timeout(700)
    assert page.evaluate("window.came") > 0
    expect(page.get_by_role("tooltip")).to_be_hidden()
    page.mouse.move(5, 5)
    key.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("Sorted by placedAt")


def test_another_key_of_an_item_is_told_with_its_values(page: Page) -> None:
    page.goto("/d/shop/?pattern=3")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    page.locator(f"{ORDER} .grid-other", has_text="GSI2").first.hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("GSI2PK = STATUS#")
    expect(tip).to_contain_text("Key of GSI2.")


def test_a_tap_tells_a_key(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page = context.new_page()
    page.goto("/d/shop/?pattern=3")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    page.locator(f"{ORDER} .grid-sort").first.tap()
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.locator(".grid-head h3").first.tap()
    expect(page.get_by_role("tooltip")).to_be_hidden()
    context.close()
