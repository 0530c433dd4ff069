"""How much may be kept: by visitors copies of designs, and revisions of each; by members teams, with all that is in
them.
"""

from math import ceil
from threading import Lock

from cachetools import TTLCache, cached
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Q, Sum, Value
from django.db.models.functions import Greatest
from django.utils import timezone
from limits import RateLimitItemPerHour

from designer.core.messages import say
from projects import shares, throttle
from projects.models import Draft, Membership, Proof, Revision, Role, ShareLink, Team, Thread
from projects.refused import RefusedError

MADE = RateLimitItemPerHour(settings.SANDBOXES_AN_HOUR, namespace="sandbox")
"""Sandboxes that come from one network."""
KB = 1000
SAVED = RateLimitItemPerHour(settings.MEMBER_MB_AN_HOUR * KB, namespace="saved")
"""Kilobytes of designs and revisions that one person saves: what a team may keep fills a disk when it comes at once."""
MOST_REVISIONS = 200
"""Revisions of a sandbox; with more, or more bytes than it may take, the oldest go until half of that is left."""
MB = 1_000_000
TIGHT = 256_000
"""Bytes that every sandbox may take, with its revisions, when all together take too much."""
TIGHT_REVISIONS = 20
LEAST = 10_000
"""Bytes that each design of a team counts as at least: rows take room too."""
PROJECTS = 500
OPEN_INVITATIONS = 200
"""Of a team."""


def room_for_a_sandbox(key: str) -> None:
    """RefusedError when a visitor has as many as they may, or all visitors together."""
    live = Draft.objects.filter(project=None, expires_at__gt=timezone.now())
    most = settings.SANDBOXES
    if live.filter(sandbox_key=key).count() >= most:
        raise RefusedError(
            "quota",
            say("sandboxes-at-limit", most=most),
        )
    if taken() >= settings.ALL_SANDBOXES_MB * MB:
        raise RefusedError(
            "quota",
            say("no-room-for-visitors"),
            3600,
        )
    share = shares.current()
    if not share.is_member:
        throttle.hit(MADE, share.key)


def room_to_save(size: int) -> None:
    """Count a revision of so many bytes, in the transaction that saves it; RefusedError when whoever asks for it saved
    too much lately. What visitors keep has another limit, and what the site does has none.
    """
    share = shares.current()
    if share.is_member and share != shares.SITE:
        throttle.take(SAVED, share.key, ceil(size / KB))


@cached(TTLCache(1, ttl=10), lock=Lock())
def taken() -> int:
    """Bytes of all sandboxes, as they were some seconds ago."""
    found: int | None = Draft.objects.filter(project=None).aggregate(bytes=Sum("bytes"))["bytes"]
    return found or 0


def prune(draft: Draft) -> None:
    """Remove the oldest revisions of a sandbox that has too many. Its first one stays, and so does what is referred
    to: by links, names, comments, and proofs that are to be run. A design of a team forgets nothing: RefusedError when
    the team has no more room.

    When all sandboxes together take too much, each keeps fewer, and RefusedError where this one has grown large since.
    """
    if draft.project is not None:
        _room_in_a_team(draft.project.team_id)
        return
    if taken() < settings.ALL_SANDBOXES_MB * MB:
        _prune(draft, settings.SANDBOX_MB * MB, MOST_REVISIONS)
        return
    _prune(draft, TIGHT, TIGHT_REVISIONS)
    first, newest = (
        draft.revisions.values_list("bytes", flat=True).get(number=number)
        for number in (1, draft.position)
    )
    if newest > max(TIGHT, first * 3 // 2):
        raise RefusedError(
            "quota",
            say("no-room-for-growth"),
            3600,
        )


def _prune(draft: Draft, most: int, revisions: int) -> None:
    if draft.bytes <= most and draft.revisions.count() <= revisions:
        return
    sizes = draft.revisions.order_by("-number").values_list("number", "bytes")
    found, first_kept = 0, draft.position
    for count, (number, size) in enumerate(sizes, 1):
        found += size
        if count > 1 and (found > most // 2 or count > revisions // 2):
            break
        first_kept = number
    _forget(draft, first_kept)
    left = draft.revisions.aggregate(bytes=Sum("bytes"))["bytes"] or 0
    draft.bytes = left
    draft.save(update_fields=["bytes"])


def _forget(draft: Draft, before: int) -> None:
    waiting = Proof.objects.filter(draft=draft).exclude(standing=Proof.Standing.ENDED)
    links = ShareLink.objects.filter(draft=draft, revision__isnull=False)
    threads = Thread.objects.filter(draft=draft)
    needed = (
        Q(number=1)
        | Q(named__isnull=False)
        | Q(number__in=waiting.values("revision"))
        | Q(pk__in=links.values("revision"))
        | Q(pk__in=threads.values("revision"))
    )
    kept = set(draft.revisions.filter(needed).values_list("pk", flat=True))
    draft.revisions.filter(number__lt=before).exclude(pk__in=kept).delete()
    # What it changed can't be told any more, so nothing takes it back.
    Revision.objects.filter(draft=draft).exclude(
        parent__in=list(draft.revisions.values_list("number", flat=True))
    ).update(parent=None)


def room_for_a_team(person: AbstractBaseUser) -> None:
    """RefusedError when somebody owns as many teams as they may."""
    most = settings.TEAMS
    if Membership.objects.filter(user=person.pk, role=Role.OWNER).count() >= most:
        raise RefusedError(
            "quota",
            say("teams-at-limit", most=most),
        )


def room_for_a_project(team: Team) -> None:
    """RefusedError when a team has as many projects as it may."""
    if team.projects.count() >= PROJECTS:
        raise RefusedError(
            "quota",
            say("projects-at-limit", most=PROJECTS),
        )


def room_for_a_member(team: Team) -> None:
    """RefusedError when as many people are in a team as may be."""
    most = settings.TEAM_MEMBERS
    if team.memberships.count() >= most:
        raise RefusedError(
            "quota",
            say("members-at-limit", most=most),
        )


def forget() -> None:
    """Forget how much is taken, as far as this process knows."""
    taken.cache_clear()
    _taken_by.cache_clear()
    _taken_by_owners.cache_clear()


@cached(TTLCache(1000, ttl=10), lock=Lock())
def _taken_by(team: int) -> int:
    """Bytes of a team's designs, as they were some seconds ago."""
    every = Draft.objects.filter(project__team=team)
    found = every.aggregate(bytes=Sum(Greatest("bytes", Value(LEAST))))["bytes"]
    return found or 0


@cached(TTLCache(1000, ttl=10), lock=Lock())
def _taken_by_owners(team: int) -> int:
    """Bytes of all designs in the teams of an owner of this team: of the one who has least, as of some seconds ago."""
    owners = Membership.objects.filter(team=team, role=Role.OWNER).values("user")
    size = Greatest("team__projects__drafts__bytes", Value(LEAST))
    owned = Membership.objects.filter(role=Role.OWNER, user__in=owners).values("user")
    found = owned.annotate(bytes=Sum(size)).values_list("bytes", flat=True)
    return min((each or 0 for each in found), default=0)


def _room_in_a_team(team: int) -> None:
    if _taken_by_owners(team) >= settings.OWNER_MB * MB:
        raise RefusedError(
            "quota",
            say("owner-has-no-room", megabytes=settings.OWNER_MB),
        )
    if _taken_by(team) >= settings.TEAM_MB * MB:
        raise RefusedError(
            "quota",
            say("team-has-no-room", megabytes=settings.TEAM_MB),
        )
