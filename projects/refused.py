"""What the site does not do now, though it may be asked for: too often, too much. It says why, and until when."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from designer import metrics
from designer.core.errors import BEYOND, DesignError, SaidError
from designer.core.messages import Message

SHEETS = tuple(f"css/{name}.css" for name in ("tokens", "fonts", "base", "layout", "forms"))
BY_ITSELF = 60
"""Seconds after which a page asks again by itself, at the most: everybody behind one address may meet the limit that
one of them reached."""
HIDDEN = ("csrfmiddlewaretoken", "intent")
UNSEEN = r"password|token|^was-|^seen-|^resolve-"
"""Fields whose names are like this are secret, or were not typed."""


class RefusedError(SaidError):
    """Too often, or too much: the reason says so and what helps, and `seconds` after how many it may work."""

    def __init__(self, kind: str, reason: Message, seconds: int | None = None) -> None:
        super().__init__(reason)
        self.kind = kind
        """`throttle` or `quota`, as it is counted; empty where it was counted before."""
        self.seconds = seconds


class DeniedError(SaidError, PermissionDenied):
    """What somebody may not do. Django answers it with 403."""


@contextmanager
def bounds_counted() -> Iterator[None]:
    """Around whatever reads or changes a design: counts what is refused because it is too large."""
    try:
        yield
    except DesignError as error:
        if error.code in BEYOND:
            metrics.refused("bound")
        raise


class Refusing:
    """Middleware that answers 429, with all that was typed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return refused(request, error) if isinstance(error, RefusedError) else None


def refused(request: HttpRequest, error: RefusedError, *, briefly: bool = False) -> HttpResponse:
    """A page that says why; to a page that is open already the sentence alone, for it to say beside what was typed.

    `briefly`: without what was typed, for those who send far too much.
    """
    if error.kind:
        metrics.refused(error.kind)
    said: HttpResponse
    if request.path_info.startswith("/api/"):
        problem = {
            "type": "urn:keywright:too-many-requests",
            "title": "Too Many Requests",
            "status": 429,
            "detail": str(error),
        }
        said = JsonResponse(problem, status=429, content_type="application/problem+json")
    elif request.headers.get("HX-Request") == "true":
        said = HttpResponse(str(error), content_type="text/plain; charset=utf-8", status=429)
    else:
        # As little as will do: a flood is answered with it. Whoever asks has no need to be known for it.
        is_read = request.method in ("GET", "HEAD")
        again = error.seconds + 1 if is_read and error.seconds is not None else None
        context = {
            "message": str(error),
            "here": request.get_full_path() if is_read else "",
            "typed": [] if briefly or is_read else _typed(request),
            "briefly": briefly,
            "sheets": SHEETS,
            "again": again if again is not None and again <= BY_ITSELF else None,
        }
        said = HttpResponse(render_to_string("429.html", context), status=429)
    if error.seconds is not None:
        said.headers["Retry-After"] = str(error.seconds)
    said.headers["Cache-Control"] = "no-store"
    return said


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    return [
        (name.replace("_", " ").replace("-", " ").capitalize(), value)
        for name, values in request.POST.lists()
        for value in map(str, values)
        if value.strip() and name not in HIDDEN and not re.search(UNSEEN, name)
    ]
