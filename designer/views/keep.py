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
    draft = access.draft_for(request, slug)
    if not draft.is_saved:
        draft = access.copy(request, draft)
    if not request.user.is_authenticated:
        return redirect(f"{reverse('sign-up')}?{urlencode({'keep': draft.slug})}")
    if draft.is_sandbox and access.keep(request, draft.slug) is None:
        raise Http404("There is no such design, or it isn't yours.")
    messages.success(request, f"{draft.name} is yours now.")
    return redirect("workspace", draft.slug)
