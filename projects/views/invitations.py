"""Accepting an invitation.

The address of a letter or a link carries its secret. It is exchanged at once for a note in the visitor's session,
so that the secret stands in no further address: none of signing in, and none that a browser tells as the referrer.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from designer.core.messages import say, text
from projects import invitations, tokens
from projects.models import Invitation
from projects.teams import RefusedError

SESSION = "invitation"
"""Where a session keeps the digest of an invitation's secret."""


@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    digest = tokens.digest(token)
    if invitations.opened(digest) is None:
        return _void(request)
    request.session[SESSION] = digest
    answer = redirect("join")
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@never_cache
@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """Which team one is invited into, and the button; without an account, the way to one."""
    found = opened(request)
    if found is None:
        return _void(request)
    return render(request, "projects/join.html", {"invitation": found})


@require_POST
def accept(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect("join")
    found = opened(request)
    if found is None:
        return _void(request)
    try:
        membership = invitations.accept(found, request.user)
    except RefusedError:
        return _void(request)
    del request.session[SESSION]
    messages.success(
        request,
        text(say("joined-as", team=found.team.name, role=membership.get_role_display().lower())),
    )
    return redirect("team", found.team.slug)


def opened(request: HttpRequest) -> Invitation | None:
    """The invitation that the visitor opened, while it can be accepted."""
    return invitations.opened(request.session.get(SESSION, ""))


def _void(request: HttpRequest) -> HttpResponse:
    return render(request, "projects/void_invitation.html", status=404)
