"""The styles side by side: which the design speaks for and why, what would change that, and pattern by pattern."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from designer.core.comparison.compare import Comparison
from designer.core.comparison.fares import Fare, Row, Verdict
from designer.core.comparison.in_full import InFull, compared_in_full
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import ALL_STYLES, STYLES, Style
from designer.views.requests import Request, place_of
from designer.views.results import derived, evaluated, grids, waited_for
from designer.views.workspace import Left, show
from projects import access, revisions
from projects.kinds import TURNING
from projects.models import Draft

SHOWN: dict[str, tuple[Style, ...]] = {
    "single-multi": STYLES,
    "single-grouped": ("single", "grouped"),
    "multi-grouped": ("multi", "grouped"),
    "all": ALL_STYLES,
}
"""Which styles stand side by side, pattern by pattern."""

ICONS: dict[Verdict, str] = {
    "good": "circle-check",
    "more requests": "arrow-right",
    "costlier": "arrow-up",
    "hot": "flame",
    "elsewhere": "external-link",
    "not served": "circle-alert",
}


@require_safe
def comparison(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    context = side_by_side(request, draft, design)
    page = "designer/comparison.html"
    return show(request, draft, design, Left(), page=page, with_grid=False, **context)


def side_by_side(request: Request, of: Draft, design: Design) -> dict[str, Any]:
    """The context of the page, and whether it is still waited for."""
    asked = evaluated(of, design, ALL_STYLES)
    context: dict[str, Any] = {"stopped": asked.stopped}
    waiting = asked.standing == "planning"
    if asked.found is not None and design.patterns:
        plans = {style: asked.found.plans[style] for style in ALL_STYLES}
        tried = waited_for(TURNING.of(), of, design)
        # What was tried comes by itself, later, into its own part of the page.
        waiting = tried.standing == "planning" and request.htmx.target == "turning"
        found = derived(of, design, compared_in_full, design, plans)
        waiting = waiting or found.standing == "planning"
        context = {"stopped": found.stopped}
        if found.found is not None:
            context = {
                **_whole(found.found),
                **_by_pattern(of, found.found.comparison, request),
                "turning": tried.found,
                "is_trying": tried.standing == "planning",
            }
    return {**context, "waiting": waiting}


def _whole(whole: InFull) -> dict[str, Any]:
    """What is said of all styles: the recommendation, the totals, what is shared, and the ways to build it."""
    found = whole.comparison
    return {
        "comparison": found,
        "sides": found.sides,
        "recommended": found.recommendation,
        "totals": whole.totals,
        "plots": [(plot.label, mark_safe(plot.svg)) for plot in whole.plots],
        "shared": [
            (side, [one for one in found.coupling[side.style] if one.is_shared])
            for side in found.sides
        ],
    }


@dataclass(frozen=True)
class Line:
    """A pattern as it is shown, with how it fares in each style and the icon of that."""

    row: Row
    cells: tuple[tuple[Fare, str], ...]
    is_open: bool


def _first(whole: Comparison) -> str:
    """What stands side by side where nothing else is asked for: the style that suits, beside the one that it differs
    from in most access patterns.
    """
    best = whole.recommendation.style
    pairs = [name for name, styles in SHOWN.items() if len(styles) == 2 and best in styles]
    return max(pairs, key=lambda name: sum(row.differs for row in whole.only(SHOWN[name]).rows))


def _by_pattern(of: Draft, whole: Comparison, request: Request) -> dict[str, Any]:
    """The patterns in the styles that are to stand side by side, and of the one that is open both grids."""
    place = place_of(request)
    asked = request.GET.get("styles", "")
    chosen = asked if asked in SHOWN else _first(whole)
    every = request.GET.get("only") == "all"
    state = place.state.copy()
    state.pop("view", None)
    if chosen == asked:
        state["styles"] = chosen
    if every:
        state["only"] = "all"
    found = whole.only(SHOWN[chosen])
    opened = grids(of, whole.design, [side.plan for side in found.sides], place).found or {}
    pattern = opened.get("pattern")
    differing = sum(row.differs for row in found.rows)
    return {
        **(opened if pattern is not None else {}),
        "state": state,
        "anchor": "" if pattern is None else f"#pattern-{pattern.number}",
        "chosen": chosen,
        "choices": [
            (name, [STYLE_LABELS[each] for each in styles]) for name, styles in SHOWN.items()
        ],
        "shown_sides": found.sides,
        "lines": [
            Line(
                row,
                tuple((fare, ICONS[fare.verdict]) for fare in row.fares),
                row.pattern is pattern,
            )
            for row in found.rows
            if row.differs or every or row.pattern is pattern
        ],
        "only": not every,
        "differing": differing,
        "alike": len(found.rows) - differing,
        "besides": [(found.besides(side.style), side.usd) for side in found.sides],
    }
