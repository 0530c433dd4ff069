"""Visitors whose network has used up its time are answered before anything is asked about them.

A flood sends more than a hundred requests a second. Each that is refused must cost next to nothing: no session, no
user, no form that is read, no page of the site around the answer.
"""

import time
from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse, parse_cookie

from designer.core.messages import Message, say
from projects import shares
from projects.budget import AT_ONCE, budget
from projects.gate import answering
from projects.refused import RefusedError, refused
from projects.shares import Share

DRAINED = 8 * 1024 * 1024
"""Bytes that are read of what is refused: a browser that still sends would see a broken connection, and no answer."""
FORM = "application/x-www-form-urlencoded"
AT_A_TIME = 64 * 1024


def turned_away(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, before that of sessions. What somebody typed is shown to them again, unless their network sends so
    much that it owes time.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        share = shares.of_a_visitor(request)
        if share is None:
            return get_response(request)
        if not _is_out(share):
            return get_response(request)
        left = budget.left(share)
        began = time.thread_time()
        briefly = left < -AT_ONCE or request.content_type != FORM
        if briefly:
            _drain(request)
        seconds = budget.wait(share)
        error = RefusedError("throttle", spent(seconds), seconds)
        answer = refused(request, error, briefly=briefly)
        budget.take(share, time.thread_time() - began)
        return answer

    return middleware


def is_turned_away(headers: Mapping[str, str], address: str) -> bool:
    """Whether a request with these headers, from this address, is one of those that are turned away. Names of headers
    are as in `X_FORWARDED_FOR`.
    """
    request = HttpRequest()
    request.META = {f"HTTP_{name}": value for name, value in headers.items()}
    request.META["REMOTE_ADDR"] = address
    request.COOKIES = parse_cookie(headers.get("COOKIE", ""))
    share = shares.of_a_visitor(request)
    return share is not None and _is_out(share)


def _is_out(share: Share) -> bool:
    return budget.left(share) <= 0 or answering.is_full(share)


def spent(seconds: int) -> Message:
    """What is said to those whose network has no time left."""
    return say("network-too-busy", wait=say("wait-seconds", seconds=seconds))


def _drain(request: HttpRequest) -> None:
    left = DRAINED
    while left > 0 and (read := request.read(AT_A_TIME)):
        left -= len(read)
