"""What a way to pay for capacity says of itself."""

from typing import ClassVar, NamedTuple

from designer.core.dynamodb.prices import HOURS_PER_MONTH
from designer.core.rational import Fraction


class Load(NamedTuple):
    """Request units a second, of one kind, on what has capacity of its own."""

    average: Fraction
    peak: Fraction


class Mode:
    """A way to pay for reads and writes."""

    slug: ClassVar[str]
    label: ClassVar[str]
    says: ClassVar[str]
    place: ClassVar[int]

    def capacity(self, load: Load, utilisation: Fraction) -> int | None:
        """Capacity units that are paid for by the hour; None where requests are paid for."""
        raise NotImplementedError

    def usd_per_month(
        self, load: Load, utilisation: Fraction, request: Fraction, capacity_hour: Fraction
    ) -> Fraction:
        """US dollars a month. `request`, `capacity_hour`: of one unit."""
        units = self.capacity(load, utilisation)
        assert units is not None
        return units * capacity_hour * HOURS_PER_MONTH
