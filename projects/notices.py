"""What people learn of reviews and comments: an e-mail for each person and event, and what waits for them in the site.

A worker sees to both once what is told is saved.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from smtplib import SMTPException

from django.contrib.auth.models import User
from django.urls import reverse
from django_tasks import task

from projects import mail, prose, reviews, threads, waiting
from projects.models import (
    Comment,
    Draft,
    GuestThread,
    Notices,
    Review,
    ReviewMove,
    Right,
    Thread,
    Verdict,
    Waiting,
)

log = logging.getLogger(__name__)
Why = Waiting.Why


@dataclass(frozen=True)
class Notice:
    """What one person is told of one event."""

    to: User
    why: Why

    @property
    def reason(self) -> str:
        """Why they are told, the end of a sentence that begins with "You get this because"."""
        return self.why.label

    @property
    def is_called(self) -> bool:
        """They were called by name, or asked: told even to those who want little."""
        return self.why in (Why.CALLED, Why.ASKED)


@dataclass(frozen=True)
class Event:
    """Something that people did, as a message."""

    on: Review | Thread
    by: User | None
    subject: str
    lines: tuple[str, ...]
    path: str
    notices: tuple[Notice, ...]


def asked(review: Review, site: str) -> None:
    """Tell the others who may judge a design that a review was asked for; `site` is the address of the site."""
    _later("asked", review.pk, site)


def moved(move: ReviewMove, site: str) -> None:
    """Tell the same people that a review is of another revision."""
    _later("moved", move.pk, site)


def judged(verdict: Verdict, site: str) -> None:
    """Tell of a verdict and of the comments sent with it."""
    _later("judged", verdict.pk, site)


def commented(comment: Comment, site: str) -> None:
    """Tell of a comment, unless it waits for its author's verdict."""
    if comment.is_sent:
        _later("commented", comment.pk, site)


def _later(kind: str, number: int, site: str) -> None:
    # The queue is a table of the same database: what is rolled back is not told.
    deliver.enqueue(kind, number, site.rstrip("/"))


@task(queue_name=mail.QUEUE)
def deliver(kind: str, number: int, site: str) -> None:
    """Tell of one event: in the site, and by e-mail. What is gone meanwhile is not told."""
    event = EVENTS[kind](number)
    if event is None:
        return
    waiting.note_all(((each.to, each.why) for each in event.notices), event.on, event.by)
    for notice in _wanted(event):
        try:
            mail.send(notice.to.email, "notice", {"event": event, "notice": notice, "site": site})
        except (OSError, SMTPException):
            # One address that a mail server refuses keeps nobody else's letter back.
            log.exception("No e-mail could be sent about %s %s", kind, number)


def _wanted(event: Event) -> Iterator[Notice]:
    """One notice for each person who has an address and wants to be told; nobody is told what they did themselves."""
    people = [each.to for each in event.notices]
    chosen = Notices.objects.filter(user__in=people).values_list("user_id", "wanted")
    wanted = dict(chosen)
    told = {event.by.pk} if event.by is not None else set()
    for notice in event.notices:
        wants = wanted.get(notice.to.pk, Notices.Wanted.ALL)
        is_wanted = wants == Notices.Wanted.ALL or (
            wants == Notices.Wanted.CALLED and notice.is_called
        )
        if is_wanted and notice.to.email and notice.to.pk not in told:
            told.add(notice.to.pk)
            yield notice


def _asked(number: int) -> Event | None:
    review = Review.objects.select_related("draft__project", "asked_by", "head").filter(pk=number)
    found = review.first()
    if found is None:
        return None
    by = reviews.name_of(found.asked_by)
    return Event(
        found,
        found.asked_by,
        prose.line(f"{found.draft.name}: {by} asks for a review of r{found.head.number}"),
        tuple(found.message.splitlines()),
        reverse("review", args=[found.draft.slug, found.number]),
        # Whoever is asked and called is told that they are asked: that is what waits for them.
        (*_reviewers(found.draft), *_called(found.draft, [found.message])),
    )


