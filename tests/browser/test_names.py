"""Recorded names: seen, begun anew with what that does said before, and brought back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible


@pytest.mark.parametrize("width", [1440, 390])
def test_names_are_begun_anew_and_brought_back(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/d/starter/settings/")
    page.get_by_label("Name", exact=True).fill("Begun")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.locator("#bar")).to_contain_text("Begun")
    page.goto(page.url.split("/settings/")[0] + "/text/")
    page.get_by_role("link", name="Recorded names").click()
    expect(page.get_by_role("heading", name="Recorded names")).to_be_visible()
    expect(page.get_by_text("No name would change.").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)
    page.get_by_role("button", name="Rename everything").click()
    expect(page.get_by_text("Nothing is recorded in this design yet.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.goto(page.url.split("/d/")[0] + "/d/" + page.url.split("/d/")[1].split("/")[0] + "/names/")
    expect(page.get_by_role("button", name="Rename everything")).to_be_visible()
