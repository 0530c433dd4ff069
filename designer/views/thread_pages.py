"""The pages of a list of threads, and which of them somebody is led to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from designer.views.requests import Request
from projects import threads, typed
from projects.models import Comment
from projects.threads import UpTo


@dataclass(frozen=True)
class PageLink:
    """A page that another leads to, by its number; without an address a gap between two."""

    label: str
    url: str
    is_current: bool


@dataclass(frozen=True)
class Pages:
    """A page of a list of threads, and the ways to the others."""

    page: Page[Any]
    url: str
    """Of the first page, in the state in which this one is shown."""
    thread: int | None
    """The one that somebody is led to."""
    up_to: UpTo | None

    @property
    def is_one(self) -> bool:
        return self.page.paginator.num_pages == 1

    @property
    def previous(self) -> str:
        return self._at(self.page.previous_page_number()) if self.page.has_previous() else ""

    @property
    def next(self) -> str:
        return self._at(self.page.next_page_number()) if self.page.has_next() else ""

    @property
    def links(self) -> list[PageLink]:
        paginator, number = self.page.paginator, self.page.number
        shown = paginator.get_elided_page_range(number, on_each_side=1, on_ends=1)
        return [
            PageLink(str(each), self._at(each) if isinstance(each, int) else "", each == number)
            for each in shown
        ]

    def _at(self, number: int) -> str:
        return f"{self.url}{'&' if '?' in self.url else '?'}page={number}"


def pages(
    request: Request,
    every: Sequence[Any],
    comments: QuerySet[Comment],
    url: str,
    *,
    number_of: Callable[[Any], int] = lambda each: each.number,
    thread: int | None = None,
) -> Pages:
    """The page that is asked for: by its number, by a thread, or by one of these comments."""
    asked, up_to = threads.asked_for(comments, typed.number(request.GET.get("comment", "")))
    thread = thread or asked or typed.number(request.GET.get("thread", ""))
    paginator = Paginator(every, threads.ON_A_PAGE)
    at = next((at for at, each in enumerate(every) if number_of(each) == thread), None)
    wanted = request.GET.get("page") if at is None else at // threads.ON_A_PAGE + 1
    return Pages(paginator.get_page(wanted), url, thread, up_to)
