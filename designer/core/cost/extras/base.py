"""What something that is paid for besides says of itself."""

from dataclasses import dataclass
from typing import ClassVar

from designer.core.cost.modes import Load
from designer.core.cost.options import Options
from designer.core.dynamodb.prices import Prices
from designer.core.plan import Table
from designer.core.rational import Fraction


@dataclass(frozen=True)
class TableUse:
    """A table with what lies in it and what is written to it."""

    table: Table
    table_bytes: Fraction
    """Billed bytes of the table and its local indexes."""
    index_bytes: Fraction
    """Billed bytes of its global indexes."""
    items: Fraction
    """Items and index entries."""
    table_writes: Load
    index_writes: tuple[Load, ...]
    """On each global index."""


class Extra:
    """Something that is paid for besides."""

    slug: ClassVar[str]
    label: ClassVar[str]
    missing: ClassVar[str]
    """What is left out of the bill where there is no price, as a sentence over `{region}`."""
    without: ClassVar[str]
    """The same in a few words, after an amount."""

    def is_asked(self, table: Table, options: Options) -> bool:
        """Whether a table has it."""
        raise NotImplementedError

    def usd_per_month(self, use: TableUse, options: Options, prices: Prices) -> Fraction | None:
        """US dollars a month for one table; None where there is no price."""
        raise NotImplementedError

    def left_out(self, options: Options) -> tuple[str, ...]:
        """What of it no bill has, as sentences, where it is asked for."""
        return ()
