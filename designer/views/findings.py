"""Findings: explained, mended by a click, set aside with a reason, and brought back."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.core.design.document import Design
from designer.core.design.edited import changes
from designer.core.edits import heed_finding
from designer.core.errors import DesignError
from designer.core.evaluation.evaluate import Evaluation
from designer.core.lint import TOPICS, fixes
from designer.core.lint.base import Fix
from designer.core.lint.pages import PLACES, SEVERITIES, by_severity
from designer.core.messages import say
from designer.core.plan import Finding
from designer.forms.ignored import IgnoredForm
from designer.views.finding_lines import FIELDS, in_words
from designer.views.requests import Request, place_of
from designer.views.results import evaluated, styles_of
from designer.views.workspace import (
    Left,
    Saved,
    answer_edit,
    edit_page,
    refused,
    remove_part,
    save,
    show,
    to_statement,
)
from projects import revisions
from projects.access import draft_for
from projects.models import Right


@require_safe
def topics(request: Request) -> HttpResponse:
    """All that can be said of a design."""
    listed = [(*SEVERITIES[severity], found) for severity, found in by_severity()]
    return render(request, "designer/topics.html", {"listed": listed})


@require_safe
def topic(request: Request, rule: str) -> HttpResponse:
    """When a finding is said, why, and what helps."""
    found = TOPICS.get(rule)
    if found is None:
        raise Http404(rule)
    context = {"topic": found, "about": PLACES[found.about]}
    return render(request, "designer/topic.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def fix(request: Request, slug: str, rule: str, about: str, name: str) -> HttpResponse:
    """What a fix would change, with the plan that would follow; sent, it is done."""
    draft = draft_for(request, slug, Right.EDIT)
    before = revisions.latest(draft)
    place = place_of(request)
    found = evaluated(draft, before, styles_of(place)).found
    finding, chosen = _offered(found, rule, about, name)
    if finding is None or chosen is None:
        gone = DesignError("gone", say("finding-gone"))
        return refused(request, draft, before, gone)
    try:
        if request.method == "POST" and request.POST.get("intent") != "preview":
            own, design = save(request, draft, chosen.edit, f"{chosen.label} ({rule})")
            done = _left("designer/partials/_fixed.html", finding, chosen, before, design)
            return answer_edit(
                request, own, design, Saved(reverse("workspace", args=[own.slug]), done)
            )
        after = chosen.edit(before)
    except DesignError as error:
        return refused(request, draft, before, error)
    return show(
        request,
        draft,
        after,
        _left("designer/partials/_fix.html", finding, chosen, before, after),
        place=place,
        is_preview=True,
        prices_before=found.prices if found is not None else {},
    )


def _offered(
    found: Evaluation | None, rule: str, about: str, name: str
) -> tuple[Finding | None, Fix | None]:
    """The finding of a rule at a place for which a fix is offered, and the fix."""
    if found is not None:
        for finding in found.findings:
            if (finding.rule, finding.where) == (rule, about):
                for each in fixes(found.design, found.plans, finding):
                    if each.name == name:
                        return finding, each
    return None, None


def _left(template: str, finding: Finding, chosen: Fix, before: Design, after: Design) -> Left:
    # What the site records of the plan's names is no part of the fix.
    of_fix = (one for one in changes(before, after) if (one.where, one.field) != ("", "names"))
    changed = [(in_words(one.where), FIELDS.get(one.field, ""), one) for one in of_fix]
    return Left(template, {"finding": finding, "fix": chosen, "changed": changed})


@require_http_methods(["GET", "HEAD", "POST"])
def ignore(request: Request, slug: str, rule: str, about: str = "") -> HttpResponse:
    """The finding of a rule at a place."""
    draft = draft_for(request, slug, Right.EDIT)
    styles = styles_of(place_of(request))
    found = evaluated(draft, revisions.latest(draft), styles).found
    findings = () if found is None else found.findings
    finding = next((each for each in findings if (each.rule, each.where) == (rule, about)), None)
    return edit_page(
        request,
        draft,
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
        raise DesignError("gone", say("no-longer-ignored"))

    return remove_part(
        request,
        slug,
        brought_back,
        lambda design: f"Bring back {rule}",
        to_statement,
        lambda design: Left(),
    )
