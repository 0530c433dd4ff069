"""All that is said of what a plan costs, for one choice of options and changes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from designer.core.cost.account import Account
from designer.core.cost.bill import Bill
from designer.core.cost.break_even import BreakEven, break_evens
from designer.core.cost.growth import Point, growth
from designer.core.cost.modes import MODES
from designer.core.cost.options import Changes, Options
from designer.core.cost.steps import Near, near_steps
from designer.core.design.document import Design
from designer.core.dynamodb.prices import CLASS_LABELS, TableClass, prices_of
from designer.core.plan import Plan
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Whole:
    """A bill with what stands beside it."""

    bill: Bill
    before: Fraction
    """US dollars a month without the changes."""
    ways: Mapping[tuple[TableClass, str], "Total"]
    """What it costs in each table class that has prices and each mode, all else as asked."""
    points: tuple[Point, ...]
    near: tuple[Near, ...]
    break_evens: tuple[BreakEven, ...]


@dataclass(frozen=True)
class Total:
    """What all of it costs, paid for in one way."""

    usd: Fraction
    """US dollars a month."""
    without: tuple[str, ...]
    """What has no price there and is left out: `without the replicas`."""


def whole(design: Design, plan: Plan, options: Options, changes: Changes) -> Whole:
    """The bill of a plan, other ways to pay for it, its growth, and what is near a step."""
    account = Account(design, plan)
    made = account.bill(options, changes)
    return Whole(
        made,
        account.total(options, Changes())[0],
        dict(_ways(account, options, changes)),
        tuple(growth(account, options, changes)),
        tuple(near_steps(design, plan, prices_of(made.region), changes)),
        tuple(break_evens(made)),
    )


def _ways(
    account: Account, options: Options, changes: Changes
) -> Iterator[tuple[tuple[TableClass, str], Total]]:
    prices = prices_of(options.region or account.design.region)
    for name in CLASS_LABELS:
        if name in prices.classes:
            for mode in MODES:
                asked = replace(options, mode=mode, table_class=name)
                usd, _ = account.total(asked, changes)
                yield (name, mode), Total(usd, account.without(asked))
