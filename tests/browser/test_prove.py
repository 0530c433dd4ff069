"""A proof in the browser: begun by a button, shown without reloading, read request by request."""

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from designer.proof.engine import Engine
from tests.browser.axe import assert_accessible
from tests.memory import Memory


def test_a_proof_is_begun_watched_and_read(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "designer.proof.engine.engine", lambda address: Engine("a table in memory", Memory())
    )
    page.emulate_media(reduced_motion="reduce")
    page.goto("/d/starter/prove/")
    page.locator(".proof-card.is-chosen button").click()
    expect(page.locator(".proof-card.is-chosen")).to_contain_text("Waiting in the queue")
    expect(page.locator(".proof-card.is-chosen button")).to_be_disabled()
    call_command("worker", batch=True)
    expect(page.locator(".proof-card.is-chosen")).to_contain_text("Proven on a table in memory")
    expect(page.locator("#status")).to_have_text("Proven.")
    expect(page.locator("#proving")).to_have_count(0)
    first = page.locator(".proof-pattern").first
    first.locator("summary").click()
    expect(first.locator(".proof-record")).to_contain_text("aws dynamodb")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert_accessible(page)
