"""The diagram that one works in: boxes are moved, added and renamed in their places. It is also a file."""

import math
import re
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import (
    HttpResponseClientRedirect,
    reswap,
    retarget,
    trigger_client_event,
)

from designer.core.design.document import Design
from designer.core.edits import arrange as arranged
from designer.core.edits import move_entity
from designer.core.er_picture import Dress, svg, thumbnail
from designer.core.errors import DesignError
from designer.core.messages import Message, say, text
from designer.core.outline import add_outline, read_outline
from designer.core.words.english import ended
from designer.forms.base import ConflictError, InvalidError
from designer.forms.entities import EntityForm
from designer.views.conditional import tag_of, unchanged
from designer.views.entities import entity_of
from designer.views.requests import Place, Request, place_of
from designer.views.workspace import Left, save, show
from projects import access, revisions
from projects.models import Draft

SHOWN = "diagram"
"""What the state of an address says of the diagram: `show=diagram`."""


@require_POST
def move(request: Request, slug: str, key: str) -> HttpResponse:
    """Keep a box where it was put."""
    at = _sent_place(request)
    draft = access.draft_for(request, slug)
    before = revisions.latest(draft)

    def change(design: Design) -> Design:
        nonlocal before
        if at is None:
            raise DesignError("no-place", say("box-needs-place"))
        before = design
        return move_entity(design, entity_of(design, key).name, *at)

    def note() -> str:
        return f"Move {entity_of(before, key).name} in the diagram"

    try:
        own, design = save(request, draft, change, note)
    except DesignError as error:
        return _refused(request, draft, error.reason)
    version = own.version if design == before else own.version - 1
    if not _shows(request, version) or own.slug != draft.slug:
        return _answer(request, draft, own, design)
    response = _shown(
        request, own, design, said=_said(own), answer="designer/partials/_moved.html", before=before
    )
    return reswap(retarget(response, "#diagram-redrawn"), "innerHTML")


def _shows(request: Request, version: int) -> bool:
    """Whether the page shows this version of the design, so that what is drawn differently since is enough for it."""
    return bool(request.htmx) and request.headers.get("Keywright-Since") == str(version)


@require_POST
def arrange(request: Request, slug: str) -> HttpResponse:
    """Keep no box anywhere: all are laid out by themselves."""
    return _edit(request, slug, arranged, lambda design: "Arrange the diagram")


@require_POST
def add(request: Request, slug: str) -> HttpResponse:
    """A new entity at a place, from its name or from a line such as `Hotel: hotelId, name, city`."""
    typed, at = request.POST.get("name", "").strip(), _sent_place(request)
    names: list[str] = []

    def change(design: Design) -> Design:
        outline = read_outline(typed, design.entities)
        names[:] = [each.name for each in outline.entities]
        for name in names:
            if name in design.entity:
                raise DesignError("name-taken", say("entity-called-so", name=name))
        after = add_outline(design, outline)
        if after == design:
            raise DesignError("no-name", say("entity-needs-name"))
        return move_entity(after, names[0], *at) if names and at is not None else after

    return _edit(
        request,
        slug,
        change,
        lambda design: f"Add entity {names[0]}" if names else "Add a relationship",
    )


@require_POST
def rename(request: Request, slug: str, key: str) -> HttpResponse:
    """Another name for an entity, followed wherever the old one was mentioned."""
    draft = access.draft_for(request, slug)
    before = revisions.latest(draft)
    try:
        form = EntityForm(before, entity_of(before, key))
        form.raw["name"] = request.POST.get("name", "").strip()
        try:
            own, design = save(request, draft, form.apply, lambda: form.note)
        except InvalidError:
            raise DesignError("not-a-name", _first_fault(form)) from None
    except (DesignError, ConflictError) as error:
        return _refused(request, draft, error.reason if isinstance(error, DesignError) else CHANGED)
    response = _answer(request, draft, own, design)
    # A form beside the diagram may show the old name.
    return trigger_client_event(response, "panel-stale", after="settle")


CHANGED = say("renamed-meanwhile")


@require_safe
def file(request: Request, slug: str) -> HttpResponse:
    return file_of(revisions.latest(access.draft_for(request, slug)))


def file_of(design: Design) -> HttpResponse:
    """The diagram as an SVG file to keep."""
    words = re.findall(r"[a-z0-9]+", design.name.lower())
    name = "-".join(words)[:60].rstrip("-") or "design"
    return HttpResponse(
        svg(design, Dress(paper=True)),
        content_type="image/svg+xml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.svg"'},
    )


@require_safe
def small(request: Request, slug: str) -> HttpResponseBase:
    """The diagram as a thumbnail, which a browser keeps for a day where its address names the revision."""
    draft = access.draft_for(request, slug)
    tag = tag_of(draft.slug, draft.position)
    answer = unchanged(request, tag)
    if answer is None:
        drawn = thumbnail(revisions.latest(draft))
        answer = HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")
        answer.headers["ETag"] = tag
    is_named = request.GET.get("r") == str(draft.position)
    kept = f"max-age={A_DAY}" if is_named else "no-cache"
    answer.headers["Cache-Control"] = f"private, {kept}"
    return answer


A_DAY = 24 * 60 * 60
"""Seconds."""


def _sent_place(request: Request) -> tuple[float, float] | None:
    """Where a box was put; None where what was sent is no place."""
    try:
        x, y = (float(request.POST.get(name, "")) for name in ("x", "y"))
    except ValueError:
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _first_fault(form: EntityForm) -> Message:
    said = [*form.errors.get("name", ()), *form.general]
    return said[0] if said else say("not-an-entity-name")


def _edit(
    request: Request,
    slug: str,
    change: revisions.Change,
    note: Callable[[Design], str],
) -> HttpResponse:
    draft = access.draft_for(request, slug)
    before = revisions.latest(draft)
    try:
        own, design = save(request, draft, change, lambda: note(before))
    except DesignError as error:
        return _refused(request, draft, error.reason)
    return _answer(request, draft, own, design)


def _answer(request: Request, seen: Draft, own: Draft, design: Design) -> HttpResponse:
    """The diagram with what follows from it; what stands in the left column stays."""
    said = _said(own)
    place = _place(request, own)
    if not request.htmx or own.slug != seen.slug:
        messages.success(request, said)
        # A copy of a design of the gallery has another address, and all of the page leads there.
        return HttpResponseClientRedirect(str(place)) if request.htmx else redirect(str(place))
    return _shown(request, own, design, said=said)


def _said(draft: Draft) -> str:
    return ended(f"Saved: {revisions.current(draft).note}")


def _refused(request: Request, draft: Draft, reason: Message) -> HttpResponse:
    draft = access.as_it_is(request, draft)
    if not request.htmx:
        messages.error(request, text(reason))
        return redirect(str(_place(request, draft)))
    return _shown(request, draft, revisions.latest(draft), status=422, notice=text(reason))


def _shown(request: Request, draft: Draft, design: Design, **more: Any) -> HttpResponse:
    here = place_of(request)
    keeps = not _is_statement(here)
    return show(request, draft, design, Left(), place=here, keeps_panel=keeps, **more)


def _place(request: Request, draft: Draft) -> Place:
    return place_of(request).at(reverse("workspace", args=[draft.slug]), show=SHOWN)


def _is_statement(place: Place) -> bool:
    """Whether the left column shows the lists, which follow from every edit."""
    try:
        return resolve(place.page_url).url_name == "workspace"
    except Resolver404:
        return False
