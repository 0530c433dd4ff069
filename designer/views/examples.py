"""Example values changed in the tables, where they are seen."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from designer.core.edits import set_example
from designer.core.errors import DesignError
from designer.views.requests import Request, place_of
from designer.views.workspace import Left, save, show
from projects.access import draft_for
from projects.models import Draft, Right


@require_POST
def change(request: Request, slug: str) -> HttpResponse:
    """Answers with the results; why a value is refused comes as a sentence, and the cell keeps what was typed."""
    draft: Draft = draft_for(request, slug, Right.EDIT)
    row, name, value = (request.POST.get(each, "") for each in ("row", "of", "value"))
    try:
        own, design = save(
            request,
            draft,
            lambda newest: set_example(newest, row, name, value),
            f"Change the example {name} of {row}"[:200],
        )
    except DesignError as error:
        return HttpResponse(
            error.message.replace("`", ""), status=422, content_type="text/plain; charset=utf-8"
        )
    said = f"Saved: {name} of {row} is {value.strip()[:60]}."
    return show(request, own, design, Left(), place=place_of(request), said=said, keeps_panel=True)
