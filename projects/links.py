"""Read-only links: made, found by their token, opened."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from limits import RateLimitItemPerMinute

from designer.core.errors import DesignError
from designer.core.messages import say
from projects import events, throttle, tokens
from projects.models import Draft, ProjectEvent, Revision, ShareLink, Team
from projects.models.links import is_live
from projects.revisions import Person

TRIES = RateLimitItemPerMinute(10, 15, namespace="link")
"""Wrong passwords from one network after which none from there is looked at for a while."""
TRIES_OF_ALL = 300
"""Wrong passwords in a row, of whoever has the link, after which nobody's is."""
PAUSE = timedelta(minutes=15)
MOST = 100
"""Links of a design that open something at once."""
OVER = 20
"""Of those that open nothing any more, so many are listed, and further ones forgotten where no comment needs them."""


@transaction.atomic
def make(
    draft: Draft,
    person: Person,
    *,
    name: str = "",
    revision: Revision | None = None,
    sections: Iterable[str] = (),
    expires_at: datetime | None = None,
    password: str = "",
    may_comment: bool = False,
) -> tuple[ShareLink, str]:
    """A new link and its token, which is not kept. DesignError when the design has as many as it may."""
    Draft.objects.select_for_update().only("pk").get(pk=draft.pk)
    if live(draft).count() >= MOST:
        raise DesignError("too-much", say("links-at-limit", most=MOST))
    token = tokens.new()
    link = ShareLink.objects.create(
        draft=draft,
        digest=tokens.digest(token),
        name=name,
        revision=revision,
        sections=sorted(sections),
        expires_at=expires_at,
        password=make_password(password) if password else "",
        may_comment=may_comment,
        made_by_id=person.pk if person is not None else None,
    )
    forgotten = list(over(draft).filter(threads=None).values_list("pk", flat=True)[OVER:])
    ShareLink.objects.filter(pk__in=forgotten).delete()
    _note(ProjectEvent.Kind.LINK_MADE, link, person)
    return link, token


def live(draft: Draft) -> QuerySet[ShareLink]:
    """The links that open a design, the newest first."""
    return _of(draft).filter(is_live(timezone.now()))


def over(draft: Draft) -> QuerySet[ShareLink]:
    """The links that open a design no more, the newest first."""
    return _of(draft).exclude(is_live(timezone.now()))


def listed(draft: Draft) -> list[ShareLink]:
    """The links that a page shows of a design: those that open it, and the newest of the others."""
    return [*live(draft)[:MOST], *over(draft)[:OVER]]


def _of(draft: Draft) -> QuerySet[ShareLink]:
    found = ShareLink.objects.filter(draft_id=draft.pk).select_related("made_by", "revision")
    return found.defer("revision__document")


def left_behind(team: Team) -> QuerySet[ShareLink]:
    """The links that still open designs of a team, made by somebody who is not in it any more: so many as one
    design may have, and others once these are revoked.
    """
    live = ShareLink.objects.filter(is_live(timezone.now()), draft__project__team=team)
    left = live.exclude(made_by__in=team.memberships.values("user"))
    return left.select_related("made_by", "draft")[:MOST]


def find(token: str) -> ShareLink | None:
    """The link of a token, if it opens something: one query, which finds nothing in one way whether there never was
    such a link, its time is over, or it was revoked."""
    now = timezone.now()
    kept = Q(draft__project__isnull=False) | Q(draft__expires_at__gt=now)
    live = ShareLink.objects.filter(is_live(now), kept, digest=tokens.digest(token))
    return live.select_related("draft__project").first()


@transaction.atomic
def renew(link: ShareLink, person: Person) -> str:
    """A new token for a link; the one before opens nothing any more."""
    token = tokens.new()
    link.digest = tokens.digest(token)
    link.save(update_fields=["digest"])
    _note(ProjectEvent.Kind.LINK_RENEWED, link, person)
    return token


@transaction.atomic
def revoke(link: ShareLink, person: Person) -> None:
    """It opens nothing from now on."""
    link.revoke()
    _note(ProjectEvent.Kind.LINK_REVOKED, link, person)


def _note(kind: ProjectEvent.Kind, link: ShareLink, person: Person) -> None:
    events.note(kind, link, link.draft.project, link.draft, person)


def opened(link: ShareLink) -> None:
    """Count that somebody opened it."""
    ShareLink.objects.filter(pk=link.pk).update(used=F("used") + 1, used_at=timezone.now())


def is_paused(link: ShareLink, who: str) -> bool:
    """Whether somebody tried too many wrong passwords for another one to be looked at now, or all together did."""
    since = timezone.now() - PAUSE
    by_all = link.wrong >= TRIES_OF_ALL and link.wrong_at is not None and link.wrong_at > since
    return by_all or throttle.is_over(TRIES, _tried(link, who))


def _tried(link: ShareLink, who: str) -> str:
    return f"{link.pk} {who}"


def unlocks(link: ShareLink, password: str, who: str) -> bool:
    """Whether this is the link's password. A wrong one is counted."""
    if check_password(password, link.password):
        ShareLink.objects.filter(pk=link.pk).update(wrong=0)
        return True
    now = timezone.now()
    before = link.wrong_at is not None and link.wrong_at > now - PAUSE
    wrong = F("wrong") + 1 if before else 1
    ShareLink.objects.filter(pk=link.pk).update(wrong=wrong, wrong_at=now)
    throttle.count(TRIES, _tried(link, who))
    return False
