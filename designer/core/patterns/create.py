"""Create an item that does not exist yet."""

from typing import Literal

from designer.core.patterns.base import SingleWrite


class Create(SingleWrite):
    """Create an item that does not exist yet."""

    label = "Create"
    kind: Literal["create"] = "create"
    verbs = ("create", "add", "insert", "register", "make")
    refused_if = "already exists"
