"""Everything that follows from a design: the one derived region, `_results.html`."""

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, Literal, TypeVar

from django.http import Http404

from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding, Pin
from designer.core.evaluation.evaluate import Evaluation
from designer.core.evaluation.heaviness import heavy
from designer.core.grid.sheets import Look, sheets
from designer.core.lint import TOPICS, set_aside
from designer.core.lint.base import Fix
from designer.core.messages import say, text
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read
from designer.core.plan import ALL_STYLES, Finding, Operation, Plan, Style
from designer.core.plan.pinning import pin_words
from designer.core.words import figures
from designer.core.words.english import joined
from designer.processes import Limits
from designer.views.finding_fixes import offered
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
    "elsewhere": ("external-link", "served by another service"),
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
    context["findings"], context["ignored"] = _findings(design, evaluation, urls)
    context["finding_groups"] = grouped(context["findings"])
    context["finding_rows"] = rows_of(context["finding_groups"])
    places = sum(group.count for group in context["finding_groups"])
    context["findings_in_short"] = in_short(context["finding_rows"], places)
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


class Urls:
    """Addresses of a design, as those who look at it find it: its editors, or the readers of a link."""

    def of(self, place: str) -> str:
        """The form for a part of the design, for links from findings to their fields; empty when there is none."""
        raise NotImplementedError

    def page(self, name: str, *about: object) -> str:
        """The page of this name, about something; empty when they have none."""
        raise NotImplementedError


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


@dataclass(frozen=True)
class FindingLine:
    """A finding of the list."""

    finding: Finding
    where: str
    """Its place as people call it: `pattern 3`, `User.email`."""
    url: str
    """The address of its field; empty where there is none."""
    ignored: IgnoredFinding | None
    """What the team said to ignore it."""
    only_in: tuple[Style, ...]
    """Of the styles shown, those that have it, where not all do."""
    fixes: tuple[Fix, ...] = ()
    """What one click can do about it."""


def _findings(
    design: Design, evaluation: Evaluation, urls: Urls | None
) -> tuple[list[FindingLine], list[FindingLine]]:
    """Findings, worst first, and those set aside."""
    order = ("error", "warning", "advice")
    found = sorted(evaluation.findings, key=lambda each: order.index(each.severity))
    said = [set_aside(design, finding) for finding in found]
    shown = [finding for finding, ignored in zip(found, said, strict=True) if ignored is None]
    clicks = offered(evaluation, shown)

    def line(finding: Finding, ignored: IgnoredFinding | None, at: int = -1) -> FindingLine:
        return FindingLine(
            finding,
            in_words(finding.where),
            urls.of(finding.where) if urls is not None else "",
            ignored,
            evaluation.only_in(finding),
            clicks.get(at, ()),
        )

    return (
        [line(finding, None, at) for at, finding in enumerate(shown)],
        [line(each, why) for each, why in zip(found, said, strict=True) if why is not None],
    )


MOST_LINES = 50
"""Findings of one rule that its row unfolds to."""
MOST_PLACES = 4
"""Of what one rule finds in many places, so many are named in its row."""


@dataclass(frozen=True)
class FindingGroup:
    """What one rule finds, at one place or at several."""

    lines: tuple[FindingLine, ...]

    @property
    def shown(self) -> tuple[FindingLine, ...]:
        return self.lines[:MOST_LINES]

    @property
    def more(self) -> int:
        return len(self.lines) - len(self.shown)

    @property
    def finding(self) -> Finding:
        return self.lines[0].finding

    @property
    def title(self) -> str:
        topic = TOPICS.get(self.finding.rule)
        title = self.finding.rule if topic is None else topic.title
        if self.count == 1:
            return f"{title}, {len(self.lines)} times"
        if topic is not None and topic.of_many:
            return f"{self.count} {topic.of_many}"
        return f"{title}, in {self.count} places"

    @property
    def is_folded(self) -> bool:
        """Whether it is one row, which unfolds."""
        return len(self.lines) > 1

    @property
    def count(self) -> int:
        """Its places. At one of them a rule may find several things, in different styles for example."""
        return len({line.finding.where for line in self.lines})

    @property
    def places(self) -> list[str]:
        """Each once, of one kind with its word said once: `patterns 1`, `2`."""
        every = list(dict.fromkeys(line.where for line in self.lines))
        kind, _, name = every[0].partition(" ")
        if not name or len(every) == 1 or not all(each.startswith(f"{kind} ") for each in every):
            return every
        first, *others = (each.removeprefix(f"{kind} ") for each in every)
        return [f"{kind}s {first}", *others]

    @property
    def places_in_short(self) -> str:
        """The first of them in words: `patterns 1, 2 and 4`."""
        shown = self.places[:MOST_PLACES]
        return joined(shown) if len(shown) == len(self.places) else f"{', '.join(shown)} …"


