"""Pins, from the answer they change to the list they end in."""

import re

from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer


def test_a_key_is_pinned_seen_and_let_go(page: Page) -> None:
    page.goto("/d/shop/?pattern=18")
    page.get_by_role("link", name="Why this?").click()
    page.get_by_role("link", name=re.compile("Pin or change it.*Key of Address")).click()
    expect(page.get_by_role("heading", name="A new pin")).to_be_visible()
    sort = page.get_by_label("Sort key")
    expect(sort).to_have_value("ADDRESS#{addressId}")
    sort.fill("ADDR#{addressId}")
    expect(page.locator("#preview-note")).to_contain_text("Not added yet")
    expect(page.locator("#results")).to_contain_text("ADDR#")
    expect(sort).to_be_focused()
    page.get_by_label("Why").fill("As the old table has it")
    page.get_by_role("button", name="Pin it").last.click()
    expect(page.locator("#status")).to_contain_text("Saved: Pin key of Address")
    expect(page).to_have_url(re.compile(r"/pins/"))
    expect(page.locator(".pin")).to_contain_text("As the old table has it")
    page.get_by_role("button", name="Remove pin 1: Key of Address").press("Enter")
    expect(page.locator("#status")).to_contain_text("Saved: Remove the pin")
    expect(page.locator("#results")).to_contain_text("ADDRESS#")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#results")).to_contain_text("ADDR#")


def test_a_pin_is_changed_from_the_decision_that_it_took(page: Page) -> None:
    page.goto("/d/shop/pins/add/single/key Address/")
    page.get_by_label("Why").fill("As the old table has it")
    page.get_by_role("button", name="Pin it").last.click()
    expect(page.locator("#status")).to_contain_text("Saved: Pin key of Address")
    page.goto("/d/shop/?pattern=18")
    page.get_by_role("link", name="Why this?").click()
    page.get_by_role("link", name=re.compile("Pin or change it.*Key of Address")).click()
    expect(page.get_by_role("heading", name="Pin 1", exact=True)).to_be_visible()
    expect(page.get_by_label("Why")).to_have_value("As the old table has it")
    page.get_by_label("Sort key").fill("ADDR#{addressId}")
    expect(page.locator("#form-preview")).to_contain_text("Not changed yet.")
    page.get_by_role("button", name="Change it").last.click()
    expect(page.locator("#status")).to_contain_text("Saved: Change the pin: key of Address")
    expect(page).to_have_url(re.compile(r"/pins/\?pattern=18$"))
    expect(page.locator(".pin")).to_contain_text("ADDR#{addressId}")
    page.get_by_role("link", name="Change pin 1: Key of Address").click()
    expect(page.get_by_label("Why")).to_have_value("As the old table has it")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#status")).to_contain_text("Undone: Change the pin")


def test_pins_are_added_changed_and_removed_from_the_decisions(page: Page) -> None:
    page.goto("/d/shop/pins/add/single/key Address/")
    page.get_by_role("button", name="Pin it").last.click()
    expect(page.locator(".pin")).to_have_count(1)
    decisions = page.url.replace("/pins/", "/decisions/")
    for name, heading in (
        ("Change pin 1: Key of Address", "Pin 1"),
        ("Add a pin", "A new pin"),
    ):
        page.goto(decisions)
        page.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    page.goto(decisions)
    page.get_by_role("button", name="Remove pin 1: Key of Address").click()
    expect(page).to_have_url(re.compile(r"/pins/$"))
    expect(page.locator(".pin")).to_have_count(0)


def test_what_cannot_be_pinned_is_said_beside_what_was_typed(page: Page) -> None:
    page.goto("/d/shop/pins/add/single/key Order/")
    page.get_by_label("Partition key").fill("ORDER#{status}")
    page.get_by_role("button", name="Pin it").last.click()
    expect(page.get_by_role("alert")).to_contain_text("status can change")
    expect(page.get_by_label("Partition key")).to_have_value("ORDER#{status}")


def test_what_is_sent_while_the_form_is_drawn_anew_is_answered(page: Page) -> None:
    drawn: list[Route] = []

    def hold(route: Route) -> None:
        if drawn or "redraw" not in (route.request.post_data or ""):
            route.continue_()
        else:
            drawn.append(route)

    page.route(re.compile("/pins/add/"), hold)
    page.goto("/d/shop/pins/add/")
    with page.expect_request(lambda request: "redraw" in (request.post_data or "")):
        page.get_by_label("Entity").select_option("Order")
    page.get_by_label("Partition key").fill("ORDER#{ordrId}")
    page.get_by_role("button", name="Pin it").last.click()
    with page.expect_response(lambda response: response.status == 422):
        drawn[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("alert")).to_contain_text("did you mean “orderId”?")
    expect(page.get_by_role("alert")).not_to_contain_text("?.")
    expect(page.get_by_label("Partition key")).to_have_value("ORDER#{ordrId}")


def test_a_finding_is_set_aside_and_brought_back(page: Page) -> None:
    page.goto("/d/shop/")
    found = page.locator("#findings .finding:not(.is-ignored)")
    count = found.count()
    page.get_by_role("link", name=re.compile("Ignore.*K103")).first.click()
    page.get_by_label("Why").fill("Measured")
    page.get_by_role("button", name="Ignore it").last.click()
    expect(found).to_have_count(count - 1)
    page.get_by_text("1 ignored").click()
    page.get_by_role("button", name=re.compile("Bring back.*K103")).click()
    expect(found).to_have_count(count)


def test_pinning_without_script(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    page.goto("/d/shop/decisions/")
    page.get_by_role("link", name=re.compile("Pin its name.*shop-app")).click()
    page.get_by_label("Name", exact=True).fill("everything")
    page.get_by_role("button", name="Pin it").last.click()
    expect(page.locator(".pin")).to_contain_text("table called everything")
    page.get_by_role("button", name=re.compile("^Remove pin 1")).click()
    expect(page.locator(".pin")).to_have_count(0)
    context.close()


def test_an_answer_for_the_page_before_comes_too_late(page: Page) -> None:
    """The Why page asks on until its prices are there; meanwhile someone has gone on to the pin."""
    page.goto("/d/shop/?pattern=18")
    page.get_by_role("link", name="Why this?").click()
    pin = page.get_by_role("link", name=re.compile("Pin or change it.*Key of Address"))
    expect(pin).to_be_visible()
    held: list[Route] = []
    page.route("**/late/", lambda route: held.append(route))
    page.evaluate(
        """() => {
          const late = '<p id="late" data-planning hx-get="/late/" hx-target="#statement" hx-trigger="go"></p>';
          document.body.insertAdjacentHTML("beforeend", late);
          htmx.process(document.body);
          htmx.trigger("#late", "go");
        }"""
    )
    pin.click()
    heading = page.get_by_role("heading", name="A new pin")
    expect(heading).to_be_visible()
    with page.expect_response("**/late/"):
        held[0].fulfill(body="<h2>Why is pattern 18 answered so?</h2>", content_type="text/html")
    page.wait_for_timeout(300)
    expect(heading).to_be_visible()
