"""Every request is paid for, and nothing else."""

from designer.core.cost.modes.base import Load, Mode
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.rational import Fraction


class OnDemand(Mode):
    """Source: https://aws.amazon.com/dynamodb/pricing/on-demand/"""

    slug = "on-demand"
    label = "On demand"
    says = "You pay for each request unit, and nothing when there are no requests."
    place = 1

    def capacity(self, load: Load, utilisation: Fraction) -> int | None:
        return None

    def usd_per_month(
        self, load: Load, utilisation: Fraction, request: Fraction, capacity_hour: Fraction
    ) -> Fraction:
        return load.average * request * SECONDS_PER_MONTH
