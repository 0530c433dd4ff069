"""A link is created in one click, opened by somebody without an account, and revoked while they read."""

import re

from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.axe import assert_accessible
from tests.browser.test_journeys import sign_up


def test_a_link_is_read_by_a_stranger_until_it_is_revoked(
    page: Page, browser: Browser, live_server: LiveServer
) -> None:
    sign_up(page, "dora")
    page.goto("/gallery/starter/")
    page.get_by_role("button", name="Make it yours").click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Share").click()
    page.get_by_role("button", name="Create link").click()
    address = page.get_by_label("Address of the link").input_value()

    phone = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844})
    reader = phone.new_page()
    reader.goto(address)
    expect(reader.get_by_text("Read only, ")).to_be_visible()
    reader.locator("[data-pattern]").nth(1).click()
    expect(reader.locator("tr.is-returned").first).to_be_attached()
    expect(reader.locator("#pattern-answer")).to_be_visible()
    assert reader.evaluate("document.documentElement.scrollWidth") <= 390
    assert_accessible(reader)
    reader.get_by_role("link", name="Documents and templates").click()
    with reader.expect_download() as download:
        reader.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename.endswith(".cloudformation.yaml")
    assert phone.cookies() == []
    reader.goto(address)

    page.reload()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("cell", name=re.compile("^revoked"))).to_be_visible()
    asked: list[str] = []
    reader.on("request", lambda request: asked.append(request.url))
    expect(reader.locator("#status")).to_have_text(
        "This link was revoked or has expired. Ask whoever sent it for another.",
        timeout=15_000,
    )
    asked.clear()
    reader.wait_for_timeout(9_000)
    assert asked == []
    reader.reload()
    expect(reader.get_by_role("heading", name="This link does not work")).to_be_visible()
    phone.close()
