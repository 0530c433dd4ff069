"""Requests that take their time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from playwright.sync_api import Error, Page, Request, Route


def is_save(request: Request) -> bool:
    sent = request.post_data
    return sent is not None and "intent=preview" not in sent


def is_preview(request: Request) -> bool:
    return "intent=preview" in (request.post_data or "")


class Held:
    """Requests of a page that are not answered before the test says so: no machine is too fast or too slow for it."""

    def __init__(self, page: Page, which: Callable[[Request], bool]) -> None:
        self._page = page
        self._routes: list[Route] = []
        self._is_open = False
        self._which = which
        page.route("**", self._hold)

    def _hold(self, route: Route) -> None:
        if self._which(route.request) and not self._is_open:
            self._routes.append(route)
        else:
            route.fallback()

    def wait_for(self, count: int) -> None:
        """Until so many requests are held."""
        while len(self._routes) < count:
            self._page.wait_for_timeout(50)

    @property
    def asked(self) -> list[str]:
        """What the held requests ask for."""
        return [route.request.url for route in self._routes]

    def answer(self) -> None:
        """Let the held requests, and those to come, go on."""
        self._is_open = True
        for route in self._routes:
            with suppress(Error):  # The page may have given it up.
                route.continue_()


@contextmanager
def slow(page: Page) -> Iterator[None]:
    """What a page saves meanwhile is on its way until it is done."""
    held = Held(page, is_save)
    yield
    held.wait_for(1)
    page.wait_for_timeout(500)
    held.answer()
