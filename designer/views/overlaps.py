"""What others changed that somebody changed too, with who did: for the question whose shall stand."""

from collections.abc import Callable, Sequence
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
    clashes: Sequence[Clash],
    said: Callable[[Revision], revisions.Said] = revisions.said_in,
    since: int = 1,
) -> list[Overlap]:
    """Each clash with the newest revision that changed it; `said` is what stands at keys of clashes in a revision."""
    changed = revisions.last_changed(draft, (clash.key for clash in clashes), said, since)
    by = [changed.get(clash.key) for clash in clashes]
    return [
        Overlap(clash, each, _name(request, each)) for clash, each in zip(clashes, by, strict=True)
    ]


MOST_ASKED = 100
"""Clashes of two whole designs that are asked about one by one; the rest of more are asked about together."""


def overlaps_of_designs(
    request: Request,
    draft: Draft,
    clashes: Sequence[edits.Clash],
    since: int,
    *,
    in_words: Callable[[edits.Clash], Clash] = lambda clash: clash,
    mine: str,
    theirs: str,
) -> list[Overlap]:
    """The same of clashes of two whole designs, which may be thousands; what `in_words` makes of each is said. `mine`
    and `theirs` say the two sides of the rest.
    """
    most = len(clashes) if len(clashes) <= MOST_ASKED + 1 else MOST_ASKED
    first, rest = clashes[:most], clashes[most:]
    found = overlaps(request, draft, [in_words(each) for each in first], since=since)
    if rest:
        label = f"Each of the {len(rest):,} others"
        together = base.Clash(edits.REST, label, mine, theirs, edits.seen_of(rest))
        found.append(Overlap(together, None, ""))
    return found


def _name(request: Request, by: Revision | None) -> str:
    if by is None:
        return ""
    return "You" if by.author_id == request.user.pk else name_of(by.author)
