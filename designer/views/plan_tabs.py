"""The pages that belong to a plan, as tabs of one place, each with its answer in a few words.

A tab says what is known already: no page waits for another one's figures.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from designer.core.comparison.in_full import compared_in_full
from designer.core.cost.whole import whole
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS
from designer.core.heat.keys import plan_heat
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner.explain.amounts import CENT, is_material
from designer.core.words import figures
from designer.forms.cost import CostForm
from designer.views.requests import Place
from designer.views.results import derived, styles_of
from projects import plans, proofs, work
from projects.kinds import ALTERNATIVES, PLAN
from projects.models import Draft

UNKNOWN = "not planned yet"
FAILED = "no plan"
NO_RATES = "no rates yet"


@dataclass(frozen=True)
class Tab:
    """A page of the plan."""

    page: str
    label: str
    answer: str
    url: str


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
    style = styles_of(place)[0]
    plan = _plan(design, style)
    missing = FAILED if plan is None and plans.failed(design, style) else UNKNOWN
    known = Known(draft, design, style, plan, missing)
    return [
        Tab(page, label, answer(known), _url(draft, page, style if in_style else None))
        for page, label, in_style, answer in PAGES
    ]


def _plan(design: Design, style: Style) -> Plan | None:
    try:
        return plans.known(design, style)
    except work.FailedError:
        return None


def _url(draft: Draft, page: str, style: Style | None) -> str:
    query = "" if style in (None, ALL_STYLES[0]) else f"?view={style}"
    return reverse(page, args=[draft.slug]) + query


def _decisions(known: Known) -> str:
    if known.plan is None:
        return known.missing
    if unstated.lacks_rates(known.design):
        return NO_RATES
    cost = known.plan.cost
    if cost.gap < 0.0005:
        return "no plan is cheaper"
    # What is under 1 % decides nothing.
    within = figures.share(max(cost.gap, 0.01))
    return f"simplest within {within}" if cost.cheapest is not None else f"bound within {within}"


def _alternatives(known: Known) -> str:
    try:
        found = work.known(ALTERNATIVES.of(), work.digest(known.design))
    except work.FailedError:
        found = None
    if not found:
        return "not tried yet"
    # A style may come to the plan of another one, and then stands under its name.
    mine = [one for one in found if one.style == known.style or f"{known.style} style" in one.also]
    was, least = mine[0].per_month, min(one.per_month for one in found)
    if is_material(least, was):
        # From both as they are written, as the page says it.
        return f"one saves {figures.money(round(was, 2) - round(least, 2))} a month"
    return "none is cheaper" if was - least < CENT else "all cost about the same"


def _comparison(known: Known) -> str:
    found = {style: _plan(known.design, style) for style in ALL_STYLES}
    planned = {style: plan for style, plan in found.items() if plan is not None}
    if len(planned) < len(found) or not known.design.patterns:
        return "not compared yet"
    if not PLAN.of(known.style).is_small(known.design):
        return "not compared yet"
    asked = derived(known.draft, known.design, compared_in_full, known.design, planned)
    if asked.found is None:
        return "not compared yet"
    label = STYLE_LABELS[asked.found.comparison.recommendation.style]
    return f"{label} {'fit' if label.endswith('s') else 'fits'} best"


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
    return f"{passed} of {asked} proven{', before changes' if shown.is_stale else ''}"


PAGES: tuple[tuple[str, str, bool, Callable[[Known], str]], ...] = (
    ("decisions", "Decisions", True, _decisions),
    ("alternatives", "Alternatives", False, _alternatives),
    ("comparison", "Comparison", False, _comparison),
    ("cost", "Cost", True, _cost),
    ("heat", "Heat", True, _heat),
    ("prove", "Proof", True, _proof),
)
"""Each page's view, its label, whether it is of one style, and its answer."""
