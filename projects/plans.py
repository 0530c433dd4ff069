"""The plans of designs, as the pages ask for them."""

from collections.abc import Iterable

from designer.core.design.document import Design
from designer.core.evaluation.evaluate import Evaluation, judged
from designer.core.plan import ALL_STYLES, Plan, Style
from projects import pool, recording, revisions, shares, work
from projects.kinds import GLANCE, PLAN
from projects.models import Draft


def asker(draft: Draft, about: str = "") -> work.Asker:
    """For whom something is worked out of a draft as it is looked at; `about`: something besides its plans."""
    share = shares.of(draft)
    seen = f"{draft.pk or draft.slug} {draft.seen_at or ''} {about}"
    return work.Asker(share, f"{share.key} {seen}"[:160])


def plan_of(draft: Draft, design: Design, style: Style) -> Plan | None:
    """The plan in one style, with all its reasons; None while it is being worked out."""
    return _named(design, work.ask(PLAN.of(style), design, asker(draft)))


def evaluation(draft: Draft, design: Design, styles: Iterable[Style]) -> Evaluation | None:
    """What follows from a design of the draft, saved or not, in some styles; None while they are being planned.

    Of a small design the plans may come without decisions and certificate, which take as long again: whoever shows
    these asks `plan_of`. The other styles of a large one are worked out after these.
    """
    found = {style: _shown(draft, design, style) for style in styles}
    for style in ALL_STYLES:
        if style not in found:
            work.begin(PLAN.of(style), design, asker(draft))
    plans = {style: plan for style, plan in found.items() if plan is not None}
    return evaluated(draft, design, plans) if len(plans) == len(found) else None


def evaluated(draft: Draft, design: Design, plans: dict[Style, Plan]) -> Evaluation:
    """What follows from a design and these plans. Errors as of `work.derive`."""
    # Only findings and prices come back from the child: the design and its plans are here.
    findings, prices = work.derive(shares.of(draft), pool.QUICK, judged, design, plans)
    return Evaluation(design, plans, findings, prices)


def beside(draft: Draft, design: Design, style: Style) -> Plan | None:
    """The plan as `evaluation` has it, if it is known or comes at once; else it is begun beside the request."""
    return _shown(draft, design, style)


def known(design: Design, style: Style) -> Plan | None:
    """The plan as `evaluation` has it, where it is known; nothing is begun for it."""
    return _known(work.digest(design), style)


def failed(design: Design, style: Style) -> bool:
    """Whether a plan was asked for that could not be worked out with all its reasons."""
    try:
        work.known(PLAN.of(style), work.digest(design))
    except work.FailedError:
        return True
    return False


def _known(digest: str, style: Style) -> Plan | None:
    try:
        whole = work.known(PLAN.of(style), digest)
    except work.FailedError:
        whole = None  # it may have taken too long with all its reasons only
    return whole or work.known(GLANCE.of(style), digest)


def last_evaluation(draft: Draft, styles: Iterable[Style]) -> Evaluation | None:
    """What followed from the draft before it was changed: of its newest revision whose plans are known.

    Nothing where it is looked at as it was.
    """
    if not draft.is_saved or draft.seen_at is not None:
        return None
    styles = tuple(styles)
    newest = draft.revisions.order_by("-number").values_list("digest", "number")[:LOOKED_AT]
    keys = {
        what.of(style).key(digest): (number, digest)
        for digest, number in reversed(newest)
        for style in styles
        for what in (PLAN, GLANCE)
    }
    for number, digest in sorted({keys[key] for key in work.finished(keys)}, reverse=True):
        try:
            plans = {style: _known(digest, style) for style in styles}
            found = {style: plan for style, plan in plans.items() if plan is not None}
            if len(found) == len(styles):
                was = draft.revisions.get(number=number)
                return evaluated(draft, revisions.design_of(was), found)
        except work.FailedError:
            continue
    return None


LOOKED_AT = 100
"""Revisions among which the last planned one is looked for."""


def _shown(draft: Draft, design: Design, style: Style) -> Plan | None:
    whole = PLAN.of(style)
    if not whole.is_small(design):
        return plan_of(draft, design, style)
    found = _known(work.digest(design), style)
    return _named(design, found or work.ask(GLANCE.of(style), design, asker(draft)))


def _named(design: Design, plan: Plan | None) -> Plan | None:
    """A plan that is about to be shown, with what it named kept for the next edit."""
    if plan is not None:
        recording.keep(design, plan)
    return plan
