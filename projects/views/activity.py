"""What happens in a project: the page, and the feed with a secret in its address."""

from datetime import UTC, datetime
from hashlib import sha256

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from designer.core.messages import say, text
from projects import access, activity
from projects.models import FeedKey, Project, Right
from projects.proxies import address_of


@login_required
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    project = access.project_for(request, slug)
    return _page(request, project)


@login_required
@never_cache
@require_POST
def begin_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """A new address for one's feed reader; the one before ends."""
    project = access.project_for(request, slug, Right.READ)
    assert request.user.is_authenticated
    token = activity.new_key(project, request.user)
    address = address_of(request, reverse("feed", args=[token]))
    return _page(request, project, address)


@login_required
@require_POST
def end_feed(request: HttpRequest, slug: str) -> HttpResponse:
    project = access.project_for(request, slug, Right.READ)
    assert request.user.is_authenticated
    FeedKey.objects.filter(project=project, user=request.user).delete()
    messages.success(request, text(say("feed-ended")))
    return redirect("activity", project.slug)


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """What happened, for a feed reader, which has no session: the secret in the address lets it in."""
    project = activity.project_of(token)
    if project is None:
        raise Http404("There is no such feed.")
    text = activity.atom(project, address_of(request), address_of(request, request.get_full_path()))
    etag = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    answer = HttpResponse(text, content_type="application/atom+xml; charset=utf-8")
    answer.headers["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=answer) or answer
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


def _page(request: HttpRequest, project: Project, address: str = "") -> HttpResponse:
    assert request.user.is_authenticated
    kind = request.GET.get("show", "")
    if kind and kind not in activity.SOURCES:
        raise Http404("There is no such filter.")
    found = activity.happened(project, kind, _moment(request.GET.get("before", "")))
    context = {
        "project": project,
        "lines": activity.together(found),
        "kind": kind,
        "kinds": list(activity.SOURCES),
        "older": found[-1].at.isoformat() if len(found) >= activity.MOST else "",
        "address": address,
        "has_feed": FeedKey.objects.filter(project=project, user=request.user).exists(),
    }
    return render(request, "projects/activity.html", context)


def _moment(text: str) -> datetime | None:
    """A moment as an address says it; None without one."""
    try:
        found = parse_datetime(text) if text else None
        # Hours away from here, the first and the last day of all lie on no day of ours.
        found = found.astimezone(UTC) if found is not None and found.tzinfo is not None else None
    except (ValueError, OverflowError):
        found = None
    if text and found is None:
        raise Http404("That is not a point in time.")
    return found
