"""The figures of each style as a whole, as pages and documents show them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from designer.core.comparison.compare import Comparison
from designer.core.comparison.side import Side
from designer.core.sentences.plans import asked_of, in_one_request, without_keys
from designer.core.words import figures
from designer.core.words.english import spoken


@dataclass(frozen=True)
class Total:
    """A figure of every style, in the order of the sides."""

    label: str
    cells: tuple[str, ...]
    page: Literal["", "alternatives", "cost", "heat"] = ""
    """That has more of it."""
    note: str = ""


def totals(found: Comparison) -> tuple[Total, ...]:
    """Tables, indexes, requests, money now and in a year, and the hottest key."""

    def of(cell: Callable[[Side], str]) -> tuple[str, ...]:
        return tuple(map(cell, found.sides))

    unknown = found.growth_unknown
    copies = Total("Copies of items", of(lambda side: str(side.copies)), "alternatives")
    grows = (
        f"The growth of {spoken(unknown)} is not stated, so no growth is assumed."
        if unknown
        else ""
    )
    number = max((without_keys(side.plan) for side in found.sides), default=0)
    is_one = number == 1
    outside = f"{number} more {'is' if is_one else 'are'} served without keys." if number else ""
    return (
        Total("Tables", of(lambda side: str(len(side.plan.tables)))),
        Total("Indexes", of(lambda side: str(side.indexes)), "alternatives"),
        *([copies] if any(side.copies for side in found.sides) else []),
        Total("Access patterns served in one request", of(_in_one), note=outside),
        Total("Requests per second", of(lambda s: figures.number(s.per_second)), "alternatives"),
        Total(
            "Requests and storage per month",
            of(lambda side: figures.money(side.per_month)),
            "alternatives",
            "The planner compared this amount.",
        ),
        Total("Total per month", of(lambda side: figures.money(float(side.usd))), "cost"),
        Total(
            "Total per month, after a year",
            of(lambda s: figures.money(float(s.usd_in_a_year))),
            "cost",
            grows,
        ),
        Total("Stored", of(lambda side: figures.size(float(side.bill.bytes))), "cost"),
        Total("Hottest key at peak", of(_hottest), "heat"),
    )


def _in_one(side: Side) -> str:
    """`30 of 41`: of the patterns that DynamoDB is to serve, those of which no case takes more."""
    return f"{len(in_one_request(side.plan))} of {len(asked_of(side.plan))}"


def _hottest(side: Side) -> str:
    hot = side.hottest
    if hot is None or not hot.used:
        return "not known"
    return f"{hot.level}, {figures.little_share(float(hot.used))}"
