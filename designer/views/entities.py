"""Entities: added, changed and removed in the left column."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits import remove_entity
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.forms.base import Form
from designer.forms.entities import EntityForm
from designer.views.requests import Request
from designer.views.workspace import Left, Saved, edit_page, remove_part, to_statement
from projects.access import draft_for
from projects.models import Draft, Right


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: Request, slug: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: EntityForm(design, None, data),
        lambda design, form: Left("designer/partials/_entity_form.html", {"form": form}),
        _saved,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def entity(request: Request, slug: str, key: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug),
        lambda design, data: EntityForm(design, entity_of(design, key), data),
        lambda design, form: entity_left(design, form.subject, form),
        _saved,
    )


@require_POST
def remove(request: Request, slug: str, key: str) -> HttpResponse:
    return remove_part(
        request,
        slug,
        lambda design, and_users: remove_entity(
            design, entity_of(design, key).name, and_users=and_users
        ),
        lambda design: f"Remove entity {entity_of(design, key).name}",
        to_statement,
        lambda design: entity_left(design, entity_of(design, key)),
    )


def entity_left(design: Design, entity: Entity, form: Form | None = None) -> Left:
    """The form of an entity, with its attributes and the form for a new one."""
    now = next((each for each in design.entities if each.id == entity.id), entity)
    context = {
        "form": form or EntityForm(design, now),
        "entity": now,
    }
    return Left("designer/partials/_entity_form.html", context)


def entity_of(design: Design, key: str) -> Entity:
    """The entity of an id or a name in an address."""
    for entity in design.entities:
        if key in (entity.id, entity.name):
            return entity
    raise DesignError("gone", say("part-is-gone", part="entity"))


def _saved(draft: Draft, design: Design, form: Form) -> Saved:
    assert isinstance(form, EntityForm)
    entity = design.entity[form.name]
    url = reverse("entity", args=[draft.slug, entity.id])
    return Saved(url, entity_left(design, entity))
