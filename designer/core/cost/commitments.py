"""What a promise to pay for a year or longer saves at most. No bill has it, since nobody stated such a promise."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.core.cost.bill import Bill
from designer.core.rational import Fraction
from designer.core.words import figures

SAVINGS_PLANS = "https://aws.amazon.com/savingsplans/database-pricing/"
RESERVED_CAPACITY = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/reserved-capacity.html"
)
ON_DEMAND_LESS, PROVISIONED_LESS = Fraction(18, 100), Fraction(12, 100)
"""What a Database Savings Plan takes off reads and writes at most: SAVINGS_PLANS, since December 2025."""
RESERVED_LESS = {1: Fraction(54, 100), 3: Fraction(77, 100)}
"""What reserved capacity takes off at most, by years: RESERVED_CAPACITY."""
BLOCK = 100
"""Capacity units are reserved in blocks of so many, of reads or of writes."""


@dataclass(frozen=True)
class Commitment:
    """A promise that the bill could be less by."""

    label: str
    terms: str
    usd: Fraction
    """US dollars a month less, at the most."""
    source: str

    @property
    def sentence(self) -> str:
        return f"{self.label} ({self.terms}): up to {figures.money(float(self.usd))} a month less."


def commitments(bill: Bill) -> Iterator[Commitment]:
    """What would make reads and writes of a bill cheaper; nothing where it is not worth a cent."""
    on_demand = all(line.read_capacity is None for line in bill.structures)
    less = ON_DEMAND_LESS if on_demand else PROVISIONED_LESS
    usd = less * (bill.usd_reads + bill.usd_writes)
    if usd >= figures.HALF_A_CENT:
        yield Commitment(
            "Database Savings Plan", "one year, no upfront payment", usd, SAVINGS_PLANS
        )
    whole = _in_blocks(bill)
    for years, less in RESERVED_LESS.items():
        if whole * less >= figures.HALF_A_CENT:
            terms = f"{figures.count(years, 'year')}, partial upfront payment, in blocks of {BLOCK} units"
            yield Commitment("Reserved capacity", terms, whole * less, RESERVED_CAPACITY)


def _in_blocks(bill: Bill) -> Fraction:
    """US dollars a month of what can be reserved: whole blocks of the capacity of tables in the standard class."""
    lines = [line for line in bill.structures if line.table_class == "standard"]
    reads = _whole([(line.read_capacity or 0, line.usd_reads) for line in lines])
    return reads + _whole([(line.write_capacity or 0, line.usd_writes) for line in lines])


def _whole(paid: list[tuple[int, Fraction]]) -> Fraction:
    """Of what is paid for capacity units, the part of whole blocks; one price for a unit of each."""
    units = sum(capacity for capacity, _ in paid)
    usd = sum((usd for _, usd in paid), Fraction(0))
    return usd * (units // BLOCK * BLOCK) / units if units else Fraction(0)
