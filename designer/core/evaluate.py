"""All that follows from a design: its plans in both styles, and the findings."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.lint import lint
from designer.core.plan import STYLES, Finding, Plan, Style
from designer.core.planner import plan

KEPT = 64
"""Designs whose plans are remembered."""


@dataclass(frozen=True)
class Evaluation:
    """A design with everything worked out from it."""

    design: Design
    plans: Mapping[Style, Plan]
    findings: tuple[Finding, ...]
    """Of both plans and of the lint rules, each once, those that the team ignores included (`lint.set_aside`)."""


_plans: OrderedDict[str, Mapping[Style, Plan]] = OrderedDict()


def evaluate(design: Design) -> Evaluation:
    """Work out everything; the plans of the newest designs are remembered."""
    plans = plans_of(design)
    found = [finding for plan_ in plans.values() for finding in plan_.findings]
    return Evaluation(design, plans, tuple(dict.fromkeys((*found, *lint(design, plans)))))


def plans_of(design: Design) -> Mapping[Style, Plan]:
    """The plans of a design in both styles."""
    # Not by its meaning: the order of a design's lists decides between plans that are equally good.
    key = design.model_dump_json()
    if key not in _plans:
        _plans[key] = {style: plan(design, style) for style in STYLES}
        while len(_plans) > KEPT:
            _plans.popitem(last=False)
    _plans.move_to_end(key)
    return _plans[key]
