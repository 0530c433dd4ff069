"""How much visitors without an account may keep: copies of designs, and revisions of each."""

from django.conf import settings
from django.db.models import Q, Sum
from django.utils import timezone
from limits import RateLimitItemPerHour

from projects import shares, throttle
from projects.models import Draft, Proof, Revision, ShareLink, Thread
from projects.refused import RefusedError

MADE = RateLimitItemPerHour(settings.SANDBOXES_AN_HOUR, namespace="sandbox")
"""Sandboxes that come from one network."""
MOST_REVISIONS = 200
"""Revisions of a sandbox; with more, or more bytes than it may take, the oldest go until half of that is left."""
MB = 1_000_000


def room_for_a_sandbox(key: str) -> None:
    """RefusedError when a visitor has as many as they may, or all visitors together."""
    live = Draft.objects.filter(project=None, expires_at__gt=timezone.now())
    most = settings.SANDBOXES
    if live.filter(sandbox_key=key).count() >= most:
        raise RefusedError(
            "quota",
            f"You have {most} designs here without an account, which is the most. Sign up to keep them, or go on "
            "in one of them; each is removed a day after it was made.",
        )
    taken = live.aggregate(bytes=Sum("bytes"))["bytes"] or 0
    if taken >= settings.ALL_SANDBOXES_MB * MB:
        raise RefusedError(
            "quota",
            "Visitors' designs take as much room as this site has for them. Sign in to keep this one, or try again "
            "in an hour, when older ones are removed.",
            3600,
        )
    share = shares.current()
    if not share.is_member:
        throttle.hit(MADE, share.key)


def prune(draft: Draft) -> None:
    """Remove the oldest revisions of a sandbox that has too many. Its first one stays, and so does what is referred
    to: by links, names, comments, and proofs that are to be run.
    """
    most = settings.SANDBOX_MB * MB
    if draft.project_id is not None or (
        draft.bytes <= most and draft.revisions.count() <= MOST_REVISIONS
    ):
        return
    sizes = draft.revisions.order_by("-number").values_list("number", "bytes")
    taken, first_kept = 0, draft.position
    for count, (number, size) in enumerate(sizes, 1):
        taken += size
        if count > 1 and (taken > most // 2 or count > MOST_REVISIONS // 2):
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
