"""Lists in words: a whole model, several attributes, relationships or access patterns at once."""

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from designer.core.design.document import Design
from designer.forms.base import Form
from designer.forms.outline import AttributesForm, OutlineForm
from designer.forms.saying import PatternsForm, RelationshipsForm
from designer.views.entities import entity_left, entity_of
from designer.views.requests import Request
from designer.views.workspace import Left, Saved, edit_page, to_statement
from projects.access import draft_for
from projects.models import Draft, Right


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: Request, slug: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: OutlineForm(design, None, data),
        lambda design, form: Left("designer/partials/_outline_form.html", {"form": form}),
        lambda draft, design, form: to_statement(draft, design),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def add_attributes(request: Request, slug: str, entity: str) -> HttpResponse:
    def left(design: Design, form: Form) -> Left:
        assert isinstance(form, AttributesForm)
        return Left(
            "designer/partials/_attributes_form.html", {"form": form, "entity": form.entity}
        )

    def saved(draft: Draft, design: Design, form: Form) -> Saved:
        owner = entity_of(design, entity)
        return Saved(reverse("entity", args=[draft.slug, owner.id]), entity_left(design, owner))

    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: AttributesForm(design, entity_of(design, entity), None, data),
        left,
        saved,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def add_relationships(request: Request, slug: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: RelationshipsForm(design, None, data),
        lambda design, form: Left("designer/partials/_relationships_form.html", {"form": form}),
        to_statement,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def add_patterns(request: Request, slug: str) -> HttpResponse:
    before: set[int] = set()

    def made(design: Design, data: QueryDict | None) -> Form:
        before.update(each.number for each in design.patterns)
        return PatternsForm(design, None, data)

    def saved(draft: Draft, design: Design, form: Form) -> Saved:
        first = next((each for each in design.patterns if each.number not in before), None)
        state = {"pattern": str(first.number) if first else None, "case": None}
        return Saved(reverse("workspace", args=[draft.slug]), Left(), state)

    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        made,
        lambda design, form: Left("designer/partials/_patterns_form.html", {"form": form}),
        saved,
    )
