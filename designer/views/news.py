"""What happens in a design while its pages are open: who else is there, and that somebody changed it or spoke of it.

Every open page asks every few seconds. It is answered with nothing while nothing is new; when the design changed, or
something was said of it, the page fetches itself anew (`static/js/news.js`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_safe
from django_htmx.http import trigger_client_event

from designer.core.design.document import Design
from designer.core.words.english import ended
from designer.views.requests import Request, path_shown
from projects import access, presence, revisions, threads
from projects.models import Draft, Presence
from projects.reviews import name_of, writer_of


@dataclass(frozen=True)
class Here:
    """Somebody who is at the design now."""

    name: str
    editing: str
    """What they edit: `Order`, `pattern 3`; empty when they only look."""

    @property
    def initials(self) -> str:
        words = self.name.replace(".", " ").replace("_", " ").split()
        return "".join(word[0] for word in words[:2]).upper()

    @property
    def words(self) -> str:
        return f"{self.name} is editing {self.editing}" if self.editing else f"{self.name} is here"


@dataclass(frozen=True)
class News:
    """What a page knows of the others, and how it asks whether that is still so."""

    here: list[Here]
    who: str
    """Stands for all that is known of the others."""
    talked: str
    """Stands for all that was said of the design."""


@require_safe
def news(request: Request, slug: str) -> HttpResponse:
    """Nothing while the design is the version that the page shows, nothing was said since, and the others are where it
    shows them.
    """
    draft = access.draft_for(request, slug)
    if not draft.is_saved:
        # Nobody changes a design of the gallery.
        return HttpResponse(status=204)
    others = presence.others(draft, request.user, _place(request, draft))
    is_changed = str(draft.version) != request.GET.get("since")
    heard = request.GET.get("talked", "")
    if is_changed or _talked(draft) != heard:
        # The page keeps what it knows until it has fetched itself: when that fails, it hears of it again.
        answer = HttpResponse(headers={"HX-Reswap": "none"})
        told = {
            "version": draft.version,
            "talked": _talked(draft),
            "said": said(request, draft) if is_changed else "",
            "comment": _comment(request, draft, heard),
        }
        return trigger_client_event(answer, "design-changed", told)
    if _token(others) == request.GET.get("who"):
        return HttpResponse(status=204)
    context = {"draft": draft, "news": _news(draft, others, revisions.latest(draft))}
    return render(request, "designer/partials/_news.html", context)


def news_of(request: Request, draft: Draft, design: Design) -> News:
    """What a page shows of the others when it is opened."""
    return _news(draft, presence.others(draft, request.user), design)


def said(request: Request, draft: Draft) -> str:
    """Who made the newest revision, and what it was."""
    newest = revisions.current(draft)
    is_mine = newest.author_id == request.user.pk
    return ended(f"{'In another window' if is_mine else name_of(newest.author)}: {newest.note}")


def _talked(draft: Draft) -> str:
    """Stands for all that was said of a design; what came later sorts after it."""
    return draft.talked_at.isoformat() if draft.talked_at is not None else ""


def _comment(request: Request, draft: Draft, heard: str) -> dict[str, str] | None:
    """The newest comment of others that a page has not heard of: who made it on what, and where it is read."""
    if _talked(draft) == heard:
        return None
    reader = request.user if request.user.is_authenticated else None
    newest = threads.newest_of_others(draft, reader)
    if newest is None or newest.sent_at is None or newest.sent_at.isoformat() <= heard:
        return None
    return {
        "said": f"{writer_of(newest)} commented on {newest.thread.named}.",
        "url": reverse("threads", args=[draft.slug, newest.thread.on]),
        "thread": f"thread-{newest.thread_id}",
    }


def _news(draft: Draft, others: Iterable[Presence], design: Design) -> News:
    others = list(others)
    here = [Here(name_of(each.user), _editing(each.place, design)) for each in others]
    return News(here, _token(others), _talked(draft))


def _token(others: Iterable[Presence]) -> str:
    told = repr([(each.user_id, each.place) for each in others])
    return sha256(told.encode()).hexdigest()[:12]


def _place(request: Request, draft: Draft) -> str:
    """What is edited at the address that the browser shows, for those who may."""
    path = path_shown(request)
    try:
        match = resolve((path or "").partition("?")[0])
    except Resolver404:
        return ""
    if not draft.may_edit or match.url_name not in EDITED:
        return ""
    keys = (match.kwargs[key] for key in ("entity", "key") if key in match.kwargs)
    return " ".join((match.url_name, *keys))[:200]


EDITED = {
    "entity": "an entity",
    "entity-add": "a new entity",
    "attribute": "an attribute",
    "attribute-add": "a new attribute",
    "relationship": "a relationship",
    "relationship-add": "a new relationship",
    "pattern": "an access pattern",
    "pattern-add": "a new access pattern",
    "settings": "the settings",
    "pin-add": "a new pin",
    "pin-this": "a new pin",
    "finding-ignore": "a finding",
    "rule-ignore": "a finding",
    "text": "the text",
}
"""The pages on which something is edited, and what that is when it has no name (any more)."""


def _editing(place: str, design: Design) -> str:
    name, *keys = place.split(" ")
    if name == "pattern":
        numbers = (each.number for each in design.patterns if each.id in keys)
        return next((f"pattern {number}" for number in numbers), EDITED[name])
    parts: list[str] = []
    for entity in design.entities:
        if entity.id in keys:
            inside = (each.name for each in entity.attributes if each.id in keys)
            parts = [entity.name, *inside]
    parts += [each.name for each in design.relationships if each.id in keys]
    return ".".join(parts) or EDITED.get(name, "")
