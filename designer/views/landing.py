"""The first page: the product itself, with a shop of twelve access patterns in it."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from designer.core.design import gallery
from designer.views.requests import Request, place_of
from designer.views.workspace import Left, show
from projects import access, revisions

DEMO = "tea-shop"
FIRST = "2"
"""The pattern that a new visitor sees answered; the first one, where it is gone."""


@require_safe
def landing(request: Request) -> HttpResponse:
    draft = access.draft_for(request, DEMO)
    design = revisions.latest(draft)
    place = place_of(request)
    numbers = [str(pattern.number) for pattern in design.patterns]
    asked = place.state.get("pattern")
    if asked not in numbers and (asked is not None or not request.htmx):
        first = FIRST if FIRST in numbers else next(iter(numbers), None)
        place = place.at(place.page_url, pattern=first)
    return show(
        request,
        draft,
        design,
        Left(),
        place=place,
        page="designer/landing.html",
        cards=gallery.cards(),
        workloads=gallery.WORKLOADS,
        is_landing=True,
        copy_url=reverse("gallery-copy", args=[DEMO]),
    )
