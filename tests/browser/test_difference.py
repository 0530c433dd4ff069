"""From the history to what changed: a revision is named, the design is changed, and a click leads to the row."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.test_accessibility import SCHEMES


def test_what_changed_since_a_name_leads_to_the_row(page: Page) -> None:
    page.goto("/d/starter/settings/")
    page.get_by_label("Name", exact=True).fill("Begun")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.locator("#bar")).to_contain_text("Begun")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_text("Name the newest revision, r2").click()
    page.get_by_label("Name", exact=True).fill("as begun")
    page.get_by_role("button", name="Name r2").click()
    expect(page.get_by_role("link", name="as begun", exact=True)).to_be_visible()
    page.get_by_role("link", name="Begun", exact=True).click()
    page.wait_for_load_state()
    page.locator("#entities a").first.click()
    expect(page.get_by_label("Key prefix")).to_be_attached()
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.get_by_label("Key prefix").fill("ANEW")
    page.get_by_label("Key prefix").press("Enter")
    expect(page.locator("#bar")).to_contain_text("r3")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("link", name="What changed since as begun").click()
    expect(page.get_by_text("the prefix of its keys").first).to_be_visible(timeout=30_000)
    page.get_by_role("navigation", name="Rows that differ").locator("ul ul a").first.click()
    expect(page).to_have_url(re.compile("#changed-grid-"))
    expect(page.locator("tr:target del").first).to_be_in_viewport()
    _is_accessible(page)
    page.get_by_role("link", name="r2", exact=True).click()
    expect(page.get_by_role("heading", name="r2 as begun")).to_be_visible()
    _is_accessible(page)


def test_beside_a_long_note_every_other_revision_is_one_line_of_the_history(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/d/starter/settings/")
    for name in ("Begun", "Begun anew, and called by a name that takes more of the line than most"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Name", exact=True).press("Enter")
        expect(page.locator("#bar")).to_contain_text(name)
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="History", exact=True).click()
    rows = page.locator("table.history tbody tr")
    expect(rows.filter(visible=True)).to_have_count(1)
    page.get_by_text("3 edits").press("Enter")
    expect(rows.filter(visible=True)).to_have_count(4)
    # A font that is not there yet is another one meanwhile, whose letters take more of a line.
    page.evaluate(
        "() => Promise.all([...document.fonts].map(face => face.load())).then(() => null)"
    )
    _sitting, _longest, *heights = rows.evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert all(height < 45 for height in heights), heights


def _is_accessible(page: Page) -> None:
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert_accessible(page)
