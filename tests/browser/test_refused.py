"""Too much at once: what is said, what stays, and what goes on by itself."""

from collections.abc import Iterator

import pytest
from limits import RateLimitItemPerMinute
from playwright.sync_api import Page, expect

from projects import throttle


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    throttle.forget()
    yield
    throttle.forget()


def test_what_is_typed_stays_where_too_much_was_sent(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.goto("/d/shop/settings/")
    name = page.get_by_label("Name", exact=True)
    name.fill("Tea and coffee")
    name.press("Tab")
    status = page.locator("#status")
    expect(status).to_contain_text("Saved")
    monkeypatch.setattr(throttle, "SENT", RateLimitItemPerMinute(0, namespace="sent"))
    name.fill("Tea")
    name.press("Tab")
    expect(status).to_contain_text("Too many changes came from your network. Try again in")
    box = status.bounding_box()
    assert box is not None and box["width"] > 300  # for everybody, not for screen readers alone
    expect(name).to_have_value("Tea")


class Spent:
    """A share that has used up what it may take, so many times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def left(self, share: object) -> float:
        self.times -= 1
        return -1 if self.times >= 0 else 1

    def take(self, share: object, seconds: float) -> None:
        pass

    def wait(self, share: object) -> int:
        return 1

    def forget(self) -> None:
        pass


def test_a_page_and_a_preview_go_on_by_themselves(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "budget", Spent(1))
    page.goto("/d/shop/patterns/p-2/?pattern=2")
    expect(page.get_by_role("heading", name="Try again later")).to_be_visible()
    most = page.get_by_label("At most (items)")
    expect(most).to_be_visible()
    page.wait_for_load_state()
    monkeypatch.setattr(throttle, "budget", Spent(1))
    most.fill("7")
    expect(page.locator("#pattern-answer")).to_contain_text("7 a page")
    expect(page.locator("#status")).not_to_contain_text("Try again")
