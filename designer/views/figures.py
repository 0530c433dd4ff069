"""Every number that a design can state, in one form: after an import none is there, and many are asked for."""

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from designer.forms.figures import FiguresForm
from designer.views.requests import Request
from designer.views.workspace import Left, edit_page, to_statement
from projects.access import draft_for
from projects.models import Right


@require_http_methods(["GET", "HEAD", "POST"])
def figures(request: Request, slug: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug, Right.EDIT),
        lambda design, data: FiguresForm(design, design, data),
        lambda design, form: Left("designer/partials/_figures_form.html", {"form": form}),
        to_statement,
    )
