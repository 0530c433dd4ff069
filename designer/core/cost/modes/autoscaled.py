"""Provisioned capacity that follows the load."""

from math import ceil

from designer.core.cost.modes.base import Load, Mode
from designer.core.rational import Fraction


class Autoscaled(Mode):
    """Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html"""

    slug = "autoscaled"
    label = "Provisioned, auto scaling"
    says = (
        "Capacity follows the load, so that its average utilisation is the target. "
        "It adjusts within minutes. Traffic that rises faster is throttled once the burst capacity is used up."
    )
    place = 2

    def capacity(self, load: Load, utilisation: Fraction) -> int | None:
        return max(1, ceil(load.average / utilisation))
