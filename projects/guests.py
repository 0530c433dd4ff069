"""What readers of a link say, by the names that they give; and how much of it the others of the same link are told."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.messages import say
from projects import threads
from projects.models import Comment, Draft, GuestThread, Revision, ShareLink, Thread
from projects.threads import Tail, UpTo, Writer

MOST = 20
"""Comments that the readers of a link may make in a while, so that nobody floods a team."""
WHILE = timedelta(minutes=10)
IN_ALL, CHARACTERS = 500, 200_000
"""Comments that the readers of a link may make, and their characters: its pages show them to everybody."""


@dataclass(frozen=True)
class Said:
    """A comment as the readers of a link see it: of a member only that they are one."""

    number: int
    by: str
    is_guest: bool
    body: str
    at: datetime


@dataclass(frozen=True)
class Talk:
    """A thread that a link's readers began."""

    tail: Tail
    comments: tuple[Said, ...]

    @property
    def thread(self) -> Thread:
        return self.tail.thread


def begun(link: ShareLink) -> list[int]:
    """The threads that were begun through a link, by number, the oldest first."""
    return list(link.threads.order_by("thread").values_list("thread", flat=True))


def talks(some: Collection[int], up_to: UpTo | None = None) -> Iterator[Talk]:
    """What was said in some of them, and answered; nothing else that the team says."""
    for tail in threads.tails(threads.readable(None), some, up_to).values():
        yield Talk(tail, tuple(map(_said, tail.comments)))


@transaction.atomic
def begin(
    link: ShareLink, of: Draft, revision: Revision, design: Design, on: str, name: str, body: str
) -> Comment:
    """Comment on a part of the design as the link shows it. DesignError when it has no such part, when nothing is
    said, when too much was, and when the link takes no comments.
    """
    _hold(link)
    comment = threads.begin(
        link.draft, threads.scene(of, design), on, body, Writer(guest_name=name)
    )
    thread = comment.thread
    if thread.revision_id != revision.pk:
        thread.revision = revision
        thread.save(update_fields=["revision"])
    GuestThread.objects.create(link=link, thread=thread)
    return comment


@transaction.atomic
def reply(link: ShareLink, thread: Thread, name: str, body: str) -> Comment:
    """Answer in a thread that was begun through the link; DesignError as of `begin`."""
    _hold(link)
    return threads.reply(thread, body, Writer(guest_name=name))


def is_open(link: ShareLink) -> bool:
    """Whether its readers may write: nobody does in a project that is archived."""
    project = link.draft.project
    return link.may_comment and not (project is not None and project.is_archived)


def _hold(link: ShareLink) -> None:
    """Hold the link to the end of the transaction, and see whether its readers may say more."""
    if not is_open(link):
        raise DesignError("closed", say("comments-closed"))
    ShareLink.objects.select_for_update().get(pk=link.pk)
    since = timezone.now() - WHILE
    said = Comment.objects.filter(thread__guests__link=link, guest_name__gt="")
    if not threads.has_room(said, IN_ALL, CHARACTERS):
        raise DesignError("too-much", say("link-full-of-comments"))
    if said.filter(created_at__gt=since).count() >= MOST:
        raise DesignError("too-much", say("too-many-comments"))


def _said(comment: Comment) -> Said:
    is_guest = bool(comment.guest_name)
    by = comment.guest_name if is_guest else "The team"
    return Said(comment.pk, by, is_guest, comment.body, comment.sent_at or comment.created_at)
