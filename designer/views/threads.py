"""Comments on the parts of a design: those on one object in the left column, and what is done with a thread."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from designer.core.anchors import Found, Scene, find, is_anchor
from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.views.requests import Request, is_news, place_of
from designer.views.results import Urls
from designer.views.workspace import DraftUrls, Left, refused, show
from projects import access, notices, prose, reviews, revisions, threads, waiting
from projects.models import Comment, Draft, Revision, Right, Thread
from projects.proxies import address_of
from projects.threads import Shown, Writer


@dataclass(frozen=True)
class Said:
    """A comment as it is shown."""

    comment: Comment
    html: SafeString
    who: str


@dataclass(frozen=True)
class Line:
    """A thread as it is shown."""

    shown: Shown
    said: tuple[Said, ...]
    url: str
    """Where its object stands; empty when it is gone."""


def lines(every: Iterable[Shown], urls: Urls, names: frozenset[str]) -> list[Line]:
    """Threads as a page shows them to whoever finds the design's pages at these addresses."""
    return [
        Line(
            each,
            tuple(
                Said(comment, prose.html(comment.body, names), reviews.writer_of(comment))
                for comment in each.comments
            ),
            url_of(each.found, urls),
        )
        for each in every
    ]


def url_of(found: Found | None, urls: Urls) -> str:
    """Where an object stands on the pages of a design."""
    if found is None:
        return ""
    if found.place:
        return urls.of(found.place)
    query = "&".join(f"{name}={value}" for name, value in found.state.items())
    mark = f"#{found.element}" if found.element else ""
    return f"{urls.page('workspace')}{'?' if query else ''}{query}{mark}"


@require_http_methods(["GET", "HEAD", "POST"])
def on(request: Request, slug: str, on: str) -> HttpResponse:
    """What is said of one object, in the left column; POST begins a thread on it."""
    draft = access.draft_for(request, slug, Right.COMMENT if request.method == "POST" else None)
    if draft.project is None or not is_anchor(on):
        raise Http404("You cannot comment on that.")
    design = revisions.latest(draft)
    place = place_of(request).at(reverse("threads", args=[draft.slug, on]))
    if request.method != "POST":
        try:
            left = _left(request, draft, design, on)
        except DesignError as error:
            if not is_news(request):
                raise Http404(error.message) from error
            return refused(request, draft, design, error)
        waiting.seen(request.user, draft, on)
        return show(request, draft, design, left, place=place)
    try:
        comment = threads.begin(
            draft,
            threads.scene(draft, design),
            on,
            request.POST.get("body", ""),
            Writer(_person(request)),
            collected=request.POST.get("how") == "collect",
        )
    except DesignError as error:
        if error.code == "gone":
            return refused(request, draft, design, error, _unsent(request, draft, on, error))
        left = _left(request, draft, design, on, error)
        return show(request, draft, design, left, place=place, status=422)
    notices.commented(comment, address_of(request))
    if not request.htmx:
        return redirect(f"{place}#thread-{comment.thread_id}")
    said = "Commented." if comment.is_sent else "Added to your review."
    return show(request, draft, design, _left(request, draft, design, on), place=place, said=said)


@require_POST
def reply(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.COMMENT)
    thread = _thread(request, draft, number)
    try:
        comment = threads.reply(
            thread,
            request.POST.get("body", ""),
            Writer(_person(request)),
            collected=request.POST.get("how") == "collect",
        )
    except DesignError as error:
        return _answer(request, draft, thread, error)
    notices.commented(comment, address_of(request))
    return _answer(request, draft, thread)


@require_POST
def resolve(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.COMMENT)
    thread = _thread(request, draft, number)
    threads.resolve(thread, _person(request))
    return _answer(request, draft, thread)


@require_POST
def reopen(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.COMMENT)
    thread = _thread(request, draft, number)
    threads.reopen(thread, _person(request))
    return _answer(request, draft, thread)


@require_POST
def discard(request: Request, slug: str, number: int) -> HttpResponse:
    """Throw away a comment of one's own that was not sent yet."""
    draft = access.draft_for(request, slug, Right.COMMENT)
    mine = Comment.objects.filter(thread__draft_id=draft.pk, author=_person(request), sent_at=None)
    comment = get_object_or_404(mine.select_related("thread"), pk=number)
    thread = comment.thread
    threads.discard(comment)
    return _answer(request, draft, thread)


