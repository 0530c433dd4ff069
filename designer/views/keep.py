"""A visitor's sandbox becomes theirs for good, or their team's."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from designer.views.requests import Request
from projects import access


@require_POST
def keep(request: Request, slug: str) -> HttpResponse:
    draft = access.own(request, access.draft_for(request, slug))
    if not request.user.is_authenticated:
        return redirect(f"{reverse('sign-up')}?{urlencode({'keep': draft.slug})}")
    if draft.is_sandbox:
        project = request.POST.get("project")
        places = access.places_of(request)
        if project is None and any(each.team.home_of_id != request.user.pk for each in places):
            return render(request, "designer/keep.html", {"draft": draft, "places": places})
        if access.keep(request, draft.slug, project or "") is None:
            # Another click may have kept it since this request began.
            draft = access.draft_for(request, draft.slug)
    messages.success(request, f"{draft.name} is now yours.")
    return redirect("workspace", draft.slug)
