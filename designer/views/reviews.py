"""Reviews of a design: asked for, read, answered, moved on, closed; and the rules by which it is approved."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Count, Window
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.difference import Change, difference
from designer.core.errors import DesignError
from designer.core.messages import say, text
from designer.forms.review_rules import ReviewRulesForm
from designer.views.likeness import compared
from designer.views.requests import Request
from designer.views.results import Asked, of_revisions
from designer.views.thread_pages import pages
from designer.views.threads import lines, talk
from designer.views.workspace import DraftUrls, Left, show
from projects import (
    access,
    naming,
    notices,
    prose,
    reviews,
    revisions,
    threads,
    typed,
    waiting,
)
from projects.models import Draft, Likeness, Review, Revision, Right, Verdict
from projects.proxies import address_of
from projects.reviews import MovedError, Reviewed
from projects.threads import Listed


@dataclass(frozen=True)
class VerdictLine:
    """A verdict as it is shown."""

    verdict: Verdict
    html: SafeString
    is_stale: bool
    """The design as it stands differs in more than words from what was judged."""
    is_reordered: bool
    """Then in nothing but the order of its lists."""
    is_heard: bool
    """Whoever said it may still comment."""
    counts: bool
    """They may, or it is part of what was approved before."""
    likeness: Likeness | None = None
    """Where only figures differ: how far, and whether the plans do."""
    is_near: bool = False
    """It holds all the same, by the rules of the project."""
    is_compared: bool = False
    """Only figures differ, and the plans are being compared."""


@require_http_methods(["GET", "HEAD", "POST"])
def all_of(request: Request, slug: str) -> HttpResponse:
    """The review that is open, or else the way to ask for one; POST asks."""
    draft = access.draft_for(request, slug, Right.COMMENT if request.method == "POST" else None)
    if draft.project is None:
        return _page(request, draft, None)
    if request.method != "POST":
        waiting.seen(request.user, draft)
        return _page(request, draft, reviews.open_review(draft))
    try:
        base = _base(draft, request.POST.get("base", ""))
        review = reviews.ask(draft, _person(request), request.POST.get("message", ""), base)
    except DesignError as error:
        return _page(request, draft, reviews.open_review(draft), error, status=409)
    notices.asked(review, address_of(request))
    messages.success(request, text(say("review-opened")))
    return redirect("review", draft.slug, review.number)


@require_http_methods(["GET", "HEAD"])
def one(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    review = _review(draft, number)
    waiting.seen(request.user, draft)
    return _page(request, draft, review)


@require_POST
def submit(request: Request, slug: str, number: int) -> HttpResponse:
    """Say what one thinks, and send what one collected."""
    draft = access.draft_for(request, slug, Right.COMMENT)
    review = _review(draft, number)
    kind = request.POST.get("kind", "")
    if kind not in Verdict.Kind.values:
        raise Http404("There is no such verdict.")
    body, read = request.POST.get("body", ""), _number(request.POST.get("head", ""))
    try:
        verdict = reviews.submit(review, _person(request), kind, body, read=read)
    except MovedError as error:
        return _page(request, draft, review, error, status=409)
    except DesignError as error:
        return _page(request, draft, review, error, status=422)
    notices.judged(verdict, address_of(request))
    return redirect("review", draft.slug, review.number)


@require_POST
def move(request: Request, slug: str, number: int) -> HttpResponse:
    """Let the review be of the design as it stands."""
    draft = access.draft_for(request, slug, Right.COMMENT)
    review = _review(draft, number)
    try:
        moved = reviews.move(review, _person(request))
    except DesignError as error:
        return _page(request, draft, review, error, status=409)
    if moved is not None:
        notices.moved(moved, address_of(request))
        messages.success(request, text(say("review-covers", number=moved.head.number)))
    return redirect("review", draft.slug, review.number)


@require_POST
def close(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.COMMENT)
    review = _review(draft, number)
    try:
        reviews.close(review, _person(request))
    except DesignError as error:
        return _page(request, draft, review, error, status=409)
    messages.success(request, text(say("review-was-closed")))
    return redirect("reviews", draft.slug)


@require_http_methods(["GET", "HEAD", "POST"])
def rules(request: Request, slug: str) -> HttpResponse:
    """By what rules the designs of the project are approved."""
    draft = access.draft_for(request, slug, Right.MANAGE if request.method == "POST" else None)
    if draft.project is None:
        raise Http404("Only a design in a project has rules.")
    now = reviews.rules_of(draft.project)
    form = ReviewRulesForm(request.POST if request.method == "POST" else None, instance=now)
    if request.method == "POST" and form.is_valid():
        reviews.change_rules(form.save(commit=False))
        messages.success(request, text(say("rules-saved")))
        return redirect("reviews", draft.slug)
    return show(
        request,
        draft,
        revisions.latest(draft),
        Left(),
        page="designer/review_rules.html",
        with_grid=False,
        status=422 if form.errors else 200,
        rules_form=form,
        may_manage=Right.MANAGE in draft.rights,
    )


def _page(
    request: Request,
    draft: Draft,
    review: Review | None,
    error: DesignError | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    design = revisions.latest(draft)
    context: dict[str, Any] = {}
    if draft.project is not None:
        urls = DraftUrls(draft, design)
        reader = request.user if request.user.is_authenticated else None
        names = reviews.names(draft)
        every = threads.listed(draft, threads.scene(draft, design), reader)
        current = draft.revisions.defer("document").get(number=draft.position)
        reviewed, waiting_for = compared(draft, Reviewed(draft), current)
        approved = reviewed.approved()
        context = {
            **talk(draft),
            "rules": reviewed.rules,
            "current": current,
            "current_standing": reviewed.standing(current),
            "approved": approved,
            "every_review": draft.reviews.select_related("head", "asked_by").defer(
                "head__document"
            ),
            "unresolved": sum(each.is_sent and not each.is_resolved for each in every),
            "may_manage": Right.MANAGE in draft.rights,
            **_discussion(request, draft, review, every, urls, names),
            **(
                _of(request, review, reviewed, current, names, waiting_for)
                if review is not None
                else {}
            ),
        }
        if review is None and draft.may_comment:
            context["bases"] = _bases(draft, approved)
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/reviews.html",
        with_grid=False,
        status=status,
        error=error,
        body=request.POST.get("body", request.POST.get("message", "")),
        **context,
    )


def _of(
    request: Request,
    review: Review,
    reviewed: Reviewed,
    current: Revision,
    names: frozenset[str],
    waiting_for: frozenset[str],
) -> dict[str, Any]:
    """What a page says of one review."""
    head = review.head
    changes = _changes(review)
    of_it, up_to = review.verdicts.all(), typed.number(request.GET.get("verdicts", ""))
    if up_to is not None:
        of_it = of_it.filter(pk__lte=up_to)
    # One more than is shown: what comes before them.
    said = of_it.annotate(in_all=Window(Count("pk"))).select_related("revision", "author")
    newest = list(said.defer("revision__document").order_by("-pk")[: VERDICTS + 1])
    person = request.user if request.user.is_authenticated else None
    obstacle = reviews.obstacle_for(review, person) if person is not None else None
    return {
        "shown": review,
        "moved": review.moves.select_related("author").last(),
        "message": prose.html(review.message, names),
        "head_standing": reviewed.standing(head),
        "votes": reviewed.votes(head),
        "verdicts": [
            VerdictLine(
                each,
                prose.html(each.body, names),
                is_stale=each.revision.ordered_meaning != current.ordered_meaning,
                is_reordered=each.revision.meaning == current.meaning,
                is_heard=reviewed.hears(each),
                counts=reviewed.counts(each),
                likeness=reviewed.likenesses.get(_pair(each.revision, current)),
                is_near=_pair(each.revision, current) in reviewed.near,
                is_compared=each.revision.ordered_meaning in waiting_for,
            )
            for each in reversed(newest[:VERDICTS])
        ],
        "verdict_before": newest[VERDICTS].pk if len(newest) > VERDICTS else None,
        "verdicts_earlier": newest[0].in_all - VERDICTS if newest else 0,
        "is_of_earlier": up_to is not None,
        "edits": reviews.between(review),
        "changes": changes.found or (),
        "changes_standing": changes.standing,
        "is_behind": head.number != current.number,
        "is_meaning_behind": head.meaning != current.meaning,
        "is_order_behind": head.ordered_meaning != current.ordered_meaning,
        "head_likeness": reviewed.likenesses.get(_pair(head, current)),
        "head_holds": _pair(head, current) in reviewed.near,
        "obstacle": text(obstacle) if obstacle is not None else "",
        "waiting": reviews.waiting(review.draft, person) if person is not None else [],
    }


VERDICTS = 20
"""Verdicts of a review that a page shows: the newest, or those up to one of them."""


def _pair(was: Revision, now: Revision) -> tuple[str, str]:
    return was.ordered_meaning, now.ordered_meaning


def _changes(review: Review) -> Asked[tuple[Change, ...]]:
    """What is stated otherwise in a review's head than in its base, what destroys first."""
    if review.base is None:
        return Asked("planned", ())
    ends = review.base, review.head
    return of_revisions(review.draft, ends, difference, *map(revisions.design_of, ends))


