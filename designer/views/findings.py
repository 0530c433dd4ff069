"""Findings: set aside with a reason, and brought back."""

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.design.document import Design
from designer.core.edits import heed_finding
from designer.core.errors import DesignError
from designer.forms.ignored import IgnoredForm
from designer.views.requests import Request, place_of
from designer.views.results import evaluated, styles_of
from designer.views.workspace import Left, edit_page, remove_part, to_statement
from projects import revisions
from projects.access import project_for


@require_http_methods(["GET", "HEAD", "POST"])
def ignore(request: Request, slug: str, rule: str, about: str = "") -> HttpResponse:
    """The finding of a rule at a place."""
    project = project_for(request, slug)
    styles = styles_of(place_of(request))
    found = evaluated(project, revisions.latest(project), styles).found
    findings = () if found is None else found.findings
    finding = next((each for each in findings if (each.rule, each.where) == (rule, about)), None)
    return edit_page(
        request,
        project,
        lambda design, data: IgnoredForm(design, rule, about, data),
        lambda design, form: Left(
            "designer/partials/_ignored_form.html",
            {"form": form, "form_url": request.path, "finding": finding},
        ),
        to_statement,
    )


@require_POST
def heed(request: Request, slug: str) -> HttpResponse:
    rule, about = request.POST.get("rule", ""), request.POST.get("about") or None

    def brought_back(design: Design, _: bool) -> Design:
        for ignored in design.ignored_findings:
            if (ignored.rule, ignored.about) == (rule, about):
                return heed_finding(design, ignored)
        raise DesignError("gone", "This finding is set aside no longer.")

    return remove_part(
        request,
        slug,
        brought_back,
        lambda design: f"Bring back {rule}",
        to_statement,
        lambda design: Left(),
    )
