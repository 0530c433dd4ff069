"""All passes in order: the plan of a design.

    rewritten -> requirements -> candidates -> search -> choice -> layout
        -> operations -> plan -> reasons -> mapped back

Candidates are listed, priced and chosen from by turns, so `choose` has these three passes in it.
"""

from collections.abc import Mapping
from dataclasses import replace

from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.planner.assemble import assembled
from designer.core.planner.explain.assumed import assumed, ranked
from designer.core.planner.explain.assumed_busiest import assumed_busiest
from designer.core.planner.explain.assumed_moves import assumed_moves
from designer.core.planner.explain.assumed_shares import assumed_shares
from designer.core.planner.explain.assumed_sizes import assumed_sizes
from designer.core.planner.explain.explained import Reasons, explained
from designer.core.planner.explain.pin_offers import with_offers_tried
from designer.core.planner.explain.pin_prices import pin_effects, with_effects
from designer.core.planner.explain.repricing import Repricing
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.operations.context import context_of
from designer.core.planner.operations.priced import priced_operations
from designer.core.planner.rewrites.rewritten import Rewritten, mapped_back
from designer.core.planner.rewrites.simplest import planned_as
from designer.core.planner.rewrites.variants import requirements_for
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.search import Search

VERSION = "3.0"
"""Goes up whenever an unchanged design may get another plan, or the same with other reasons."""


def plan(
    design: Design,
    style: Style,
    candidates: Mapping[str, Candidates] | None = None,
    reasons: Reasons = "all",
) -> Plan:
    """The plan of a design in one style. The same design always gives the same plan, byte for byte.

    `candidates`: for some entities, the keys to take instead of those that the planner lists; that is how a design that
    somebody else made is priced by our rules. `reasons`: pricing what was not chosen takes as long again as choosing,
    so whoever shows nothing of it does without; without it, no pin that a finding offers is tried either.
    """
    made = outlined(design, style, candidates, reasons)
    if candidates:
        return made

    def planned(other: Design) -> Plan:
        return outlined(other, style, reasons="findings")

    if reasons == "all":
        made = with_offers_tried(design, made, planned)
    if not design.planner.pins:
        return made
    return with_effects(design, made, pin_effects(design, made, planned))


def outlined(
    design: Design,
    style: Style,
    candidates: Mapping[str, Candidates] | None = None,
    reasons: Reasons = "none",
) -> Plan:
    """The plan without what its pins cost, and with so much of the reasons for it: none, if nobody asks."""
    found = planned_as(design, style, candidates)
    searched = found.searched or choose(
        requirements_for(found, candidates), found.style, candidates
    )
    return _planned(found, *searched, reasons)


def planned_for(
    found: Rewritten,
    entity_reads: Requirements,
    candidates: Mapping[str, Candidates] | None = None,
    reasons: Reasons = "all",
) -> Plan:
    """The passes from the entity reads of a design to its plan in the words in which it was stated."""
    return _planned(found, *choose(entity_reads, found.style, candidates), reasons)


def _planned(found: Rewritten, search: Search, choice: Choice, reasons: Reasons) -> Plan:
    """The passes in their order from what was chosen: candidates and their prices are the search's."""
    context = context_of(search, _beside_cheapest(choice, found))  # the layout
    operations = priced_operations(context)
    made = assembled(found.stated, found.style, context, operations, VERSION)
    pricing = Repricing(context, made)
    guessed = (
        *assumed(pricing, found.stated),
        *assumed_sizes(pricing, found),
        *assumed_shares(pricing, found),
        *assumed_busiest(pricing, found),
        *assumed_moves(pricing, found),
    )
    made = made.model_copy(update={"assumed": ranked(guessed)})
    return mapped_back(explained(context, made, found.stated, reasons), found)


def _beside_cheapest(choice: Choice, found: Rewritten) -> Choice:
    """The choice with the bound of all bills, and where it is the simplest, with what the cheapest one costs."""
    usd, least = choice.score.usd, found.bound
    choice = replace(choice, bound=usd if least is None else min(least, usd))
    if found.cheapest is None:
        return choice
    return replace(choice, cheapest=min(found.cheapest.score.usd, usd))
