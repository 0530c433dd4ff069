"""A project: its designs, its name, and what becomes of it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.messages import say, text
from projects import access, api_tokens, reviews, teams
from projects.forms import NameForm
from projects.models import Project


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a project; posted to, it gets another name."""
    found = access.project_for(request, slug)
    if request.method != "POST":
        return _page(request, found, NameForm({"name": found.name}))
    form = NameForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    found.name = form.cleaned_data["name"]
    found.save(update_fields=["name"])
    return redirect("project", found.slug)


@login_required
@require_POST
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the project's designs as they are: to be read, and not changed."""
    found = access.project_for(request, slug)
    teams.archive(found, access.person_of(request))
    messages.success(request, text(say("project-was-archived", project=found.name)))
    return redirect("project", found.slug)


@login_required
@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    found = access.project_for(request, slug)
    teams.restore(found, access.person_of(request))
    messages.success(request, text(say("project-restored", project=found.name)))
    return redirect("project", found.slug)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove the project with all its designs."""
    found = access.project_for(request, slug)
    found.delete()
    messages.success(request, text(say("project-removed", project=found.name)))
    return redirect("team", found.team.slug)


def _page(
    request: HttpRequest, project: Project, form: NameForm, *, status: int = 200
) -> HttpResponse:
    drafts = list(project.drafts.order_by("-updated_at"))
    reviews.note_status(drafts)
    context = {
        "project": project,
        "name_form": form,
        "new_form": NameForm(),
        "drafts": drafts,
        "tokens": api_tokens.of(project),
        "places": [
            each
            for each in access.places_of(request)
            if each != project and (project.may_manage or each.team_id == project.team_id)
        ],
    }
    return render(request, "projects/project.html", context, status=status)
