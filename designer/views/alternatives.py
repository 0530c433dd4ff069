"""The plans worth comparing, side by side, and the way to take one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from designer.core.design.document import Design
from designer.core.edits import use_alternative
from designer.core.grid.shown import STYLE_WORDS
from designer.core.messages import said, say, text
from designer.core.plan import ALL_STYLES, Style
from designer.core.plan.pinning import OWN
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.what_if.alternatives import AS_SET, FIGURES, LABELS, Alternative
from designer.core.words import figures
from designer.core.words.english import joined
from designer.views.requests import Request
from designer.views.results import waited_for
from designer.views.workspace import Left, save, show
from projects import access, revisions
from projects.kinds import ALTERNATIVES


@require_safe
def compare(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    asked = waited_for(ALTERNATIVES.of(), draft, design)
    columns = _columns(asked.found or ())
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/alternatives.html",
        with_grid=False,
        waiting=asked.standing == "planning",
        stopped=asked.stopped,
        columns=columns,
        in_styles=any(column.differs_in_style for column in columns),
        warned=any(column.alternative.warnings for column in columns),
        has_rates=any(column.alternative.requests_per_second for column in columns),
        warned_are_cheaper=_warned_are_cheaper(columns),
        **_rows(design, columns),
    )


def _warned_are_cheaper(columns: list["Column"]) -> bool:
    """Whether a plan that is warned of costs less than the one that is called the cheapest."""
    plans = [column.alternative for column in columns]
    best = [one.per_month for one in plans if "cheapest" in one.best]
    return any(one.per_month < min(best) for one in plans if one.warnings and best)


@require_POST
def use(request: Request, slug: str, style: str, name: str) -> HttpResponse:
    """Set the design so that an alternative becomes its plan: one edit, which can be undone."""
    draft = access.draft_for(request, slug)
    asked = waited_for(ALTERNATIVES.of(), draft, revisions.latest(draft))
    if asked.standing == "planning":
        messages.info(request, text(say("choose-again-after-planning")))
        return redirect("alternatives", draft.slug)
    mine = [each for each in asked.found or () if each.style == style]
    chosen = next((each for each in mine if each.name == name), None)
    if chosen is None:
        raise Http404("This alternative no longer exists.")
    note = f"Use the plan with the {name}" if name.startswith("fewest") else f"Use the plan {name}"
    if name.startswith("cheapest"):
        note = f"Use the {name.replace('cheapest', 'cheapest plan', 1)}"
    own, _ = save(request, draft, lambda newest: use_alternative(newest, chosen), note)
    return redirect(f"{reverse('workspace', args=[own.slug])}?view={style}")


@dataclass(frozen=True)
class Column:
    """An alternative as it is shown."""

    alternative: Alternative
    title: str
    differs: str
    """What its whole plan has more or less than the first one; empty for that itself."""
    differs_in_style: str
    """The same beside what is set in its style; empty in the first one's style, and for what is set itself."""
    is_set: bool

    @property
    def style(self) -> Style:
        return self.alternative.style

    @property
    def other_styles(self) -> str:
        """The other styles in which the same plan comes out with the current settings: `the grouped style`."""
        also = [style for style in ALL_STYLES if f"{style} style" in self.alternative.also]
        return joined([f"the {STYLE_WORDS[style]}" for style in also])

    @property
    def also(self) -> str:
        """The other settings of its style with which the same plan comes out."""
        names = [name for name in self.alternative.also if not name.endswith(" style")]
        return joined([f"“{LABELS[name]}”" for name in names], "or")

    @property
    def shared(self) -> Iterator[str]:
        """Where some entities share a table and others do not: those of each shared one."""
        tables = self.alternative.plan.tables
        for table in tables if len(tables) > 1 else ():
            entities = dict.fromkeys(each.entity for each in table.items if each.role in OWN)
            if len(entities) > 1:
                yield joined(list(entities))


@dataclass(frozen=True)
class Cell:
    """How one pattern fares in one alternative."""

    words: str
    is_best: bool


def _columns(found: tuple[Alternative, ...]) -> list[Column]:
    """The plan as set, with which the others are compared, then the best, then what is set in the other styles."""
    as_set = {one.style: one for one in found if one.name == AS_SET}
    ordered = sorted(found, key=lambda one: _place(one, found[0]))
    return [_column(one, found[0], as_set.get(one.style)) for one in ordered]


def _place(one: Alternative, first: Alternative) -> tuple[int, int]:
    """Where an alternative stands; the smaller the earlier."""
    best = [at for at, name in enumerate(FIGURES, 1) if name in one.best]
    others = {AS_SET: 1}.get(one.name, 2) + len(FIGURES)
    return 0 if one is first else min(best, default=others), ALL_STYLES.index(one.style)


def _column(one: Alternative, first: Alternative, of_style: Alternative | None) -> Column:
    return Column(
        alternative=one,
        title=LABELS[one.name].capitalize(),
        differs=_difference(one, first),
        differs_in_style="" if of_style in (first, None) else _difference(one, of_style),
        is_set=one.name == AS_SET,
    )


def _difference(one: Alternative, other: Alternative) -> str:
    """What a whole plan has more or less than another; empty for the same."""
    if one is other:
        return ""
    words = said(tuple(Difference(one.plan, other.plan).sums())) or "costs the same"
    return f"{words[:1].upper()}{words[1:]}."


def _rows(design: Design, columns: list[Column]) -> dict[str, Any]:
    """The patterns that fare differently, and how many fare alike."""
    rows = [(pattern, list(_cells(pattern.number, columns))) for pattern in design.patterns]
    differing = [row for row in rows if len({cell.words for cell in row[1]}) > 1]
    return {"rows": differing, "alike": len(rows) - len(differing)}


def _cells(number: int, columns: list[Column]) -> Iterator[Cell]:
    requests = [column.alternative.requests.get(number, 0.0) for column in columns]
    served = [each for each in requests if each]
    for column, each in zip(columns, requests, strict=True):
        operations = column.alternative.plan.operations_for(number)
        answers = {operation.answer for operation in operations}
        words = (
            figures.number(each)
            if each
            else "elsewhere"
            if "elsewhere" in answers
            else "not served"
        )
        yield Cell(words, bool(each) and each == min(served) < max(served))
