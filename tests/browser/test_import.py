"""A visitor brings a SQL schema, ticks what is asked, and has a planned design."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_accessible

SQL = """CREATE TABLE guests (id uuid PRIMARY KEY, email varchar(60) UNIQUE NOT NULL, name varchar(80));
CREATE TABLE rooms (id int PRIMARY KEY, price numeric(8,2), state text CHECK (state IN ('FREE', 'TAKEN')));
CREATE TABLE bookings (id uuid PRIMARY KEY, guest_id uuid REFERENCES guests, room_id int REFERENCES rooms,
  created_at timestamptz);
CREATE VIEW busy AS SELECT 1;
"""


@pytest.mark.parametrize("width", [1440, 390])
def test_a_schema_dropped_on_the_first_page_becomes_a_planned_design(
    width: int, landing: Page, tmp_path: Path
) -> None:
    page, file = landing, tmp_path / "hotel.sql"
    page.set_viewport_size({"width": width, "height": 900})
    file.write_text(SQL)
    page.get_by_label("A file: drop it here, or choose it").set_input_files(file)
    page.get_by_role("button", name="Read the schema").click()
    expect(page.get_by_role("heading", name="Import: Hotel")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_label("Delete a guest").uncheck()
    page.get_by_role("button", name="Create the design").first.click()
    expect(page.get_by_role("link", name="List bookings of a guest, newest first")).to_be_visible()
    expect(page.get_by_text("Delete a guest", exact=True)).to_have_count(0)
    expect(page.locator(".grid").first).to_be_visible()


def test_what_was_pasted_stays_beside_why_it_cannot_be_read(page: Page) -> None:
    page.goto("/import/")
    page.get_by_label("Or paste the text").fill("CREATE TABLE a (x text DEFAULT 'oh")
    page.get_by_role("button", name="Read the schema").click()
    expect(page.get_by_role("alert")).to_contain_text("never ends")
    expect(page.get_by_label("Or paste the text")).to_have_value(
        "CREATE TABLE a (x text DEFAULT 'oh"
    )
    assert_accessible(page)


@pytest.mark.parametrize("width", [1440, 390])
def test_all_rates_of_an_imported_schema_are_stated_with_three_numbers_by_keyboard(
    width: int, page: Page
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/import/")
    page.get_by_label("Or paste the text").fill(SQL)
    page.get_by_role("button", name="Read the schema").click()
    page.get_by_role("button", name="Create the design").first.click()
    foot = page.locator("#summary-line")
    expect(foot).to_contain_text("no price without rates")
    link = foot.get_by_role("link", name="missing rates")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Items and rates")).to_be_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_label("Users a day").focus()
    for typed in ("20000", "10", "2"):
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
    expect(page.locator("#understood")).to_contain_text("0.463 a second, 1.11 at peak")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Saved: State rates of")
    expect(foot).to_contain_text("a month")
    expect(foot).not_to_contain_text("missing")
    page.keyboard.press("Control+z")
    expect(foot).to_contain_text("no price without rates")
