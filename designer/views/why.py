"""Why not otherwise, and what a key is good for: asked in the left column."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe
from pydantic import TypeAdapter

from designer.core.design.document import Design, Entity
from designer.core.design.pins import MisfitError, key_text
from designer.core.errors import DesignError
from designer.core.pinning import pin_of
from designer.core.plan import Decision, Plan, Style
from designer.core.planner import VERSION
from designer.core.planner.why import (
    AskedOfKey,
    KeyAsked,
    WhyNot,
    questions_of_key,
    why_not,
)
from designer.core.sentences import headed
from designer.views.entities import entity_of
from designer.views.requests import Request
from designer.views.results import evaluated, planned, style_named, waited_for
from designer.views.workspace import Left, show
from projects import revisions, work
from projects.access import draft_for


@require_safe
def why(request: Request, slug: str, style: str, about: str) -> HttpResponse:
    """What could stand in place of a key, an index or a pattern's answer. `about` is as in a decision."""
    draft = draft_for(request, slug)
    design = revisions.latest(draft)
    of = style_named(style)

    def asked(design: Design) -> WhyNot | Literal["nothing"]:
        try:
            return why_not(design, of, about)
        except (KeyError, ValueError):
            return "nothing"

    kind: TypeAdapter[WhyNot | Literal["nothing"]] = TypeAdapter(WhyNot | Literal["nothing"])
    what = work.Work(_name("why", of, about), asked, kind, plans=16)
    decided, answer = planned(draft, design, of), waited_for(what, draft, design)
    if answer.found == "nothing":
        raise Http404("The plan has no such thing.")
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
    """A key of an entity, from the plan or typed: whether it could be chosen, and which questions it answers."""
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
        what = work.Work(
            _name("key", of, owner.name, *typed.values()),
            lambda design: _answer(design, of, owner.name, typed),
            TypeAdapter(KeyAnswer),
            plans=4,
        )
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
        status=422 if answer.error else 200,
    )


@dataclass(frozen=True)
class KeyAnswer:
    """What there is to say of a key that was typed."""

    error: str = ""
    why: WhyNot | None = None
    asked: tuple[AskedOfKey, ...] = ()


def _answer(design: Design, style: Style, entity: str, typed: dict[str, str]) -> KeyAnswer:
    partition, sort = _parts(typed)
    wanted = KeyAsked(entity, partition, sort, index=typed["as"] == "index")
    try:
        for part in (partition, sort):
            shard = _shard_in(design.entity[entity], part)
            if shard:
                return KeyAnswer(
                    f"no question can ask by `{{{shard}}}`, which spreads one key over several: leave it out to see "
                    "what the key answers; what is asked of one key is then asked of each of its shards"
                )
        asked = questions_of_key(design, style, entity, partition, sort)
        return KeyAnswer("", why_not(design, style, wanted), asked)
    except (MisfitError, KeyError, ValueError) as error:
        return KeyAnswer(str(error))


def _shard_in(entity: Entity, part: tuple[str, ...] | str) -> str:
    """The shard that a part of a key is written with, if any: `shard(7, eventId)`."""
    named = key_text(entity, part).attributes if isinstance(part, str) and part else ()
    return next((name for name in named if name.startswith("shard(")), "")


def _name(*parts: str) -> str:
    """A name for something asked of a design; what was typed may be long."""
    return f"{parts[0]} {VERSION} {sha256(repr(parts).encode()).hexdigest()[:24]}"


def _parts(typed: dict[str, str]) -> list[tuple[str, ...] | str]:
    """Partition and sort key: templates when there is a brace in one of them, else names of attributes."""
    both = [typed["partition"], typed["sort"]]
    if any("{" in text for text in both):
        return [*both]
    return [tuple(text.replace(",", " ").split()) for text in both]


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
        return f"Why is question {name} answered so?"
    kinds = {
        "key": f"the key of {name}",
        "copy": f"a copy of each item, {name}",
        "index": f"index {name.rpartition('/')[2]}",
    }
    return f"Why {kinds[kind]}?" if kind in kinds else f"Why {about}?"


def _entity(design: Design, about: str) -> Entity | None:
    """The entity whose keys can be tried."""
    return design.entity.get(about.removeprefix("key "))
