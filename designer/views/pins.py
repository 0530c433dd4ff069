"""Pins: decisions taken by hand, added, changed and removed in the left column."""

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.edits import remove_pin
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.core.plan import ALL_STYLES
from designer.core.plan.pinning import pin_beside, pin_of, pin_words
from designer.forms.base import Form
from designer.forms.pins import PinForm
from designer.views.pin_lines import pin_key, pin_lines
from designer.views.requests import Request, place_of
from designer.views.results import evaluated, planned_beside, styles_of
from designer.views.workspace import Left, Saved, edit_page, remove_part, show
from projects import revisions
from projects.access import draft_for
from projects.models import Draft, Right


@require_safe
def pins(request: Request, slug: str) -> HttpResponse:
    draft = draft_for(request, slug)
    design = revisions.latest(draft)
    return show(request, draft, design, _list(request, draft, design))


@require_http_methods(["GET", "HEAD", "POST"])
def add(
    request: Request, slug: str, style: str | None = None, about: str | None = None
) -> HttpResponse:
    """A new pin; with `style` and `about` it begins with what that plan has, as `pin_of` knows it. What is pinned
    already is changed.
    """
    draft = draft_for(request, slug, Right.EDIT)
    begun = revisions.latest(draft)
    now = _had_by_plans(draft, begun)
    like = now(style, about) if style is not None and about is not None else None
    there = pin_beside(begun.planner.pins, like) if like is not None else None
    if there is not None and request.method != "POST":
        url = reverse("pin", args=[draft.slug, pin_key(there)])
        return redirect(str(place_of(request).at(url)))
    return edit_page(
        request,
        draft,
        lambda design, data: PinForm(design, now, data, like),
        lambda design, form: _left(form, request.path),
        lambda draft, design, form: _saved(request, draft, design),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def pin(request: Request, slug: str, key: str) -> HttpResponse:
    """A pin that is there: all that is changed of it is one edit."""
    draft = draft_for(request, slug)
    now = _had_by_plans(draft, revisions.latest(draft))
    return edit_page(
        request,
        draft,
        lambda design, data: PinForm(design, now, data, changes=_pin_of(design, key)),
        lambda design, form: _left(form, request.path, key),
        lambda draft, design, form: _saved(request, draft, design),
    )


@require_POST
def remove(request: Request, slug: str, key: str) -> HttpResponse:
    return remove_part(
        request,
        slug,
        lambda design, _: remove_pin(design, _pin_of(design, key)),
        lambda design: f"Remove the pin: {pin_words(_pin_of(design, key))[0]}",
        lambda draft, design: _saved(request, draft, design),
        lambda design: _list(request, draft_for(request, slug), design),
    )


def _had_by_plans(draft: Draft, design: Design) -> Callable[[str, str], Pin | None]:
    """What the plan of a style has, as a pin."""

    def now(style: str, about: str) -> Pin | None:
        if style not in ALL_STYLES:
            return None
        of = ALL_STYLES[ALL_STYLES.index(style)]
        found = evaluated(draft, design, [of]).found
        return None if found is None else pin_of(found.plans[of], about)

    return now


def _left(form: Form, url: str, key: str = "") -> Left:
    return Left("designer/partials/_pin_form.html", {"form": form, "form_url": url, "key": key})


def _pin_of(design: Design, key: str) -> Pin:
    for pin in design.planner.pins:
        if pin_key(pin) == key:
            return pin
    raise DesignError("gone", say("part-is-gone", part="pin"))


def _list(request: Request, draft: Draft, design: Design) -> Left:
    """Every pin with what it does in each style; what it does in those that are not shown may come later."""
    shown = styles_of(place_of(request))
    evaluated(draft, design, shown)  # first, and at once where that can be
    found = [planned_beside(draft, design, style) for style in ALL_STYLES]
    plans = [each.found for each in found if each.found is not None]
    waiting = bool(design.planner.pins) and any(each.standing == "planning" for each in found)
    lines = pin_lines(design, plans)
    return Left("designer/partials/_pins_panel.html", {"pins": lines}, waiting, is_list=True)


def _saved(request: Request, draft: Draft, design: Design) -> Saved:
    return Saved(reverse("pins", args=[draft.slug]), _list(request, draft, design))
