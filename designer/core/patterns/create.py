"""Create an item, which must not be there yet."""

from typing import Literal

from designer.core.patterns.base import SingleWrite


class Create(SingleWrite):
    """Create an item, which must not be there yet."""

    label = "Create"
    kind: Literal["create"] = "create"
