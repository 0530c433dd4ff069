"""Reading streams by other means than Lambda."""

from designer.core.cost.extras.base import Extra, TableUse
from designer.core.cost.options import Options
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, Prices
from designer.core.plan import Table
from designer.core.rational import Fraction


class Streams(Extra):
    """Each GetRecords call; those of Lambda and of replicas cost nothing.

    Source: https://aws.amazon.com/dynamodb/pricing/on-demand/
    """

    slug = "streams"
    label = "Stream reads"
    missing = "We have no price for reading streams in {region}: it is left out."
    without = "without reads of streams"

    def is_asked(self, table: Table, options: Options) -> bool:
        return table.stream is not None and options.stream_reads > 0

    def usd_per_month(self, use: TableUse, options: Options, prices: Prices) -> Fraction | None:
        price = prices.stream_read
        return None if price is None else options.stream_reads * SECONDS_PER_MONTH * price
