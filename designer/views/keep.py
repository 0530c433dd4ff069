"""A visitor's sandbox becomes theirs for good, or their team's."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from designer.core.messages import say, text
from designer.views.requests import Request, page_before
from projects import access


@require_POST
def keep(request: Request, slug: str) -> HttpResponse:
    before = page_before(request, slug)
    draft = access.own(request, access.draft_for(request, slug))
    # A copy of a gallery's design has an address of its own.
    shown = before.at(before.page_url.replace(f"/{slug}/", f"/{draft.slug}/", 1))
    if not request.user.is_authenticated:
        asked = urlencode({"keep": draft.slug, "next": str(shown)})
        return redirect(f"{reverse('sign-up')}?{asked}")
    wanted = request.POST.get("next") or str(shown)
    if draft.is_sandbox:
        project = request.POST.get("project")
        places = access.places_of(request)
        if project is None and any(each.team.home_of_id != request.user.pk for each in places):
            context = {"draft": draft, "places": places, "next": access.page_of(draft, wanted)}
            return render(request, "designer/keep.html", context)
        if access.keep(request, draft.slug, project or "") is None:
            # Another click may have kept it since this request began.
            draft = access.draft_for(request, draft.slug)
    messages.success(request, text(say("design-kept", design=draft.name)))
    return HttpResponseRedirect(access.page_of(draft, wanted))
