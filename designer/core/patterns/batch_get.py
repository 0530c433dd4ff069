"""Get several items by their identifiers."""

from typing import Literal

from designer.core.patterns.base import Read


class BatchGet(Read):
    """The items whose identifier is in a list: `where` names it with `any_of`."""

    label = "Get several"
    kind: Literal["batch_get"] = "batch_get"
