"""Comments on the parts of a design: begun, answered, resolved; and how they stand to what it is now."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum, Window
from django.db.models.functions import FirstValue, Length, RowNumber
from django.urls import reverse
from django.utils import timezone

from designer.core.anchors import Found, Scene, find
from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.messages import say
from projects import plans, prose, revisions
from projects.models import Comment, Draft, Thread, ThreadEvent
from projects.models.reviews import within_sentence

LONGEST = 10_000
"""Characters of a comment, of what is said with a verdict, and of the words with which a review is asked for."""
COMMENTS, CHARACTERS = 5_000, 2_000_000
"""Of all comments on a design, and of all verdicts: the database keeps them for good."""
ON_A_PAGE = 25
"""Threads that a page shows."""
IN_A_THREAD = 20
"""Comments of a thread that a page shows at once."""


@dataclass(frozen=True)
class Writer:
    """Who writes: a member, or a guest by the name they gave."""

    person: User | None = None
    guest_name: str = ""


@dataclass(frozen=True)
class Listed:
    """A thread as lists of threads are ordered and counted, without what is said in it."""

    number: int
    on: str
    is_resolved: bool
    is_sent: bool
    """A comment of it was."""
    found: Found | None
    """Its object; nothing when that is gone."""

    @property
    def is_gone(self) -> bool:
        return self.found is None


@dataclass(frozen=True)
class UpTo:
    """A comment that is so far back in its thread that a page shows the comments up to it, not the newest."""

    comment: int
    thread: int
    later: int
    """Comments of the thread after it."""


@dataclass(frozen=True)
class Tail:
    """What a page shows of a thread at once."""

    thread: Thread
    comments: tuple[Comment, ...]
    """The newest, or those up to the one that is asked for; the oldest of them first."""
    earlier: int
    """Comments before them."""
    before: int | None
    """The last of those; None where there is none."""
    later: int
    """Comments after them."""
    is_of_guests: bool
    """It was begun through a link, whose readers see what is answered."""


@dataclass(frozen=True)
class Shown:
    """A thread beside its object as it is now."""

    listed: Listed
    tail: Tail

    @property
    def thread(self) -> Thread:
        return self.tail.thread

    @property
    def found(self) -> Found | None:
        return self.listed.found

    @property
    def is_gone(self) -> bool:
        return self.listed.is_gone

    @property
    def is_outdated(self) -> bool:
        """Its object says something else than when the thread was begun. An unknown plan accuses nobody."""
        known = self.found is not None and self.found.digest and self.thread.digest
        return bool(known) and self.found.digest != self.thread.digest  # type: ignore[union-attr]

    @property
    def label(self) -> str:
        return self.found.label if self.found is not None else self.thread.label

    @property
    def named(self) -> str:
        """The label within a sentence."""
        return within_sentence(self.label)

    @property
    def is_sent(self) -> bool:
        return self.listed.is_sent


def scene(draft: Draft, design: Design) -> Scene:
    """Where the objects of a design are looked for. Plans that aren't known are begun beside the request."""
    return Scene(design, lambda style: plans.beside(draft, design, style))


def readable(reader: User | None) -> QuerySet[Comment]:
    """The comments that have been sent, and the reader's own that have not."""
    sent = Q(sent_at__isnull=False)
    return Comment.objects.filter(sent if reader is None else sent | Q(author=reader))


def listed(
    draft: Draft, now: Scene, reader: User | None = None, on: str | None = None
) -> list[Listed]:
    """The threads of a design that somebody may read, oldest first; those on one object where it is given."""
    every = Thread.objects.filter(with_any_of(readable(reader)), draft_id=draft.pk)
    if on is not None:
        every = every.filter(on=on)
    is_sent = with_any_of(Comment.objects.filter(sent_at__isnull=False))
    rows = list(every.order_by("pk").values_list("pk", "on", "resolved_at", is_sent))
    found = {anchor: find(now, anchor) for anchor in {row[1] for row in rows}}
    return [
        Listed(number, anchor, resolved_at is not None, sent, found[anchor])
        for number, anchor, resolved_at, sent in rows
    ]


