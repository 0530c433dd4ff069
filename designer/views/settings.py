"""The settings of a design, in the left column."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from designer.core.design.document import Design
from designer.forms.base import Form
from designer.forms.settings import SettingsForm
from designer.views.requests import Request
from designer.views.workspace import Left, Saved, edit_page
from projects.access import draft_for
from projects.models import Draft


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: Request, slug: str) -> HttpResponse:
    return edit_page(
        request,
        draft_for(request, slug),
        lambda design, data: SettingsForm(design, design, data),
        _left,
        _saved,
    )


def _left(design: Design, form: Form) -> Left:
    return Left("designer/partials/_settings_form.html", {"form": form})


def _saved(draft: Draft, design: Design, form: Form) -> Saved:
    url = reverse("settings", args=[draft.slug])
    return Saved(url, _left(design, SettingsForm(design, design)))
