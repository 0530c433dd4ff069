"""List items."""

from typing import Literal

from pydantic import model_validator

from designer.core.patterns.base import Document, Read


class Aggregate(Document):
    """Return one aggregate instead of the items: `{sum: total}`, `{greatest: bid}` or `{least: price}`."""

    sum: str | None = None
    greatest: str | None = None
    least: str | None = None

    @model_validator(mode="after")
    def _one_of(self) -> "Aggregate":
        if sum(part is not None for part in (self.sum, self.greatest, self.least)) != 1:
            raise ValueError("give exactly one of `sum`, `greatest` and `least`")
        return self


class List(Read):
    """List the items that meet `where`, in `order`, up to `limit`, each with its related items."""

    label = "List"
    kind: Literal["list"] = "list"
    result: Aggregate | None = None
