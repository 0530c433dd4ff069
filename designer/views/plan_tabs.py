"""The pages that belong to a plan, as tabs of one place, each with its answer in a few words.

A tab says what is known already: no page waits for another one's figures. What is not known comes after the page.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from designer.core.comparison.apart import costs_more
from designer.core.comparison.in_full import compared_in_full
from designer.core.cost.options import exact
from designer.core.cost.whole import whole
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.heat.keys import plan_heat
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.words import figures
from designer.forms.cost import CostForm
from designer.views.requests import Place, Request, place_of
from designer.views.results import Standing, derived, planned_beside, styles_of, waited_for
from projects import access, plans, proofs, revisions, work
from projects.kinds import ALTERNATIVES, PLAN
from projects.models import Draft

UNKNOWN = "not planned yet"
FAILED = "no plan"
NO_RATES = "no rates yet"
WAITS = "being worked out"
NOT_TRIED = "not tried yet"
NOT_COMPARED = "not compared yet"


@dataclass(frozen=True)
class Tab:
    """A page of the plan."""

    page: str
    label: str
    answer: str
    url: str
    answer_url: str = ""
    """Where to ask for the answer, if it is not known and can be worked out."""


@dataclass(frozen=True)
class Known:
    """What the tabs speak of: a draft's design, and its plan in one style where there is one."""

    draft: Draft
    design: Design
    style: Style
    plan: Plan | None
    missing: str
    """What is said where there is none."""


def tabs(draft: Draft, design: Design, place: Place) -> list[Tab]:
    """The tabs in their order, of the first style that is looked at."""
    known = _known(draft, design, place)
    return [_tab(known, page) for page in PAGES]


@require_safe
def answer(request: Request, slug: str, page: str) -> HttpResponse:
    """What a tab says that did not know it when its page was made: worked out now, or waited for once more."""
    if page not in ASKED:
        raise Http404("There is no such tab.")
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    standing = ASKED[page](draft, design)
    tab = _tab(_known(draft, design, place_of(request)), page)
    waits = standing == "planning"
    tab = replace(tab, answer=WAITS) if waits else replace(tab, answer_url="")
    return render(request, "designer/partials/_plan_answer.html", {"tab": tab, "again": True})


def _known(draft: Draft, design: Design, place: Place) -> Known:
    style = styles_of(place)[0]
    plan = _plan(design, style)
    missing = FAILED if plan is None and plans.failed(design, style) else UNKNOWN
    return Known(draft, design, style, plan, missing)


def _tab(known: Known, page: str) -> Tab:
    label, in_style, answer = PAGES[page]
    said = answer(known)
    of_style = "" if known.style == ALL_STYLES[0] else f"?view={known.style}"
    asked = said in (NOT_TRIED, NOT_COMPARED) and PLAN.of(known.style).is_small(known.design)
    return Tab(
        page,
        label,
        said,
        reverse(page, args=[known.draft.slug]) + (of_style if in_style else ""),
        reverse("plan-answer", args=[known.draft.slug, page]) + of_style if asked else "",
    )


def _plan(design: Design, style: Style) -> Plan | None:
    try:
        return plans.known(design, style)
    except work.FailedError:
        return None


def _decisions(known: Known) -> str:
    if known.plan is None:
        return known.missing
    if unstated.lacks_rates(known.design):
        return NO_RATES
    cost = known.plan.cost
    if cost.gap == 0:
        return "cheapest of its style"
    if cost.gap < 0.001:
        return "about the cheapest"
    # What is under 1 % decides nothing.
    return f"at most {figures.share(max(cost.gap, 0.01))} to save"


def _alternatives(known: Known) -> str:
    try:
        found = work.known(ALTERNATIVES.of(), work.digest(known.design))
    except work.FailedError:
        found = None
    if not found:
        return NOT_TRIED
    # A style may come to the plan of another one, and then stands under its name.
    mine = [one for one in found if one.style == known.style or f"{known.style} style" in one.also]
    was, least = mine[0].per_month, min(one.per_month for one in found)
    # From both as they are written, as the page says it.
    cheaper = round(was, 2) - round(least, 2)
    # As in the comparison, so that both tabs say the same of a difference.
    if costs_more(exact(was), exact(least), exact(known.design.planner.tolerance)):
        return f"one saves {figures.money(cheaper)} a month"
    # Others may cost much more.
    return "none is much cheaper" if cheaper > 0 else "none is cheaper"


def _comparison(known: Known) -> str:
    found = {style: _plan(known.design, style) for style in ALL_STYLES}
    planned = {style: plan for style, plan in found.items() if plan is not None}
    if len(planned) < len(found) or not known.design.patterns:
        return NOT_COMPARED
    if not PLAN.of(known.style).is_small(known.design):
        return NOT_COMPARED
    asked = derived(known.draft, known.design, compared_in_full, known.design, planned)
    if asked.found is None:
        return NOT_COMPARED
    return asked.found.comparison.recommendation.in_short


def _cost(known: Known) -> str:
    """All in all, as the page has it when nothing else is asked there."""
    if known.plan is None:
        return known.missing
    form = CostForm(known.design, QueryDict())
    asked = derived(
        known.draft, known.design, whole, known.design, known.plan, form.options, form.changes
    )
    if asked.found is None:
        return UNKNOWN
    if unstated.lacks_rates(known.design):
        return NO_RATES
    return f"{figures.money(float(asked.found.bill.usd))} a month"


def _heat(known: Known) -> str:
    if known.plan is None:
        return known.missing
    found = derived(known.draft, known.design, plan_heat, known.design, known.plan).found
    if found is None:
        return UNKNOWN
    keys = [key for each in found.structures for key in each.keys]
    used = max((float(key.used) for key in keys), default=0.0)
    if 0 < used < 0.001:
        return "no key over 0.1 %"
    return f"hottest key {figures.share(used)}" if used else NO_RATES


def _proof(known: Known) -> str:
    shown = next(p for p in proofs.shown(known.draft, known.design) if p.style == known.style)
    if shown.proof is None:
        return "not proven yet"
    if shown.is_live and not shown.is_stale:
        return "running"
    passed = shown.proof.patterns.filter(verdict__status="passed").count()
    asked = shown.proof.patterns.exclude(verdict__status="elsewhere").count()
    return f"{passed} of {asked} proven{', before the latest changes' if shown.is_stale else ''}"


PAGES: dict[str, tuple[str, bool, Callable[[Known], str]]] = {
    "decisions": ("Decisions", True, _decisions),
    "alternatives": ("Alternatives", False, _alternatives),
    "comparison": ("Comparison", False, _comparison),
    "cost": ("Cost", True, _cost),
    "heat": ("Heat", True, _heat),
    "prove": ("Proof", True, _proof),
}
"""By the name of a page's view its label, whether it is of one style, and its answer."""


def _try_alternatives(draft: Draft, design: Design) -> Standing:
    return waited_for(ALTERNATIVES.of(), draft, design).standing


def _plan_styles(draft: Draft, design: Design) -> Standing:
    """Of the first style that is not planned yet: what is compared are all of them."""
    asked = (planned_beside(draft, design, style).standing for style in ALL_STYLES)
    return next((standing for standing in asked if standing != "planned"), "planned")


ASKED: dict[str, Callable[[Draft, Design], Standing]] = {
    "alternatives": _try_alternatives,
    "comparison": _plan_styles,
}
"""By the same name what works out an answer that only its own page asks for."""
