"""What plans named so far, and what would be called otherwise if the names were begun anew."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from designer.core.design.document import Design
from designer.core.design.names import NamedIndex, NamedKey
from designer.core.difference import Change, Side, plan_difference
from designer.core.edits import name_anew
from designer.core.errors import DesignError
from designer.core.plan import ALL_STYLES, Style
from designer.views.requests import Request
from designer.views.results import Asked, derived, evaluated
from designer.views.workspace import Left, Saved, answer_edit, refused, save, show
from projects import access, revisions
from projects.models import Draft

RENAMES = ("table", "index", "items")
"""The kinds of changes of a plan that other names make."""


@require_safe
def names(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    found = list(_recorded(draft, design))
    standings = {each.standing for each in found}
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/names.html",
        with_grid=False,
        waiting="planning" in standings and "failed" not in standings,
        stopped=next((each.stopped for each in found if each.stopped), ""),
        recorded=found,
    )


@require_POST
def anew(request: Request, slug: str) -> HttpResponse:
    """Forget the recorded names: one edit, which can be undone."""
    draft = access.draft_for(request, slug)
    try:
        own, design = save(request, draft, name_anew, "Rename everything")
    except DesignError as error:
        return refused(request, draft, revisions.latest(draft), error)
    return answer_edit(request, own, design, Saved(reverse("names", args=[own.slug]), Left()))


@dataclass(frozen=True)
class Recorded:
    """What is recorded of the plan of one style, and what forgetting it would do."""

    style: Style
    items: tuple[tuple[str, str], ...]
    """By the kind of item its key in the table."""
    here: tuple[NamedIndex, ...]
    former: tuple[str, ...]
    """Names of indexes that the plan has no more."""
    asked: Asked[tuple[Change, ...]]

    @property
    def standing(self) -> str:
        return self.asked.standing

    @property
    def stopped(self) -> str:
        return self.asked.stopped

    @property
    def renames(self) -> tuple[Change, ...]:
        return self.asked.found or ()


def _recorded(draft: Draft, design: Design) -> Iterator[Recorded]:
    """Every style of which something is recorded."""
    if design.names.is_empty:
        return
    without = name_anew(design)
    for style in ALL_STYLES:
        known = design.names.of(style)
        if known.items or known.indexes:
            yield Recorded(
                style,
                tuple((name, _key(key)) for name, key in known.items.items() if _key(key)),
                tuple(index for index in known.indexes if index.of),
                tuple(index.name for index in known.indexes if not index.of),
                _renamed(draft, design, without, style),
            )


def _renamed(
    draft: Draft, design: Design, without: Design, style: Style
) -> Asked[tuple[Change, ...]]:
    sides: list[Side] = []
    for each in (design, without):
        asked = evaluated(draft, each, (style,))
        if asked.found is None:
            return Asked(asked.standing, stopped=asked.stopped)
        sides.append(Side(each, asked.found.plans[style]))
    told = derived(draft, design, plan_difference, *sides)
    if told.found is None:
        return told
    return Asked("planned", tuple(each for each in told.found if each.about.kind in RENAMES))


def _key(key: NamedKey) -> str:
    return ", ".join((*key.partition, *key.sort))