def _discussion(
    request: Request,
    draft: Draft,
    review: Review | None,
    every: list[Listed],
    urls: DraftUrls,
    names: frozenset[str],
) -> dict[str, Any]:
    """A page of the threads in the order in which they matter: open, of what is gone, resolved."""
    reader = request.user if request.user.is_authenticated else None
    ordered = sorted(
        every, key=lambda each: (each.is_resolved, each.is_gone and not each.is_resolved)
    )
    of_it = threads.readable(reader).filter(thread__draft=draft)
    url = urls.page("reviews") if review is None else urls.page("review", review.number)
    shown = pages(request, ordered, of_it, url)
    found = lines(threads.shown(shown.page, reader, shown.up_to), urls, names)
    open_ones = [each for each in found if not each.shown.listed.is_resolved]
    resolved = [each for each in found if each.shown.listed.is_resolved]
    return {
        "pages": shown,
        "open_lines": [each for each in open_ones if not each.shown.is_gone],
        "gone_lines": [each for each in open_ones if each.shown.is_gone],
        "resolved_lines": resolved,
        "resolved_count": sum(each.is_resolved for each in every),
        "is_settled": bool(every) and all(each.is_resolved for each in every),
        "shows_resolved": shown.page.number > 1
        or any(each.shown.listed.number == shown.thread for each in resolved),
    }


