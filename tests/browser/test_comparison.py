"""The styles side by side: a click on a pattern opens it in both grids, and what was tried comes by itself."""

import re

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.usefixtures("at_work")
def test_a_row_opens_its_pattern_in_both_grids(page: Page) -> None:
    page.goto("/d/merchant-orders/compare/?styles=single-multi")
    expect(page.get_by_role("heading", name="Best for this design: Grouped tables")).to_be_visible()
    page.get_by_text("Reasons, and what would change the result").click()
    expect(page.get_by_text("If OrderItem belonged to a team of its own")).to_be_visible(
        timeout=120_000
    )
    expect(page.locator("#planning")).to_have_count(0)
    cell = page.locator("#pattern-3 td").nth(3)
    cell.evaluate("each => each.scrollIntoView({block: 'center'})")
    box = cell.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"pattern=3#pattern-3$"))
    for label in ("Single table", "Multi table"):
        sheet = page.get_by_role("region", name=label, exact=True)
        expect(sheet.locator(".is-returned").first).to_be_visible()
    page.get_by_role("link", name="All three").click()
    expect(page.get_by_role("region", name="Grouped tables", exact=True)).to_be_visible()
    page.locator("#pattern-3 a").click()
    expect(page.locator(".compare-opened")).to_have_count(0)


@pytest.mark.usefixtures("at_work")
def test_patterns_that_differ_are_on_the_first_screen(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto("/d/shop/compare/")
    expect(page.locator(".compare-row").first).to_be_visible(timeout=120_000)
    foot = page.locator(".summary").bounding_box()
    assert foot is not None
    rows = [row.bounding_box() for row in page.locator(".compare-row").all()]
    seen = [row for row in rows if row is not None and row["y"] + row["height"] <= foot["y"]]
    assert len(seen) >= 7
