"""Numbers that counters count: what the items of a plan hold of each."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from designer.core.plan import Plan, Shape

NUMBER = "each.number"
"""What templates call the current counter of an item."""


class Counted:
    """Items as the shapes of a plan hold them: the item itself has the start of a number, its counters the rest."""

    def __init__(self, plan: Plan, most: int | None = None) -> None:
        self._most = most
        """The first counters of an item, among which all is counted; all of them where that is not given."""
        self.counters: dict[str, Shape] = {
            shape.entity: shape for table in plan.tables for shape in table.items if shape.shards
        }

    def held(self, shape: Shape, item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """What a shape knows of an item: once, or once for each of its counters, by its number."""
        counter = self.counters.get(shape.entity)
        if counter is None or counter.shards is None:
            yield item
            return
        shards = min(counter.shards, self._most or counter.shards)
        shares = {
            name: _shares(item[name], shards)
            for name in counter.counts
            if item.get(name) is not None
        }
        if shape.shards is None:
            begun = {
                name: item[name] if given is None else Decimal(0) for name, given in shares.items()
            }
            yield {**item, **begun}
            return
        for number in range(shards):
            added = {name: given[number] if given else None for name, given in shares.items()}
            yield {**item, **dict.fromkeys(counter.counts), **added, NUMBER: number}


def _shares(value: Any, shards: int) -> list[Decimal | None] | None:
    """What each counter has of a whole number, as evenly as can be; what has nothing was never added to.

    None where the number is not whole: it is then what the item began with.
    """
    if value != int(value):
        return None
    each, over = divmod(abs(int(value)), shards)
    sign = -1 if value < 0 else 1
    parts = (each + (number < over) for number in range(shards))
    return [Decimal(sign * part) if part else None for part in parts]
