"""Comments on the parts of a design: those on one object in the left column, and what is done with a thread."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import replace_url, trigger_client_event

from designer.core.anchors import Found, Scene, find, is_anchor
from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.views.addresses import Urls
from designer.views.requests import Request, is_news, place_of
from designer.views.thread_pages import pages
from designer.views.workspace import DraftUrls, Left, refused, show
from projects import access, notices, prose, reviews, revisions, threads, typed, waiting
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
                for comment in each.tail.comments
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
        return redirect(threads.path_of(comment.thread))
    said = "Commented." if comment.is_sent else "Added to your review."
    left = _left(request, draft, design, on, thread=comment.thread_id)
    answer = show(request, draft, design, left, place=place, said=said)
    if left.context["pages"].is_one:
        return answer
    # When the page fetches itself anew, it is still the one with the new thread.
    return replace_url(answer, str(place.at(place.page_url, thread=str(comment.thread_id))))


@require_http_methods(["GET", "HEAD"])
def one(request: Request, slug: str, number: int) -> HttpResponse:
    """A thread with the comments up to one of it, or the newest, in its place on whichever page it stands."""
    draft = access.draft_for(request, slug)
    thread = _thread(draft, number, _reader(request))
    if request.htmx:
        return _answer(request, draft, thread)
    query = request.GET.copy()
    query["thread"] = str(number)
    url = reverse("threads", args=[slug, thread.on])
    return redirect(f"{url}?{query.urlencode()}#thread-{number}")


@require_POST
def reply(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.COMMENT)
    thread = _thread(draft, number, _person(request))
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
    thread = _thread(draft, number, _person(request))
    threads.resolve(thread, _person(request))
    return _answer(request, draft, thread)


@require_POST
def reopen(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.COMMENT)
    thread = _thread(draft, number, _person(request))
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
    request: Request,
    draft: Draft,
    design: Design,
    on: str,
    error: DesignError | None = None,
    *,
    thread: int | None = None,
) -> Left:
    now, reader = threads.scene(draft, design), _reader(request)
    every = threads.listed(draft, now, reader, on)
    of_it = threads.readable(reader).filter(thread__draft=draft)
    place = place_of(request).at(reverse("threads", args=[draft.slug, on]))
    shown = pages(request, every, of_it, str(place), thread=thread)
    found = threads.shown(shown.page, reader, shown.up_to)
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
        "pages": shown,
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
    reader = _reader(request)
    found = threads.listed(draft, threads.scene(draft, design), reader, thread.on)
    of_it = threads.readable(reader).filter(thread=thread.pk)
    _, up_to = threads.asked_for(of_it, typed.number(request.GET.get("comment", "")))
    same = threads.shown([each for each in found if each.number == thread.pk], reader, up_to)
    if not request.htmx and error is None:
        if not found:
            return redirect("reviews", draft.slug)
        return redirect(threads.path_of(thread))
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
        if request.method != "POST":
            return answer
        # How many threads are open stands elsewhere on the page.
        return trigger_client_event(answer, "talked", after="settle")
    return show(
        request,
        draft,
        design,
        _left(request, draft, design, thread.on, error, thread=thread.pk),
        place=place_of(request).at(reverse("threads", args=[draft.slug, thread.on])),
        status=422,
    )


def _thread(draft: Draft, number: int, reader: Any) -> Thread:
    """A thread of the design that the visitor can see."""
    seen = Thread.objects.filter(threads.with_any_of(threads.readable(reader)), draft_id=draft.pk)
    thread = get_object_or_404(seen, pk=number)
    thread.draft = draft
    return thread


def _person(request: Request) -> Any:
    """The member who writes: a design on which people comment belongs to a team."""
    if not request.user.is_authenticated:
        raise Http404("You cannot comment on that.")
    return request.user


def _reader(request: Request) -> Any:
    return request.user if request.user.is_authenticated else None
