"""The request as the views see it, and where on the site it stands."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, QueryDict
from django.urls import Resolver404, resolve, reverse
from django_htmx.middleware import HtmxDetails

STATE = ("show", "view", "beside", "pattern", "case", "table", "index", "form", "unfold")
"""What of an address says how the answer is shown."""

ONLY_POSTED = ("keep", "undo", "redo")
"""Addresses of a design that answer a form with a page, and nothing else."""


class Request(HttpRequest):
    """A request with what the middleware adds."""

    htmx: HtmxDetails
    user: User | AnonymousUser


@dataclass(frozen=True)
class Place:
    """The address that the browser shows: the page, and the state of its answer."""

    page_url: str
    state: QueryDict

    @property
    def query(self) -> str:
        return f"?{self.state.urlencode()}" if self.state else ""

    def at(self, page_url: str, **state: str | None) -> "Place":
        """Another page in the same state, or in a changed one."""
        changed = self.state.copy()
        for name, value in state.items():
            changed.pop(name, None)
            if value is not None:
                changed[name] = value
        return Place(page_url, changed)

    def __str__(self) -> str:
        return self.page_url + self.query


def path_shown(request: Request) -> str | None:
    """Path and query of the page that a fragment stands on, as the browser says; None for what is no address."""
    try:
        return request.htmx.current_url_abs_path if request.htmx else None
    except ValueError:
        return None


def place_of(request: Request) -> Place:
    """Where the browser is. A fragment that is posted to knows it from the page it stands on."""
    shown = path_shown(request)
    if shown and request.method == "POST":
        parts = urlsplit(shown)
        return Place(parts.path, _state(QueryDict(parts.query)))
    return Place(request.path, _state(request.GET))


def state_before(request: Request) -> QueryDict:
    """How the page that sent a form shows its answer, as far as the browser tells where it comes from."""
    try:
        query = urlsplit(request.headers.get("Referer", "")).query
    except ValueError:
        query = ""
    return _state(QueryDict(query))


def page_before(request: Request, slug: str) -> Place:
    """The page of a design that sent a form, in its state; the workspace where that page cannot be opened again."""
    place = Place(reverse("workspace", args=[slug]), state_before(request))
    try:
        found = resolve(path := urlsplit(request.headers.get("Referer", "")).path)
    except (ValueError, Resolver404):
        return place
    if found.kwargs.get("slug") != slug or found.url_name in ONLY_POSTED:
        return place
    return place.at(path)


def is_news(request: Request) -> bool:
    """Whether an open page fetches itself because somebody changed the design, or spoke of it."""
    return bool(request.htmx) and request.htmx.trigger == "news"


def tells_of_an_edit(request: Request, version: int) -> bool:
    """Whether it does so because the design is not the version any more that it shows."""
    return is_news(request) and request.headers.get("Keywright-Since") != str(version)


def _state(query: QueryDict) -> QueryDict:
    state = QueryDict(mutable=True)
    for name in STATE:
        if query.get(name):
            state[name] = str(query[name])
    return state