def shown(
    some: Iterable[Listed], reader: User | None = None, up_to: UpTo | None = None
) -> list[Shown]:
    """Some threads with what a page shows of each."""
    by_number = {each.number: each for each in some}
    found = tails(readable(reader), by_number, up_to)
    return [Shown(by_number[number], found[number]) for number in by_number if number in found]


def tails(
    comments: QuerySet[Comment], numbers: Collection[int], up_to: UpTo | None = None
) -> dict[int, Tail]:
    """What a page shows of some threads, by their numbers, of such comments as its readers may read."""
    of_them = comments.filter(thread__in=numbers)
    if up_to is not None:
        of_them = of_them.exclude(thread=up_to.thread, pk__gt=up_to.comment)
    ranked = of_them.annotate(
        rank=Window(RowNumber(), partition_by="thread", order_by="-pk"),
        in_all=Window(Count("pk"), partition_by="thread"),
        begun_by=Window(FirstValue("guest_name"), partition_by="thread", order_by="pk"),
    )
    # One more than is shown: what comes before them.
    newest = ranked.filter(rank__lte=IN_A_THREAD + 1).select_related(
        "author", "thread__revision", "thread__resolved_by"
    )
    rows = newest.defer("thread__revision__document").order_by("thread", "pk")
    return {
        number: _tail(tuple(group), up_to)
        for number, group in groupby(rows, lambda each: each.thread_id)
    }


def _tail(rows: tuple[Any, ...], up_to: UpTo | None) -> Tail:
    some, first = rows[-IN_A_THREAD:], rows[0]
    is_asked = up_to is not None and up_to.thread == first.thread_id
    return Tail(
        thread=first.thread,
        comments=some,
        earlier=first.in_all - len(some),
        before=first.pk if len(rows) > len(some) else None,
        later=up_to.later if up_to is not None and is_asked else 0,
        is_of_guests=bool(first.begun_by),
    )


def asked_for(comments: QuerySet[Comment], number: int | None) -> tuple[int | None, UpTo | None]:
    """The thread of a comment that somebody is led to; and the comment, where it isn't one of the newest."""
    comment = comments.filter(pk=number).first() if number is not None else None
    if comment is None:
        return None, None
    later = comments.filter(thread=comment.thread_id, pk__gt=comment.pk).count()
    if later < IN_A_THREAD:
        return comment.thread_id, None
    return comment.thread_id, UpTo(comment.pk, comment.thread_id, later)


def path_of(thread: Thread) -> str:
    """Where a thread is read: whichever of the pages of its object's threads it is on."""
    on_it = reverse("threads", args=[thread.draft.slug, thread.on])
    return f"{on_it}?thread={thread.pk}#thread-{thread.pk}"


def path_to(comment: Comment) -> str:
    """The same for a comment, which later ones may have moved off the page of its thread."""
    thread = comment.thread
    on_it = reverse("threads", args=[thread.draft.slug, thread.on])
    return f"{on_it}?comment={comment.pk}#comment-{comment.pk}"


@transaction.atomic
def begin(
    draft: Draft, now: Scene, on: str, body: str, writer: Writer, *, collected: bool = False
) -> Comment:
    """A new thread on an object of the design as it is. Collected, only its writer sees it until they send it.

    DesignError when there is no such object, or nothing is written.
    """
    found = find(now, on)
    if found is None:
        raise DesignError("gone", say("subject-of-comment-gone"))
    text = _text(body)
    thread = Thread.objects.create(
        draft=draft,
        on=on,
        label=found.label[:300],
        digest=found.digest,
        revision=revisions.current(draft),
    )
    return _say(thread, text, writer, collected)


