"""The history of a design: every edit, the revisions that have a name, and the way back to each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.core.difference import each_in_short
from designer.core.messages import say, text
from designer.forms.naming import NameForm
from designer.views.requests import Request
from designer.views.results import of_revisions
from designer.views.workspace import Left, show
from projects import access, revisions, typed, undoing
from projects.activity import TOGETHER
from projects.models import Draft, Revision, RevisionName

ON_A_PAGE = 50
MOST_BYTES = 500_000
"""Of documents that a page reads to say what sittings changed; those after them only list their edits."""


@require_safe
def history(request: Request, slug: str) -> HttpResponse:
    """A page of its revisions, the newest first: from the top, or `before` a number."""
    draft = access.draft_for(request, slug)
    before = typed.number(request.GET.get("before", ""))
    last = draft.position if before is None else min(before - 1, draft.position)
    lines = _lines(draft, last)
    lowest = lines[-1].revision.number if lines else 1
    return show(
        request,
        draft,
        revisions.latest(draft),
        Left(),
        page="designer/history.html",
        with_grid=False,
        newest=lines[0] if lines else None,
        sittings=_sittings(draft, lines),
        named=_named(draft),
        name_form=NameForm(),
        older=lowest if lowest > 1 else None,
        newer=last + ON_A_PAGE + 1 if last < draft.position else None,
    )


@require_POST
def restore(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    made = revisions.restore(draft, access.revision_of(draft, number), request.user)
    messages.success(request, text(say("went-back", old=number, new=made.number)))
    return redirect("history", draft.slug)


@dataclass(frozen=True)
class Line:
    """A revision as the history lists it."""

    revision: Revision
    name: RevisionName | None
    is_current: bool
    is_undone: bool
    means_the_same: bool
    """As the one before it: only words differ, or the order of lists."""


def _lines(draft: Draft, last: int) -> list[Line]:
    """A page of revisions, the newest first, from a number down."""
    if not draft.is_saved:
        return []
    every = draft.revisions.select_related("author", "named").defer("document")
    page = list(every.filter(number__lte=last).order_by("-number")[: ON_A_PAGE + 1])
    before = {each.number: each.meaning for each in page}
    taken_back = draft.revisions.filter(Q(undoes__isnull=False) | Q(redoes__isnull=False))
    gone = undoing.undone(
        taken_back.only("draft", "number", "undoes", "redoes").order_by("-number")
    )
    return [
        Line(
            each,
            getattr(each, "named", None),
            each.number == draft.position,
            each.number in gone,
            before.get(each.parent or 0) == each.meaning,
        )
        for each in page[:ON_A_PAGE]
    ]


@dataclass(frozen=True)
class Sitting:
    """Edits that one person made one soon after the other, the newest first."""

    lines: tuple[Line, ...]
    changed: str = ""
    """What came of them all, in a sentence; empty for one edit, which says it itself, and where it was not read."""

    @property
    def newest(self) -> Line:
        return self.lines[0]

    @property
    def oldest(self) -> Line:
        return self.lines[-1]

    @property
    def base(self) -> int:
        """The number of the revision that they began with: of the first revision of all that itself."""
        return self.oldest.revision.parent or self.oldest.revision.number

    @property
    def is_current(self) -> bool:
        return any(line.is_current for line in self.lines)

    @property
    def means_the_same(self) -> bool:
        return all(line.means_the_same for line in self.lines)


def _sittings(draft: Draft, lines: list[Line]) -> list[Sitting]:
    """The lines of a page by sittings. What has a name ends one, so that it is found under its name."""
    groups = [[line] for line in lines[:1]]
    for newer, line in pairwise(lines):
        if _is_one_sitting(draft, newer, line):
            groups[-1].append(line)
        else:
            groups.append([line])
    sittings = [Sitting(tuple(group)) for group in groups]
    return list(_told(draft, sittings))


def _is_one_sitting(draft: Draft, newer: Line, line: Line) -> bool:
    one, other = newer.revision, line.revision
    is_known = one.author_id is not None or draft.project_id is None
    return (
        is_known
        and one.author_id == other.author_id
        and line.name is None
        and one.created_at - other.created_at <= TOGETHER
    )


def _told(draft: Draft, sittings: Iterable[Sitting]) -> Iterator[Sitting]:
    """The same with what each changed, as far as the documents that tell it are not too many to read."""
    several = [each for each in sittings if len(each.lines) > 1]
    read: dict[int, int] = {}
    for each in several:
        size = each.newest.revision.bytes or revisions.USUAL_BYTES
        more = dict.fromkeys((each.newest.revision.number, each.base), size)
        if sum((read | more).values()) > MOST_BYTES:
            break
        read |= more
    found = (
        draft.revisions.filter(number__in=read).only(
            "draft", "number", "document", "bytes", "created_at"
        )
        if read
        else ()
    )
    design = {each.number: revisions.design_of(each) for each in found}
    ends = {
        each.lines: (design[each.base], design[each.newest.revision.number])
        for each in several
        if each.base in design and each.newest.revision.number in design
    }
    told = of_revisions(draft, found, each_in_short, tuple(ends.values())).found
    said = dict(zip(ends, told or (), strict=False))
    yield from (Sitting(each.lines, said.get(each.lines, "")) for each in sittings)


def _named(draft: Draft) -> list[RevisionName]:
    if not draft.is_saved:
        return []
    every = draft.names.select_related("revision", "author").defer("revision__document")
    return list(every.order_by("-revision__number"))
