"""The simplest plan costs at most a little more than the cheapest: charges are lowered until it does.

What makes a plan less simple is charged in multiples of the worth, a share of what the design costs at the least.
Several charges together may still choose a plan that is too dear, so the plan is held against the cheapest one.
"""

from collections.abc import Mapping
from dataclasses import replace

from designer.core.capacity.units import read_units
from designer.core.design.document import Design
from designer.core.plan import Style
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.model.score import exact
from designer.core.planner.model.worth import (
    LEAST,
    LOWERED,
    TOLERATED,
    TRIES,
    Lowest,
    stated_worth,
)
from designer.core.planner.pricing.at_worst import cut_charge
from designer.core.planner.pricing.read_figures import rounded_up, smooth_steps
from designer.core.planner.pricing.structures import charged_things
from designer.core.planner.pricing.uncounted import uncounted_charge
from designer.core.planner.rewrites.rewritten import Rewritten
from designer.core.planner.rewrites.variants import requirements_for, rewritten
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.read_scores import read_score, worst_charge
from designer.core.planner.solve.search import Search
from designer.core.rational import Fraction

Given = Mapping[str, Candidates] | None


def planned_as(design: Design, style: Style, given: Given = None) -> Rewritten:
    """The design as it is planned: with every variant that pays for what the planner aims at.

    `given`: what some entities may have instead of what is listed for them.
    """
    found = rewritten(design, style, given=given)
    if design.planner.objective != "simplest":
        of_bills = _needed(found, given, about=False, charged=False)
        return replace(found, bound=choose(of_bills, style, given)[1].bound)
    of_bills = _needed(found, given, about=True, charged=False)
    cheapest = choose(of_bills, style, given)
    first = found
    rival: tuple[Search, Choice] | None = None
    tries = TRIES if design.planner.worth is None else 0
    simple: tuple[Search, Choice] | None = None
    for _ in range(tries):
        simple = _simplest(found, given, of_bills, cheapest[0])
        if _costs_little_more(simple, cheapest):
            break
        # The cheapest plan may have what no plan should have for so little.
        rival = rival or choose(
            _needed(first, given, about=True, charged=True), style, given, cheapest[0]
        )
        if _is_tolerated(simple, rival):
            break
        simple = None
        worth = float(stated_worth(found.design) / LOWERED)
        found = replace(
            rewritten(design.with_planner(worth=worth), style, given=given), stated=design
        )
    return replace(found, cheapest=cheapest[1], searched=simple, bound=cheapest[1].bound)


def _needed(found: Rewritten, given: Given, about: bool, charged: bool) -> Requirements:
    """What a search for the lowest cost serves: `about` it, and of the bill alone or with what is `charged`."""
    settings = {
        **dict(found.design.planner),
        "objective": "cost",
        "about": about,
        "charged": charged,
    }
    design = found.first.model_copy(update={"planner": Lowest.model_construct(**settings)})
    return requirements_for(rewritten(design, found.style, given=given), given, found.asked)


def _simplest(
    found: Rewritten, given: Given, asked: Requirements, beside: Search
) -> tuple[Search, Choice]:
    """The simplest choice. `asked`: what the cheapest one serves, found by the search `beside` this one."""
    needed = requirements_for(found, given)
    if _is_same_but_aim(needed, asked):
        # The same reads and writes: so what was worked out of them holds for both.
        needed = replace(needed, pattern_reads=asked.pattern_reads, writes=asked.writes)
    return choose(needed, found.style, given, beside)


def _is_same_but_aim(needed: Requirements, asked: Requirements) -> bool:
    """Whether two designs ask the same of the same data, and differ in what the planner aims at alone."""
    return all(
        getattr(needed, name) == getattr(asked, name)
        for name in ("copies", "brought", "tested", "streamed", "looked_up")
    ) and all(
        getattr(needed.design, name) == getattr(asked.design, name)
        for name in ("entities", "relationships", "patterns")
    )


def _costs_little_more(simple: tuple[Search, Choice], cheap: tuple[Search, Choice]) -> bool:
    """Whether a plan is dearer than another by no more than 1 % or $1.

    Reads count by their bytes: where the next step of 4 KB begins is chance.
    """
    lowest = by_bytes(*cheap)
    return by_bytes(*simple) - lowest <= max(TOLERATED * lowest, LEAST)


def _is_tolerated(simple: tuple[Search, Choice], cheap: tuple[Search, Choice]) -> bool:
    """The same, or by $1 for each thing that it saves."""
    more = by_bytes(*simple) - by_bytes(*cheap)
    return _costs_little_more(simple, cheap) or more <= LEAST * (things(*cheap) - things(*simple))


def by_bytes(search: Search, choice: Choice) -> Fraction:
    """US dollars a month that a choice costs where reads are not rounded up to steps of 4 KB."""
    rounded = Fraction(0)
    for name, one in choice.entities.items():
        for part in search.of_entity[name]:
            access = one.access.get(part.id)
            if access is not None:
                usd = read_score(part, access, search.models[name]).usd
                rounded += rounded_up(access, part.entity_read, usd)
    for group in choice.shared_queries:
        taken = search.shared_query_reads(group, choice.entities)
        entity_read = search.requirements.pattern_reads[group.pattern_read].entity_reads[
            group.parts[0]
        ]
        size = taken.bytes - taken.filled
        steps = exact(round(smooth_steps(taken.requests, size), 6)) * read_units(
            1, entity_read.consistency
        )
        usd = search.shared_query_score(group, choice.entities).usd
        rounded += usd * max(Fraction(0), 1 - steps / taken.units)
    return choice.score.usd - rounded


def things(search: Search, choice: Choice) -> Fraction:
    """What a choice has that a simpler or surer one does without, in multiples of an index."""
    found = Fraction(0)
    for name, one in choice.entities.items():
        model = search.models[name]
        found += charged_things(model, tuple(one.projections), one.guard)
        for part in search.of_entity[name]:
            access = one.access.get(part.id)
            if access is not None:
                found += worst_charge(model, part, access)
                way = part.entity_read.ways[access.way]
                found += cut_charge(model, way, access) + uncounted_charge(model, way, access)
    for group in choice.shared_queries:
        found += search.shared_query_charge(group, choice.entities)
    return found
