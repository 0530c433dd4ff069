"""On a phone a tap on an access pattern shows its answer, in the workspace, on the first page and on shared pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from projects import links, revisions
from projects.models import Draft
from tests.browser.test_journeys import sign_up


@pytest.fixture
def phone(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 844}, has_touch=True
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def finger(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """A phone for whose browser nothing is pointed at but by a finger."""
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def test_a_finger_meets_comments_and_changes(finger: Page) -> None:
    sign_up(finger, "dora")
    form = finger.locator("form", has_text="From scratch")
    form.get_by_label("Name").fill("Hotel")
    form.get_by_role("button").tap()
    finger.get_by_role("link", name="Enter the whole model as text").tap()
    finger.get_by_label("Entities and relationships").fill("Hotel: hotelId, name")
    finger.get_by_role("button", name="Add all").last.tap()
    for link in ("[data-comment].comment-link", "#entities .comment-link"):
        expect(finger.locator(link).first).to_be_visible()
        sizes = finger.locator(link).evaluate_all(
            "links => links.filter(link => link.checkVisibility()).map(link => link.getBoundingClientRect())"
            ".map(({ width, height }) => Math.min(width, height))"
        )
        assert sizes and min(sizes) >= 44
    assert finger.evaluate("document.documentElement.scrollWidth") <= 390


def tapped(page: Page, number: int) -> None:
    lists = page.locator("#statement")
    height = lists.evaluate("each => each.offsetHeight")
    pattern = page.locator(f"#pattern-{number} [data-pattern]")
    name = pattern.locator(".grow").inner_text()
    pattern.tap()
    expect(page.locator("#pattern-answer-title")).to_contain_text(name)
    expect(page.locator(".grid-scroll").first).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#pattern-answer-title")).to_be_in_viewport()
    assert lists.evaluate("each => each.offsetHeight") == height
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name="All patterns").tap()
    expect(pattern).to_be_in_viewport()


@pytest.mark.parametrize("place", ["/", "/d/shop/", "/gallery/social-network/"])
def test_a_tap_on_a_pattern_goes_to_its_grid(place: str, phone: Page) -> None:
    phone.goto(place)
    expect(phone.locator("#planning")).to_have_count(0, timeout=180_000)
    tapped(phone, 5)


def test_so_does_a_shared_page(phone: Page) -> None:
    phone.goto("/gallery/starter/")
    phone.get_by_role("button", name="Make it yours").tap()
    phone.wait_for_url("**/d/*/")
    _, token = links.make(Draft.objects.get(), None)
    phone.goto(f"/s/{token}/")
    expect(phone.locator("#planning")).to_have_count(0, timeout=180_000)
    tapped(phone, 3)


def test_a_form_is_refused_in_sight_and_adds_in_sight(
    phone: Page,
) -> None:
    phone.goto("/gallery/starter/")
    phone.get_by_role("button", name="Make it yours").tap()
    phone.wait_for_url("**/d/*/")
    phone.goto(f"{phone.url}patterns/several/")
    lines = phone.get_by_label("In sentences")
    phone.set_viewport_size({"width": 390, "height": 480})
    for text, shown in (
        ("List Dragons", "#form-errors"),
        ("Count Tasks of a Project", "[data-pattern][aria-current='true']"),
    ):
        lines.fill(text)
        phone.get_by_role("button", name="Add the access patterns").last.tap()
        expect(phone.locator(shown)).to_be_in_viewport()


def test_beside_the_list_the_page_stays(page: Page) -> None:
    page.set_viewport_size({"width": 1024, "height": 700})
    page.goto("/d/shop/")
    expect(page.locator("#planning")).to_have_count(0, timeout=180_000)
    page.locator("#pattern-5 [data-pattern]").click()
    expect(page.locator("#pattern-answer-title")).to_contain_text("A product")
    assert page.evaluate("scrollY") == 0
    expect(page.get_by_role("link", name="All patterns")).to_be_hidden()


ACROSS = """() => [...document.querySelectorAll(".table-scroll")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.getAttribute("aria-label"))"""
MATRICES = {"How each access pattern fares in each style"}
"""Tables of styles and alternatives, whose columns are compared: they scroll beside their first column."""


def test_lists_are_read_without_scrolling_sideways(phone: Page) -> None:
    phone.goto("/gallery/starter/")
    phone.get_by_role("button", name="Make it yours").tap()
    phone.wait_for_url("**/d/*/")
    draft = Draft.objects.get()
    renamed = revisions.latest(draft).model_copy(update={"name": "A longer name of a design"})
    revisions.edit(draft, lambda design: renamed, "Call the design by a name that is longer")
    links.make(draft, None)
    pages = ("history", "cost", "compare", "heat", "share", "decisions", "prove", "exports")
    for page in (f"/d/{draft.slug}/{name}/" for name in pages):
        phone.goto(page)
        expect(phone.locator("#planning")).to_have_count(0, timeout=180_000)
        phone.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert set(phone.evaluate(ACROSS)) - MATRICES == set(), page
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, page
    phone.goto("/designs/")
    assert phone.evaluate(ACROSS) == []
    expect(phone.locator(".thumbnail img")).to_have_js_property("complete", True)
    assert phone.locator(".thumbnail img").evaluate("each => each.naturalWidth") == 120


def test_a_cell_of_a_list_says_what_it_is(phone: Page) -> None:
    phone.goto("/d/shop/cost/")
    expect(phone.locator("#planning")).to_have_count(0, timeout=180_000)
    cell = phone.locator("#bill td[data-label='Read units per run']").first
    said = cell.evaluate("each => getComputedStyle(each, '::before').content")
    assert said == '"Read units per run"'
