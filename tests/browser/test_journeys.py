"""What people come to do, from beginning to end."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import assert_accessible
from tests.browser.slow import Held, is_preview, is_save, slow

PASSWORD = "blue kettle sings"


def sign_up(page: Page, name: str) -> None:
    page.goto("/sign-up/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()


def open_pattern(page: Page, number: int) -> None:
    page.locator(f"#pattern-{number} .list-line").click()
    page.get_by_role("link", name=f"Change pattern {number}", exact=True).click()
    expect(page.get_by_role("heading", name=f"Pattern {number}")).to_be_visible()


def test_from_the_demo_to_a_template(landing: Page) -> None:
    page = landing
    rows = page.locator("tr.is-returned")
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="An order with its items").click()
    expect(page.locator("#pattern-answer-title")).to_contain_text("An order with its items")
    expect(page).to_have_url(re.compile(r"pattern=3"))
    change = page.get_by_role("link", name="Change this access pattern")
    expect(change).to_have_attribute("href", "/d/tea-shop/patterns/p-3/?pattern=3")
    page.get_by_role("link", name="Side by side").click()
    expect(page.locator(".sheet-of-style")).to_have_count(2)
    page.goto("/?pattern=2")
    numbers = page.locator("tr.is-returned .mark-returned")
    before = numbers.all_inner_texts()
    page.get_by_role("link", name="Change this access pattern").click()
    page.get_by_label("Direction").select_option("ascending")
    expect(page).not_to_have_url(re.compile("/d/tea-shop/"))
    expect(page.locator("#pattern-answer")).to_contain_text("oldest first")
    assert numbers.all_inner_texts() == before[::-1]
    page.get_by_role("link", name="Export").click()
    page.get_by_role("link", name="Terraform").click()
    expect(page.locator("#export")).to_contain_text('resource "aws_dynamodb_table"')
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "tea-shop-single.tf"


def test_a_design_of_three_entities_from_nothing(page: Page) -> None:
    sign_up(page, "dora")
    page.locator("form", has_text="From scratch").get_by_label("Name").fill("Library")
    page.get_by_role("button", name="Create design").click()
    page.get_by_role("link", name="Add the first entity").first.click()
    page.get_by_label("Name", exact=True).first.fill("Reader")
    page.get_by_role("button", name="Add the entity").last.click()
    page.get_by_label("New attributes").fill("email, name")
    page.get_by_label("New attributes").press("Enter")
    expect(page.locator("#statement")).to_contain_text("email")
    for name in ("Book", "Loan"):
        page.get_by_role("link", name="All access patterns").click()
        page.get_by_role("link", name="Add an entity").click()
        page.get_by_label("Name", exact=True).first.fill(name)
        page.get_by_role("button", name="Add the entity").last.click()
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    page.get_by_label("New attributes").fill("due date")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#statement")).to_contain_text("due")
    page.get_by_role("link", name="All access patterns").click()
    for name, one in (("borrows", "Reader"), ("isLent", "Book")):
        page.get_by_role("link", name="Add relationships").click()
        page.get_by_role("link", name="Add one in detail").click()
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("First entity", exact=True).select_option(one)
        page.get_by_label("Second entity", exact=True).select_option("Loan")
        page.get_by_role("button", name="Add the relationship").last.click()
        expect(page.locator("#relationships")).to_contain_text(f"{one} 1-N Loan")
    page.get_by_role("link", name="Add access patterns").click()
    page.get_by_role("link", name="Add one in detail").click()
    page.get_by_label("In your words").fill("A reader's loans, due first")
    page.get_by_label("Which entity").select_option("Loan")
    page.get_by_label("Attribute", exact=True).select_option("readerId")
    page.get_by_role("button", name="Sort by").click()
    page.locator("#field-order-0-attribute").select_option("due")
    expect(page.locator("#preview-note")).to_be_visible()
    page.get_by_role("button", name="Add the access pattern").last.click()
    expect(page.locator("#pattern-answer")).to_contain_text("Loans of one Reader")
    expect(page.locator("#pattern-answer .served")).to_have_class(re.compile("is-served"))
    expect(page.locator("#pattern-1")).to_contain_text("A reader's loans, due first")
    page.goto("/designs/")
    expect(page.get_by_role("link", name="Library")).to_be_visible()


def test_a_model_typed_as_lines_is_shown_before_it_is_taken(page: Page) -> None:
    sign_up(page, "dora")
    page.locator("form", has_text="From scratch").get_by_label("Name").fill("Hotel")
    page.get_by_role("button", name="Create design").click()
    page.get_by_role("link", name="Enter the whole model as text").click()
    page.wait_for_load_state()
    lines = page.get_by_label("Entities and relationships")
    lines.press_sequentially(
        "Hotel: hotelId uuid, name\nRoom: hotelId, roomNo, stars 1-5\nHotel 1-M Rom"
    )
    expect(page.locator("#understood")).to_contain_text("whole number")
    expect(page.locator("#preview-note")).to_contain_text("Line 3")
    assert_accessible(page)
    lines.press("Backspace")
    lines.press_sequentially("om")
    expect(page.locator("#preview-note")).to_contain_text("Not added yet")
    page.get_by_role("button", name="Add all").last.click()
    expect(page.locator("#relationships")).to_contain_text("Hotel 1-N Room")


def test_typing_is_followed_without_losing_the_caret(page: Page) -> None:
    page.goto("/d/shop/patterns/p-2/")
    field = page.get_by_label("In your words")
    field.press("End")
    field.press_sequentially(" of all", delay=30)
    expect(page.locator("#pattern-answer-title")).to_contain_text("newest first of all")
    expect(field).to_be_focused()
    expect(field).to_have_value("A user's orders, newest first of all")
    assert "/d/shop/" in page.url
    field.press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved: Change pattern 2")
    expect(page.get_by_label("Which entity")).to_be_focused()


@pytest.mark.parametrize("path", ["/d/shop/patterns/p-2/", "/d/shop/patterns/p-2/?pattern=2"])
def test_what_is_typed_while_a_save_is_slow_is_kept_and_saved(page: Page, path: str) -> None:
    page.goto(path)
    average, peak = page.get_by_label("On average (/s)"), page.get_by_label("At peak (/s)")
    with slow(page):
        for field, value in ((average, "21"), (peak, "43")):
            field.fill(value)
            field.press("Tab")
    expect(page.locator("#pattern-answer")).to_contain_text(
        "21 times a second on average, 43 at peak"
    )
    expect(page.locator("#statement")).to_have_attribute("aria-busy", "false")
    expect(average).to_have_value("21")
    expect(peak).to_have_value("43")
    page.reload()
    assert "/d/shop/" not in page.url
    expect(peak).to_have_value("43")


@pytest.mark.parametrize("previewed", ["before", "after"])
def test_what_is_typed_while_something_new_is_added_is_kept_and_saved(
    page: Page, previewed: str
) -> None:
    saves, previews = Held(page, is_save), Held(page, is_preview)
    page.goto("/d/starter/entities/add/")
    items = page.get_by_label("Number of items")
    page.get_by_label("Name", exact=True).first.fill("Voucher")
    page.get_by_label("Identified by").fill("code")
    previews.wait_for(1)
    if previewed == "before":
        previews.answer()
        expect(page.locator("#results")).to_contain_text("Not added yet")
    page.get_by_role("button", name="Add the entity").last.click()
    saves.wait_for(1)
    items.fill("4200")
    page.get_by_label("Identified by").focus()
    saves.answer()
    expect(page.locator("#status")).to_contain_text("Number of items set to 4,200")
    previews.answer()
    expect(items).to_have_value("4200")
    page.reload()
    expect(items).to_have_value("4200")


@pytest.mark.parametrize(
    ("label", "choose", "said"),
    [
        ("Direction", lambda field: field.select_option("ascending"), "oldest first"),
        ("At most (items)", lambda field: (field.fill("8"), field.press("Tab")), "8 a page"),
        ("At most (items)", lambda field: (field.fill("8"), field.press("Enter")), "8 a page"),
    ],
    ids=["chosen", "left", "entered"],
)
def test_what_is_chosen_before_the_scripts_come_is_saved(
    page: Page, label: str, choose: Callable[[Locator], object], said: str
) -> None:
    held: list[Route] = []
    page.route("**/htmx.min*.js", lambda route: held.append(route))
    page.goto("/d/shop/patterns/p-2/", wait_until="commit")
    choose(page.get_by_label(label))
    page.unroute("**/htmx.min*.js")
    for route in held:
        with suppress(Error):  # The page may be gone for which it was.
            route.continue_()
    expect(page.locator("#status")).to_contain_text("Saved: Change pattern 2")
    expect(page.locator("#pattern-answer")).to_contain_text(said)


def test_undo_and_redo(page: Page) -> None:
    page.goto("/d/shop/patterns/p-6/")
    page.get_by_label("At most (items)").fill("7")
    page.get_by_label("At most (items)").press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved")
    expect(page.locator("#pattern-answer")).to_contain_text("7 a page")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Undone")
    expect(page.locator("#pattern-answer")).to_contain_text("50 a page")
    page.keyboard.press("Control+Shift+Z")
    expect(page.locator("#status")).to_contain_text("Redone")
    expect(page.locator("#pattern-answer")).to_contain_text("7 a page")


def test_what_is_typed_of_something_new_survives_an_undo(page: Page) -> None:
    page.goto("/d/starter/settings/")
    page.get_by_label("Table name prefix").fill("first-")
    page.get_by_label("Table name prefix").press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved")
    page.get_by_role("link", name="All access patterns").click()
    page.get_by_role("link", name="Add an entity").click()
    page.get_by_label("Name", exact=True).first.fill("Voucher")
    page.get_by_label("Identified by").fill("code")
    expect(page.locator("#results")).to_contain_text("Not added yet")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Undone: Change the settings")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_label("Name", exact=True).first).to_have_value("Voucher")
    expect(page.get_by_label("Identified by")).to_have_value("code")
    expect(page.locator("#results")).to_contain_text("Not added yet")
    page.get_by_role("button", name="Add the entity").last.click()
    expect(page.locator("#status")).to_contain_text("Saved: Add entity Voucher")


def test_after_undo_the_pattern_is_in_sight(page: Page) -> None:
    page.goto("/d/shop/patterns/p-30/")
    page.get_by_label("In your words").fill("Something else")
    page.get_by_label("In your words").press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved")
    page.get_by_role("link", name="All access patterns").click()
    expect(page.locator("#pattern-1")).to_be_visible()
    page.locator("#statement").evaluate("list => list.scrollTo(0, 0)")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Undone")
    expect(page.locator("#pattern-30")).to_be_in_viewport()


def test_a_long_key_leaves_room_side_by_side(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/?pattern=2&view=both")
    key = page.locator("tbody .grid-partition").first
    key.locator(".grid-key").evaluate("key => key.textContent = 'TENANT#'.repeat(6)")
    box = key.bounding_box()
    grid = page.locator(".grid-scroll").first.bounding_box()
    assert box is not None and grid is not None
    assert box["width"] < 0.4 * grid["width"]


def test_a_row_is_removed_and_saved(page: Page) -> None:
    page.goto("/d/shop/patterns/p-2/")
    page.get_by_role("button", name="Remove sort 1").click()
    expect(page.locator("#field-order-0-attribute")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("Saved")
    expect(page.locator("#pattern-answer")).not_to_contain_text("newest first,")


def test_the_focus_follows_rows_added_and_removed(page: Page) -> None:
    page.goto("/d/shop/patterns/p-2/")
    add = page.locator("#field-order > .row-add")
    add.press("Enter")
    expect(page.locator("#field-order-1-attribute")).to_be_focused()
    page.get_by_role("button", name="Remove sort 1").press("Enter")
    # The blank row that was left says nothing, and saving drops it.
    expect(page.locator("#field-order-0-attribute")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("Saved")
    expect(add).to_be_focused()


def test_of_two_rows_one_is_removed_and_the_focus_goes_to_the_other(page: Page) -> None:
    page.goto("/d/shop/patterns/p-2/")
    page.locator("#field-where > .row-add").press("Enter")
    expect(page.locator("#field-where-1-attribute")).to_be_focused()
    page.locator("#field-where-1-attribute").select_option("status")
    expect(page.locator("#status")).to_contain_text("Saved")
    page.get_by_role("button", name="Remove condition 1").press("Enter")
    expect(page.locator("#field-where-1-attribute")).to_have_count(0)
    expect(page.locator("#field-where-0-attribute")).to_have_value("status")
    expect(page.locator("#field-where-0 > .row-remove")).to_be_focused()


def test_two_windows_lose_nothing(page: Page, context: BrowserContext) -> None:
    page.goto("/d/shop/patterns/p-2/")
    page.get_by_label("At most (items)").fill("9")
    page.get_by_label("At most (items)").press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved")
    other = context.new_page()
    other.goto(page.url)
    other.get_by_label("On average (/s)").fill("33")
    other.get_by_label("On average (/s)").press("Tab")
    expect(other.locator("#status")).to_contain_text("Saved")
    page.get_by_label("In your words").fill("Orders of a user")
    page.get_by_label("In your words").press("Tab")
    expect(page.locator("#status")).to_contain_text("Saved: Change pattern 2: In your words")
    expect(page.get_by_label("On average (/s)")).to_have_value("33")
    other.get_by_label("At most (items)").fill("11")
    other.get_by_label("At most (items)").press("Tab")
    expect(other.locator("#status")).to_contain_text("Saved")
    page.get_by_label("At most (items)").fill("12")
    page.get_by_label("At most (items)").press("Tab")
    expect(page.locator("#conflict")).to_contain_text("Take theirs: 11")
    page.get_by_label("Take theirs: 11").check()
    expect(page.locator("#conflict")).to_be_visible()
    page.locator("#conflict").get_by_role("button", name="Save").click()
    expect(page.locator("#conflict")).to_have_count(0)
    expect(page.get_by_label("At most (items)")).to_have_value("11")


def test_a_visitor_keeps_the_copy(page: Page) -> None:
    page.goto("/d/shop/settings/")
    page.get_by_label("Name", exact=True).fill("Tea house")
    page.get_by_label("Name", exact=True).press("Tab")
    expect(page.locator("#status")).to_contain_text("Rename the design to Tea house")
    page.get_by_role("button", name="Keep this design").click()
    page.get_by_label("Name").fill("dora")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("link", name="Tea house")).to_be_visible()
    expect(page.get_by_role("button", name="Keep this design")).to_have_count(0)


def test_by_keyboard_alone(landing: Page) -> None:
    page = landing
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    expect(page.locator("#pattern-answer-title")).to_contain_text("An order with its items")
    expect(page.locator("#pattern-3 .list-line")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#pattern-answer-title")).to_contain_text("A user's orders")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#pattern-2 .list-line").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Change pattern 2", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_label("At most (items)").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("Saved")
    expect(page.locator("#pattern-answer")).to_contain_text("8 a page")


def test_without_script(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="An order with its items").click()
    expect(page.locator("#pattern-answer-title")).to_contain_text("An order with its items")
    page.get_by_role("link", name="Multi table").click()
    expect(page.locator("[aria-label='Style'] [aria-current]")).to_contain_text("Multi table")
    page.goto("/d/shop/?pattern=3&view=multi")
    page.get_by_role("link", name="Change pattern 3", exact=True).click()
    page.locator(".is-with > .row-add").first.click()
    page.locator("#field-with-1-relationship").select_option("passesThrough")
    page.get_by_role("button", name="Save").last.click()
    page.get_by_label("On average (/s)").fill("none")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_role("alert")).to_contain_text("is not a number")
    expect(page.get_by_label("On average (/s)")).to_have_value("none")
    page.get_by_label("On average (/s)").fill("4")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_label("On average (/s)")).to_have_value("4")
    expect(page.locator("#status")).to_contain_text("Saved: ")
    page.get_by_role("button", name="Undo").click()
    page.goto(page.url.split("?")[0] + "history/")
    expect(page.get_by_text("(undone)")).to_have_count(1)
    context.close()


def test_the_text_is_changed_and_applied(page: Page) -> None:
    page.goto("/d/starter/text/")
    area = page.get_by_label("YAML or JSON")
    text = area.input_value()
    area.fill(text.replace("identifier: [", "identifier: [ghost, ", 1))
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("ghost")
    page.get_by_role("link", name=re.compile(r"^Line \d+")).first.click()
    expect(page.locator("li.is-wrong").first).to_be_in_viewport()
    assert "ghost" in area.input_value()
    area.fill(text.replace("name: ", "name: My ", 1))
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_text("The text was applied.")).to_be_visible()
    expect(page.locator(".header-title")).to_contain_text("My ")


def test_what_a_new_pattern_says_stays_while_its_kind_changes(page: Page) -> None:
    page.goto("/d/shop/patterns/add/")
    kind = page.get_by_label("Type", exact=True)
    page.get_by_label("Which entity").select_option("Order")
    condition = page.locator("#field-where-0-attribute")
    expect(condition.locator("option", has_text="placedAt").first).to_be_attached()
    condition.select_option("userId")
    kind.select_option("update")
    expect(condition).to_have_count(0)
    expect(page.get_by_label("Which entity")).to_have_value("Order")
    kind.select_option("list")
    expect(condition).to_have_value("userId")
    expect(page.get_by_label("Which entity")).to_have_value("Order")


def test_a_pattern_is_added_by_key(landing: Page) -> None:
    landing.keyboard.press("a")
    expect(landing.get_by_role("heading", name="New access patterns")).to_be_visible()
