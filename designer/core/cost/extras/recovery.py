"""Point-in-time recovery."""

from designer.core.cost.extras.base import Extra, TableUse
from designer.core.cost.options import Options
from designer.core.dynamodb.prices import Prices
from designer.core.plan import Table
from designer.core.rational import Fraction


class Recovery(Extra):
    """By the size of the table and its local indexes, however many days it reaches back.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
    """

    slug = "recovery"
    label = "Point-in-time recovery"
    missing = "We have no price for point-in-time recovery in {region}: it is left out."
    without = "without recovery"

    def is_asked(self, table: Table, options: Options) -> bool:
        if options.recovery == "as-planned":
            return table.recovery_days > 0
        return options.recovery == "on"

    def usd_per_month(self, use: TableUse, options: Options, prices: Prices) -> Fraction | None:
        price = prices.recovery_byte_month
        return None if price is None else use.table_bytes * price
