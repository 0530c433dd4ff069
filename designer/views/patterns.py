"""Access patterns: added, changed and removed in the left column, selected in the answer."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.design.document import Design
from designer.core.edits import next_number, remove_pattern
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.core.patterns import AnyPattern
from designer.forms.base import Form
from designer.forms.patterns import PatternForm
from designer.views.requests import Request
from designer.views.workspace import Left, Saved, edit_page, remove_part
from projects.access import draft_for
from projects.models import Draft, Right


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: Request, slug: str) -> HttpResponse:
    def saved(draft: Draft, design: Design, form: Form) -> Saved:
        number = design.patterns[-1].number
        url = reverse("workspace", args=[draft.slug])
        return Saved(url, Left(), {"pattern": str(number), "case": None})

    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: PatternForm(design, None, data),
        _left,
        saved,
        lambda form: next_number(form.design),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def pattern(request: Request, slug: str, key: str) -> HttpResponse:
    def saved(draft: Draft, design: Design, form: Form) -> Saved:
        changed = _pattern_of(design, key)
        url = reverse("pattern", args=[draft.slug, changed.id])
        shown = PatternForm(design, changed)
        shown.carried = form.carried
        left = _left(design, shown)
        return Saved(url, left, {"pattern": str(changed.number)})

    return edit_page(
        request,
        draft_for(request, slug),
        lambda design, data: PatternForm(design, _pattern_of(design, key), data),
        _left,
        saved,
        lambda form: form.subject.number,
    )


@require_POST
def remove(request: Request, slug: str, key: str) -> HttpResponse:
    def note(design: Design) -> str:
        gone = _pattern_of(design, key)
        return f"Remove pattern {gone.number}: {gone.name}"

    return remove_part(
        request,
        slug,
        lambda design, _: remove_pattern(design, _pattern_of(design, key).number),
        note,
        lambda draft, design: Saved(
            reverse("workspace", args=[draft.slug]), Left(), {"pattern": None, "case": None}
        ),
        lambda design: _left(design, PatternForm(design, _pattern_of(design, key))),
    )


def _left(design: Design, form: Form) -> Left:
    return Left("designer/partials/_pattern_form.html", {"form": form})


def _pattern_of(design: Design, key: str) -> AnyPattern:
    """The pattern of an id or a number in an address."""
    for pattern in design.patterns:
        if key in (pattern.id, str(pattern.number)):
            return pattern
    raise DesignError("gone", say("part-is-gone", part="access pattern"))
