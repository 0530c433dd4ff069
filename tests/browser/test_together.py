"""Two and three people at one design: each sees what the others do, and nobody loses what they did."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from designer.core.design.load import load
from projects import revisions, teams
from projects.models import Draft, Membership, Role

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
    expect(bob.locator(".saved")).to_contain_text("Ana Silva: Change question 1")
    expect(cleo.locator("#main")).to_contain_text("Change question 1")
    fill(ana, "In your words", "What runs out")
    expect(bob.locator("#question-1")).to_contain_text("What runs out")


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
    expect(ana.locator("#meanwhile")).to_contain_text("bob: Change question 1")
    expect(typed).to_have_value("What runs out first")
    expect(typed).to_be_focused()
    cleo.get_by_text("Expectations").click()
    fill(cleo, "Answered within", "40")
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
    expect(conflict).to_contain_text("Keep mine: 9")
    expect(conflict).to_contain_text("Take theirs: 7")
    fill(bob, "In your words", "Asked by Bob")
    expect(bob.locator("#status")).to_contain_text("Saved")
    expect(ana.locator("#meanwhile")).to_contain_text("Asked by Bob")
    expect(conflict).to_be_visible()
    conflict.get_by_role("button", name="Save").click()
    expect(ana.locator("#status")).to_contain_text("Saved")
    pattern = revisions.latest(club()).pattern(1)
    assert (pattern.name, pattern.limit) == ("Asked by Bob", 9)


def test_undo_takes_back_ones_own_edit_only(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    fill(ana, "At most (items)", "9")
    expect(ana.locator("#status")).to_contain_text("Saved")
    fill(bob, "In your words", "Asked by Bob")
    expect(bob.locator("#status")).to_contain_text("Saved")
    expect(ana.get_by_label("In your words")).to_have_value("Asked by Bob")
    ana.get_by_role("button", name="Undo").click()
    expect(ana.locator("#status")).to_contain_text("What came after it stays.")
    expect(ana.locator("#question-1")).to_contain_text("Asked by Bob")
    assert revisions.latest(club()).pattern(1).limit is None
    expect(ana.get_by_role("button", name="Undo")).to_be_disabled()
    expect(bob.get_by_label("At most (items)")).to_have_value("", timeout=SOON)
    fill(bob, "At most (items)", "8")
    expect(bob.locator("#status")).to_contain_text("At most set to 8")
    ana.get_by_role("button", name="Redo").click()
    expect(ana.locator("#conflict")).to_contain_text("Leave it at: 8")
    ana.get_by_label("Make it: 9").check()
    ana.locator("#conflict").get_by_role("button", name="Redo").click()
    expect(ana.locator("#status")).to_contain_text("Done again")
    assert revisions.latest(club()).pattern(1).limit == 9


def test_what_was_typed_into_something_that_is_gone_can_still_be_read(enter: Open) -> None:
    ana, bob = enter("ana", "patterns/p-1/"), enter("bob", "patterns/p-1/")
    ana.get_by_label("In your words").fill("What runs out first")
    bob.get_by_role("button", name="Remove this question").click()
    expect(bob.locator("#status")).to_contain_text("Saved: Remove question 1")
    expect(ana.locator("#meanwhile")).to_contain_text("Remove question 1")
    expect(ana.get_by_label("In your words")).to_have_value("What runs out first")
    ana.get_by_label("In your words").press("Tab")
    expect(ana.locator("#gone")).to_contain_text("bob: Remove question 1")
    expect(ana.locator("#gone")).to_contain_text("What runs out first")


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
    said = "bob commented on Question 1, A member's visits."
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
