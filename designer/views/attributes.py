"""Attributes of an entity: added, changed and removed in the left column."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.edits import remove_attribute
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.forms.attributes import AttributeForm
from designer.forms.base import Form
from designer.views.entities import entity_left, entity_of
from designer.views.requests import Request
from designer.views.workspace import Left, Saved, edit_page, remove_part
from projects.access import draft_for
from projects.models import Draft, Right


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: Request, slug: str, entity: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: AttributeForm(design, entity_of(design, entity), None, data),
        _left,
        lambda draft, design, form: _to_entity(draft, design, entity),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def attribute(request: Request, slug: str, entity: str, key: str) -> HttpResponse:
    def saved(draft: Draft, design: Design, form: Form) -> Saved:
        changed = _attribute_of(design, entity, form.subject.id)
        url = reverse("attribute", args=[draft.slug, entity, changed.id])
        return Saved(url, _left(design, AttributeForm(design, entity_of(design, entity), changed)))

    return edit_page(
        request,
        draft_for(request, slug),
        lambda design, data: AttributeForm(
            design, entity_of(design, entity), _attribute_of(design, entity, key), data
        ),
        _left,
        saved,
    )


@require_POST
def remove(request: Request, slug: str, entity: str, key: str) -> HttpResponse:
    def removed(design: Design, and_users: bool) -> Design:
        name = _attribute_of(design, entity, key).name
        return remove_attribute(design, entity_of(design, entity).name, name, and_users=and_users)

    def note(design: Design) -> str:
        name = _attribute_of(design, entity, key).name
        return f"Remove attribute {entity_of(design, entity).name}.{name}"

    def left(design: Design) -> Left:
        owner = entity_of(design, entity)
        return _left(design, AttributeForm(design, owner, _attribute_of(design, entity, key)))

    return remove_part(
        request,
        slug,
        removed,
        note,
        lambda draft, design: _to_entity(draft, design, entity),
        left,
    )


def _left(design: Design, form: Form) -> Left:
    assert isinstance(form, AttributeForm)
    context = {"form": form, "entity": form.entity}
    return Left("designer/partials/_attribute_form.html", context)


def _attribute_of(design: Design, entity: str, key: str) -> Attribute:
    """The attribute of an id or a name in an address."""
    for attribute in entity_of(design, entity).attributes:
        if key in (attribute.id, attribute.name):
            return attribute
    raise DesignError("gone", say("part-is-gone", part="attribute"))


def _to_entity(draft: Draft, design: Design, entity: str) -> Saved:
    owner = entity_of(design, entity)
    return Saved(reverse("entity", args=[draft.slug, owner.id]), entity_left(design, owner))
