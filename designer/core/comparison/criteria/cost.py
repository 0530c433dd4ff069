"""What a month costs, now and in a year."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from math import log

from designer.core.comparison.apart import LEAST
from designer.core.comparison.criteria.base import (
    Answer,
    Criterion,
    Sides,
    Supposition,
    by_style,
    listed,
)
from designer.core.comparison.side import YEAR
from designer.core.cost.growth import growth_of
from designer.core.cost.options import Changes, exact
from designer.core.design.document import Design
from designer.core.patterns.figures import Rate
from designer.core.words import figures

FACTORS = {10.0: "ten times as often", 0.1: "a tenth as often"}
MOST_RATES = 3
"""Patterns whose rate is tried: those that have to change least."""
FURTHEST = 1000
"""No rate is tried that is more than so many times what is stated, or less than that part of it."""
MOST_RATE = 1e9
MOST_ITEMS = 10**15
"""What a design can state."""
BEYOND = 1.01
"""How far a rate is taken beyond the point where two styles change places, so that they have."""


class Cost(Criterion):
    """The bill as the design is paid for; a difference within the planner's tolerance, or under a dollar, is none."""

    slug = "cost"
    title = "Cost"
    better = "the cost is lower"
    rank = 50
    objective = "cost"

    def answer(self, design: Design, sides: Sides) -> Answer:
        if not any(pattern.rate for pattern in design.patterns):
            says = "No access pattern has a rate, so the cost of requests is unknown."
            return Answer(says, is_stated=False)
        now = {side.style: figures.money(float(side.usd)) for side in sides}
        then = {side.style: figures.money(float(side.usd_in_a_year)) for side in sides}
        says = f"Per month: {by_style(sides, now)}. After a year: {by_style(sides, then)}."
        left_out = sides[0].bill.without_patterns
        if left_out:
            says += f" Not counted, because they have no rate: {listed(left_out)}."
        scores = {side.style: side.usd for side in sides}
        return Answer(says, scores, exact(design.planner.tolerance), LEAST)

    def suppositions(self, design: Design, sides: Sides) -> Iterator[Supposition]:
        """More and less traffic, a year's growth, and the single rates at which two styles change places."""
        numbers = [pattern.number for pattern in design.patterns if pattern.rate]
        if not numbers:
            return
        for factor, words in FACTORS.items():
            factors = dict.fromkeys(numbers, factor)
            yield Supposition(f"every access pattern ran {words}", _asked(design, factors))
        grown = _grown(design)
        if grown != design:
            yield Supposition("there were already as many items as are expected in a year", grown)
        for number, factor in _turning(design, sides):
            rate = design.pattern(number).rate
            if rate is None or rate.average * factor > MOST_RATE:
                continue
            then = figures.number(rate.average * factor)
            yield Supposition(
                f"pattern {number} ran {then} times a second on average"
                f" instead of {figures.number(rate.average)}",
                _asked(design, {number: factor}),
            )


def _asked(design: Design, factors: Mapping[int, float]) -> Design:
    """The design with some patterns asked so many times as often."""
    patterns = []
    for pattern in design.patterns:
        rate, factor = pattern.rate, factors.get(pattern.number)
        if rate is not None and factor is not None:
            peak = None if rate.peak is None else min(MOST_RATE, rate.peak * factor)
            more = Rate(average=min(MOST_RATE, rate.average * factor), peak=peak)
            pattern = pattern.model_copy(update={"rate": more})
        patterns.append(pattern)
    return design.model_copy(update={"patterns": tuple(patterns)})


def _grown(design: Design) -> Design:
    """The design with the items that it has in a year."""
    items = {
        each.entity: min(MOST_ITEMS, max(0, int(each.items + each.per_month * YEAR)))
        for each in growth_of(design, Changes())
    }
    entities = tuple(
        entity if entity.items is None else entity.model_copy(update={"items": items[entity.name]})
        for entity in design.entities
    )
    return design.model_copy(update={"entities": entities})


def _turning(design: Design, sides: Sides) -> list[tuple[int, float]]:
    """Patterns, and how many times as often each had to be asked for one style to cost more than another, so much that
    it decides: those that have to change least.

    With the keys as they are, as a first guess: whoever tries it plans anew.
    """
    found: dict[int, float] = {}
    margin = 1 + design.planner.tolerance
    for one, other in permutations(sides, 2):
        mine, theirs = float(one.usd), float(other.usd)
        over = (mine - theirs * margin, mine - theirs - float(LEAST))
        for number, line in one.paid.items():
            usd = float(line.usd)
            paid = float(other.paid[number].usd) if number in other.paid else 0.0
            for factor in _crossing(over, (usd - paid * margin, usd - paid)):
                if number not in found or abs(log(factor)) < abs(log(found[number])):
                    found[number] = factor
    nearest = sorted(found.items(), key=lambda one: (abs(log(one[1])), one[0]))
    return nearest[:MOST_RATES]


def _crossing(over: tuple[float, float], slopes: tuple[float, float]) -> Iterator[float]:
    """At how many times a rate both of two figures get above 0, or no longer are: a little beyond that.

    `over`: the figures as they are; `slopes`: by how much each grows with the rate as it is.
    """
    both = [(now, slope) for now, slope in zip(over, slopes, strict=True)]
    is_over = min(over) > 0
    waiting = both if is_over else [(now, slope) for now, slope in both if now <= 0]
    at = [1 - now / slope if slope else 0.0 for now, slope in waiting]
    for more in (True, False):
        there = [factor for factor in at if (factor > 1) == more and factor > 0]
        if not there or (not is_over and len(there) < len(waiting)):
            continue
        nearest = min(there) if more == is_over else max(there)
        factor = nearest * (BEYOND if more else 1 / BEYOND)
        if 1 / FURTHEST <= factor <= FURTHEST:
            yield factor
