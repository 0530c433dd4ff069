"""What steps read, write and store: by the plan's counts and sizes, at on-demand prices.

An index that is built on a table with items is charged write units for each entry, as if it had been there
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html). A transaction costs double.
"""

from collections.abc import Iterable
from dataclasses import replace

from designer.core.capacity.units import write_units
from designer.core.cost.stored import Stored, stored
from designer.core.dynamodb.limits import READ_UNIT_BYTES
from designer.core.dynamodb.prices import prices_of
from designer.core.migration.base import Change, Deployed, Estimate
from designer.core.plan import Plan
from designer.core.rational import Fraction


def lying(deployed: Deployed, table: str, index: str | None = None) -> tuple[Stored, ...]:
    """What lies in a table, or in an index of it."""
    every = stored(deployed.design, deployed.plan)
    return tuple(one for one in every if (one.table, one.index) == (table, index))


def there(change: Change, table: str) -> tuple[Stored, ...]:
    """What lies in a table of the earlier plan, counted as the later design counts it: that is the newer word."""
    was, now = (_counts(each.plan) for each in (change.before, change.after))
    later = {old: new for new, old in change.lineage.entities.items()}
    found = []
    for one in lying(change.before, table):
        before, after = was.get(one.entity, 0), now.get(later.get(one.entity, ""), 0)
        # Where the earlier design counts nothing, there is one such item for each of its entity.
        items = one.items * after / before if before and after else after or one.items
        found.append(replace(one, items=items))
    return tuple(found)


def _counts(plan: Plan) -> dict[str, float]:
    """How many items there are, by entity."""
    return {
        shape.entity: shape.items
        for table in plan.tables
        for shape in table.items
        if shape.role in ("entity", "edge", "embedded")
    }


def scanned(those: Iterable[Stored]) -> Fraction:
    """Read units of one Scan of a table in which these lie."""
    size = sum(one.items * one.item_bytes for one in those)
    return Fraction(int(size / READ_UNIT_BYTES) + 1) / 2


def written(those: Iterable[Stored], *, transactional: bool = False) -> Fraction:
    """Write units that put each of these once."""
    return sum(
        (Fraction(round(one.items)) * write_units(one.item_bytes, transactional) for one in those),
        Fraction(0),
    )


def estimate(
    deployed: Deployed,
    *,
    items: float = 0,
    reads: Fraction = Fraction(0),
    writes: Fraction = Fraction(0),
    keeps: Iterable[Stored] = (),
) -> Estimate:
    """An estimate with its prices. `keeps`: what is stored besides until the migration is over, or for good."""
    prices = prices_of(deployed.design.region)
    return Estimate(
        items,
        reads,
        writes,
        reads * prices.read_unit + writes * prices.write_unit,
        sum((Fraction(one.bytes) * prices.byte_month for one in keeps), Fraction(0)),
    )
