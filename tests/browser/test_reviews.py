"""A review from the question to the approval, between two people, and what becomes of the approval after."""

from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from designer.core.design.load import load
from projects import revisions, teams
from projects.models import Draft, Membership, Role
from tests.browser.axe import assert_accessible

CLUB = Path(__file__).parents[1] / "designs" / "club.yaml"


def signed_in(new_context: CreateContextCallback, url: str, person: User, width: int) -> Page:
    client = Client()
    client.force_login(person)
    context: BrowserContext = new_context(
        base_url=url, viewport={"width": width, "height": 844}, color_scheme="dark"
    )
    context.set_default_timeout(20_000)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": url}])
    return context.new_page()


def assert_under(field: Locator, option: Locator) -> None:
    """What is offered begins within a few pixels under where it is typed."""
    above, below = field.bounding_box(), option.bounding_box()
    assert above is not None and below is not None
    assert 0 <= below["y"] - above["y"] - above["height"] <= 5
    assert 0 <= below["x"] - above["x"] <= 5


def test_a_review_ends_in_an_approval_that_words_leave_alone_and_a_change_of_meaning_does_not(
    transactional_db: None, live_server: LiveServer, new_context: CreateContextCallback
) -> None:
    ana, ben = (User.objects.create(username=name) for name in ("ana", "ben"))
    project = teams.home(ana)
    Membership.objects.create(team=project.team, user=ben, role=Role.REVIEWER)
    club = Draft(slug="club4ana", project=project)
    revisions.start(club, load(CLUB.read_text(), name="club"), "Start", ana)
    author = signed_in(new_context, live_server.url, ana, 1440)
    # The reviewer sits on a train.
    reviewer = signed_in(new_context, live_server.url, ben, 390)

    author.goto("/d/club4ana/")
    author.get_by_role("link", name="Review", exact=True).click()
    author.wait_for_load_state()
    asked = author.get_by_label("Message", exact=True)
    asked.press_sequentially("The visits, @b")
    assert_under(asked, author.get_by_role("option", name="ben"))
    asked.fill("The visits, @ben.")
    author.get_by_role("button", name="Ask for a review").click()
    expect(author.locator("h1")).to_have_text("Review 1")
    expect(author.get_by_role("button", name="Approve")).to_be_disabled()

    reviewer.goto("/d/club4ana/?pattern=1")
    reviewer.locator("tr:has-text('Member') [data-comment]").first.focus()
    reviewer.keyboard.press("c")
    field = reviewer.get_by_label("Your comment")
    field.press_sequentially("Why twice, @an")
    assert_under(field, reviewer.get_by_role("option", name="ana"))
    option = reviewer.get_by_role("option", name="ana")
    expect(option).to_be_visible()
    for _ in "@an":
        field.press("ArrowLeft")
    expect(option).to_have_count(0)
    field.press("End")
    field.press_sequentially("a")
    field.press("Backspace")
    option.click()
    expect(field).to_have_value("Why twice, @ana ")
    expect(reviewer.locator(".comment-preview .mention")).to_have_text("@ana")
    reviewer.get_by_role("button", name="Add to my review").click()
    expect(reviewer.get_by_text("only you see this")).to_be_visible()
    reviewer.goto("/d/club4ana/reviews/")
    expect(reviewer.get_by_text("1 of your comments will be sent with it.")).to_be_visible()
    assert reviewer.evaluate("document.documentElement.scrollWidth") <= 390
    assert_accessible(reviewer)
    thought = reviewer.get_by_label("Your comment")
    thought.press_sequentially("@a")
    assert_under(thought, reviewer.get_by_role("option", name="ana"))
    thought.fill("Good keys.")
    # As dragging its corner does: what is merged into the page must not be asked to repeat that style.
    author.get_by_label("Your comment").evaluate("field => { field.style.height = '9rem'; }")
    reviewer.get_by_role("button", name="Approve").click()
    expect(reviewer.locator(".standing .status-chip")).to_have_text("Approved")

    expect(author.locator(".verdict")).to_contain_text("ben approved r1")
    author.reload()
    expect(author.locator(".verdict")).to_contain_text("ben approved r1")
    author.keyboard.press("n")
    expect(author.locator("[data-thread]")).to_be_focused()
    author.get_by_role("button", name="Resolve the thread").click()
    expect(author.get_by_text("resolved by ana")).to_be_visible()

    author.goto("/d/club4ana/settings/")
    author.get_by_label("Description").fill("In other words")
    author.get_by_label("Description").blur()
    expect(author.locator(".saved")).to_contain_text("r2")
    author.goto("/d/club4ana/reviews/1/")
    expect(author.get_by_text("only words have changed")).to_be_visible()
    expect(author.locator(".standing .status-chip")).to_have_text("Approved")

    author.goto("/d/club4ana/settings/")
    author.get_by_label("AWS Region").fill("eu-west-1")
    author.get_by_label("AWS Region").blur()
    expect(author.locator(".saved")).to_contain_text("r3")
    author.goto("/d/club4ana/reviews/1/")
    expect(author.locator(".verdict.is-stale")).to_contain_text(
        "the design now means something else"
    )
    expect(author.locator(".standing")).to_contain_text("Last approved: r2")
    author.get_by_role("button", name="Review r3 instead").click()
    expect(author.locator(".review-of .status-chip")).to_have_text("In review")
