"""Why the plan is as it is: every decision, what it was taken instead of, and how good the whole is."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from designer.core.patterns import AnyPattern
from designer.core.plan import Decision, Plan, Table
from designer.core.sentences.plans import PRICED, headed
from designer.core.words.english import joined
from designer.views.requests import Request, place_of
from designer.views.results import planned, styles_of
from designer.views.workspace import Left, show
from projects import access, revisions


@require_safe
def decisions(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    style = styles_of(place_of(request))[0]
    asked = planned(draft, design, style)
    plan = asked.found
    certified: list[AnyPattern] = []
    if plan is not None and plan.certificate is not None:
        certified = [design.pattern(number) for number in plan.certificate.patterns]
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/decisions.html",
        with_grid=False,
        waiting=asked.standing == "planning",
        stopped=asked.stopped,
        plan=plan,
        style=style,
        parts=[] if plan is None else list(_parts(plan)),
        certified=certified,
        priced=PRICED,
    )


@dataclass(frozen=True)
class Part:
    """A table, or one of its indexes, with what was decided about it."""

    id: str
    table: Table
    index: str | None
    decisions: tuple[tuple[str, str, Decision], ...]
    """Each with its heading and its choice."""


def _parts(plan: Plan) -> Iterator[Part]:
    left = {id(decision): decision for decision in plan.decisions}
    for table in plan.tables:
        shapes = {shape.shape for shape in table.items} | {shape.entity for shape in table.items}
        prefix = f"grid-{plan.style}-{table.name}".replace(".", "_")
        read = _patterns_that_begin_in(plan, table)
        for index in (None, *(each.name for each in table.indexes)):
            mine = [each for each in left.values() if _is_of(each, table, index, shapes, read)]
            for decision in mine:
                del left[id(decision)]
            yield Part(
                f"{prefix}{'' if index is None else f'-{index}'}-decisions",
                table,
                index,
                tuple((*headed(each), each) for each in mine),
            )


def _patterns_that_begin_in(plan: Plan, table: Table) -> set[int]:
    """The patterns whose first request goes to a table."""
    return {
        one.pattern for one in plan.operations if one.steps and one.steps[0].table == table.name
    }


def _is_of(
    decision: Decision, table: Table, index: str | None, shapes: set[str], patterns: set[int]
) -> bool:
    kind, _, rest = decision.about.partition(" ")
    if kind == "index":
        return rest == f"{table.name}/{index}"
    if kind == "pin" or kind == "pins" or index is not None:
        return False
    if kind == "guard":
        kept = (one for one in table.items if one.role == "guard")
        return any(rest == f"{one.entity}.{joined(list(one.guards))}" for one in kept)
    if kind == "together":
        return not shapes.isdisjoint(rest.split())
    if kind == "pattern":
        return not patterns.isdisjoint(decision.serves)
    return rest == table.name or rest.partition(".")[0] in shapes
