"""Whether a design that was approved changed in more than its figures, and whether its plans did."""

from typing import Literal

from designer.core.difference import figures_compared, same_plans
from designer.core.plan import ALL_STYLES
from designer.views.results import derived, evaluated, of_revisions
from projects import revisions
from projects.models import Draft, Likeness, Revision, Verdict
from projects.reviews import Reviewed

MOST = 5
"""Approvals, the newest, that a design as it stands is compared with."""


def compared(
    draft: Draft, reviewed: Reviewed, current: Revision
) -> tuple[Reviewed, frozenset[str]]:
    """How people judged a design, once it is known how like it is to what they judged.

    With it the ordered meanings of what differs in figures only and whose plans are still being compared.
    """
    approved = [each.revision for each in reviewed.verdicts if each.kind == Verdict.Kind.APPROVE]
    judged = {each.ordered_meaning: each for each in approved}
    unknown = [
        each
        for meaning, each in judged.items()
        if meaning != current.ordered_meaning
        and (meaning, current.ordered_meaning) not in reviewed.likenesses
    ]
    if not unknown:
        return reviewed, frozenset()
    numbers = [each.number for each in unknown[-MOST:]]
    read = {
        each.number: each for each in draft.revisions.filter(number__in=(*numbers, current.number))
    }
    found = {
        read[number].ordered_meaning: _noted(draft, read[number], read[current.number])
        for number in numbers
    }
    waiting = frozenset(meaning for meaning, standing in found.items() if standing == "planning")
    return (Reviewed(draft) if "noted" in found.values() else reviewed), waiting


def _noted(
    draft: Draft, judged: Revision, current: Revision
) -> Literal["noted", "planning", "other"]:
    """Note how like two revisions are, once their plans are there; "other" where more than figures differs."""
    before, after = revisions.design_of(judged), revisions.design_of(current)
    change = of_revisions(draft, (judged, current), figures_compared, before, after)
    if change.standing == "planning":
        return "planning"
    if change.found is None or change.found.change is None:
        return "other"
    was = evaluated(revisions.as_of(draft, judged), before, ALL_STYLES).found
    now = evaluated(draft, after, ALL_STYLES).found
    if was is None or now is None:
        return "planning"
    same = derived(draft, after, same_plans, before, was.plans, after, now.plans).found
    if same is None:
        return "planning"
    Likeness.objects.get_or_create(
        draft=draft,
        was=judged.ordered_meaning,
        now=current.ordered_meaning,
        defaults={"change": change.found.change, "has_same_plans": same},
    )
    return "noted"
