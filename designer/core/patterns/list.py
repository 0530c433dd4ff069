"""List items."""

from typing import Literal

from designer.core.patterns.base import Aggregate, Read


class List(Read):
    """List the items that meet `where`, in `order`, up to `limit`, each with its related items."""

    label = "List"
    kind: Literal["list"] = "list"
    sentence = "lists {many}"
    result: Aggregate | None = None

    @property
    def aggregate(self) -> Aggregate | None:
        return self.result
