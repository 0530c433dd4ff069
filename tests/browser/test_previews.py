"""Previews of what is typed into a form, whenever they are answered."""

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.slow import Held, is_preview, is_save


@dataclass(frozen=True)
class Adding:
    """Where something new is added, what is typed first, what adds it, and what is typed meanwhile."""

    path: str
    first: dict[str, str]
    add: str
    later: tuple[str, str]
    said: str
    """What the page says in the end. What was typed meanwhile is saved if the form of what was added is shown next."""

    def begin(self, page: Page) -> None:
        page.goto(f"/d/starter/{self.path}")
        for label, value in self.first.items():
            page.get_by_label(label, exact=True).first.fill(value)

    def send(self, page: Page) -> None:
        page.get_by_role("button", name=self.add).last.click()

    def field(self, page: Page) -> Locator:
        return page.get_by_label(self.later[0], exact=True).first

    def go_on(self, page: Page) -> None:
        self.field(page).fill(self.later[1])


FORMS = (
    Adding(
        "entities/add/",
        {"Name": "Voucher", "Identified by": "code"},
        "Add the entity",
        ("Number of items", "4200"),
        "Number of items set to 4,200",
    ),
    Adding(
        "entities/e-task/attributes/add/",
        {"Name": "hours"},
        "Add the attribute",
        ("Unique within", "title"),
        "Saved: Add attribute Task.hours.",
    ),
    Adding(
        "patterns/add/",
        {"In your words": "All of them", "At most (items)": "5"},
        "Add the access pattern",
        ("On average (/s)", "21"),
        "Saved: Add pattern 9: All of them.",
    ),
)
of_each_form = pytest.mark.parametrize("form", FORMS, ids=[form.add for form in FORMS])


def assert_added(page: Page, form: Adding) -> None:
    """What was added is there, and nothing says that it is not."""
    expect(page.locator("#status")).to_contain_text(form.said)
    expect(page.locator("#preview-note, #form-preview")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("/add/"))


def sent_and_held(page: Page, form: Adding) -> tuple[Held, Held]:
    """What is sent waits for its answer, and so does each preview from now on."""
    saves = Held(page, is_save)
    form.begin(page)
    expect(page.locator("#results")).to_contain_text("Not added yet")
    previews = Held(page, is_preview)
    form.send(page)
    saves.wait_for(1)
    return saves, previews


@of_each_form
def test_a_preview_answered_after_the_thing_was_added_is_dropped(page: Page, form: Adding) -> None:
    previews, saves = Held(page, is_preview), Held(page, is_save)
    form.begin(page)
    previews.wait_for(1)
    form.send(page)
    form.go_on(page)
    saves.wait_for(1)
    saves.answer()
    assert_added(page, form)
    with page.expect_response(lambda response: is_preview(response.request)):
        previews.answer()
    page.wait_for_load_state("networkidle")
    assert_added(page, form)


@of_each_form
def test_a_preview_of_what_was_typed_during_the_save_is_dropped_after_it(
    page: Page, form: Adding
) -> None:
    saves, previews = sent_and_held(page, form)
    form.go_on(page)
    previews.wait_for(1)
    saves.answer()
    assert_added(page, form)
    with page.expect_response(lambda response: is_preview(response.request)):
        previews.answer()
    page.wait_for_load_state("networkidle")
    assert_added(page, form)


def test_a_preview_answered_right_after_the_save_is_dropped(page: Page) -> None:
    """Before what was typed meanwhile is sent, which htmx leaves to a timer."""
    form = FORMS[0]
    page.clock.install()
    saves, previews = Held(page, is_save), Held(page, is_preview)
    form.begin(page)
    form.send(page)
    saves.wait_for(1)
    page.clock.run_for(10)
    form.go_on(page)
    page.clock.run_for(300)
    previews.wait_for(1)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    saves.answer()
    expect(page).not_to_have_url(re.compile("/add/"))
    with page.expect_response(lambda response: is_preview(response.request)):
        previews.answer()
    page.clock.resume()
    assert_added(page, form)


@of_each_form
def test_a_preview_answered_during_the_save_is_shown_until_then(page: Page, form: Adding) -> None:
    saves = Held(page, is_save)
    form.begin(page)
    expect(page.locator("#results")).to_contain_text("Not added yet")
    form.send(page)
    saves.wait_for(1)
    with page.expect_response(lambda response: is_preview(response.request)):
        form.go_on(page)
    expect(page.locator("#preview-note")).to_be_visible()
    saves.answer()
    assert_added(page, form)


@of_each_form
def test_what_was_typed_just_before_the_answer_asks_for_no_preview_of_the_old_form(
    page: Page, form: Adding
) -> None:
    saves, previews = sent_and_held(page, form)
    # While this waits for the answer, a preview waits for its delay.
    form.field(page).evaluate(
        """(field, typed) => document.addEventListener("htmx:beforeOnLoad", () => {
            field.value = typed;
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }, { once: true })""",
        form.later[1],
    )
    saves.answer()
    assert_added(page, form)
    page.wait_for_timeout(600)
    assert previews.asked == []


def test_what_is_typed_during_a_save_goes_into_no_other_form(page: Page) -> None:
    attribute = FORMS[1]
    saves = Held(page, is_save)
    attribute.begin(page)
    attribute.send(page)
    saves.wait_for(1)
    page.get_by_label("Name", exact=True).first.fill("minutes")
    saves.answer()
    expect(page.locator("#status")).to_contain_text(attribute.said)
    expect(page.get_by_label("Name", exact=True).first).to_have_value("Task")
    page.get_by_label("Description", exact=True).first.evaluate("field => field.focus()")
    page.wait_for_timeout(600)
    assert len(saves.asked) == 1


def test_what_is_typed_while_a_pattern_is_added_goes_into_no_other_pattern(page: Page) -> None:
    pattern = FORMS[2]
    saves = Held(page, is_save)
    pattern.begin(page)
    pattern.send(page)
    saves.wait_for(1)
    pattern.go_on(page)
    saves.answer()
    expect(page.locator("#status")).to_contain_text(pattern.said)
    page.locator("#pattern-1 .list-line").click()
    page.get_by_role("link", name="Change pattern 1", exact=True).click()
    expect(page.get_by_role("heading", name="Pattern 1")).to_be_visible()
    page.wait_for_timeout(600)
    assert len(saves.asked) == 1
    expect(pattern.field(page)).not_to_have_value(pattern.later[1])
