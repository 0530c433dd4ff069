"""Write an item whole, whether it is there or not."""

from typing import Literal

from designer.core.patterns.base import SingleWrite


class Upsert(SingleWrite):
    """Write an item whole, whether it is there or not."""

    label = "Upsert"
    kind: Literal["upsert"] = "upsert"
