"""The cheapest structures of one entity, by itself and where another lies beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import inf

from designer.core.limits import READ_UNIT_BYTES
from designer.core.sizes import attribute_bytes
from tests.enumerator.choice import Found, Under
from tests.enumerator.legal import base_keys, index_keys, strong_keys
from tests.enumerator.model import Key, Model
from tests.enumerator.offers import INDEX
from tests.enumerator.pieces import shards_for, steps
from tests.enumerator.sizes import is_native, key_bytes
from tests.enumerator.table import Table
from tests.enumerator.uses import keeps_together, spread_by, use_of, uses_of
from tests.enumerator.writes import hottest_written


class OneEntity:
    """The cheapest structures of one entity."""

    def __init__(self, model: Model) -> None:
        self.model = model
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
                found.update(Under(self.model, base, self.index_uses, way).all(most))
        best: list[tuple[int, float, float]] = []
        for one in sorted(found):
            if all(one[0] < other[0] or one[2] < other[2] for other in best):
                best.append(one)
        return best

    def cheapest(self) -> Found:
        best = Found(10**6, inf)
        under = [Under(self.model, base, self.index_uses) for base in self._all_bases()]
        for one in sorted(under, key=lambda one: one.floor):
            if one.floor < best.figures:
                best = one.cheapest(best)
        return best

    def _all_bases(self) -> Iterator[Key]:
        """The base keys, also over shards."""
        for plain in self._bases():
            yield from (plain, *self._spread(plain))

    def _spread(self, base: Key) -> Iterator[Key]:
        """A base key over as many shards as keep what may be read of it and its writes cool (rule 18)."""
        model = self.model
        table = Table(model, base)
        heats = [
            asked.peak
            * asked.factor
            * use.times
            * steps(use.read * table.size, READ_UNIT_BYTES)
            * model.hottest(base, asked.constants)
            for asked in model.reads
            for use in uses_of(model, asked, base)
            if asked.limit is None
        ]
        writes = table.peak_written((), table.size, base)
        counts = {
            shards_for(writes, sum(some))
            for size in range(len(heats) + 1)
            for some in combinations(heats, size)
        }
        if spread_by(model, base) is not None:
            yield from (replace(base, shards=count) for count in sorted(counts - {1}))

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
