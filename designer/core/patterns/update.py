"""Change attributes of an item, which must be there."""

from typing import Literal

from designer.core.patterns.base import SingleWrite


class Update(SingleWrite):
    """Change attributes of an item, which must be there."""

    label = "Update"
    kind: Literal["update"] = "update"
