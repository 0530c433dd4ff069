"""Relationships: added, changed and removed in the left column."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.edits import remove_relationship
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.forms.base import Form
from designer.forms.relationships import RelationshipForm
from designer.views.requests import Request
from designer.views.workspace import Left, Saved, edit_page, remove_part, to_statement
from projects.access import draft_for
from projects.models import Draft, Right


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: Request, slug: str) -> HttpResponse:
    """A new relationship; of what was drawn in the diagram the address names `first`, the one, and `second`."""

    def drawn(design: Design) -> dict[str, str]:
        sides = {side: request.GET.get(side, "") for side in ("first", "second")}
        return {side: name for side, name in sides.items() if name in design.entity}

    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: RelationshipForm(design, None, data, **drawn(design)),
        _left,
        to_statement,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def relationship(request: Request, slug: str, key: str) -> HttpResponse:
    def saved(draft: Draft, design: Design, form: Form) -> Saved:
        changed = _relationship_of(design, form.subject.id)
        url = reverse("relationship", args=[draft.slug, changed.id])
        return Saved(url, _left(design, RelationshipForm(design, changed)))

    return edit_page(
        request,
        draft_for(request, slug),
        lambda design, data: RelationshipForm(design, _relationship_of(design, key), data),
        _left,
        saved,
    )


@require_POST
def remove(request: Request, slug: str, key: str) -> HttpResponse:
    return remove_part(
        request,
        slug,
        lambda design, and_users: remove_relationship(
            design, _relationship_of(design, key).name, and_users=and_users
        ),
        lambda design: f"Remove relationship “{_relationship_of(design, key).name}”",
        to_statement,
        lambda design: _left(design, RelationshipForm(design, _relationship_of(design, key))),
    )


def _left(design: Design, form: Form) -> Left:
    return Left("designer/partials/_relationship_form.html", {"form": form})


def _relationship_of(design: Design, key: str) -> Relationship:
    """The relationship of an id or a name in an address."""
    for relationship in design.relationships:
        if key in (relationship.id, relationship.name):
            return relationship
    raise DesignError("gone", say("part-is-gone", part="relationship"))
