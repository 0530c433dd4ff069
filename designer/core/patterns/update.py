"""Change attributes of an existing item."""

from typing import Literal

from designer.core.patterns.base import SingleWrite


class Update(SingleWrite):
    """Change attributes of an existing item."""

    label = "Update"
    kind: Literal["update"] = "update"
    verbs = ("update", "change", "edit", "set")
    refused_if = "does not exist"
