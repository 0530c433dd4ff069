"""A visitor's sandbox becomes theirs for good."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from designer.views.requests import Request
from projects import access


@require_POST
def keep(request: Request, slug: str) -> HttpResponse:
    project = access.project_for(request, slug)
    if not project.is_saved:
        project = access.copy(request, project)
    if not request.user.is_authenticated:
        return redirect(f"{reverse('sign-up')}?{urlencode({'keep': project.slug})}")
    if project.is_sandbox and access.keep(request, project.slug) is None:
        raise Http404("There is no such design, or it isn't yours.")
    messages.success(request, f"{project.name} is yours now.")
    return redirect("workspace", project.slug)
