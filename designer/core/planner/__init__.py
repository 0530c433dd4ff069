"""The planner: from what a team states to tables, keys, indexes and operations.

Passes in order, each its own module: `copies` lets children carry what they are asked by of their parents;
`requirements` reads the patterns into demands, and `upkeep` adds what keeps the copies right; `candidates` lists keys
and judges nothing; `accesses` and `pricing` price them; `choice` chooses; `layout` names tables, slots and templates;
`reads`, `writes` and `following` write the operations; `planned` puts the document together with `decisions`. Listing,
pricing and choosing are kept apart so that the choice can be proven against everything that was listed.
"""

from collections.abc import Mapping

from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.planner.choice import choose
from designer.core.planner.copies import with_copies
from designer.core.planner.pin_prices import pin_effects, with_effects
from designer.core.planner.pins import Candidates
from designer.core.planner.planned import planned
from designer.core.planner.requirements import requirements
from designer.core.planner.upkeep import with_upkeep

VERSION = "1.0"
"""Goes up whenever an unchanged design may get another plan."""


def plan(design: Design, style: Style, candidates: Mapping[str, Candidates] | None = None) -> Plan:
    """The plan of a design in one style. The same design always gives the same plan, byte for byte.

    `candidates`: for some entities, the keys to take instead of those that the planner lists; that is how a design that
    somebody else made is priced by our rules.
    """
    made = _planned(design, style, candidates)
    if not design.planner.pins or candidates:
        return made
    return with_effects(design, made, pin_effects(design, made, lambda d: outlined(d, style)))


def outlined(design: Design, style: Style) -> Plan:
    """The plan without the reasons for it, for comparing: no decisions, certificate or findings."""
    return _planned(design, style, explained=False)


def _planned(
    design: Design,
    style: Style,
    candidates: Mapping[str, Candidates] | None = None,
    explained: bool = True,
) -> Plan:
    carrying, copies = with_copies(design)
    search, choice = choose(with_upkeep(requirements(carrying), copies), style, candidates)
    return planned(design, style, search, choice, VERSION, explained)
