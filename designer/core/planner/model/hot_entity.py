"""How hot the busiest value of an access structure's key runs, from what is said of its attributes and of patterns."""

from dataclasses import dataclass

from designer.core.planner.model.busier import busier_of_write
from designer.core.planner.model.entity_facts import EntityFacts, cached
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.shard_attributes import Shard, Spread, is_shard
from designer.core.planner.model.shares import Busier, says_how_hot
from designer.core.planner.model.structures import Structure


@dataclass(frozen=True, eq=False)
class HotEntity(EntityFacts):
    """An entity with how its traffic falls on the keys of its access structures."""

    @cached
    def hottest_share(
        self,
        structure: Structure,
        constants: frozenset[str] = frozenset(),
        busier: Busier = (),
    ) -> float:
        """Share of its items and traffic on the hottest value of a structure's partition key.

        A composed key is as hot as its coolest part. Whatever comes in at one time has the same hour and day, and
        what a sparse index is limited to is the same for all, as are the `constants` of a pattern; shards divide
        the rest. `busier`: what else gives an attribute its values, and how hot.
        """
        shares, others = [1.0], dict(busier)
        for name in structure.partition:
            attribute = self.attribute(name)
            if name in constants or name in dict(structure.only) or isinstance(attribute, Spread):
                continue
            least = others.get(name, 0.0)
            if attribute.busiest is not None:
                shares.append(max(least, attribute.busiest))
            elif attribute.shares:
                shares.append(max(least, *attribute.shares))
            elif attribute.source is None:
                shares.append(max(least, 1 / self.distinct(name)))
        return min(shares) / self.shards(structure)

    def share_of_hottest(
        self,
        structure: Structure,
        stated: float | None,
        is_new: bool = False,
        constants: frozenset[str] = frozenset(),
        asked: frozenset[str] = frozenset(),
        of_one: bool = False,
        busier: Busier = (),
    ) -> float:
        """Share of a pattern's traffic on the hottest partition of a structure.

        `stated` is what the team says of the pattern's hottest key; it says nothing of keys that are the same
        for all, nor of those that only one new item has. A key that is not all that is `asked` for may be another than
        the team thinks of: it is as hot as its attributes say, too. `constants`: attributes to which the pattern gives
        one value. `of_one`: whether it names one item, which is the hottest then, and in one shard. `busier`: what
        else gives an attribute its values, so that an item, and each key that it has, is as hot as this says.
        """
        if stated is None and not busier:
            return self.hottest_share(structure, constants)
        names = {name for name in structure.partition if not is_shard(name)}
        names -= {*constants, *(name for name, _ in structure.only)}
        if is_new and set(self.entity.identifier) <= names:
            return self.hottest_share(structure, constants)
        own = self.hottest_share(structure, constants, busier)
        if of_one and busier:
            own = max(own, self._share_of_item(busier) / self.shards(structure, of_one=True))
        if stated is None or not names:
            return own
        told = dict(busier)
        if names == asked - constants or not all(
            name in told or says_how_hot(self.attribute(name)) for name in names
        ):
            own = 0.0
        return max(stated / self.shards(structure, of_one), own)

    @cached
    def _share_of_item(self, busier: Busier) -> float:
        """Share of a pattern's traffic on its hottest item."""
        item = Structure(self.name, "base", self.entity.identifier, ())
        return self.hottest_share(item, frozenset(), busier)

    @cached
    def busier_of(self, write: EntityWrite) -> Busier:
        """The attributes of a write that others say to be busier, which get the same values."""
        return busier_of_write(self.design, write)

    def shards(self, structure: Structure, of_one: bool = False) -> int:
        """How many partitions items with the same values of a key are spread over; `of_one`: what goes to one item."""
        parts = map(self.attribute, structure.partition)
        spread = (part for part in parts if isinstance(part, Spread))
        counts = (part.count for part in spread if not (of_one and isinstance(part, Shard)))
        return max(counts, default=1)