def _bases(
    draft: Draft, approved: Revision | None
) -> list[tuple[str, list[tuple[int, str, bool]]]]:
    """What a new review may compare with, in groups: those first that somebody named or approved.

    Of each its number, words, and whether it is the one to begin with: what was last approved, else named last.
    """
    earlier = draft.revisions.filter(number__lt=draft.position).select_related("named")
    newest_first = earlier.defer("document").order_by("-number")
    chosen = list(newest_first.filter(named__isnull=False)[:BASES])
    if approved is not None and all(each.number != approved.number for each in chosen):
        chosen = [approved, *chosen]
    known = {each.number for each in chosen}
    rest = [each for each in newest_first[:BASES] if each.number not in known]
    first = approved or next(iter(chosen), None)

    def choice(each: Revision) -> tuple[int, str, bool]:
        is_approved = approved is not None and each.number == approved.number
        words = f"{naming.label(each)} (last approved)" if is_approved else naming.label(each)
        return each.number, words, first is not None and each.number == first.number

    return [
        (label, list(map(choice, found)))
        for label, found in (("Approved and named", chosen), ("Every edit", rest))
        if found
    ]


BASES = 50
"""Revisions of a group that are offered to compare with."""


def _base(draft: Draft, asked: str) -> Revision | None:
    """The revision to compare with: an earlier one. DesignError when there is none of that number."""
    if not asked:
        return None
    number = _number(asked)
    found = draft.revisions.filter(number=number).first() if number < draft.position else None
    if found is None:
        raise DesignError("no-base", say("no-earlier-revision"))
    return found


def _number(text: str) -> int:
    """The number of a revision that a form sends; 0, which no revision has, when that says none."""
    return typed.number(text) or 0


def _review(draft: Draft, number: int) -> Review:
    found = Review.objects.filter(draft_id=draft.pk, number=number)
    found = found.select_related("base", "head", "asked_by")
    review = found.defer("base__document", "head__document").first()
    if review is None:
        raise Http404("There is no such review.")
    review.draft = draft
    return review


def _person(request: Request) -> Any:
    if not request.user.is_authenticated:
        raise Http404("Reviews are for members of a team.")
    return request.user
