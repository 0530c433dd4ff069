"""Proofs: asked for, watched, and read with every request that was sent."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.plan import Style
from designer.core.planner import VERSION
from designer.views.requests import Request, place_of
from designer.views.results import style_named, styles_of
from designer.views.workspace import Left, save, show
from projects import access, proofs, revisions
from projects.models import Draft


@require_safe
def prove(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    context = _proof(draft, design, styles_of(place_of(request))[0])
    if request.htmx and request.htmx.target == "proof":
        context |= {"draft": draft, "design": design, "may_edit": draft.may_edit}
        context["here"] = request.get_full_path()
        return render(request, "designer/partials/_proof.html", context)
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/prove.html",
        with_grid=False,
        **context,
    )


@require_POST
def start(request: Request, slug: str, style: str) -> HttpResponse:
    """Ask for a proof; of a design of the gallery in the visitor's own copy."""
    draft = access.draft_for(request, slug)
    chosen = style_named(style)
    own, _ = save(request, draft, lambda newest: newest, "")
    try:
        proofs.start(own, chosen)
    except DesignError as error:
        messages.warning(request, error.message)
    return redirect(f"{reverse('prove', args=[own.slug])}?view={chosen}")


@require_safe
def record(request: Request, slug: str, style: str, number: int) -> HttpResponse:
    """What was asked of the engine for one pattern, and what it answered."""
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    proof = _shown(draft, design, style_named(style)).proof
    found = proof.patterns.filter(number=number).first() if proof is not None else None
    if found is None:
        raise Http404("No proof contains this access pattern.")
    context = {"verdict": found.verdict, "examples": found.examples, "style": style}
    if request.htmx:
        return render(request, "designer/partials/_proof_record.html", context)
    page = "designer/prove_record.html"
    return show(request, draft, design, Left(), page=page, with_grid=False, **context)


@dataclass(frozen=True)
class Row:
    """A pattern of a proof; without a verdict while it is still to come."""

    number: int
    name: str
    verdict: dict[str, Any] | None


def _proof(draft: Draft, design: Design, style: Style) -> dict[str, Any]:
    """The context of `_proof.html`."""
    every = proofs.shown(draft, design)
    chosen = next(each for each in every if each.style == style)
    rows = _rows(design, chosen)
    verdicts = [row.verdict for row in rows if row.verdict is not None]
    return {
        "proofs": every,
        "chosen": chosen,
        "style": style,
        "rows": rows,
        "counts": dict(Counter(verdict["status"] for verdict in verdicts)),
        "done": len(verdicts),
        "planner": VERSION,
        "is_polled": any(each.is_live for each in every),
        "nobody_at_work": proofs.is_nobody_at_work(every),
    }


def _rows(design: Design, chosen: proofs.Shown) -> list[Row]:
    if chosen.proof is None:
        return []
    found = {each.number: each.verdict for each in chosen.proof.patterns.defer("examples")}
    rows = [Row(number, verdict["name"], verdict) for number, verdict in found.items()]
    if chosen.is_live and not chosen.is_stale:
        rows += [Row(p.number, p.name, None) for p in design.patterns if p.number not in found]
    return sorted(rows, key=lambda row: row.number)


def _shown(draft: Draft, design: Design, style: Style) -> proofs.Shown:
    return next(each for each in proofs.shown(draft, design) if each.style == style)
