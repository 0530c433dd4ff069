"""Comments on the parts of a design: begun, answered, resolved; and how they stand to what it is now."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone

from designer.core.anchors import Found, Scene, find
from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.messages import say
from projects import plans, prose, revisions
from projects.models import Comment, Draft, Thread, ThreadEvent

LONGEST = 10_000
"""Characters of a comment, of what is said with a verdict, and of the words with which a review is asked for."""
COMMENTS, CHARACTERS = 5_000, 2_000_000
"""Of all comments on a design: pages show those on a part of it, or all, and the database keeps them for good."""


@dataclass(frozen=True)
class Writer:
    """Who writes: a member, or a guest by the name they gave."""

    person: User | None = None
    guest_name: str = ""


@dataclass(frozen=True)
class Shown:
    """A thread beside its object as it is now."""

    thread: Thread
    comments: tuple[Comment, ...]
    """Those that have been sent, and the reader's own that have not."""
    found: Found | None
    """Its object; nothing when that is gone."""

    @property
    def is_gone(self) -> bool:
        return self.found is None

    @property
    def is_outdated(self) -> bool:
        """Its object says something else than when the thread was begun. An unknown plan accuses nobody."""
        known = self.found is not None and self.found.digest and self.thread.digest
        return bool(known) and self.found.digest != self.thread.digest  # type: ignore[union-attr]

    @property
    def label(self) -> str:
        return self.found.label if self.found is not None else self.thread.label

    @property
    def is_sent(self) -> bool:
        return any(comment.is_sent for comment in self.comments)

    @property
    def is_of_guests(self) -> bool:
        """It was begun through a link, whose readers see what is answered."""
        return bool(self.comments) and bool(self.comments[0].guest_name)


def scene(draft: Draft, design: Design) -> Scene:
    """Where the objects of a design are looked for. Plans that aren't known are begun beside the request."""
    return Scene(design, lambda style: plans.beside(draft, design, style))


def shown(
    draft: Draft, now: Scene, reader: User | None = None, on: str | None = None
) -> list[Shown]:
    """The threads of a design that somebody may read, oldest first; those on one object where it is given."""
    mine = Q(author=reader) if reader is not None else Q(pk__in=())
    comments = Comment.objects.filter(Q(sent_at__isnull=False) | mine).select_related("author")
    threads = Thread.objects.filter(with_any_of(comments), draft_id=draft.pk)
    if on is not None:
        threads = threads.filter(on=on)
    threads = threads.select_related("revision", "resolved_by").defer("revision__document")
    return [
        Shown(each, tuple(each.comments.all()), find(now, each.on))
        for each in threads.prefetch_related(Prefetch("comments", comments)).order_by("pk")
    ]


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


def has_room(said: QuerySet[Comment], comments: int, characters: int) -> bool:
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
