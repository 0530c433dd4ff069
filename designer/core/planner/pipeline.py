"""All passes in order: the plan of a design."""

from collections.abc import Mapping
from typing import Literal

from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.planner.assemble import Reasons, planned
from designer.core.planner.model.pins import Candidates
from designer.core.planner.rewrites.variants import demands_of
from designer.core.planner.solve.choice import choose
from designer.core.planner.what_if.pin_prices import pin_effects, with_effects
from designer.core.planner.workload.requirements import Requirements

VERSION = "2.22"
"""Goes up whenever an unchanged design may get another plan."""


def plan(
    design: Design,
    style: Style,
    candidates: Mapping[str, Candidates] | None = None,
    reasons: Reasons = "all",
) -> Plan:
    """The plan of a design in one style. The same design always gives the same plan, byte for byte.

    `candidates`: for some entities, the keys to take instead of those that the planner lists; that is how a design that
    somebody else made is priced by our rules. `reasons`: pricing what was not chosen takes as long again as choosing,
    so whoever shows nothing of it does without.
    """
    demands = demands_of(design, style, given=candidates)
    made = planned_for(design, demands, style, candidates, reasons)
    if not design.planner.pins or candidates:
        return made
    return with_effects(
        design, made, pin_effects(design, made, lambda d: outlined(d, style, reasons="findings"))
    )


def planned_for(
    design: Design,
    demands: Requirements,
    style: Style,
    candidates: Mapping[str, Candidates] | None = None,
    reasons: Reasons = "all",
) -> Plan:
    """The plan of a design that serves some demands."""
    search, choice = choose(demands, style, candidates)
    return demands.told(planned(design, style, search, choice, VERSION, reasons))


def outlined(
    design: Design,
    style: Style,
    candidates: Mapping[str, Candidates] | None = None,
    reasons: Literal["none", "findings"] = "none",
) -> Plan:
    """The plan without the reasons for it: no decisions and no certificate; with findings where these are compared."""
    demands = demands_of(design, style, given=candidates)
    return planned_for(design, demands, style, candidates, reasons)
