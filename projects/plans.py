"""The plans of designs, as the pages ask for them."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial

from pydantic import TypeAdapter

from designer.core.design.document import Design
from designer.core.evaluate import Evaluation, evaluate
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner import VERSION, plan
from projects import revisions, work
from projects.models import Draft


def plan_of(draft: Draft, design: Design, style: Style) -> Plan | None:
    """The plan in one style, with all its reasons; None while it is being worked out."""
    return work.ask(PLANS[style], design, _about(draft))


def evaluation(draft: Draft, design: Design, styles: Iterable[Style]) -> Evaluation | None:
    """What follows from a design of the draft, saved or not, in some styles; None while they are being planned.

    Of a small design the plans may come without decisions and certificate, which take as long again: whoever shows
    these asks `plan_of`. The other styles of a large one are worked out after these.
    """
    found = {style: _shown(draft, design, style) for style in styles}
    for style, what in PLANS.items():
        if style not in found and not what.is_small(design):
            work.begin(what, design, _about(draft))
    plans = {style: plan for style, plan in found.items() if plan is not None}
    return evaluate(design, plans) if len(plans) == len(found) else None


def beside(draft: Draft, design: Design, style: Style) -> Plan | None:
    """The plan as `evaluation` has it, if it is known; else it is begun beside the request."""
    found = known(design, style)
    if found is None:
        works = GLANCES if PLANS[style].is_small(design) else PLANS
        work.begin(works[style], design, _about(draft))
    return found


def known(design: Design, style: Style) -> Plan | None:
    """The plan as `evaluation` has it, where it is known; nothing is begun for it."""
    return _known(work.digest(design), style)


def _known(digest: str, style: Style) -> Plan | None:
    whole, glance = PLANS[style], GLANCES[style]
    return work.known(whole, whole.key(digest)) or work.known(glance, glance.key(digest))


def last_evaluation(draft: Draft, styles: Iterable[Style]) -> Evaluation | None:
    """What followed from the draft before it was changed: of its newest revision whose plans are known.

    Nothing where it is looked at as it was.
    """
    if not draft.is_saved or draft.seen_at is not None:
        return None
    styles = tuple(styles)
    newest = draft.revisions.order_by("-number").values_list("digest", "number")[:LOOKED_AT]
    keys = {
        what[style].key(digest): (number, digest)
        for digest, number in reversed(newest)
        for style in styles
        for what in (PLANS, GLANCES)
    }
    for number, digest in sorted({keys[key] for key in work.finished(keys)}, reverse=True):
        plans = {style: _known(digest, style) for style in styles}
        found = {style: plan for style, plan in plans.items() if plan is not None}
        if len(found) == len(styles):
            return evaluate(revisions.design_of(draft.revisions.get(number=number)), found)
    return None


LOOKED_AT = 100
"""Revisions among which the last planned one is looked for."""


def _shown(draft: Draft, design: Design, style: Style) -> Plan | None:
    whole = PLANS[style]
    if not whole.is_small(design):
        return plan_of(draft, design, style)
    found = work.known(whole, whole.key(work.digest(design)))
    return found or work.ask(GLANCES[style], design, _about(draft))


def _about(draft: Draft) -> Hashable:
    return (draft.pk or draft.slug, draft.seen_at)


def _works(name: str, do: Callable[..., Plan]) -> Mapping[Style, work.Work[Plan]]:
    kind = TypeAdapter(Plan)
    return {
        style: work.Work(f"{name} {style} {VERSION}", partial(do, style=style), kind)
        for style in ALL_STYLES
    }


PLANS = _works("plan", plan)
"""The plan of each style, with its reasons."""
GLANCES = _works("glance", partial(plan, reasons="findings"))
"""The same without decisions and certificate: what changes on the page while somebody types."""
