"""Every request is counted, timed and logged, with an id that its log lines share."""

import logging
import re
import time
from collections.abc import Callable
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from designer import logs, metrics

log = logging.getLogger(__name__)

SANE = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""An id that a proxy may give to a request: nothing that breaks a line or fills a disk."""

PROBE = "probe"


def watched(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id, its proxy's where that sent one, and send it back as X-Request-ID."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        number = given if SANE.fullmatch(given) else uuid4().hex
        request.META[logs.NUMBER] = number
        token = logs.request_id.set(number)
        begun = time.perf_counter()
        try:
            response = get_response(request)
            seconds = time.perf_counter() - begun
            view = view_name(request)
            metrics.answered(view, response.status_code, seconds)
            said = {
                "view": view,
                "method": request.method,
                "status": response.status_code,
                "milliseconds": round(seconds * 1000, 1),
            }
            if view != PROBE:  # every few seconds, from each of those who watch
                log.info("answered", extra=said)
        finally:
            logs.request_id.reset(token)
        response.headers["X-Request-ID"] = number
        return response

    return middleware


def view_name(request: HttpRequest) -> str:
    """The name of the address that was asked for: one of few, and it tells nothing of who asks for what."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or "unnamed"
    if request.path_info in ("/healthz", "/readyz"):
        return PROBE
    is_static = request.path_info.startswith(f"/{settings.STATIC_URL.lstrip('/')}")
    return "static" if is_static else "none"
