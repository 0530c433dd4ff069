"""The styles side by side: which the design speaks for and why, what would change that, and question by question."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe
from pydantic import TypeAdapter

from designer.core import figures
from designer.core.comparison.compare import Comparison, compared
from designer.core.comparison.fares import Fare, Row, Verdict
from designer.core.comparison.side import Side
from designer.core.comparison.turning import VERSION, Turning, turning
from designer.core.design.document import Design
from designer.core.grid import STYLE_LABELS
from designer.core.plan import ALL_STYLES, STYLES, Plan, Style
from designer.core.planner import VERSION as PLANNER
from designer.core.sentences import joined
from designer.templatetags.designer_tags import little_share
from designer.views.requests import Request, place_of
from designer.views.results import evaluated, grids, waited_for
from designer.views.workspace import Left, show
from projects import access, revisions, work

TURNING = work.Work(f"turning {VERSION} {PLANNER}", turning, TypeAdapter(Turning), plans=45)

SHOWN: dict[str, tuple[Style, ...]] = {
    "single-multi": STYLES,
    "single-grouped": ("single", "grouped"),
    "multi-grouped": ("multi", "grouped"),
    "all": ALL_STYLES,
}
"""Which styles stand side by side, question by question."""

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
    project = access.project_for(request, slug)
    design = revisions.latest(project)
    asked = evaluated(project, design, ALL_STYLES)
    context: dict[str, Any] = {}
    waiting = asked.standing == "planning"
    if asked.found is not None and design.patterns:
        plans = {style: asked.found.plans[style] for style in ALL_STYLES}
        tried = waited_for(TURNING, project, design)
        # What was tried comes by itself, later, into its own part of the page.
        waiting = tried.standing == "planning" and request.htmx.target == "turning"
        context = {
            **_whole(compared(design, plans)),
            **_by_question(design, plans, request),
            "turning": tried.found,
            "is_trying": tried.standing == "planning",
        }
    return show(
        request,
        project,
        design,
        Left(),
        page="designer/comparison.html",
        with_grid=False,
        waiting=waiting,
        **context,
    )


def _whole(found: Comparison) -> dict[str, Any]:
    """What is said of all styles: the recommendation, the totals, what is shared, and the ways to build it."""
    return {
        "comparison": found,
        "sides": found.sides,
        "recommended": found.recommendation,
        "totals": list(_totals(found)),
        "shared": [
            (side, [one for one in found.coupling[side.style] if one.is_shared])
            for side in found.sides
        ],
    }


@dataclass(frozen=True)
class Total:
    """A figure of every style."""

    label: str
    cells: tuple[str, ...]
    url: str = ""
    """The name of the page that has more of it."""
    note: str = ""


def _totals(found: Comparison) -> Iterator[Total]:
    def total(label: str, cell: Callable[[Side], str], url: str = "", note: str = "") -> Total:
        return Total(label, tuple(map(cell, found.sides)), url, note)

    unknown = found.growth_unknown
    grows = f"Nothing says how {joined(list(unknown))} grow: taken as they are." if unknown else ""
    yield total("Tables", lambda side: str(len(side.plan.tables)))
    yield total("Indexes", lambda side: str(side.indexes), "alternatives")
    yield total("Questions answered in one request", _in_one)
    yield total("Requests a second", lambda side: figures.number(side.per_second), "alternatives")
    yield total(
        "Requests and storage a month",
        lambda side: figures.money(side.per_month),
        "alternatives",
        "By this the plans were chosen.",
    )
    yield total("All in all a month", lambda side: figures.money(float(side.usd)), "cost")
    yield total(
        "A month, in a year", lambda side: figures.money(float(side.usd_in_a_year)), "cost", grows
    )
    yield total("Stored", lambda side: figures.size(float(side.bill.bytes)), "cost")
    yield total("Hottest key at peak", _hottest, "heat")


def _in_one(side: Side) -> str:
    """`30 of 41`, where none of its cases takes more."""
    answers: dict[int, set[str]] = {}
    for one in side.plan.operations:
        answers.setdefault(one.pattern, set()).add(one.answer)
    in_one = sum(each == {"in one request"} for each in answers.values())
    return f"{in_one} of {len(answers)}"


def _hottest(side: Side) -> str:
    hot = side.hottest
    if hot is None or not hot.used:
        return "not known"
    return f"{hot.level}, {little_share(float(hot.used))}"


@dataclass(frozen=True)
class Line:
    """A question as it is shown, with how it fares in each style and the icon of that."""

    row: Row
    cells: tuple[tuple[Fare, str], ...]
    is_open: bool


def _by_question(design: Design, plans: Mapping[Style, Plan], request: Request) -> dict[str, Any]:
    """The questions in the styles that are to stand side by side, and of the one that is open both grids."""
    place = place_of(request)
    asked = request.GET.get("styles", "")
    chosen = asked if asked in SHOWN else next(iter(SHOWN))
    only = "only" in request.GET
    state = place.state.copy()
    state.pop("view", None)
    if chosen != next(iter(SHOWN)):
        state["styles"] = chosen
    if only:
        state["only"] = "differing"
    found = compared(design, {style: plans[style] for style in SHOWN[chosen]})
    opened = grids(design, [side.plan for side in found.sides], place)
    pattern = opened.get("pattern")
    differing = sum(row.differs for row in found.rows)
    return {
        **(opened if pattern is not None else {}),
        "state": state,
        "anchor": "" if pattern is None else f"#question-{pattern.number}",
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
            if row.differs or not only or row.pattern is pattern
        ],
        "only": only,
        "differing": differing,
        "alike": len(found.rows) - differing,
        "besides": [(found.besides(side.style), side.usd) for side in found.sides],
    }
