"""What waits for somebody: reviews asked of them, mentions, replies, and what was said of what they asked for.

It waits in the site, whatever e-mail they want, until they look at the review or the thread.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Prefetch, Q, QuerySet, Window
from django.urls import reverse
from django.utils import timezone

from projects import reviews, threads
from projects.models import Draft, Review, Thread, Verdict, Waiting

Why = Waiting.Why


@dataclass(frozen=True)
class Line:
    """One thing that waits, as a page shows it."""

    did: str
    """Who did what: `bob mentioned you in`."""
    what: str
    """The review or the thread's object, which leads to it."""
    path: str
    design: str
    at: datetime


def note(person: User, on: Review | Thread, why: Why, by: User | None) -> None:
    """Let a review or a thread wait for somebody; what waits there already waits for the newest reason."""
    place = {"review": on} if isinstance(on, Review) else {"thread": on}
    new = {"draft": on.draft, "why": why, "by": by, "at": timezone.now()}
    Waiting.objects.update_or_create(user=person, **place, defaults=new)


def of(person: User | AnonymousUser | None) -> QuerySet[Waiting]:
    """What waits for somebody in the designs of their teams. Nobody is asked for a review that was closed."""
    if not isinstance(person, User):
        return Waiting.objects.none()
    there = Waiting.objects.filter(user=person, draft__project__team__memberships__user=person)
    return there.exclude(Q(why=Why.ASKED) & Q(review__closed_at__isnull=False))


def count(person: User | AnonymousUser | None) -> int:
    """How much waits for somebody, for the header of every page."""
    return of(person).count() if isinstance(person, User) else 0


def lines(person: User | AnonymousUser, most: int) -> tuple[tuple[Line, ...], int]:
    """What waits for somebody, the newest first: so many of it, and how much there is."""
    judged = Verdict.objects.only("review", "author", "kind")
    found = of(person).select_related("draft", "review__head", "thread", "by")
    found = found.prefetch_related(Prefetch("review__verdicts", judged))
    found = found.annotate(in_all=Window(Count("pk"))).defer("review__head__document")
    newest = list(found.order_by("-at", "-pk")[:most])
    return tuple(map(_line, newest)), newest[0].in_all if newest else 0


def seen(person: User | AnonymousUser, draft: Draft, on: str | None = None) -> None:
    """Somebody looks at the page of a design's reviews, or at the threads on one of its objects."""
    if isinstance(person, User):
        there = Waiting.objects.filter(user=person, draft=draft.pk)
        (there if on is None else there.filter(thread__on=on)).delete()


def all_seen(person: User) -> None:
    """Nothing waits for them any more."""
    Waiting.objects.filter(user=person).delete()


def note_all(told: Iterable[tuple[User, Why]], on: Review | Thread, by: User | None) -> None:
    """Note each person once, for the first reason, and nobody for what they did themselves."""
    first: dict[User, Why] = {}
    for person, why in told:
        first.setdefault(person, why)
    for person, why in first.items():
        if person != by:
            note(person, on, why, by)


def _line(each: Waiting) -> Line:
    # A guest has no account; who deleted theirs has none either.
    who = "A reader" if each.why == Why.LINK else reviews.name_of(each.by)
    if each.review is not None:
        what = f"review {each.review.number}"
        if each.why == Why.ASKED:
            what += f" of r{each.review.head.number}"
        path = reverse("review", args=[each.draft.slug, each.review.number])
        did = _judged(each) if each.why == Why.MINE else _IN_REVIEW[Why(each.why)]
        return Line(f"{who} {did}", what, path, each.draft.name, each.at)
    assert each.thread is not None
    did = f"{who} {_IN_THREAD[Why(each.why)]}"
    return Line(did, each.thread.named, threads.path_of(each.thread), each.draft.name, each.at)


def _judged(each: Waiting) -> str:
    """What whoever gave a verdict on one's review said last."""
    assert each.review is not None
    theirs = [one for one in each.review.verdicts.all() if one.author_id == each.by_id]
    return _VERDICTS[Verdict.Kind(max(theirs, key=lambda one: one.pk).kind)] if theirs else "judged"


_VERDICTS = {
    Verdict.Kind.APPROVE: "approved",
    Verdict.Kind.CHANGES: "requested changes in",
    Verdict.Kind.COMMENT: "commented in",
}
_IN_REVIEW = {
    Why.ASKED: "asks you for",
    Why.CALLED: "mentioned you in",
    Why.REPLIED: "replied to you in",
    Why.LINK: "commented in",
}
_IN_THREAD = {
    Why.ASKED: "asks you to look at",
    Why.CALLED: "mentioned you on",
    Why.MINE: "commented, in your review, on",
    Why.REPLIED: "replied to you on",
    Why.LINK: "of your link commented on",
}
