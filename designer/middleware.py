"""Headers that every answer carries."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Send the content security policy, keep a fragment from being cached as its page, and keep
    what one person sees out of everyone else's caches.

    A view that needs other headers sets them itself and is left alone; so do static files.
    """
    policy = "; ".join(
        f"{directive} {' '.join(sources)}"
        for directive, sources in settings.CONTENT_SECURITY_POLICY.items()
    )

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["HX-Request"])
        return response

    return middleware
