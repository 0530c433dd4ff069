"""Everything that follows from a design: the one derived region, `_results.html`."""

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from django.http import Http404

from designer.core.design.document import Design
from designer.core.evaluation.evaluate import Evaluation
from designer.core.evaluation.heaviness import heavy
from designer.core.grid.sheets import Look, sheets
from designer.core.lint.in_short import in_short, places_of, rows_of
from designer.core.messages import say, text
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read
from designer.core.plan import ALL_STYLES, Finding, Operation, Plan, Style
from designer.processes import Limits
from designer.views.addresses import Urls
from designer.views.finding_lines import finding_lines, grouped
from designer.views.pin_lines import pin_lines
from designer.views.requests import Place
from projects import documents, plans, pool, shares, work
from projects.models import Draft, Revision

Found = TypeVar("Found")

log = logging.getLogger(__name__)

Mark = Literal["ok", "several", "average", "pages", "hot", "elsewhere", "refused", "unknown"]
MARKS: dict[Mark, tuple[str, str]] = {
    "ok": ("circle-check", "served in one request"),
    "several": ("arrow-right", "served in several requests"),
    "average": ("triangle-alert", "served only on average"),
    "pages": ("triangle-alert", "served only in many pages"),
    "hot": ("flame", "served, but it may run hot"),
    "elsewhere": ("external-link", "served without keys"),
    "refused": ("circle-alert", "not served"),
    "unknown": ("circle-dashed", "not planned"),
}
"""An icon and words for how a pattern fares."""


Standing = Literal["planned", "planning", "failed"]


@dataclass(frozen=True)
class Asked(Generic[Found]):
    """Something that follows from a design, and how it stands."""

    standing: Standing
    found: Found | None = None
    stopped: str = ""
    """Why it was ended before it was done, in words; empty where it was not, or we failed."""


def evaluated(draft: Draft, design: Design, styles: Iterable[Style]) -> Asked[Evaluation]:
    """What follows from the design in some styles: nothing while it is being planned, and nothing when that failed."""
    return _asked("plan", design, lambda: plans.evaluation(draft, design, styles))


def planned(draft: Draft, design: Design, style: Style) -> Asked[Plan]:
    """The plan of the design in one style, with all its reasons."""
    return _asked("plan", design, lambda: plans.plan_of(draft, design, style))


def planned_beside(draft: Draft, design: Design, style: Style) -> Asked[Plan]:
    """The same without decisions and certificate, for what can wait."""
    return _asked("plan", design, lambda: plans.beside(draft, design, style))


def waited_for(what: work.Piece[Found], draft: Draft, design: Design) -> Asked[Found]:
    """What is worked out beside the plans."""
    asker = plans.asker(draft, what.work.name)
    return _asked(what.work.name, design, lambda: work.ask(what, design, asker))


def derived(
    draft: Draft,
    design: Design,
    do: Callable[..., Found],
    *args: object,
    limits: Limits = pool.QUICK,
) -> Asked[Found]:
    """What a function of the core makes of a design and what was planned of it, where that can be ended."""
    share = shares.of(draft)
    return _asked(do.__name__, design, lambda: work.derive(share, limits, do, *args))


def of_revisions(
    draft: Draft, of: Iterable[Revision], do: Callable[..., Found], *args: object
) -> Asked[Found]:
    """What a function of the core makes of the designs of revisions: where these are small, it is done here."""
    revisions = tuple(of)
    if sum(each.bytes or UNKNOWN for each in revisions) <= documents.LARGE:
        return _asked(do.__name__, None, lambda: do(*args))
    share = shares.of(draft)
    return _asked(do.__name__, None, lambda: work.derive(share, pool.QUICK, do, *args))


UNKNOWN = documents.LARGE
"""Bytes of the document of a revision that does not say it: one of an earlier version."""


def _asked(what: str, design: Design | None, ask: Callable[[], Found | None]) -> Asked[Found]:
    """What is asked for, and how it stands. That it failed is our fault, and logged."""
    try:
        found = ask()
        return Asked("planning" if found is None else "planned", found)
    except pool.BusyError:
        return Asked("planning")
    except work.FailedError as error:
        return Asked("failed", stopped=_stopped(design, error))
    except Exception:
        log.exception("No %s of a design", what)
        return Asked("failed")


def _stopped(design: Design | None, error: work.FailedError) -> str:
    """Why something was ended at a limit, and what in the design makes its plans long, where these are about."""
    if error.reason is None:
        return ""
    limits = {"memory": say("memory-at-limit"), "killed": say("process-ended")}
    limit = limits.get(error.reason, say("time-at-limit", seconds=error.seconds))
    if design is None:
        return text(limit)
    return text(say("stopped-at-limit", limit=limit, heavy=heavy(design)))


def styles_of(place: Place) -> tuple[Style, ...]:
    """The styles that are looked at: one, or all side by side."""
    asked = place.state.get("view")
    if asked == "both":
        return ALL_STYLES
    return tuple(style for style in ALL_STYLES if style == asked) or ALL_STYLES[:1]


def beside_of(place: Place) -> Style:
    """The style that stands beside the first one where they are looked at side by side."""
    asked = place.state.get("beside")
    return next((style for style in ALL_STYLES[1:] if style == asked), ALL_STYLES[1])


