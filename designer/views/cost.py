"""What a design costs in a month: by pattern, table and index, in other modes, in three years, and what if."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from designer.core.cost.bill import Bill, PatternLine
from designer.core.cost.changed import changed
from designer.core.cost.commitments import commitments
from designer.core.cost.growth import MONTHS, growth_of
from designer.core.cost.modes import MODES, Load
from designer.core.cost.pictures import bars, growth_picture
from designer.core.cost.steps import Near
from designer.core.cost.whole import Whole, whole
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.dynamodb.prices import AS_OF, CLASS_LABELS, NOT_INCLUDED, REGIONS, prices_of
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.monitoring import billed_apart
from designer.core.patterns import AnyPattern
from designer.core.plan import ALL_STYLES, Plan
from designer.core.planner.explain.amounts import CENT
from designer.core.rational import Fraction
from designer.core.words.english import joined
from designer.forms.cost import CLASSES, RECOVERIES, CostForm
from designer.views.requests import Request, place_of
from designer.views.results import Asked, derived, planned, styles_of
from designer.views.workspace import Left, show
from projects import access, revisions
from projects.models import Draft


@require_safe
def cost(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    style = styles_of(place_of(request))[0]
    asked = planned(draft, design, style)
    form = CostForm(design, request.GET)
    billed: Asked[dict[str, Any]] = (
        Asked(asked.standing, stopped=asked.stopped)
        if asked.found is None
        else _billed(draft, design, asked.found, form)
    )
    context: dict[str, Any] = {
        "form": form,
        "style": style,
        "plan": None if billed.found is None else asked.found,
        "stopped": billed.stopped,
        "modes": MODES.values(),
        "classes": CLASSES,
        "recoveries": RECOVERIES,
        "mode": MODES[form.options.mode],
        "styles": [(each, form.address(view=each)) for each in ALL_STYLES],
        "has_stream": asked.found is not None and any(t.stream for t in asked.found.tables),
        **(billed.found or {}),
    }
    if request.htmx and request.htmx.target == "bill":
        if (
            billed.found is None
        ):  # changed in another window; the page says so when it is loaded anew
            return HttpResponse(status=204)
        context |= {"draft": draft, "design": design}
        response = render(request, "designer/partials/_bill.html", context)
        response.headers["HX-Replace-Url"] = reverse("cost", args=[slug]) + form.address()
        return response
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/cost.html",
        with_grid=False,
        waiting=billed.standing == "planning",
        **context,
    )


@dataclass(frozen=True)
class Way:
    """A way to pay for the same: a mode in a table class."""

    label: str
    usd: Fraction
    without: str
    """What the amount leaves out."""
    says: str
    is_chosen: bool
    query: str


@dataclass(frozen=True)
class Line:
    """What a pattern pays, as it is shown, with the sizes of its that are near a step."""

    line: PatternLine
    pattern: AnyPattern | None
    near: tuple[Near, ...]
    bar: tuple[int, int] | None
    """Where a bar beside its cost begins and how long it is, of 100; the dearest has the longest. None without one."""


def _billed(draft: Draft, design: Design, plan: Plan, form: CostForm) -> Asked[dict[str, Any]]:
    options, changes = form.options, form.changes
    asked = derived(draft, design, whole, design, plan, options, changes)
    found = asked.found
    if found is None:
        return Asked(asked.standing, stopped=asked.stopped)
    made = found.bill
    ways = list(_ways(found, form))
    context: dict[str, Any] = {
        "bill": made,
        "by_plan": None if changes else plan.cost.per_month,
        "planned_region": prices_of(design.region).region,
        "as_planned": abs(float(made.usd_base) - plan.cost.per_month) < CENT,
        "lines": list(_lines(design, made, found.near)),
        "has_near": bool(found.near),
        "lacks_rates": unstated.lacks_rates(design),
        "without": [design.pattern(number) for number in made.without_patterns],
        "ways": ways,
        "ways_picture": _picture(ways),
        "commitments": list(commitments(made)),
        "break_evens": found.break_evens,
        "points": found.points,
        "growth_picture": mark_safe(growth_picture(found.points)),
        "growths": [
            (each, each.items + each.per_month * MONTHS) for each in growth_of(design, changes)
        ],
        "charges": made.besides,
        "left_out": [*made.left_out, *filter(None, [billed_apart(design, plan)])],
        "capacity": MODES[options.mode].capacity(Load(Fraction(1), Fraction(1)), Fraction(1)),
        "price_rows": list(_price_rows(made.region)),
        "prices_as_of": AS_OF,
        "not_included": NOT_INCLUDED,
    }
    if changes:
        context["before"] = found.before
        context["hottest"] = _hottest(draft, *changed(design, plan, changes))
        context["hottest_before"] = _hottest(draft, design, plan)
    return Asked("planned", context)


PRICES = (
    "Million read units",
    "Million write units",
    "GB-month",
    "Read unit-hour",
    "Write unit-hour",
)


def _price_rows(region: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each table class with its prices by what they are for."""
    for name, prices in REGIONS[region].classes.items():
        figures = (
            prices.read_unit * 10**6,
            prices.write_unit * 10**6,
            prices.byte_month * 10**9,
            prices.read_capacity_hour,
            prices.write_capacity_hour,
        )
        said = (f"{float(each):.10f}".rstrip("0") for each in figures)
        yield CLASS_LABELS[name], list(zip(PRICES, said, strict=True))


def _lines(design: Design, made: Bill, near: tuple[Near, ...]) -> Iterator[Line]:
    dearest = max((line.usd for line in made.patterns), default=Fraction(0))
    for line in made.patterns:
        long = round(100 * line.usd / dearest) if dearest else 0
        bar = (100 - long, long) if long else None
        if line.upkeep:
            yield Line(line, None, (), bar)
        else:
            (number,) = line.patterns
            mine = tuple(each for each in near if each.pattern == number)
            yield Line(line, design.pattern(number), mine, bar)


def _ways(found: Whole, form: CostForm) -> Iterator[Way]:
    """Every mode in every class that has prices, all else as asked."""
    placed = {line.table_class for line in found.bill.structures}
    chosen = placed.pop() if len(placed) == 1 else None
    for (name, slug), total in found.ways.items():
        mode = MODES[slug]
        yield Way(
            f"{CLASS_LABELS[name]}: {mode.label[:1].lower()}{mode.label[1:]}",
            total.usd,
            joined(total.without),
            mode.says,
            slug == form.options.mode and name == chosen,
            form.address(mode=slug, **{"class": name}),
        )


def _picture(ways: list[Way]) -> SafeString:
    """Only amounts of the same things, if there are any, are drawn side by side."""
    ways = [way for way in ways if not way.without] or ways
    chosen = next((at for at, way in enumerate(ways) if way.is_chosen), -1)
    return mark_safe(bars([(way.label, float(way.usd)) for way in ways], chosen))


def _hottest(draft: Draft, design: Design, plan: Plan) -> KeyHeat | None:
    found = derived(draft, design, plan_heat, design, plan).found
    keys = [key for each in found.structures for key in each.keys] if found is not None else []
    return max(keys, key=lambda key: key.used, default=None)
