"""What others changed that somebody changed too, with who did: for the question whose shall stand."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from designer.core import edits
from designer.forms import base
from designer.views.requests import Request
from projects import revisions
from projects.models import Draft, Revision
from projects.reviews import name_of

Clash = edits.Clash | base.Clash


@dataclass(frozen=True)
class Overlap:
    """A clash, and the revision that made it."""

    clash: Clash
    by: Revision | None
    by_name: str


def overlaps(
    request: Request,
    draft: Draft,
    clashes: Iterable[Clash],
    said: Callable[[Revision], revisions.Said] = revisions.said_in,
    since: int = 1,
) -> list[Overlap]:
    """Each clash with the newest revision that changed it; `said` is what stands at keys of clashes in a revision."""
    clashes = tuple(clashes)
    changed = revisions.last_changed(draft, (clash.key for clash in clashes), said, since)
    by = [changed.get(clash.key) for clash in clashes]
    return [
        Overlap(clash, each, _name(request, each)) for clash, each in zip(clashes, by, strict=True)
    ]


def _name(request: Request, by: Revision | None) -> str:
    if by is None:
        return ""
    return "You" if by.author_id == request.user.pk else name_of(by.author)