def style_named(name: str) -> Style:
    """The style of an address. Http404 when there is none of this name."""
    if name not in ALL_STYLES:
        raise Http404("There is no such style.")
    return ALL_STYLES[ALL_STYLES.index(name)]


def results(
    draft: Draft,
    design: Design,
    place: Place,
    urls: "Urls | None" = None,
    *,
    with_grid: bool = True,
) -> dict[str, Any]:
    """The context of `_results.html`, `_summary_line.html` and the marks of the statement.

    While the design is being planned, it is of what followed before the change, if that is known.
    """
    styles = styles_of(place)
    asked = evaluated(draft, design, styles)
    standing, evaluation = asked.standing, asked.found
    if evaluation is None:
        evaluation = last_evaluation(draft, styles)
    state = place.state
    view = "both" if len(styles) > 1 else styles[0]
    form: Literal["samples", "templates"] = (
        "templates" if state.get("form") == "templates" else "samples"
    )
    context: dict[str, Any] = {
        "standing": standing,
        "stopped": asked.stopped,
        "evaluation": evaluation,
        "view": view,
        "all_styles": ALL_STYLES,
        "beside": beside_of(place),
        "form_of_keys": form,
        "form": form,
        "page_url": place.page_url,
        "state": state,
        "selected": _selected(design, state.get("pattern")),
        "pattern": None,
        "sheets": (),
        "answers": (),
        "plans": (),
        "pins": pin_lines(design, ()),
        "findings": (),
        "finding_groups": (),
        "ignored": (),
        "marks": {pattern.number: MARKS["unknown"] for pattern in design.patterns},
    }
    if evaluation is None:
        return context
    shown = list(evaluation.plans.values())
    context["plans"] = shown
    context["marks"] |= _marks(evaluation.design, shown, evaluation.findings)
    context["pins"] = pin_lines(design, shown)
    context["findings"], context["ignored"] = finding_lines(design, evaluation, urls)
    context["finding_groups"] = grouped(context["findings"])
    found = [line.finding for line in context["findings"]]
    context["finding_rows"] = rows_of(found)
    context["findings_in_short"] = in_short(context["finding_rows"], places_of(found))
    if not with_grid or state.get("show") == "diagram":
        return context
    if view == "both":
        shown = [plan for plan in shown if plan.style in (ALL_STYLES[0], beside_of(place))]
    shown_grids = grids(draft, evaluation.design, shown, place, form)
    if shown_grids.found is None:
        context["evaluation"], context["stopped"] = None, shown_grids.stopped
        context["standing"] = shown_grids.standing
        return context
    return context | shown_grids.found


def last_evaluation(draft: Draft, styles: Iterable[Style]) -> Evaluation | None:
    """What followed from the draft before it was changed, where that is known."""
    try:
        return plans.last_evaluation(draft, styles)
    except pool.BusyError:
        return None
    except Exception:
        log.exception("No earlier plan of a design")
        return None


def grids(
    draft: Draft,
    design: Design,
    shown: list[Plan],
    place: Place,
    form: Literal["samples", "templates"] = "samples",
) -> Asked[dict[str, Any]]:
    """The context of the sheets of the styles shown, and how each answers the selected pattern."""
    selected = _selected(design, place.state.get("pattern"))
    state = place.state
    look = Look(
        None if selected is None else selected.number,
        state.get("case"),
        state.get("table"),
        state.get("index"),
        form,
    )
    asked = derived(draft, design, sheets, design, tuple(shown), look)
    if asked.found is None:
        return Asked(asked.standing, stopped=asked.stopped)
    context: dict[str, Any] = {"sheets": asked.found.sheets}
    if selected is not None:
        context |= {
            "pattern": selected,
            "answers": list(asked.found.answers),
            "is_read": isinstance(selected, Read),
        }
    return Asked("planned", context)


def _selected(design: Design, number: str | None) -> AnyPattern | None:
    if number is None or not number.isdecimal():
        return None
    return next((each for each in design.patterns if str(each.number) == number), None)


def _marks(
    design: Design, plans: Iterable[Plan], findings: Iterable[Finding]
) -> dict[int, tuple[str, str]]:
    hot = {
        int(found[1])
        for finding in findings
        if finding.rule.startswith("hot")
        and (found := re.match(r"patterns\.(\d+)", finding.where)) is not None
    }
    operations: dict[int, list[Operation]] = {}
    for plan in plans:
        for each in plan.operations:
            operations.setdefault(each.pattern, []).append(each)
    return {
        pattern.number: MARKS[_mark(operations.get(pattern.number, []), pattern.number in hot)]
        for pattern in design.patterns
    }


def _mark(operations: list[Operation], is_hot: bool) -> Mark:
    answers = {operation.answer for operation in operations}
    if not answers:
        return "unknown"
    if "not served" in answers:
        return "refused"
    if is_hot:
        return "hot"
    beyond = {why for operation in operations for why in operation.beyond}
    if beyond:
        return "pages" if beyond == {"answer"} else "average"
    if "elsewhere" in answers:
        return "elsewhere"
    return "several" if "in several requests" in answers else "ok"
