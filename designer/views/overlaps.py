"""What others changed that somebody changed too, with who did: for the question whose shall stand."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

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
    said: Callable[[Revision, str], Any] = revisions.said_at,
    since: int = 1,
) -> list[Overlap]:
    """Each clash with the newest revision that changed it; `said` is what stands at a clash's key in a revision."""
    found = []
    for clash in clashes:
        by = revisions.last_changed(draft, clash.key, said, since)
        found.append(Overlap(clash, by, _name(request, by)))
    return found


def _name(request: Request, by: Revision | None) -> str:
    if by is None:
        return ""
    return "You" if by.author_id == request.user.pk else name_of(by.author)
