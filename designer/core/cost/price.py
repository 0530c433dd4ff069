"""The one price that is said of a plan wherever it is summed up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from designer.core.cost.account import bill
from designer.core.cost.bill import Bill
from designer.core.cost.options import as_planned
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.plan import Operation, Plan, Style, Upkeep
from designer.core.words import figures
from designer.core.words.english import joined

NO_PRICE = "no price without rates"


@dataclass(frozen=True)
class Price:
    """What a month costs at average rates, all in all, as the design is paid for: the total of its bill."""

    usd: float
    included: tuple[str, ...] = ("requests", "storage")
    """What it is for: `requests` or `capacity`, `storage`, and the charges besides."""
    lacks_rates: bool = False
    """No access pattern has a rate, so that it is no price of what is asked."""

    def __str__(self) -> str:
        """`$118.07 a month for requests, storage and point-in-time recovery`, or `no price without rates`."""
        return f"{self.monthly}{self.purpose}"

    @property
    def monthly(self) -> str:
        """`$118.07 a month`."""
        return NO_PRICE if self.lacks_rates else f"{figures.money(self.usd)} a month"

    @property
    def purpose(self) -> str:
        """` for requests, storage and point-in-time recovery`: what can be left out where there is little room."""
        return "" if self.lacks_rates else f" for {joined(self.included)}"


def price(design: Design, plan: Plan) -> Price:
    """The price of one plan."""
    return price_of(design, bill(design, plan, as_planned(design)))


def price_of(design: Design, made: Bill) -> Price:
    """The price that a bill of a design comes to."""
    used = "requests" if made.options.mode == "on-demand" else "capacity"
    besides = (each.label[:1].lower() + each.label[1:] for each in made.besides)
    return Price(float(made.usd), (used, "storage", *besides), unstated.lacks_rates(design))


def monthly(of: Operation | Upkeep, per_second: float | None) -> str:
    """What an operation or upkeep costs a month, for requests. Its plan rounds: what runs is never for nothing."""
    if of.usd_per_month == 0 and per_second and (of.read_units or of.write_units):
        return figures.LESS_THAN_A_CENT
    return figures.money(of.usd_per_month)


def units_monthly(upkeep: Upkeep) -> str:
    """`1,296,000 read, 93,312,000 write`: request units that upkeep adds to a month; empty without a rate."""
    each = ((upkeep.read_units_per_month, "read"), (upkeep.write_units_per_month, "write"))
    return ", ".join(f"{figures.number(units)} {what}" for units, what in each if units)


def added(upkeep: Upkeep) -> str:
    """`93,312,000 write units and $58.32 a month`; empty without a rate."""
    units = units_monthly(upkeep)
    return f"{units} units and {monthly(upkeep, upkeep.per_second)} a month" if units else ""


def of_operation(design: Design, operation: Operation) -> str:
    """What an operation costs a month, as it is written; empty where its pattern has no rate."""
    rate = design.pattern(operation.pattern).rate
    return monthly(operation, None if rate is None else rate.average)


def prices(design: Design, plans: Iterable[Plan]) -> Mapping[Style, Price]:
    """The prices of the plans of a design by their styles."""
    return {plan.style: price(design, plan) for plan in plans}
