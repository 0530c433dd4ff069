"""What happens in a project: edits, comments, what becomes of them, of reviews and of the project itself; the newest
first, also as a feed.

Only what is recorded with who and when is told.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from projects import prose, reviews, threads, tokens
from projects.models import (
    Comment,
    Draft,
    FeedKey,
    Project,
    ProjectEvent,
    Review,
    ReviewMove,
    Revision,
    RevisionName,
    ThreadEvent,
    Verdict,
)

Row = TypeVar("Row", bound=Model)

MOST = 50
TOGETHER = timedelta(minutes=30)
"""Edits of one person in one design that lie no further apart are one line of the page."""


@dataclass(frozen=True)
class Happening:
    """Something that somebody did."""

    id: str
    at: datetime
    who: str
    did: str
    """What they did, in a sentence that begins with their name and goes on with `what`."""
    what: str
    draft: Draft | None
    """Where they did it; None where that is the project itself."""
    path: str
    """Where `what` is; empty where it is nowhere for those who read this."""
    detail: str = ""
    """What they wrote, or the edit as the history has it."""
    rest: str = ""
    """The end of the sentence, after `what`."""
    more: tuple["Happening", ...] = ()
    """Edits just before it that are not worth a line each."""


def happened(project: Project, kind: str = "", before: datetime | None = None) -> list[Happening]:
    """What happened in a project, the newest first: of one kind, or of all, and before a moment where one is given.

    What happened at the same moment as the last of them is among them, so that the next page can begin before that.
    """
    sources = [SOURCES[kind]] if kind else list(SOURCES.values())
    every = [each for source in sources for each in source(project, before)]
    every.sort(key=lambda each: each.at, reverse=True)
    return [each for each in every if len(every) <= MOST or each.at >= every[MOST - 1].at]


def together(every: Iterable[Happening]) -> list[Happening]:
    """The same with the edits that somebody made one after the other in one line, under the newest."""
    found: list[Happening] = []
    for each in every:
        last = found[-1] if found else None
        oldest = last.more[-1] if last is not None and last.more else last
        if (
            last is not None
            and oldest is not None
            and each.id.startswith("edit-")
            and last.id.startswith("edit-")
            and (each.who, each.draft) == (last.who, last.draft)
            and oldest.at - each.at <= TOGETHER
        ):
            found[-1] = replace(last, more=(*last.more, each))
        else:
            found.append(each)
    return found


def _edits(project: Project, before: datetime | None) -> list[Happening]:
    made = Revision.objects.filter(draft__project=project).defer("document")
    named = RevisionName.objects.filter(draft__project=project).defer("revision__document")
    return [
        *(
            Happening(
                f"edit-{each.pk}",
                each.created_at,
                reviews.name_of(each.author),
                "created",
                f"r{each.number}",
                each.draft,
                reverse("revision", args=[each.draft.slug, each.number]),
                each.note,
            )
            for each in _newest(made.select_related("author", "draft"), "created_at", before)
        ),
        *(
            Happening(
                f"name-{each.pk}",
                each.created_at,
                reviews.name_of(each.author),
                f"gave the name {each.name} to",
                f"r{each.revision.number}",
                each.draft,
                reverse("revision", args=[each.draft.slug, each.revision.number]),
                each.message,
            )
            for each in _newest(
                named.select_related("author", "draft", "revision"), "created_at", before
            )
        ),
    ]


def _comments(project: Project, before: datetime | None) -> list[Happening]:
    sent = Comment.objects.filter(thread__draft__project=project, sent_at__isnull=False)
    settled = ThreadEvent.objects.filter(thread__draft__project=project)
    return [
        *(
            Happening(
                f"comment-{each.pk}",
                each.sent_at or each.created_at,
                reviews.writer_of(each),
                "commented on",
                each.thread.named,
                each.thread.draft,
                threads.path_to(each),
                prose.plain(each.body),
            )
            for each in _newest(sent.select_related("author", "thread__draft"), "sent_at", before)
        ),
        *(
            Happening(
                f"thread-{each.pk}",
                each.created_at,
                reviews.name_of(each.author),
                f"{each.kind} the thread on",
                each.thread.named,
                each.thread.draft,
                threads.path_of(each.thread),
            )
            for each in _newest(
                settled.select_related("author", "thread__draft"), "created_at", before
            )
        ),
    ]


JUDGED = {
    Verdict.Kind.APPROVE: "approved",
    Verdict.Kind.CHANGES: "requested changes to",
    Verdict.Kind.COMMENT: "commented on",
}


def _approvals(project: Project, before: datetime | None) -> list[Happening]:
    asked = Review.objects.filter(draft__project=project).select_related("asked_by", "draft")
    closed = Review.objects.filter(draft__project=project, closed_at__isnull=False)
    moved = ReviewMove.objects.filter(review__draft__project=project).defer("head__document")
    judged = Verdict.objects.filter(review__draft__project=project).defer("revision__document")
    return [
        *(
            Happening(
                f"review-{each.pk}",
                each.asked_at,
                reviews.name_of(each.asked_by),
                "asked for",
                f"review {each.number}",
                each.draft,
                reverse("review", args=[each.draft.slug, each.number]),
                prose.plain(each.message),
            )
            for each in _newest(asked, "asked_at", before)
        ),
        *(
            Happening(
                f"moved-{each.pk}",
                each.created_at,
                reviews.name_of(each.author),
                "moved",
                f"review {each.review.number}",
                each.review.draft,
                reverse("review", args=[each.review.draft.slug, each.review.number]),
                rest=f"to r{each.head.number}",
            )
            for each in _newest(
                moved.select_related("author", "review__draft", "head"), "created_at", before
            )
        ),
        *(
            Happening(
                f"verdict-{each.pk}",
                each.created_at,
                reviews.name_of(each.author),
                f"{JUDGED[Verdict.Kind(each.kind)]} r{each.revision.number}, in",
                f"review {each.review.number}",
                each.review.draft,
                reverse("review", args=[each.review.draft.slug, each.review.number]),
                prose.plain(each.body),
            )
            for each in _newest(
                judged.select_related("author", "review__draft", "revision"), "created_at", before
            )
        ),
        *(
            Happening(
                f"closed-{each.pk}",
                each.closed_at or each.asked_at,
                reviews.name_of(each.closed_by),
                "closed",
                f"review {each.number}",
                each.draft,
                reverse("review", args=[each.draft.slug, each.number]),
            )
            for each in _newest(closed.select_related("closed_by", "draft"), "closed_at", before)
        ),
    ]


TOLD = {
    ProjectEvent.Kind.ARCHIVED: ("archived", ""),
    ProjectEvent.Kind.RESTORED: ("restored", ""),
    ProjectEvent.Kind.MOVED_IN: ("moved", "here from {}"),
    ProjectEvent.Kind.MOVED_OUT: ("moved", "to {}"),
    ProjectEvent.Kind.LINK_MADE: ("created a link to", "({})"),
    ProjectEvent.Kind.LINK_RENEWED: ("changed the address of a link to", "({})"),
    ProjectEvent.Kind.LINK_REVOKED: ("revoked a link to", "({})"),
    ProjectEvent.Kind.TOKEN_MADE: ("created a token for", "({})"),
    ProjectEvent.Kind.TOKEN_REVOKED: ("revoked a token for", "({})"),
}
"""What was done to a project, before and after its name or that of the design that was moved or opened."""


def _project(project: Project, before: datetime | None) -> list[Happening]:
    found = []
    events = project.events.select_related("author", "draft__project")
    for each in _newest(events, "created_at", before):
        did, rest = TOLD[ProjectEvent.Kind(each.kind)]
        found.append(
            Happening(
                f"project-{each.pk}",
                each.created_at,
                reviews.name_of(each.author),
                did,
                each.name or "the project",
                None,
                _path_of(each),
                rest=rest.format(each.other or "another team"),
            )
        )
    return found


def _path_of(event: ProjectEvent) -> str:
    """Where the project is, or the design that was moved; nowhere once that is removed, or another team's."""
    if not event.name:
        return reverse("project", args=[event.project.slug])
    draft = event.draft
    if draft is None or draft.project is None or draft.project.team_id != event.project.team_id:
        return ""
    return reverse("workspace", args=[draft.slug])


