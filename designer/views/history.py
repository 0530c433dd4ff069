"""The history of a design: every edit, and the way back to each."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from designer.views.requests import Request
from designer.views.workspace import Left, show
from projects import access, revisions
from projects.models import Project, Revision


@require_safe
def history(request: Request, slug: str) -> HttpResponse:
    project = access.project_for(request, slug)
    return show(
        request,
        project,
        revisions.latest(project),
        Left(),
        page="designer/history.html",
        with_grid=False,
        lines=_lines(project),
    )


@require_POST
def restore(request: Request, slug: str, number: int) -> HttpResponse:
    project = access.project_for(request, slug)
    found = Revision.objects.filter(project_id=project.pk, number=number).first()
    if found is None:
        raise Http404("There is no such revision.")
    revisions.restore(project, found, request.user)
    return redirect("history", project.slug)


def _lines(project: Project) -> list[tuple[Revision, str]]:
    """Every revision, newest first, and how it stands to the one shown: current, before, undone."""
    if not project.is_saved:
        return []
    every = {
        each.number: each
        for each in project.revisions.defer("document").select_related("author").all()
    }
    line, number = set(), project.position
    while number:
        line.add(number)
        number = every[number].parent or 0
    return [
        (
            each,
            "current"
            if each.number == project.position
            else "before"
            if each.number in line
            else "undone",
        )
        for each in sorted(every.values(), key=lambda each: -each.number)
    ]
