"""Provisioned capacity for the peak, all month."""

from math import ceil

from designer.core.cost.modes.base import Load, Mode
from designer.core.rational import Fraction


class Provisioned(Mode):
    """Source: https://aws.amazon.com/dynamodb/pricing/provisioned/"""

    slug = "provisioned"
    label = "Provisioned, for the peak"
    says = "Enough capacity for the peak, all day and night. At the peak, its utilisation reaches the target."
    place = 3

    def capacity(self, load: Load, utilisation: Fraction) -> int | None:
        return max(1, ceil(load.peak / utilisation))
