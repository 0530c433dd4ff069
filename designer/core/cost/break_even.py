"""From which use on provisioned capacity costs less than paying for each request."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Literal

from designer.core.cost.bill import Bill
from designer.core.cost.modes import Load
from designer.core.cost.usage import Place
from designer.core.dynamodb.prices import REGIONS, ClassPrices
from designer.core.rational import Fraction

HOUR = 3600


@dataclass(frozen=True)
class BreakEven:
    """What has capacity of its own, and how much of it is in use on average when there is enough for the peak."""

    place: Place
    kind: Literal["reads", "writes"]
    capacity: int
    in_use: Fraction
    needed: Fraction
    """So much of it must be in use on average for provisioned capacity to cost less."""

    @property
    def cheaper(self) -> Literal["on demand", "provisioned"]:
        return "provisioned" if self.in_use > self.needed else "on demand"


def reads_break_even(prices: ClassPrices) -> Fraction:
    """The share of read capacity in use from which on provisioned costs less: a unit can read once a second."""
    return prices.read_capacity_hour / (prices.read_unit * HOUR)


def writes_break_even(prices: ClassPrices) -> Fraction:
    """The same of write capacity.

    >>> from designer.core.dynamodb.prices import prices_of
    >>> round(float(writes_break_even(prices_of("us-east-1").classes["standard"])), 3)
    0.289
    """
    return prices.write_capacity_hour / (prices.write_unit * HOUR)


def break_evens(bill: Bill) -> Iterator[BreakEven]:
    """For each table with its local indexes, and each global index, that is read or written."""
    classes = REGIONS[bill.region].classes
    for line in bill.structures:
        if line.kind == "local index":
            continue
        prices = classes[line.table_class]
        shared = [
            each
            for each in bill.structures
            if each.kind == "local index" and each.place.table == line.place.table
        ]
        mine = [line, *(shared if line.kind == "table" else ())]
        for kind, loads, needed in (
            ("reads", [each.reads for each in mine], reads_break_even(prices)),
            ("writes", [each.writes for each in mine], writes_break_even(prices)),
        ):
            average = sum((load.average for load in loads), Fraction(0))
            if average:
                capacity = _capacity(loads, bill.options.utilisation)
                yield BreakEven(
                    line.place,
                    "reads" if kind == "reads" else "writes",
                    capacity,
                    average / capacity,
                    needed,
                )


def _capacity(loads: list[Load], utilisation: Fraction) -> int:
    peak = sum((load.peak for load in loads), Fraction(0))
    return max(1, ceil(peak / utilisation))
