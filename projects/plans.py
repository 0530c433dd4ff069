"""The plans of designs, as the pages ask for them."""

from pydantic import TypeAdapter

from designer.core.design.document import Design
from designer.core.evaluate import Evaluation, evaluate, plans_of
from designer.core.plan import Plan, Style
from designer.core.planner import VERSION
from projects import revisions, work
from projects.models import Project, WorkedOut


def evaluation(project: Project, design: Design) -> Evaluation | None:
    """What follows from a design of the project, saved or not; None while it is being planned."""
    plans = work.ask(PLANS, design, project.pk or project.slug)
    return None if plans is None else evaluate(design, plans)


def last_evaluation(project: Project) -> Evaluation | None:
    """What followed from the project before it was changed: of its newest revision whose plans are known."""
    if not project.is_saved:
        return None
    newest = project.revisions.order_by("-number").values_list("digest", "number")[:LOOKED_AT]
    numbers = {PLANS.key(digest): number for digest, number in reversed(newest)}
    done = WorkedOut.objects.filter(pk__in=numbers, result__isnull=False).values_list(
        "pk", flat=True
    )
    for key in sorted(done, key=lambda key: -numbers[key]):
        plans = work.known(PLANS, key)
        if plans is not None:
            design = revisions.design_of(project.revisions.get(number=numbers[key]))
            return evaluate(design, plans)
    return None


LOOKED_AT = 100
"""Revisions among which the last planned one is looked for."""


PLANS = work.Work(f"plans {VERSION}", plans_of, TypeAdapter(dict[Style, Plan]))
