"""List items."""

from typing import Literal

from designer.core.patterns.base import Condition, Read
from designer.core.patterns.figures import Aggregate


class List(Read):
    """List the items that meet `where`, in `order`, up to `limit`, each with its related items."""

    label = "List"
    kind: Literal["list"] = "list"
    verbs = ("list", "get all", "browse", "query")
    sentence = "lists {many}"
    may_cross = True
    unordered = ("then_keep",)
    then_keep: tuple[Condition, ...] = ()
    """Conditions on the items within the limit. No other item takes the place of one that does not meet them."""
    result: Aggregate | None = None

    @property
    def aggregate(self) -> Aggregate | None:
        return self.result

    @property
    def after_limit(self) -> tuple[Condition, ...]:
        return self.then_keep
