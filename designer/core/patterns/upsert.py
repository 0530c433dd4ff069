"""Write a whole item, whether it exists or not."""

from typing import Literal

from designer.core.patterns.base import SingleWrite


class Upsert(SingleWrite):
    """Write a whole item, whether it exists or not."""

    label = "Upsert"
    kind: Literal["upsert"] = "upsert"
    verbs = ("upsert", "save", "put")
