"""The history of a design: every edit, the revisions that have a name, and the way back to each."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.forms.naming import NameForm
from designer.views.requests import Request
from designer.views.workspace import Left, show
from projects import access, revisions, typed, undoing
from projects.models import Draft, Revision, RevisionName

ON_A_PAGE = 50


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
        lines=lines,
        named=_named(draft),
        name_form=NameForm(),
        older=lowest if lowest > 1 else None,
        newer=last + ON_A_PAGE + 1 if last < draft.position else None,
    )


@require_POST
def restore(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    made = revisions.restore(draft, access.revision_of(draft, number), request.user)
    messages.success(request, f"The design is as it was in r{number}. That is r{made.number}.")
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
    gone = undoing.undone(taken_back.only("number", "undoes", "redoes").order_by("-number"))
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


def _named(draft: Draft) -> list[RevisionName]:
    if not draft.is_saved:
        return []
    every = draft.names.select_related("revision", "author").defer("revision__document")
    return list(every.order_by("-revision__number"))
