"""Anything is found by a few letters, from the keyboard; and the lists are narrowed."""

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.axe import assert_accessible

OPENS_WITHIN = """() => new Promise(done => {
    const from = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true, cancelable: true}));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - from)));
})"""


def test_the_palette_opens_at_once(page: Page) -> None:
    """Nothing is fetched for it. The bound is wide: how fast a machine is must decide no test."""
    page.goto("/d/shop/")
    taken = page.evaluate(OPENS_WITHIN)
    expect(page.get_by_role("dialog", name="Find")).to_be_visible()
    expect(page.get_by_role("option").first).to_be_visible()
    assert taken < 1000


def test_a_pattern_is_found_and_shown_without_another_page(page: Page) -> None:
    page.goto("/d/shop/?pattern=2")
    page.evaluate("window.stays = true")
    page.keyboard.press("Control+k")
    found = page.get_by_role("combobox", name="Find")
    expect(found).to_be_focused()
    expect(page.get_by_role("group", name="Actions")).to_be_visible()
    found.fill("status orders")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Orders with a given status")
    assert_accessible(page)
    page.keyboard.press("Enter")
    expect(page.locator("#pattern-answer-title")).to_contain_text("Orders with a given status")
    expect(page.locator("#pattern-10 [data-pattern]")).to_be_focused()
    assert page.evaluate("window.stays") is True


def test_entities_pages_and_actions_are_found(page: Page) -> None:
    page.goto("/d/shop/")
    for words, heading in (
        ("entities warehouse", "Warehouse"),
        ("add entity", "A new entity"),
    ):
        page.keyboard.press("Control+k")
        page.get_by_role("group", name="Actions").wait_for()
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        expect(page.locator("#statement").get_by_role("heading", level=2).first).to_have_text(
            heading
        )
        # What is no link of this page was another page, whose scripts come after its heading.
        page.wait_for_load_state()
    page.keyboard.press("Control+k")
    page.get_by_role("group", name="Actions").wait_for()
    page.keyboard.type("heat")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Heat")


def test_a_new_design_begins_with_the_focus_in_its_name(page: Page) -> None:
    page.goto("/gallery/")
    page.keyboard.press("Control+k")
    page.get_by_role("group", name="Pages").wait_for()
    page.keyboard.type("new design")
    page.keyboard.press("Enter")
    expect(page.locator("form", has_text="From scratch").get_by_label("Name")).to_be_focused()


def test_enter_waits_for_what_the_palette_has_not_got_yet(page: Page) -> None:
    held: list[Route] = []
    page.route("**/find/**", lambda route: held.append(route))
    page.goto("/gallery/")
    page.keyboard.press("Control+k")
    page.keyboard.type("new design")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    expect(page).to_have_url(re.compile(r"/gallery/$"))
    held[0].continue_()
    expect(page.locator("form", has_text="From scratch").get_by_label("Name")).to_be_focused()


def test_what_opens_late_takes_no_focus_from_the_palette(page: Page) -> None:
    held: list[Route] = []
    page.goto("/d/shop/")
    page.route("**/entities/**", lambda route: held.append(route))
    page.locator(".list a[href*='/entities/']").first.click(no_wait_after=True)
    page.keyboard.press("Control+k")
    page.get_by_role("group", name="Actions").wait_for()
    held[0].continue_()
    expect(page.locator("#entity-form")).to_be_attached()
    expect(page.locator("#palette-words")).to_be_focused()


def test_the_palette_says_that_nothing_was_found_and_closes(page: Page) -> None:
    page.goto("/gallery/")
    button = page.get_by_role("button", name="Find")
    button.click()
    page.keyboard.type("zzz")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(button).to_be_focused()


def test_the_palette_keeps_the_focus_and_a_click_beside_it_closes_it_alone(page: Page) -> None:
    page.goto("/d/shop/")
    before = page.url
    page.locator("#patterns [data-pattern]").nth(3).focus()
    page.keyboard.press("Control+k")
    found = page.get_by_role("combobox", name="Find")
    for key in ("Tab", "Shift+Tab"):
        page.keyboard.press(key)
        expect(found).to_be_focused()
    at = page.locator("#patterns [data-pattern]").first.bounding_box()
    assert at is not None
    page.mouse.click(at["x"] + 4, at["y"] + 4)
    expect(page.get_by_role("dialog", name="Find")).to_be_hidden()
    expect(page.locator("#patterns [data-pattern]").nth(3)).to_be_focused()
    assert page.url == before


def test_a_filter_stands_above_the_patterns_and_stays(page: Page) -> None:
    page.goto("/d/shop/")
    field = page.get_by_role("searchbox", name="Filter access patterns")
    field.fill("order user")
    shown = page.locator("#patterns > li:visible")
    expect(shown).to_have_count(2)
    page.keyboard.press("Tab")
    page.locator("#entities a").first.click()
    expect(field).to_have_count(0)
    page.keyboard.press("Escape")
    expect(shown).to_have_count(2)
    field.focus()
    page.keyboard.press("Escape")
    expect(shown).to_have_count(41)


def test_the_focus_goes_to_what_opened_and_back(page: Page) -> None:
    page.goto("/d/shop/")
    entity = page.locator("#entities a").first
    entity.click()
    expect(page.locator("#statement form.form").get_by_role("textbox").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#entities a").first).to_be_focused()


def test_a_changed_field_is_saved_before_escape_closes(page: Page) -> None:
    page.goto("/d/shop/")
    page.locator("#entities a").first.click()
    name = page.get_by_label("Name", exact=True).first
    expect(name).to_be_focused()
    name.fill("Customer")
    page.keyboard.press("Escape")
    expect(page.locator("#status")).to_contain_text("Saved")
    page.keyboard.press("Escape")
    expect(page.locator("#entities")).to_contain_text("Customer")


def test_a_half_typed_pattern_is_kept(page: Page) -> None:
    page.goto("/d/starter/")
    page.get_by_role("link", name="Add access patterns").click()
    name = page.locator("#statement form.form").get_by_role("textbox").first
    name.fill("List Tasks that are late")
    page.keyboard.press("Escape")
    add = page.get_by_role("link", name="Add access patterns")
    expect(add).to_have_attribute("title", "Your unfinished input is kept")
    add.click()
    expect(page.get_by_text("What you typed earlier was restored.")).to_be_visible()
    expect(name).to_have_value("List Tasks that are late")
    page.reload()
    expect(name).to_have_value("List Tasks that are late")
    page.get_by_role("button", name="Begin anew").click()
    expect(name).to_have_value("")
    page.keyboard.press("Escape")
    expect(page.locator(".has-draft")).to_have_count(0)


def test_what_was_added_is_not_kept(page: Page) -> None:
    page.goto("/d/starter/")
    for name in ("Label", "Reminder"):
        page.get_by_role("link", name="Add an entity").click()
        field = page.get_by_label("Name", exact=True).first
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        field.fill(name)
        page.get_by_label("Identified by").fill(f"{name.lower()}Id")
        page.get_by_role("button", name="Add the entity").last.click()
        expect(page.locator("#status")).to_contain_text("Saved")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(page.locator("#entities")).to_contain_text(name)
        expect(page.locator(".has-draft")).to_have_count(0)