@require_POST
def preview(request: Request, slug: str) -> HttpResponse:
    """What is being written, as it will be read."""
    draft = access.draft_for(request, slug, Right.COMMENT)
    text = request.POST.get("body", "")[: threads.LONGEST]
    return HttpResponse(prose.html(text, reviews.names(draft)))


def _left(
    request: Request, draft: Draft, design: Design, on: str, error: DesignError | None = None
) -> Left:
    now = threads.scene(draft, design)
    found = threads.shown(draft, now, _reader(request), on)
    urls = DraftUrls(draft, design)
    there = find(now, on)
    if there is None and not found:
        raise DesignError("gone", say("subject-of-thread-gone"))
    context: dict[str, Any] = {
        **talk(draft),
        "on": on,
        "on_label": there.label if there is not None else found[0].label,
        "is_gone": there is None,
        "on_url": url_of(there, urls),
        "threads": lines(found, urls, reviews.names(draft)),
        "parts": _attributes(design, on),
        "comment_error": error,
        "body": request.POST.get("body", "") if error is not None else "",
    }
    return Left("designer/partials/_threads_panel.html", context)


def _unsent(request: Request, draft: Draft, on: str, error: DesignError) -> Left:
    """What somebody wrote about an object that is gone, with who removed it."""

    def called(revision: Revision) -> revisions.Said:
        # No plans: those of earlier revisions are not worth the wait.
        scene = Scene(revisions.design_of(revision), lambda style: None)
        return lambda on: getattr(find(scene, on), "label", None)

    by = revisions.last_changed(draft, [on], called, since=1).get(on)
    context = {
        **talk(draft),
        "message": error.message,
        "by": by,
        "by_name": reviews.name_of(by.author) if by is not None else "",
        "body": request.POST.get("body", ""),
    }
    return Left("designer/partials/_unsent_panel.html", context)


def talk(draft: Draft) -> dict[str, Any]:
    """What every page needs on which people write."""
    return {
        "review": reviews.open_review(draft),
        "members": sorted(reviews.names(draft)),
    }


def _attributes(design: Design, on: str) -> list[tuple[str, str]]:
    """Of an entity, the keys and names of its attributes."""
    for entity in design.entities:
        if on == f"entity:{entity.id}":
            return [(f"{entity.id}/{each.id}", each.name) for each in entity.attributes]
    return []


def _answer(
    request: Request, draft: Draft, thread: Thread, error: DesignError | None = None
) -> HttpResponse:
    """A thread as it is now, in its place on whichever page it stands; without script, the comments on its object."""
    design = revisions.latest(draft)
    found = threads.shown(draft, threads.scene(draft, design), _reader(request), thread.on)
    same = [each for each in found if each.thread.pk == thread.pk]
    if not request.htmx and error is None:
        if not found:
            return redirect("reviews", draft.slug)
        url = reverse("threads", args=[draft.slug, thread.on])
        return redirect(f"{url}#thread-{thread.pk}")
    if not same:
        return HttpResponse("")
    urls = DraftUrls(draft, design)
    context = {
        **talk(draft),
        "draft": draft,
        "urls": urls,
        "may_comment": draft.may_comment,
        "line": lines(same, urls, reviews.names(draft))[0],
        "comment_error": error,
        "reply": request.POST.get("body", "") if error is not None else "",
    }
    if request.htmx:
        status = 422 if error is not None else 200
        answer = render(request, "designer/partials/_thread.html", context, status=status)
        # How many threads are open stands elsewhere on the page.
        return trigger_client_event(answer, "talked", after="settle")
    return show(
        request,
        draft,
        design,
        _left(request, draft, design, thread.on, error),
        place=place_of(request).at(reverse("threads", args=[draft.slug, thread.on])),
        status=422,
    )


def _thread(request: Request, draft: Draft, number: int) -> Thread:
    """A thread of the design that the visitor can see."""
    sent = Comment.objects.filter(sent_at__isnull=False)
    mine = Comment.objects.filter(author=_person(request))
    seen = Thread.objects.filter(threads.with_any_of(sent | mine), draft_id=draft.pk)
    return get_object_or_404(seen, pk=number)


def _person(request: Request) -> Any:
    """The member who writes: a design on which people comment belongs to a team."""
    if not request.user.is_authenticated:
        raise Http404("You cannot comment on that.")
    return request.user


def _reader(request: Request) -> Any:
    return request.user if request.user.is_authenticated else None
