"""A team comes together: one makes it and a link, another signs up by the link, and both work on its designs."""

import re

from django.contrib.auth.models import User
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from designer.core.design import gallery
from projects import revisions, teams
from projects.models import Draft
from tests.browser.axe import assert_accessible
from tests.web.letters import sent

PASSWORD = "blue kettle sings"


def sign_up(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()


def is_accessible(page: Page) -> None:
    page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert_accessible(page)


def test_a_link_brings_a_colleague_into_the_team(
    context: BrowserContext, browser: Browser, live_server: LiveServer
) -> None:
    ana = context.new_page()
    ana.goto("/sign-up/")
    sign_up(ana, "ana")
    team = ana.locator("form", has=ana.get_by_role("heading", name="A new team"))
    team.get_by_label("Name").fill("Payments")
    team.get_by_role("button").click()
    ana.get_by_label("Name of a new project").fill("Ledger")
    ana.get_by_role("button", name="Create project").click()
    begin = ana.locator("form", has=ana.get_by_role("heading", name="A new design"))
    begin.get_by_label("Name").fill("Entries")
    begin.get_by_role("button").click()
    ana.goto("/designs/")
    is_accessible(ana)
    ana.get_by_role("link", name="Ledger").click()
    expect(ana.get_by_role("heading", name="Ledger")).to_be_visible()
    is_accessible(ana)
    ana.get_by_role("link", name="Payments").click()
    ana.get_by_role("button", name="Create link").click()
    expect(ana.get_by_label("The link is ready").and_(ana.locator("input"))).to_be_visible()
    is_accessible(ana)
    link = ana.get_by_label("The link is ready").and_(ana.locator("input")).input_value()

    bo = browser.new_context(base_url=live_server.url).new_page()
    bo.goto(link)
    expect(bo.get_by_role("heading", name="Payments")).to_be_visible()
    assert link.rpartition("/join/")[2] not in bo.url
    bo.get_by_role("link", name="Sign up").click()
    sign_up(bo, "bo")
    bo.get_by_role("button", name="Join as bo").click()
    expect(bo.get_by_role("rowheader", name="bo (you)")).to_be_visible()
    bo.goto("/designs/")
    bo.get_by_role("link", name="Entries").click()
    expect(bo.get_by_role("link", name="Entries")).to_be_visible()
    bo.goto("/account/")
    is_accessible(bo)
    bo.get_by_role("link", name="See what would be removed").click()
    bo.wait_for_url("**/account/remov*/**")
    is_accessible(bo)
    bo.context.close()


def test_letters_are_answered_in_a_browser(
    context: BrowserContext, live_server: LiveServer, settings: Settings
) -> None:
    """Where a page asks for no referrer, a browser does not say where its form comes from, and Django refuses it."""
    settings.SIGN_UP_DOMAINS = ["example.com"]
    page = context.new_page()
    page.goto("/sign-up/")
    page.get_by_label("E-mail").fill("dora@example.com")
    page.get_by_role("button", name="Send e-mail").click()
    page.wait_for_load_state()
    page.goto(link_in_letter(live_server))
    sign_up(page, "dora")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    page.goto("/account/")
    card = page.locator("form", has=page.get_by_role("heading", name="E-mail"))
    card.get_by_label("E-mail").fill("d@example.com")
    card.get_by_label("password").fill(PASSWORD)
    card.get_by_role("button").click()
    page.wait_for_load_state()
    page.goto(link_in_letter(live_server))
    page.get_by_role("button", name="Yes, use it").click()
    expect(page.get_by_text("d@example.com is now your address.")).to_be_visible()


def link_in_letter(site: LiveServer) -> str:
    """The last address in the newest letter."""
    return re.findall(rf"{site.url}\S+", sent()[-1].body)[-1]


def test_signing_in_leads_back_to_the_place_on_the_page(
    page: Page, live_server: LiveServer
) -> None:
    ana = User.objects.create_user("ana", password=PASSWORD)
    design = gallery.load("starter")
    draft = revisions.start(Draft(project=teams.home(ana)), design, "Start", ana)
    wanted = f"{live_server.url}/d/{draft.slug}/history/#r1"
    page.goto(wanted)
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(wanted)
