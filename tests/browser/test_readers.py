"""Who may not change a design reads it; who might until now is told why not, and keeps what they typed."""

from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from projects.models import Project
from tests.browser.axe import assert_accessible
from tests.browser.test_journeys import sign_up


def test_a_design_that_was_archived_meanwhile_is_read(
    browser: Browser, live_server: LiveServer
) -> None:
    # htmx writes on the console that it was refused.
    page = browser.new_context(base_url=live_server.url).new_page()
    sign_up(page, "dora")
    page.goto("/gallery/starter/")
    page.get_by_role("button", name="Make it yours").click()
    page.wait_for_url("**/d/*/")
    pattern = f"{page.url}patterns/p-1/"
    page.goto(pattern)
    Project.objects.update(archived_at=timezone.now())
    words = page.get_by_label("In your words")
    words.fill("Typed too late")
    words.blur()
    expect(page.locator("#status")).to_have_text(
        "This project is archived. An owner of its team can restore it. Nothing was changed."
    )
    expect(words).to_have_value("Typed too late")

    page.reload()
    panel = page.locator("#statement")
    expect(panel).to_contain_text("This project is archived: restore it to change its designs.")
    expect(panel.locator("input, select, textarea, button")).to_have_count(0)
    assert_accessible(page)
    page.get_by_role("link", name="Archived").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("button", name="Archive")).to_be_visible()
    page.goto(pattern)
    expect(words).to_be_visible()
    page.context.close()
