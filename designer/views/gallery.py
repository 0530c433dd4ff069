"""The gallery: finished designs to read, and to make one's own."""

import math
from collections.abc import Mapping

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from designer.core.design import gallery as designs
from designer.core.design.document import Design
from designer.core.edits.workload import Workload, for_workload, workload_of
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.views.requests import Place, Request, place_of, state_before
from designer.views.workspace import Left, show
from projects import access, revisions
from projects.models import Draft


@require_safe
def gallery(request: Request) -> HttpResponse:
    return render(
        request,
        "designer/gallery.html",
        {"topics": designs.topics(), "workloads": designs.WORKLOADS},
    )


@require_safe
def design(request: Request, slug: str) -> HttpResponse:
    """A design of the gallery as it is, whatever the visitor made of their copy."""
    return _page(request, access.from_gallery(slug))


@require_POST
def copy(request: Request, slug: str) -> HttpResponse:
    """A fresh copy, for other numbers where they are given: in a project of the visitor's when they are signed in, else
    a sandbox.
    """
    draft = access.from_gallery(slug)
    try:
        wanted = _for_workload(revisions.latest(draft), request.POST)
    except DesignError as error:
        return _page(request, draft, error)
    place = access.place_for(request, request.POST.get("project", ""))
    made = access.copy(request, draft, into=place, design=wanted)
    # What a visitor looked at is still open in their copy.
    return redirect(str(Place(reverse("workspace", args=[made.slug]), state_before(request))))


def _page(request: Request, draft: Draft, error: DesignError | None = None) -> HttpResponse:
    shown = revisions.latest(draft)
    place = place_of(request).at(reverse("gallery-design", args=[draft.slug]))
    if "pattern" not in place.state and not request.htmx and shown.patterns:
        place = place.at(place.page_url, pattern=str(shown.patterns[0].number))
    workload = workload_of(shown)
    return show(
        request,
        draft,
        shown,
        Left(),
        place=place,
        page="designer/gallery_design.html",
        status=422 if error is not None else 200,
        may_edit=False,
        places=access.places_of(request),
        workload=workload,
        asked={
            "users": request.POST.get("users", workload.users),
            "requests": request.POST.get("requests", _written(workload.requests)),
            "months": request.POST.get("months", _written(workload.months)),
        }
        if workload is not None
        else {},
        workload_error=error,
    )


def _for_workload(design: Design, given: Mapping[str, str]) -> Design:
    """The design for the numbers of a form; what is left empty stays. DesignError where one is not a number."""
    stated = workload_of(design)
    if stated is None:
        return design
    users = _number(given, "users", stated.called.lower())
    requests = _number(given, "requests", "runs a second")
    months = _number(given, "months", "months of history")
    asked = Workload(
        stated.entity,
        stated.users if users is None else round(users),
        stated.requests if requests is None else requests,
        stated.months if months is None else months,
    )
    return for_workload(design, asked)


def _written(value: float | None) -> str:
    """A number as it stands in a field."""
    return "" if value is None else str(value).removesuffix(".0")


def _number(given: Mapping[str, str], name: str, called: str) -> float | None:
    text = given.get(name, "").strip().replace(",", "").replace(" ", "")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DesignError("workload", say("not-a-number-of", typed=text[:40], what=called))
    return number
