"""How each access pattern fares in each style."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from designer.core.comparison.apart import costs_more
from designer.core.comparison.side import Side
from designer.core.cost.options import exact
from designer.core.cost.usage import is_served
from designer.core.design.document import Design
from designer.core.heat.keys import KeyHeat
from designer.core.patterns import AnyPattern
from designer.core.plan import READS, Operation, Style
from designer.core.planner.explain.amounts import CENT
from designer.core.rational import Fraction

Verdict = Literal["good", "more requests", "costlier", "hot", "elsewhere", "not served"]
Consistency = Literal[
    "",
    "strong",
    "partly strong",
    "eventual",
    "snapshot",
    "single item",
    "each item by itself",
    "transaction",
]
"""What an answer can be relied on for; of a write, what is done all at once. Empty where nothing is asked."""


@dataclass(frozen=True)
class Fare:
    """How one pattern fares in one style. Where conditions are optional, it is the longest case that counts."""

    style: Style
    verdict: Verdict
    requests: float
    """0 for what is not served, or answered elsewhere."""
    read: float
    """Items read."""
    consistency: Consistency
    read_units: Fraction
    """Each time; the average of the cases."""
    write_units: Fraction
    usd: Fraction | None
    """US dollars a month; None without a rate, and where it is not served."""
    more_usd: Fraction | None
    """What that is more than in the style where it costs least."""
    more_requests: float
    """Those that it takes more than where it takes fewest."""
    heat: KeyHeat | None
    """Of the keys that it reads or writes, the one nearest to a limit; None where nothing with a rate does."""


@dataclass(frozen=True)
class Row:
    """A pattern with how it fares in each style."""

    pattern: AnyPattern
    fares: tuple[Fare, ...]

    @property
    def differs(self) -> bool:
        """Whether it is not answered alike: in requests, or by a cent."""
        return any(
            (one.verdict, one.more_requests) != (self.fares[0].verdict, self.fares[0].more_requests)
            or (one.more_usd or 0) >= CENT
            for one in self.fares
        )


def rows(design: Design, sides: tuple[Side, ...]) -> tuple[Row, ...]:
    """Every pattern, with how it fares on each side."""
    margin = exact(design.planner.tolerance)
    return tuple(
        Row(pattern, _judged(tuple(_fare(side, pattern.number) for side in sides), margin))
        for pattern in design.patterns
    )


def _fare(side: Side, number: int) -> Fare:
    operations = side.operations.get(number, ())
    served = [one for one in operations if is_served(one)]
    verdict: Verdict = "good"
    if any(one.answer == "not served" for one in operations) or not operations:
        verdict = "not served"
    elif not served:
        verdict = "elsewhere"
    longest = max(served, key=lambda one: (one.requests, _read(one)), default=None)
    line = side.paid.get(number)
    return Fare(
        style=side.style,
        verdict=verdict,
        requests=side.requests.get(number, 0.0),
        read=0.0 if longest is None else _read(longest),
        consistency="" if longest is None else consistency_of(longest),
        read_units=_mean(exact(one.read_units) for one in served),
        write_units=_mean(exact(one.write_units) for one in served),
        usd=None if line is None else line.usd,
        more_usd=None,
        more_requests=0.0,
        heat=side.heated.get(number),
    )


def _read(operation: Operation) -> float:
    return sum(step.expects.read for step in operation.steps)


def _mean(figures: Iterable[Fraction]) -> Fraction:
    found = tuple(figures)
    return sum(found, Fraction(0)) / max(1, len(found))


def consistency_of(operation: Operation) -> Consistency:
    """What the calls of an operation promise."""
    calls = {step.call for step in operation.steps}
    if calls <= READS:
        strong = {step.consistent for step in operation.steps}
        if calls == {"TransactGetItems"}:
            return "snapshot"
        return "partly strong" if len(strong) > 1 else "strong" if strong == {True} else "eventual"
    if "TransactWriteItems" in calls:
        return "transaction"
    written = [step for step in operation.steps if step.call not in READS]
    alone = len(written) == 1 and written[0].for_each is None
    return "single item" if alone and written[0].call != "BatchWriteItem" else "each item by itself"


def _judged(fares: tuple[Fare, ...], margin: Fraction) -> tuple[Fare, ...]:
    """The fares of one pattern, each judged beside the others.

    `margin`: what costs no more than this share above the cheapest, or less than a dollar more, costs as little.
    """
    least_usd = min((fare.usd for fare in fares if fare.usd is not None), default=None)
    least = min((fare.requests for fare in fares if fare.requests), default=0.0)
    return tuple(_beside(fare, least_usd, least, margin) for fare in fares)


def _beside(fare: Fare, least_usd: Fraction | None, least: float, margin: Fraction) -> Fare:
    more = None if fare.usd is None or least_usd is None else fare.usd - least_usd
    more_requests = round(fare.requests - least, 6) if fare.requests else 0.0
    verdict = fare.verdict
    if verdict == "good":
        if fare.heat is not None and fare.heat.level == "hot":
            verdict = "hot"
        elif more_requests > 0:
            verdict = "more requests"
        elif fare.usd is not None and least_usd is not None:
            verdict = "costlier" if costs_more(fare.usd, least_usd, margin) else "good"
    return replace(fare, verdict=verdict, more_usd=more, more_requests=more_requests)