def _moved(number: int) -> Event | None:
    of = ReviewMove.objects.select_related("review__draft__project", "author", "head")
    move = of.filter(pk=number).first()
    if move is None:
        return None
    review, by = move.review, reviews.name_of(move.author)
    return Event(
        review,
        move.author,
        prose.line(f"{review.draft.name}: {by} moved the review to r{move.head.number}"),
        (f"The review now covers r{move.head.number}.",),
        reverse("review", args=[review.draft.slug, review.number]),
        tuple(_reviewers(review.draft)),
    )


def _reviewers(draft: Draft) -> Iterator[Notice]:
    """Who is asked for a review."""
    for each in reviews.members(draft, Right.COMMENT):
        yield Notice(each, Why.ASKED)


SAID = {
    Verdict.Kind.APPROVE: "approves",
    Verdict.Kind.CHANGES: "requests changes to",
    Verdict.Kind.COMMENT: "comments on",
}


def _judged(number: int) -> Event | None:
    of = Verdict.objects.select_related("review__draft__project", "author")
    verdict = of.select_related("revision").filter(pk=number).first()
    if verdict is None:
        return None
    review, by = verdict.review, reviews.name_of(verdict.author)
    comments = list(verdict.comments.select_related("thread"))
    lines = [*verdict.body.splitlines()]
    for comment in comments:
        lines += ["", f"{comment.thread.label}:", *comment.body.splitlines()]
    return Event(
        review,
        verdict.author,
        prose.line(
            f"{review.draft.name}: {by} {SAID[Verdict.Kind(verdict.kind)]} r{verdict.revision.number}"
        ),
        tuple(lines),
        reverse("review", args=[review.draft.slug, review.number]),
        (
            *_called(review.draft, [verdict.body, *(each.body for each in comments)]),
            *_asker(review),
            *(notice for each in comments for notice in _in_thread(each)),
        ),
    )


def _asker(review: Review) -> Iterator[Notice]:
    """Who asked for a review, while they are a member."""
    for each in reviews.members(review.draft).filter(pk=review.asked_by_id or 0):
        yield Notice(each, Why.MINE)


def _commented(number: int) -> Event | None:
    of = Comment.objects.select_related("thread__draft__project", "author")
    comment = of.filter(pk=number).first()
    if comment is None:
        return None
    thread = comment.thread
    by = reviews.writer_of(comment)
    review = reviews.open_review(thread.draft)
    return Event(
        thread,
        comment.author,
        prose.line(f"{thread.draft.name}: {by} commented on {thread.named}"),
        tuple(comment.body.splitlines()),
        threads.path_to(comment),
        (
            *(_called(thread.draft, [comment.body]) if comment.author else _sharers(thread)),
            *_in_thread(comment),
            *(_asker(review) if review is not None else ()),
        ),
    )


def _called(draft: Draft, texts: Iterable[str]) -> Iterator[Notice]:
    """The members whom texts call by name."""
    members = {each.get_username(): each for each in reviews.members(draft)}
    for name in prose.mentioned("\n\n".join(texts), members):
        yield Notice(members[name], Why.CALLED)


def _sharers(thread: Thread) -> Iterator[Notice]:
    """Who made the link through which a guest wrote. A guest calls nobody by name: they are told no names."""
    made = GuestThread.objects.filter(thread=thread).values("link__made_by")
    for each in reviews.members(thread.draft).filter(pk__in=made):
        yield Notice(each, Why.LINK)


def _in_thread(comment: Comment) -> Iterator[Notice]:
    """The members who took part in a comment's thread before it."""
    before = comment.thread.comments.filter(sent_at__isnull=False, pk__lt=comment.pk)
    for each in reviews.members(comment.thread.draft).filter(pk__in=before.values("author")):
        yield Notice(each, Why.REPLIED)


EVENTS = {"asked": _asked, "moved": _moved, "judged": _judged, "commented": _commented}
