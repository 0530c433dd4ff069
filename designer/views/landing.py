"""The first page: the product itself, with the shop in it."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from designer.core import gallery
from designer.views.requests import Request, place_of
from designer.views.workspace import Left, show
from projects import access, revisions

DEMO = "shop"
FIRST = "2"
"""The question that a new visitor sees answered."""


@require_GET
def landing(request: Request) -> HttpResponse:
    project = access.project_for(request, DEMO)
    place = place_of(request)
    if "pattern" not in place.state and not request.htmx:
        place = place.at(place.page_url, pattern=FIRST)
    return show(
        request,
        project,
        revisions.latest(project),
        Left(),
        place=place,
        page="designer/landing.html",
        cards=gallery.cards(),
        is_landing=True,
        copy_url=reverse("gallery-copy", args=[DEMO]),
    )
