"""Why not another choice, and what a key serves: in the left column."""

from collections.abc import Iterator

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.errors import DesignError
from designer.core.plan import Decision, Plan
from designer.core.plan.pinning import pin_of
from designer.core.planner.what_if.key_asked import KeyAnswer
from designer.core.sentences.plans import headed
from designer.views.entities import entity_of
from designer.views.requests import Request
from designer.views.results import evaluated, planned, style_named, waited_for
from designer.views.workspace import Left, show
from projects import revisions
from projects.access import draft_for
from projects.kinds import KEY, WHY


@require_safe
def why(request: Request, slug: str, style: str, about: str) -> HttpResponse:
    """What could stand in place of a key, an index or a pattern's answer. `about` is as in a decision."""
    draft = draft_for(request, slug)
    design = revisions.latest(draft)
    of = style_named(style)
    decided, answer = planned(draft, design, of), waited_for(WHY.of(of, about), draft, design)
    if answer.found == "nothing":
        raise Http404("The plan has no such decision.")
    plan = decided.found
    context = {
        "why": answer.found,
        "why_style": of,
        "why_about": about,
        "why_title": _title(about),
        "why_entity": _entity(design, about),
        "why_decisions": [] if plan is None else list(_decisions(plan, about)),
    }
    waiting = "planning" in (answer.standing, decided.standing)
    return show(request, draft, design, Left("designer/partials/_why_panel.html", context, waiting))


@require_safe
def key(request: Request, slug: str, style: str, entity: str) -> HttpResponse:
    """A key of an entity, from the plan or typed: whether it could be chosen, and which patterns it answers."""
    draft = draft_for(request, slug)
    design = revisions.latest(draft)
    of = style_named(style)
    try:
        owner = entity_of(design, entity)
    except DesignError as error:
        raise Http404(error.message) from error
    typed = {name: request.GET.get(name, "").strip() for name in ("partition", "sort", "as")}
    if "partition" not in request.GET:
        now = evaluated(draft, design, [of]).found
        like = None if now is None else pin_of(now.plans[of], f"key {owner.name}")
        if like is not None and like.key is not None:
            typed |= {"partition": like.key.partition or "", "sort": like.key.sort or ""}
    answer, waiting = KeyAnswer(), False
    if "partition" in request.GET and not typed["partition"]:
        name = owner.identifier[0]
        answer = KeyAnswer(f"fill in a partition key: an attribute, as `{name}`, or a template")
    elif typed["partition"]:
        what = KEY.of(of, owner.name, typed["partition"], typed["sort"], typed["as"])
        judged = waited_for(what, draft, design)
        waiting, answer = judged.standing == "planning", judged.found or answer
    context = {
        "entity": owner,
        "why_style": of,
        "typed": typed,
        "typed_template": _template(typed["partition"]),
        "key_error": answer.error,
        "why": answer.why,
        "lines": [(design.pattern(asked.pattern), asked) for asked in answer.asked],
    }
    return show(
        request,
        draft,
        design,
        Left("designer/partials/_key_panel.html", context, waiting),
        status=422 if answer.error and "partition" in request.GET else 200,
    )


def _template(partition: str) -> str:
    """A partition key as a template: attributes become one."""
    names = partition.replace(",", " ").split()
    return partition if "{" in partition else "#".join(f"{{{name}}}" for name in names)


def _decisions(plan: Plan, about: str) -> Iterator[tuple[str, str, Decision]]:
    """What was decided of a key, an index or a copy, or for a pattern, each with its heading and its choice."""
    kind, _, name = about.partition(" ")
    for decision in plan.decisions:
        of_pattern = kind == "pattern" and name in map(str, decision.serves)
        if decision.about == about or of_pattern:
            yield *headed(decision), decision


def _title(about: str) -> str:
    kind, _, name = about.partition(" ")
    if kind == "pattern":
        return f"Why is pattern {name} served this way?"
    kinds = {
        "key": f"this key for {name}",
        "copy": f"a copy of each item, {name}",
        "index": f"index {name.rpartition('/')[2]}",
    }
    return f"Why {kinds[kind]}?" if kind in kinds else f"Why {about}?"


def _entity(design: Design, about: str) -> Entity | None:
    """The entity whose keys can be tried."""
    return design.entity.get(about.removeprefix("key "))