def _newest(found: QuerySet[Row], moment: str, before: datetime | None) -> QuerySet[Row]:
    if before is not None:
        found = found.filter(**{f"{moment}__lt": before})
    return found.order_by(f"-{moment}")[: MOST + 1]


SOURCES: dict[str, Callable[[Project, datetime | None], list[Happening]]] = {
    "edits": _edits,
    "comments": _comments,
    "approvals": _approvals,
    "project": _project,
}
"""The kinds of what happens, as the page can be asked for them."""


# The feed -----------------------------------------------------------------------------------------


def atom(project: Project, site: str, address: str) -> str:
    """What happened in a project as an Atom feed, for a reader that found it at an address."""
    base = site.rstrip("/")
    page = f"{base}{reverse('activity', args=[project.slug])}"
    feed = Atom1Feed(
        title=_in_xml(f"{project.name} - Keywright"),
        link=page,
        description="",
        feed_url=address,
        feed_guid=f"urn:keywright:project:{project.slug}",
    )
    for each in happened(project):
        feed.add_item(
            title=prose.line(_in_xml(_title(each, project))),
            link=f"{base}{each.path}" if each.path else page,
            # The feed says that this is HTML.
            description=escape(_in_xml(each.detail)),
            author_name=_in_xml(each.who),
            updateddate=each.at,
            pubdate=each.at,
            unique_id=f"urn:keywright:{each.id}",
        )
    text: str = feed.writeString("utf-8")
    return text


def _title(each: Happening, project: Project) -> str:
    sentence = f"{each.who} {each.did} {each.what} {each.rest}".rstrip()
    return f"{(each.draft or project).name}: {sentence}"


_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def _in_xml(text: str) -> str:
    return _FORBIDDEN.sub("", text)


@transaction.atomic
def new_key(project: Project, person: User) -> str:
    """The secret in the address of somebody's feed of a project. It is not told again, and ends the one before."""
    token = tokens.new()
    FeedKey.objects.update_or_create(
        project=project,
        user=person,
        defaults={"digest": tokens.digest(token), "made_at": timezone.now()},
    )
    return token


def project_of(token: str) -> Project | None:
    """The project of a feed's secret; None when there is none, or its owner may not read it any more."""
    found = FeedKey.objects.filter(digest=tokens.digest(token), user__is_active=True)
    key = found.select_related("project__team").first()
    if key is None or not key.project.team.memberships.filter(user_id=key.user_id).exists():
        return None
    return key.project
