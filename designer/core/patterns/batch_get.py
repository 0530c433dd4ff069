"""Get several items by their identifiers."""

from typing import Literal

from designer.core.patterns.base import Read


class BatchGet(Read):
    """Get the items whose identifier is in a list, which `where` names with `any_of`."""

    label = "Get several"
    kind: Literal["batch_get"] = "batch_get"
    sentence = "gets several {many}"
    by_identifier = True