@transaction.atomic
def reply(thread: Thread, body: str, writer: Writer, *, collected: bool = False) -> Comment:
    """Add to a thread; DesignError when nothing is written."""
    return _say(thread, _text(body), writer, collected)


@transaction.atomic
def resolve(thread: Thread, person: User) -> None:
    """Nothing happens where it is resolved already."""
    is_open = Thread.objects.filter(pk=thread.pk, resolved_at=None)
    if is_open.update(resolved_by=person, resolved_at=timezone.now()):
        _settled(thread, person, ThreadEvent.Kind.RESOLVED)


@transaction.atomic
def reopen(thread: Thread, person: User) -> None:
    """Nothing happens where it is open already."""
    is_resolved = Thread.objects.filter(pk=thread.pk, resolved_at__isnull=False)
    if is_resolved.update(resolved_by=None, resolved_at=None):
        _settled(thread, person, ThreadEvent.Kind.REOPENED)


@transaction.atomic
def discard(comment: Comment) -> None:
    """Throw away a comment unless it was sent, and a thread in which nothing is left."""
    thread = comment.thread
    Comment.objects.filter(pk=comment.pk, sent_at=None).delete()
    if not thread.comments.exists():
        thread.delete()


def talked(draft: Draft) -> None:
    """Let everybody who has the design open learn that something was said of it, or settled."""
    draft.talked_at = timezone.now()
    Draft.objects.filter(pk=draft.pk).update(talked_at=draft.talked_at)


def newest_of_others(draft: Draft, reader: User | None) -> Comment | None:
    """The comment that was sent last, of all but the reader's own."""
    sent = Comment.objects.filter(thread__draft=draft, sent_at__isnull=False)
    others = sent.exclude(author=reader) if reader is not None else sent
    return others.select_related("author", "thread").order_by("-sent_at", "-pk").first()


def open_on(draft: Draft) -> dict[str, int]:
    """How many open threads each object of a design has, by its anchor."""
    if draft.project_id is None:
        return {}
    sent = Comment.objects.filter(sent_at__isnull=False)
    found = Thread.objects.filter(with_any_of(sent), draft_id=draft.pk, resolved_at=None)
    return dict(found.order_by().values_list("on").annotate(Count("pk")))


def with_any_of(comments: QuerySet[Comment]) -> Exists:
    """That a thread has one of some comments: one is looked for in each, where a join would make a row of every one."""
    return Exists(comments.filter(thread=OuterRef("pk")))


def _settled(thread: Thread, person: User, kind: ThreadEvent.Kind) -> None:
    ThreadEvent.objects.create(thread=thread, kind=kind, author=person)
    talked(thread.draft)


def has_room(said: QuerySet[Any], comments: int, characters: int) -> bool:
    """Whether one more fits among what was said, which may be so many comments with so many characters."""
    found = said.order_by().aggregate(comments=Count("pk"), characters=Sum(Length("body")))
    most = characters - LONGEST
    return found["comments"] < comments and (found["characters"] or 0) <= most


def _say(thread: Thread, text: str, writer: Writer, collected: bool) -> Comment:
    if not has_room(Comment.objects.filter(thread__draft_id=thread.draft_id), COMMENTS, CHARACTERS):
        raise DesignError("too-much", say("design-full-of-comments"))
    comment = Comment.objects.create(
        thread=thread,
        body=text,
        author=writer.person,
        guest_name=writer.guest_name,
        sent_at=None if collected else timezone.now(),
    )
    if not collected:
        talked(thread.draft)
    return comment


def limited(body: str) -> str:
    """What somebody wrote, without the space around it. DesignError when that is more than a comment may hold."""
    text = body.strip()
    if len(text) > LONGEST:
        raise DesignError("too-long", say("characters-at-most", most=LONGEST))
    if too_much := prose.too_much(text):
        raise DesignError("too-long", too_much)
    return text


def _text(body: str) -> str:
    text = limited(body)
    if not text:
        raise DesignError("nothing-said", say("comment-empty"))
    return text