def grouped(lines: Iterable[FindingLine]) -> list[FindingGroup]:
    """Findings by their rules, in the order in which each rule comes first: its gravest tells how grave it is."""
    groups: dict[str, list[FindingLine]] = {}
    for line in lines:
        groups.setdefault(line.finding.rule, []).append(line)
    return [FindingGroup(tuple(each)) for each in groups.values()]


def rows_of(groups: Iterable[FindingGroup]) -> dict[str, int]:
    """By severity, the gravest first, how many rows the list has before any is unfolded."""
    rows: Counter[str] = Counter()
    for group in groups:
        rows[group.finding.severity] += 1
    return dict(rows)  # A template would count `items` in a Counter.


def in_short(rows: Mapping[str, int], places: int) -> str:
    """Its rows in words: `1 error and 2 warnings, in 30 places`."""
    words = {"error": "error", "warning": "warning", "advice": "piece"}
    said = joined(
        [
            figures.count(number, words[severity]) + (" of advice" if severity == "advice" else "")
            for severity, number in rows.items()
        ]
    )
    return said if sum(rows.values()) == places else f"{said}, in {places} places"


def in_words(where: str) -> str:
    """A place as people call it."""
    if where.startswith("relationships."):
        _, name, *rest = where.split(".")
        return ".".join((f"relationship “{name}”", *rest))
    for path, words in (
        ("patterns.", "pattern "),
        ("planner.pins.", "pin "),
        (".attributes.", "."),
    ):
        where = where.replace(path, words)
    return PARTS.get(where) or where.removeprefix("entities.")


PARTS = {
    "planner.pins": "Pins",
    "planner.max_gsis": "Index limit",
    "billing": "Billing",
    "region": "AWS Region",
    "entities": "Entities",
}
"""Places that no part of a design has a name for."""


SaidInStyles = tuple[tuple[tuple[Style, ...], str], ...]


@dataclass(frozen=True)
class PinLine:
    """A pin of the list, and what the plan of each style says of it."""

    key: str
    pin: Pin
    about: str
    says: tuple[str, ...]
    faults: SaidInStyles
    """Why it is not followed."""
    prices: SaidInStyles
    """What it does to the plan."""


def pin_lines(design: Design, plans: Iterable[Plan]) -> list[PinLine]:
    """The pins of a design as some plans obey them."""
    plans = tuple(plans)
    return [
        PinLine(
            pin_key(pin),
            pin,
            *pin_words(pin),
            _in_styles(
                (plan.style, each.message)
                for plan in plans
                for each in plan.findings
                if (each.rule, each.where) == ("pin-not-obeyed", f"planner.pins.{number}")
            ),
            _in_styles(
                (plan.style, " ".join(text(one) for one in each.reasons if one.id != "pin-reason"))
                for plan in plans
                for each in plan.decisions
                if each.about == f"pin {number}"
            ),
        )
        for number, pin in enumerate(design.planner.pins, 1)
    ]


def _in_styles(said: Iterable[tuple[Style, str]]) -> SaidInStyles:
    """What is said of several styles, each once, with those of which it is."""
    found: dict[str, tuple[Style, ...]] = {}
    for style, words in said:
        found[words] = (*found.get(words, ()), style)
    return tuple((styles, words) for words, styles in found.items())


def pin_key(pin: Pin) -> str:
    """A pin in an address: it has no id, and is known by what it says."""
    return sha256(pin.model_dump_json().encode()).hexdigest()[:12]
