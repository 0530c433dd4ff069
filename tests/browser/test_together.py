"""Two and three people at one design: each sees what the others do, and nobody loses what they did."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from designer.core.design.load import load
from projects import revisions, teams
from projects.models import Draft, Membership, Role
from tests.browser.slow import is_save, slow

SOON = 20_000
"""Milliseconds in which everybody sees what somebody did: five seconds, and the patience that a busy machine needs."""
URL = "/d/club4all/"
CLUB = Path(__file__).parents[1] / "designs" / "club.yaml"
Open = Callable[[str, str], Page]


@pytest.fixture(autouse=True)
def patient_browser() -> Iterator[None]:
    expect.set_options(timeout=SOON)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def enter(new_context: CreateContextCallback, live_server: LiveServer) -> Open:
    """Open a page of the club as one of its team."""
    ana = User.objects.create(username="ana", first_name="Ana", last_name="Silva")
    project = teams.home(ana)
    revisions.start(Draft(slug="club4all", project=project), load(CLUB.read_text()), "Start", ana)
    for name in ("bob", "cleo"):
        person = User.objects.create(username=name)
        Membership.objects.create(team=project.team, user=person, role=Role.EDITOR)

    def opened(name: str, path: str) -> Page:
        client = Client()
        client.force_login(User.objects.get(username=name))
        context: BrowserContext = new_context(base_url=live_server.url)
        context.set_default_timeout(SOON)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}
        context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        page.goto(f"{URL}{path}")
        return page

    return opened


def fill(page: Page, label: str, value: str) -> None:
    page.get_by_label(label).fill(value)
    page.get_by_label(label).press("Tab")


def club() -> Draft:
    return Draft.objects.get(slug="club4all")


def test_an_edit_is_seen_by_the_others_within_five_seconds(enter: Open) -> None:
    bob, cleo = enter("bob", "?pattern=1"), enter("cleo", "history/")
    ana = enter("ana", "patterns/p-1/")
    fill(ana, "At most (items)", "7")
    expect(bob.locator("#pattern-answer")).to_contain_text("7 a page")
    expect(bob.locator(".saved")).to_contain_text("Ana Silva: Change pattern 1")
    expect(cleo.locator("#main")).to_contain_text("Change pattern 1")
    fill(ana, "In your words", "What runs out")
    expect(bob.locator("#pattern-1")).to_contain_text("What runs out")


def test_who_is_here_and_what_they_edit(enter: Open) -> None:
    ana = enter("ana", "")
    enter("bob", "entities/e-visit/")
    expect(ana.locator("#news")).to_contain_text("bob is editing Visit")
    enter("cleo", "heat/")
    expect(ana.get_by_title("cleo is here")).to_be_visible(timeout=2 * SOON)


def test_different_fields_of_one_form_are_all_kept(enter: Open) -> None:
    ana, bob, cleo = (enter(name, "patterns/p-1/") for name in ("ana", "bob", "cleo"))
    typed = ana.get_by_label("In your words")
    typed.fill("What runs out first")
    fill(bob, "At most (items)", "7")
    expect(ana.locator("#meanwhile")).to_contain_text("bob: Change pattern 1")
    expect(typed).to_have_value("What runs out first")
    expect(typed).to_be_focused()
    cleo.get_by_text("Expectations").click()
    fill(cleo, "Maximum latency", "40")
    expect(cleo.locator("#status")).to_contain_text("Saved")
    typed.press("Tab")
    expect(ana.locator("#status")).to_contain_text("Saved")
    expect(ana.get_by_label("At most (items)")).to_have_value("7")
    expect(ana.locator("#meanwhile")).to_have_count(0)
    pattern = revisions.latest(club()).pattern(1)
    assert (pattern.name, pattern.limit, pattern.latency_ms) == ("What runs out first", 7, 40)


def test_the_same_field_is_asked_about_and_nothing_typed_is_lost(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    ana.get_by_label("At most (items)").fill("9")
    fill(bob, "At most (items)", "7")
    expect(ana.locator("#meanwhile")).to_be_visible(timeout=SOON)
    ana.get_by_label("At most (items)").press("Tab")
    conflict = ana.locator("#conflict")
    expect(conflict).to_contain_text("bob changed it in r2 (Change pattern 1: At most")
    expect(conflict).to_contain_text("Take theirs: 7")
    mine = conflict.get_by_label("Keep mine: 9")
    expect(mine).not_to_be_checked()
    fill(bob, "In your words", "Asked by Bob")
    expect(bob.locator("#status")).to_contain_text("Saved")
    expect(ana.locator("#meanwhile")).to_contain_text("Asked by Bob")
    conflict.get_by_role("button", name="Save").click()
    expect(mine).to_be_focused()
    assert revisions.latest(club()).pattern(1).limit == 7
    mine.check()
    conflict.get_by_role("button", name="Save").click()
    expect(ana.locator("#status")).to_contain_text("Saved")
    expect(conflict).to_have_count(0)
    pattern = revisions.latest(club()).pattern(1)
    assert (pattern.name, pattern.limit) == ("Asked by Bob", 9)


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_asked_is_seen_and_not_settled_by_the_next_field(enter: Open, width: int) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    ana.set_viewport_size({"width": width, "height": 700})
    ana.get_by_label("At most (items)").fill("9")
    fill(bob, "At most (items)", "7")
    expect(bob.locator("#status")).to_contain_text("Saved")
    ana.get_by_label("At most (items)").press("Tab")
    conflict = ana.locator("#conflict")
    expect(conflict).to_be_focused()
    expect(conflict).to_be_in_viewport(ratio=1)
    unsaved = ana.get_by_text("Not saved", exact=True)
    expect(unsaved).to_be_visible()
    expect(ana.locator(".saved")).to_be_hidden()
    with ana.expect_response(lambda answer: answer.status == 409):
        fill(ana, "On average (/s)", "20")
    pattern = revisions.latest(club()).pattern(1)
    assert (pattern.limit, pattern.rate) == (7, None)
    ana.evaluate("scrollTo(0, 600)")
    expect(unsaved).to_be_in_viewport(ratio=1)
    conflict.get_by_label("Keep mine: 9").check()
    conflict.get_by_role("button", name="Save").click()
    expect(ana.locator("#status")).to_contain_text("Saved")
    expect(unsaved).to_be_hidden()
    pattern = revisions.latest(club()).pattern(1)
    assert pattern.rate is not None
    assert (pattern.limit, pattern.rate.average) == (9, 20)


def test_what_is_asked_waits_for_whoever_goes_on_to_type(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    name = ana.get_by_label("In your words")
    ana.get_by_label("At most (items)").fill("9")
    fill(bob, "At most (items)", "7")
    expect(bob.locator("#status")).to_contain_text("Saved")
    with slow(ana):
        name.fill("What runs")
        name.press_sequentially(" out")
    conflict = ana.locator("#conflict")
    expect(conflict).to_contain_text("Take theirs: 7")
    expect(name).to_be_focused()
    name.press_sequentially(" first")
    ana.evaluate("""document.addEventListener("htmx:afterSettle", ({ detail }) => {
        if (detail.target.id === "results") document.body.dataset.heard = "yes";
    })""")
    fill(bob, "On average (/s)", "3")
    expect(ana.locator("body[data-heard]")).to_have_count(1)
    expect(name).to_be_focused()
    name.press("Tab")
    expect(conflict).to_be_focused()
    expect(name).to_have_value("What runs out first")


def test_ones_own_saves_are_never_asked_about(enter: Open) -> None:
    ana = enter("ana", "patterns/p-1/")
    refused: list[str] = []
    ana.on("response", lambda answer: None if answer.ok else refused.append(answer.url))
    average, peak = ana.get_by_label("On average (/s)"), ana.get_by_label("At peak (/s)")
    status = ana.locator("#status")
    for field, value in ((average, "20"), (peak, "40"), (average, "21"), (peak, "41")):
        field.fill(value)
        with ana.expect_response(lambda answer: is_save(answer.request)):
            field.press("Tab")
        expect(ana.locator("#statement")).to_have_attribute("aria-busy", "false")
    with slow(ana):
        fill(ana, "In your words", "What runs")
        fill(ana, "At most (items)", "9")
        fill(ana, "In your words", "What runs out")
    expect(status).to_contain_text("Saved")
    fill(ana, "In your words", "What runs out first")
    expect(ana.get_by_role("button", name="Undo")).to_have_attribute("title", re.compile("first"))
    assert refused == []
    pattern = revisions.latest(club()).pattern(1)
    assert (pattern.name, pattern.limit) == ("What runs out first", 9)
    assert pattern.rate is not None
    assert (pattern.rate.average, pattern.rate.peak) == (21, 41)


def test_ones_own_save_is_called_so_after_one_that_went_with_a_colleagues(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    said = ana.locator(".saved-words")
    ana.get_by_label("In your words").fill("What runs out first")
    fill(bob, "At most (items)", "7")
    expect(ana.locator("#meanwhile")).to_be_visible()
    for label, value in (("In your words", "What runs out"), ("On average (/s)", "20")):
        fill(ana, label, value)
        expect(said).to_contain_text("Saved: Change pattern 1")
        ana.wait_for_timeout(4_000)
        expect(said).to_contain_text("Saved: Change pattern 1")


def test_undo_takes_back_ones_own_edit_only(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    fill(ana, "At most (items)", "9")
    expect(ana.locator("#status")).to_contain_text("Saved")
    fill(bob, "In your words", "Asked by Bob")
    expect(bob.locator("#status")).to_contain_text("Saved")
    expect(ana.get_by_label("In your words")).to_have_value("Asked by Bob")
    ana.get_by_role("button", name="Undo").click()
    expect(ana.locator("#status")).to_contain_text("Later changes stay.")
    expect(ana.get_by_label("In your words")).to_have_value("Asked by Bob")
    expect(ana.get_by_label("At most (items)")).to_have_value("")
    assert revisions.latest(club()).pattern(1).limit is None
    expect(ana.get_by_role("button", name="Undo")).to_be_disabled()
    expect(bob.get_by_label("At most (items)")).to_have_value("", timeout=SOON)
    fill(bob, "At most (items)", "8")
    expect(bob.locator("#status")).to_contain_text("At most set to 8")
    ana.get_by_role("button", name="Redo").click()
    expect(ana.locator("#conflict")).to_contain_text("Leave it at: 8")
    ana.get_by_label("Make it: 9").check()
    ana.locator("#conflict").get_by_role("button", name="Redo").click()
    expect(ana.locator("#status")).to_contain_text("Redone")
    assert revisions.latest(club()).pattern(1).limit == 9


def test_what_was_typed_into_something_that_is_gone_can_still_be_read(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    ana.get_by_label("In your words").fill("What runs out first")
    bob.get_by_role("button", name="Remove this access pattern").click()
    expect(bob.locator("#status")).to_contain_text("Saved: Remove pattern 1")
    expect(ana.locator("#meanwhile")).to_contain_text("Remove pattern 1")
    expect(ana.get_by_label("In your words")).to_have_value("What runs out first")
    ana.get_by_label("In your words").press("Tab")
    expect(ana.locator("#gone")).to_contain_text(
        re.compile(r"bob removed it in r\d+ \(Remove pattern 1")
    )
    expect(ana.locator("#gone")).to_contain_text("What runs out first")


def test_a_comment_on_something_that_is_gone_is_kept_until_it_is_said_elsewhere(
    enter: Open,
) -> None:
    ana, bob = enter("ana", "threads/pattern:p-1/"), enter("bob", "patterns/p-1/")
    typed = ana.get_by_label("Your comment")
    typed.fill("Ask it by day instead")
    bob.get_by_role("button", name="Remove this access pattern").click()
    expect(ana.locator("#meanwhile")).to_contain_text(
        re.compile("Remove pattern 1.*What you type stays[.]$")
    )
    expect(ana.locator("#results")).to_contain_text("no longer in this design")
    expect(typed).to_have_value("Ask it by day instead")
    ana.get_by_role("button", name="Comment", exact=True).click()
    expect(ana.locator("#unsent")).to_contain_text(
        re.compile(r"bob removed it in r\d+ \(Remove pattern 1")
    )
    expect(ana.get_by_label("What you wrote")).to_have_value("Ask it by day instead")
    # What others do next doesn't take it away.
    bob.goto(f"{URL}settings/")
    fill(bob, "AWS Region", "eu-west-1")
    expect(ana.locator("#meanwhile")).to_contain_text("AWS Region")
    expect(ana.get_by_label("What you wrote")).to_have_value("Ask it by day instead")
    ana.get_by_role("button", name="Comment on the design").click()
    expect(ana.locator("[data-thread]")).to_contain_text("Ask it by day instead")


def say(page: Page, text: str) -> None:
    page.get_by_label("Your comment").fill(text)
    page.get_by_role("button", name="Comment", exact=True).click()


def test_a_comment_is_heard_by_the_others_and_nothing_typed_is_lost(enter: Open) -> None:
    ana, cleo = enter("ana", ""), enter("cleo", "patterns/p-1/")
    review = enter("ana", "reviews/")
    bob = enter("bob", "threads/pattern:p-1/")
    typed = cleo.get_by_label("In your words")
    typed.fill("What runs out first")
    say(bob, "Who asks that?")
    said = "bob commented on Pattern 1, A member's visits."
    for page in (ana, cleo, review):
        expect(page.locator("#heard")).to_contain_text(said)
    expect(typed).to_have_value("What runs out first")
    expect(typed).to_be_focused()
    expect(ana.get_by_role("link", name="1 open thread on A member's visits")).to_be_visible()
    expect(review.locator("#discussion")).to_contain_text("Who asks that?")
    review.locator("#heard").get_by_role("link", name="Show").click()
    expect(review.locator("#heard")).to_have_count(0)
    ana.locator("#heard").get_by_role("link", name="Show").click()
    expect(ana.locator("[data-thread]")).to_contain_text("Who asks that?")


def test_news_is_heard_after_an_answer_to_a_field_that_is_gone(enter: Open) -> None:
    bob, ana = enter("bob", "threads/entity:e-visit/"), enter("ana", "threads/entity:e-visit/")
    held: list[Route] = []
    bob.route("**/comments/preview/", lambda route: held.append(route))
    with bob.expect_request("**/comments/preview/"):
        bob.get_by_label("Your comment").fill("Too many?")
    bob.get_by_role("button", name="Comment", exact=True).click()
    expect(bob.get_by_role("button", name="Resolve the thread")).to_be_visible()
    for route in held:
        route.continue_()
    ana.get_by_role("button", name="Resolve the thread").click()
    expect(bob.locator("#bar .dot")).to_have_count(0)


def test_the_counts_follow_when_a_thread_is_resolved(enter: Open) -> None:
    bob, ana = enter("bob", "threads/entity:e-visit/"), enter("ana", "")
    say(bob, "Too many?")
    counts = [page.locator(".has-threads") for page in (ana, bob)]
    expect(ana.get_by_role("link", name="open thread on Visit")).to_have_count(1)
    dot = bob.locator("#bar .dot")
    expect(dot).to_have_count(1)
    bob.get_by_role("button", name="Resolve the thread").click()
    expect(bob.get_by_text("resolved by bob")).to_be_visible()
    expect(dot).to_have_count(0)
    for each in counts:
        expect(each).to_have_count(0)
