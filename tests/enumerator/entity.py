"""The cheapest structures of one entity, by itself and where another lies beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from math import inf

from designer.core.capacity.sizes import attribute_bytes
from designer.core.dynamodb.limits import PARTITION_READS, SHARD_READS
from tests.enumerator.choice import Found, Under
from tests.enumerator.legal import base_keys, index_keys, strong_keys
from tests.enumerator.model import Key, Model
from tests.enumerator.offers import INDEX
from tests.enumerator.pieces import heat_of, shards_for
from tests.enumerator.sizes import is_native, key_bytes
from tests.enumerator.table import Table
from tests.enumerator.uses import keeps_together, spread_by, use_of, uses_of
from tests.enumerator.writes import hottest_written


class OneEntity:
    """The cheapest structures of one entity. `once`: without two indexes of the same keys."""

    def __init__(self, model: Model, once: bool = False) -> None:
        self.model, self.once = model, once
        self.index_uses = [
            (key, uses)
            for key in chain(index_keys(model), strong_keys(model))
            if any(uses := [uses_of(model, asked, key) for asked in model.reads])
        ]

    def shared(self, way: str, most: float) -> list[tuple[int, float, float]]:
        """What else an entity costs where the joint read finds it in a shared collection, and bytes of an item there.

        (unserved, US dollars a month, bytes) of all choices up to `most` but those that another beats.
        """
        found: set[tuple[int, float, float]] = set()
        for base in self._all_bases():
            assert self.model.joint is not None
            if way == INDEX or keeps_together(self.model, self.model.joint, base):
                found.update(Under(self.model, base, self.index_uses, way, self.once).all(most))
        best: list[tuple[int, float, float]] = []
        for one in sorted(found):
            if all(one[0] < other[0] or one[2] < other[2] for other in best):
                best.append(one)
        return best

    def cheapest(self) -> Found:
        best = Found(10**6, inf)
        bases = self._all_bases()
        under = [Under(self.model, base, self.index_uses, once=self.once) for base in bases]
        for one in sorted(under, key=lambda one: one.floor):
            if one.floor < best.figures:
                best = one.cheapest(best)
        return best

    def _all_bases(self) -> Iterator[Key]:
        """The base keys, also over shards."""
        for plain in self._bases():
            yield from (plain, *self._spread(plain))

    def _spread(self, base: Key) -> Iterator[Key]:
        """A base key over as many shards as keep what may be read of it and its writes cool (rule 18).

        That is also with the keys of whatever indexes there are on its items, where these are too much for the fifth
        that each shard has to spare.
        """
        if spread_by(self.model, base) is None:
            return
        counts: set[int] = set()
        for few, many in zip(self._heats(base, 0.0), self._heats(base, self._room), strict=True):
            while few <= many:
                counts.add(few)
                few = few * PARTITION_READS // SHARD_READS + 1
        for count in counts - {1}:
            # A shard's number is in each key: what is read of all of them is more than it was.
            over = replace(base, shards=count)
            counts |= {self._heats(over, more)[-1] for more in (0.0, self._room)}
        yield from (replace(base, shards=count) for count in sorted(counts - {1}))

    def _heats(self, base: Key, more: float) -> list[int]:
        """The shards that the writes take with each set of reads, where an item has so many bytes more.

        Of a key that is over shards: those that it takes where these leave it hot, else 1.
        """
        model = self.model
        table = Table(model, base)
        size = table.size + more
        heats = [
            asked.peak
            * asked.factor
            * use.times
            * use.shards
            * heat_of(use.heavy, size)
            * model.hottest(base, asked.constants)
            * model.once(base, asked)
            for asked in model.reads
            for use in uses_of(model, asked, base)
            if asked.limit is None
        ]
        writes = table.peak_written((), size, base)
        every = range(len(heats) + 1)
        reads = [sum(some) for length in every for some in combinations(heats, length)]
        return [
            shards_for(writes, some, base.shards) if shards_for(writes, some) > 1 else 1
            for some in reads
        ]

    @cached_property
    def _room(self) -> float:
        """Bytes that the keys of indexes add to an item at the most, beside a read that the table answers."""
        keys = (key_bytes(self.model, key) for key in index_keys(self.model))
        return sum(sorted(keys, reverse=True)[: len(self.model.reads) - 1])

    def _bases(self) -> list[Key]:
        """The base keys but those that one of the same attributes, in another order, beats in all it is priced by."""
        kept: list[_Base] = []
        for key in base_keys(self.model):
            base = _Base.of(self.model, key)
            if not any(other.beats(base, self.model) for other in kept):
                kept.append(base)
        return [base.key for base in kept]


@dataclass(frozen=True)
class _Base:
    """What a base key is priced by."""

    key: Key
    bytes: float
    native: frozenset[str]
    figures: tuple[float, ...]
    """How hot it is, and how many items each read reads."""

    @classmethod
    def of(cls, model: Model, key: Key) -> "_Base":
        uses = [use_of(model, way, key) for way in model.every_way]
        read = [inf if use is None else use.read * (not use.get) for use in uses]
        read += [
            inf if use is None else max(items for _, items in use.heavy) * (not use.get)
            for use in uses
        ]
        native = {
            n for part in (key.partition, key.sort) if is_native(model, key, part) for n in part
        }
        heat = [model.hottest(key)]
        heat += [model.hottest(key, asked.constants) for asked in model.reads]
        heat += [hottest_written(model, key, change) for change, _, _ in model.writes]
        return cls(key, key_bytes(model, key), frozenset(native), (*heat, *read))

    def beats(self, other: "_Base", model: Model) -> bool:
        added = sum(attribute_bytes(model.entity.by_name[n]) for n in self.native - other.native)
        return (
            set(self.key.attributes) == set(other.key.attributes)
            and self.bytes + added <= other.bytes
            and all(a <= b for a, b in zip(self.figures, other.figures, strict=True))
        )
