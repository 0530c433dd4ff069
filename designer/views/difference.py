"""Two revisions of a design compared: what is stated otherwise, what that did to the plan, and both grids in one."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from designer.core.design.document import Design
from designer.core.difference import (
    Change,
    GridPair,
    Side,
    difference,
    grid_difference,
    in_order,
    plan_difference,
)
from designer.core.grid.shown import Showing
from designer.core.plan import ALL_STYLES, Style
from designer.views.requests import Request, place_of
from designer.views.results import Asked, Standing, derived, evaluated, of_revisions, styles_of
from designer.views.workspace import Left, show
from projects import access, naming, revisions
from projects.models import Draft, Revision

HEADINGS = {
    "design": "The design as a whole",
    "entity": "Entities and attributes",
    "attribute": "Entities and attributes",
    "relationship": "Relationships",
    "pattern": "Access patterns",
    "planner": "How the planner chooses",
    "pin": "How the planner chooses",
    "ignored finding": "Ignored findings",
    "names": "Recorded names",
    "table": "Tables and indexes",
    "index": "Tables and indexes",
    "items": "Items and their keys",
    "operation": "How access patterns are served",
    "upkeep": "What consumers of streams do",
    "cost": "Cost",
    "heat": "Heat",
}
MOST_GRIDS = 40
"""Grids of a large design that are laid over each other on a page; those that differ come first."""
MOST_CHANGES = 1_000
"""Changes of each kind that a page lists: those that destroy, those of what is stated, those of what is planned."""


@require_safe
def compare(request: Request, slug: str) -> HttpResponse:
    """Any two: `from` and `to`; else the last one with a name, or the first of all, and the newest."""
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    context: dict[str, Any] = {"before": None}
    if draft.is_saved:
        to = access.revision_asked(request, draft, "to")
        after = to or access.revision_of(draft, draft.position)
        before = access.revision_asked(request, draft, "from") or _base(draft, after)
        place = place_of(request)
        form: Showing = "samples" if place.state.get("form") == "samples" else "templates"
        context = {
            **laid_over(draft, before, after, styles_of(place)[0], form),
            "from_and_to": f"from={before.number}&to={after.number}",
            "named": draft.names.select_related("revision").defer("revision__document"),
        }
    page = "designer/difference.html"
    return show(request, draft, design, Left(), page=page, with_grid=False, **context)


def laid_over(
    draft: Draft, before: Revision, after: Revision, style: Style, form: Showing = "templates"
) -> dict[str, Any]:
    """The context of `_difference.html`; `waiting` while one of the plans is still being worked out."""
    old, new = revisions.design_of(before), revisions.design_of(after)
    told = of_revisions(draft, (before, after), difference, old, new)
    stated = told.found or ()
    asked = [
        _plan(draft, revision, design, style) for revision, design in ((before, old), (after, new))
    ]
    planned: tuple[Change, ...] = ()
    grids: tuple[GridPair, ...] = ()
    standing = _worst((told, *asked))
    was, now = (each.found for each in asked)
    if was is not None and now is not None:
        otherwise = derived(draft, new, plan_difference, was, now)
        over = derived(draft, new, grid_difference, was, now, form)
        planned, grids = otherwise.found or (), over.found or ()
        standing = _worst((told, otherwise, over))
    changes = in_order((*stated, *planned))
    listed = {
        "destructive": [each for each in changes if each.is_destructive],
        "stated": [each for each in stated if not each.is_destructive],
        "planned": [each for each in planned if not each.is_destructive],
    }
    shown = [grid for grid in grids if grid.differing]
    return {
        "before": before,
        "after": after,
        "before_name": getattr(before, "named", None),
        "after_name": getattr(after, "named", None),
        "means_the_same": before.meaning == after.meaning,
        "in_one_order": before.ordered_meaning == after.ordered_meaning,
        "destructive": listed["destructive"][:MOST_CHANGES],
        "destroys": len(listed["destructive"]),
        "told": told.standing,
        "stated": _grouped(listed["stated"][:MOST_CHANGES]),
        "planned": _grouped(listed["planned"][:MOST_CHANGES]),
        "left_out": {name: max(0, len(each) - MOST_CHANGES) for name, each in listed.items()},
        "count": len(changes),
        "compared": standing,
        "waiting": standing == "planning",
        "style": style,
        "styles": ALL_STYLES,
        "laid_form": form,
        "grid_pairs": shown[:MOST_GRIDS],
        "more_grids": shown[MOST_GRIDS:],
        "same_grids": [grid for grid in grids if not grid.differing],
        "asked_now": {pattern.number for pattern in new.patterns},
    }


def _worst(asked: Iterable[Asked[Any]]) -> Standing:
    """How several things stand that are shown together."""
    found = {each.standing for each in asked}
    return "failed" if "failed" in found else "planning" if "planning" in found else "planned"


@dataclass(frozen=True)
class Group:
    """Changes under one heading."""

    heading: str
    changes: tuple[Change, ...]


def _grouped(changes: Iterable[Change]) -> list[Group]:
    """Under their headings, in the order in which they are told; mere wording last, but for names."""

    def heading(change: Change) -> str:
        is_wording = change.is_wording and change.about.kind != "names"
        return "Wording only" if is_wording else HEADINGS[change.about.kind]

    return [Group(words, tuple(found)) for words, found in groupby(changes, heading)]


def _plan(draft: Draft, revision: Revision, design: Design, style: Style) -> Asked[Side]:
    """A revision's side, without reasons where these take longer."""
    of = draft if revision.number == draft.position else revisions.as_of(draft, revision)
    asked = evaluated(of, design, (style,))
    if asked.found is None:
        return Asked(asked.standing, None)
    return Asked(asked.standing, Side(design, asked.found.plans[style]))


def _base(draft: Draft, after: Revision) -> Revision:
    """What a revision is compared with unless it is said."""
    return naming.last_named(draft, after.number) or access.revision_of(draft, 1)
