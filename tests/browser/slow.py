"""Saves that take their time."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, Route


def is_save(request: Request) -> bool:
    sent = request.post_data
    return sent is not None and "intent=preview" not in sent


@contextmanager
def slow(page: Page) -> Iterator[None]:
    """What a page saves meanwhile is on its way until it is done."""
    held: list[Route] = []
    is_held = True

    def hold(route: Route) -> None:
        if is_held and is_save(route.request):
            held.append(route)
        else:
            route.continue_()

    page.route("**", hold)
    yield
    page.wait_for_timeout(500)
    is_held = False
    assert held
    for route in held:
        route.continue_()
