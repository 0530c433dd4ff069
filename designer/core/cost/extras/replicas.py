"""Replicas of the tables in other Regions."""

from designer.core.cost.extras.base import Extra, TableUse
from designer.core.cost.modes import MODES
from designer.core.cost.options import Options
from designer.core.dynamodb.prices import REGIONS, ClassPrices, Prices
from designer.core.plan import Table
from designer.core.rational import Fraction

REPLICATION_BYTES = 48
"""On top of each item and index entry of a global table, in every Region."""


class Replicas(Extra):
    """Every replica is written and stored as the table itself is; its indexes too.

    A replicated write costs what a plain one does:
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/global-tables-billing.html; 48 bytes more an item:
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
    """

    slug = "replicas"
    label = "Global table replicas"
    missing = "We have no prices for a table in this class in all Regions of its replicas: they are left out."
    without = "without the replicas"

    def is_asked(self, table: Table, options: Options) -> bool:
        return bool(options.replicas)

    def usd_per_month(self, use: TableUse, options: Options, prices: Prices) -> Fraction | None:
        home = prices.classes.get(use.table.table_class)
        if home is None:
            return None
        more = use.items * REPLICATION_BYTES
        usd = more * home.byte_month
        for region in options.replicas:
            there = REGIONS[region].classes.get(use.table.table_class)
            if there is None:
                return None
            usd += (use.table_bytes + use.index_bytes + more) * there.byte_month
            usd += self._writes(use, options, there)
        return usd

    def _writes(self, use: TableUse, options: Options, prices: ClassPrices) -> Fraction:
        mode = MODES[options.mode]
        return sum(
            (
                mode.usd_per_month(
                    load, options.utilisation, prices.write_unit, prices.write_capacity_hour
                )
                for load in (use.table_writes, *use.index_writes)
            ),
            Fraction(0),
        )

    def left_out(self, options: Options) -> tuple[str, ...]:
        return (
            "Not included: data transfer between Regions, recovery of the replicas, and reads from them.",
        )
