"""The items over which a number is spread that is added to too often for one."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil

from designer.core.design.entities import Entity, Relationship
from designer.core.dynamodb.limits import PARTITION_WRITES, SHARD_WRITES
from designer.core.patterns.base import Member, Write
from designer.core.plan import Style
from designer.core.planner.model.shard_attributes import Spread
from designer.core.rational import Fraction

Writes = list[tuple[Write, Member]]
"""What patterns write of one entity's items."""
MOST_KEYS = 64
"""Bytes that composed keys may add to a counter."""
_SHARD = "shard"
"""The attribute that tells the counters of an item apart; with underscores where the entity has one of this name."""


@dataclass(frozen=True)
class CounterItems:
    """A number of an entity that lies in several items, its shards."""

    whole: Entity
    attributes: tuple[str, ...]
    """In the entity's order."""
    units: Fraction
    """Write units a second that additions to them take at peak of the hottest item's counters."""
    heat: Fraction
    """Write units a second that all writes take of the hottest item, where the numbers are in it."""
    left: Fraction
    """Those that are left of these without the writes that do nothing but add to the numbers."""
    name: str
    """The shape of the counters, and the entity that stands for them in the rewritten design."""
    style: Style

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.whole.name,)

    @property
    def count(self) -> int:
        """How many items there are for each of the entity's own."""
        return max(1, ceil(self.units / SHARD_WRITES))

    @cached_property
    def shard(self) -> str:
        """The attribute that tells the counters of an item apart."""
        name = _SHARD
        while name in self.whole.by_name:
            name += "_"
        return name

    @cached_property
    def part(self) -> Entity:
        """The entity of the counters."""
        keys_ = tuple(
            self.whole.by_name[key].model_copy(update={"refers_to": f"{self.whole.name}.{key}"})
            for key in self.whole.identifier
        )
        digits = len(str(self.count - 1))
        shard = Spread(name=self.shard, bytes=digits, distinct=self.count)
        own = tuple(self.whole.by_name[name] for name in self.attributes)
        items = None if self.whole.items is None else self.whole.items * self.count
        growth = self.whole.growth_per_month
        return self.whole.model_copy(
            update={
                "name": self.name,
                "id": None,
                "prefix": None,
                "identifier": (*self.whole.identifier, self.shard),
                "items": items,
                "growth_per_month": None if growth is None else growth * self.count,
                "attributes": (*keys_, shard, *own),
            }
        )

    @cached_property
    def relationship(self) -> Relationship:
        """How the counters belong to their item; as it has children, it lies inside no other."""
        return Relationship(
            name=self.name,
            one=self.whole.name,
            many=self.name,
            by=self.whole.identifier,
            average=self.count,
            most=self.count,
        )

    @property
    def cools(self) -> bool:
        """Whether the item is cool without what is added to the numbers."""
        return self.left <= PARTITION_WRITES
