"""How much visitors without an account may keep: copies of designs, and revisions of each."""

from threading import Lock

from cachetools import TTLCache, cached
from django.conf import settings
from django.db.models import Q, Sum
from django.utils import timezone
from limits import RateLimitItemPerHour

from designer.core import figures
from projects import shares, throttle
from projects.models import Draft, Proof, Revision, ShareLink, Thread
from projects.refused import RefusedError

MADE = RateLimitItemPerHour(settings.SANDBOXES_AN_HOUR, namespace="sandbox")
"""Sandboxes that come from one network."""
MOST_REVISIONS = 200
"""Revisions of a sandbox; with more, or more bytes than it may take, the oldest go until half of that is left."""
MB = 1_000_000
TIGHT = 256_000
"""Bytes that every sandbox may take, with its revisions, when all together take too much."""
TIGHT_REVISIONS = 20


def room_for_a_sandbox(key: str) -> None:
    """RefusedError when a visitor has as many as they may, or all visitors together."""
    live = Draft.objects.filter(project=None, expires_at__gt=timezone.now())
    most = settings.SANDBOXES
    if live.filter(sandbox_key=key).count() >= most:
        raise RefusedError(
            "quota",
            f"You have {figures.count(most, 'design')} here without an account, which is the most. Sign up to keep "
            "them, or go on in one of them; each is removed a day after it was made.",
        )
    if taken() >= settings.ALL_SANDBOXES_MB * MB:
        raise RefusedError(
            "quota",
            "Visitors' designs take as much room as this site has for them. Sign in to keep this one, or try again "
            "in an hour, when older ones are removed.",
            3600,
        )
    share = shares.current()
    if not share.is_member:
        throttle.hit(MADE, share.key)


@cached(TTLCache(1, ttl=10), lock=Lock())
def taken() -> int:
    """Bytes of all sandboxes, as they were some seconds ago."""
    found: int | None = Draft.objects.filter(project=None).aggregate(bytes=Sum("bytes"))["bytes"]
    return found or 0


def prune(draft: Draft) -> None:
    """Remove the oldest revisions of a sandbox that has too many. Its first one stays, and so does what is referred
    to: by links, names, comments, and proofs that are to be run.

    When all sandboxes together take too much, each keeps fewer, and RefusedError where this one has grown large since.
    """
    if draft.project_id is not None:
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
            "Visitors' designs take as much room as this site has for them, and this one would be much larger than "
            "it was at first. Sign in and keep it, or try again in an hour, when older ones are removed.",
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
