"""The history of a design: every edit, and the way back to each."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.views.requests import Request
from designer.views.workspace import Left, show
from projects import access, revisions, undoing
from projects.models import Draft, Revision


@require_safe
def history(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    return show(
        request,
        draft,
        revisions.latest(draft),
        Left(),
        page="designer/history.html",
        with_grid=False,
        lines=_lines(draft),
    )


@require_POST
def restore(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    found = Revision.objects.filter(draft_id=draft.pk, number=number).first()
    if found is None:
        raise Http404("There is no such revision.")
    revisions.restore(draft, found, request.user)
    return redirect("history", draft.slug)


def _lines(draft: Draft) -> list[tuple[Revision, str]]:
    """Every revision, newest first, and how it stands to the one shown: current, before, undone."""
    if not draft.is_saved:
        return []
    every = list(draft.revisions.defer("document").select_related("author").order_by("-number"))
    gone = undoing.undone(every)
    return [
        (
            each,
            "current"
            if each.number == draft.position
            else "undone"
            if each.number in gone
            else "before",
        )
        for each in every
    ]
