"""Headers that every answer carries, and what no request may hold."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

BY_PATH: Final = {
    "/s/": {"X-Robots-Tag": "noindex, nofollow, noarchive", "Referrer-Policy": "no-referrer"},
    "/feeds/": {"X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer"},
    "/api/": {"X-Robots-Tag": "noindex"},
}
"""What goes with every answer to addresses that begin like this, whatever it is.

Where an address is a secret, no referrer tells it further. A browser then doesn't say either where a form comes from,
so that the token against forgery would be refused with it: no form there asks for one.
"""


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Send the content security policy and what goes with the path, keep a fragment from being cached as its page, and
    keep what one person sees out of everyone else's caches.

    A view that needs other headers sets them itself and is left alone; so do static files.
    """
    policy = "; ".join(
        f"{directive} {' '.join(sources)}"
        for directive, sources in settings.CONTENT_SECURITY_POLICY.items()
    )

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in _of_path(request.path_info):
            response.headers.setdefault(name, value)
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request"])
        return response

    return middleware


def _of_path(path: str) -> Iterator[tuple[str, str]]:
    for begin, headers in BY_PATH.items():
        if path.startswith(begin):
            yield from headers.items()


class RefuseNull:
    """Answer 400 where an address or a form holds the character NUL: nobody types it, and PostgreSQL keeps none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        """After the token against forgery was looked for, which reads the form first."""
        if any("\0" in text for text in _texts(request)):
            raise BadRequest("The request holds the character NUL.")


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path_info
    for data in (request.GET, request.POST):
        for name, values in data.lists():
            yield name
            yield from map(str, values)
