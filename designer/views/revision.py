"""A design as it was: one of its revisions, to be looked at, exported, and given a name."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from designer.core.errors import DesignError
from designer.core.exporters import EXPORTERS
from designer.core.messages import say
from designer.core.messages import text as words
from designer.forms.naming import NameForm
from designer.views import diagram as diagrams
from designer.views import exports as exporting
from designer.views.addresses import Urls
from designer.views.requests import Request
from designer.views.text import file_of
from designer.views.workspace import Left, look
from projects import access, naming, revisions
from projects.models import Draft, Revision


class RevisionUrls(Urls):
    """Addresses of what there is of one revision."""

    PAGES = {
        "workspace": "revision",
        "diagram": "revision-diagram",
        "exports": "revision-exports",
        "export": "revision-export",
    }

    def __init__(self, draft: Draft, revision: Revision) -> None:
        self.of_all = (draft.slug, revision.number)

    def of(self, place: str) -> str:
        return ""

    def page(self, name: str, *about: object) -> str:
        return reverse(self.PAGES[name], args=[*self.of_all, *about]) if name in self.PAGES else ""


@require_safe
def revision(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    return _page(request, draft, access.revision_of(draft, number), "designer/revision.html")


@require_safe
def exports(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    seen = access.revision_of(draft, number)
    design = revisions.design_of(seen)
    context = exporting.chosen(request, revisions.as_of(draft, seen), design, EXPORTERS)
    return _page(request, draft, seen, "designer/exports.html", with_grid=False, **context)


@require_safe
def export(request: Request, slug: str, number: int, exporter: str, style: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    seen = access.revision_of(draft, number)
    design, urls = revisions.design_of(seen), RevisionUrls(draft, seen)
    return exporting.file(request, revisions.as_of(draft, seen), design, urls, exporter, style)


@require_safe
def diagram(request: Request, slug: str, number: int) -> HttpResponse:
    draft = access.draft_for(request, slug)
    return diagrams.file_of(revisions.design_of(access.revision_of(draft, number)))


@require_safe
def text(request: Request, slug: str, number: int, format: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    return file_of(revisions.design_of(access.revision_of(draft, number)), format)


@require_POST
def name(request: Request, slug: str, number: int) -> HttpResponse:
    """Give it a name, with a message; both stay."""
    draft = access.draft_for(request, slug)
    seen = access.revision_of(draft, number)
    form = NameForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            naming.name(draft, number, given["name"], given["message"], request.user)
        except DesignError as error:
            if error.code == "gone":
                raise Http404(error.message) from error
            form.add_error("name" if error.code == "name-taken" else None, error.message)
        else:
            messages.success(
                request, words(say("revision-named", number=number, name=given["name"]))
            )
            return redirect("history", draft.slug)
    return _page(request, draft, seen, "designer/revision.html", status=422, name_form=form)


def _page(
    request: Request, draft: Draft, seen: Revision, page: str, **context: Any
) -> HttpResponse:
    """A page of a revision: what others see of it, they read."""
    shown: dict[str, Any] = {
        "draft": draft,
        "bar": "designer/partials/_revision_bar.html",
        "may_edit": False,
        "may_name": draft.may_edit,
        "seen": seen,
        "seen_name": getattr(seen, "named", None),
        "name_form": NameForm(),
        "is_newest": seen.number == draft.position,
    }
    return look(
        request,
        revisions.as_of(draft, seen),
        revisions.design_of(seen),
        Left(),
        RevisionUrls(draft, seen),
        page=page,
        **(shown | context),
    )
