"""The gallery: finished designs to read, and to make one's own."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from designer.core import gallery as designs
from designer.views.requests import Request, place_of
from designer.views.workspace import Left, show
from projects import access, revisions


@require_safe
def gallery(request: Request) -> HttpResponse:
    return render(request, "designer/gallery.html", {"topics": designs.topics()})


@require_safe
def design(request: Request, slug: str) -> HttpResponse:
    """A design of the gallery as it is, whatever the visitor made of their copy."""
    draft = access.from_gallery(slug)
    shown = revisions.latest(draft)
    place = place_of(request)
    if "pattern" not in place.state and not request.htmx and shown.patterns:
        place = place.at(place.page_url, pattern=str(shown.patterns[0].number))
    return show(
        request,
        draft,
        shown,
        Left(),
        place=place,
        page="designer/gallery_design.html",
        may_edit=False,
        places=access.places_of(request),
    )


@require_POST
def copy(request: Request, slug: str) -> HttpResponse:
    """A fresh copy: in a project of the visitor's when they are signed in, else a sandbox."""
    place = access.place_for(request, request.POST.get("project", ""))
    draft = access.copy(request, access.from_gallery(slug), into=place)
    return redirect("workspace", draft.slug)
