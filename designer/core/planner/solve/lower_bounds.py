"""Base keys that need not be looked at: what every choice of structures under one costs at the least.

A structure costs what its own entries do, at the shortest they can be, whatever the base key is and whatever else is
there; through it a read is read for no less than where an item has no other key. So a choice costs at least what is
kept without any structure, the entries of those that it has, and of each read the cheapest read through the table or
one of them. Besides no structure, each by itself and every two, all choices of more are taken for one: the cheapest
entries three times, with the cheapest reads of all structures.

An index over shards costs no less than the plain one and stands behind it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np

from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.planner.model.chosen import RatedRead
from designer.core.planner.model.reads_and_writes import FOUND
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Structure
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.read_figures import counted_row_padding, guard_access
from designer.core.planner.pricing.structures import kept_charge, keys_bytes, owning_score
from designer.core.planner.pricing.write_costs import entry_units, needs_identifier_guard
from designer.core.planner.solve.candidate_lists import CandidateLists

PAIRED = 400
"""Structures of which every two are priced together; two of more are priced as the two cheapest."""
LIKELY = 200
"""Pairs that are priced more closely for one base key."""
SURELY = 1 + 1e-9
"""Prices are summed as floats here: what is dearer by less than this part may be no dearer."""


@dataclass(frozen=True)
class _Least:
    """What a structure costs at the least under any base key, in US dollars a month: one of two that differ in whether
    the identifier ends their key, as no bound is lost by taking each for the cheaper.
    """

    alike: tuple[Structure, ...]
    """That of the shortest key last."""
    kept: float
    reads: tuple[float, ...]
    """For each entity read; infinite where it cannot be answered."""


class LowerBounds:
    """The least prices of the choices for one entity by itself."""

    def __init__(self, search: CandidateLists, name: str) -> None:
        self.search, self.model = search, search.models[name]
        self.rated_reads = tuple(
            rated
            for rated in search.of_entity[name]
            if search.requirements.pattern_reads[rated.pattern_read].finds is None
            and rated.entity_read.part != FOUND
        )
        """Without what is not asked where the key is known: that may cost nothing."""

    def can_tell(self, best: Score) -> bool:
        """Whether prices tell what is better than a choice: it is as good as can be in all that comes before them."""
        least = self.search.least_reads(self.model.name)
        is_good = not (best.unserved or best.violated or best.hot)
        return self._is_plain and is_good and best.unrated_reads <= least.unrated_reads

    @cached_property
    def _is_plain(self) -> bool:
        """Whether nothing is pinned."""
        return self.model.pins is None and not any(
            rated.entity_read.is_pinned for rated in self.rated_reads
        )

    def price(self, base: Structure, best: float) -> float:
        """US dollars a month that every choice under a base key costs at the least; infinite where none serves all.

        No closer than it takes to see that this is more than the `best`.
        """
        keys = keys_bytes(self.model, base, ())
        guard = needs_identifier_guard(self.model, base)
        table = float(owning_score(self.model, base, {}, guard, keys).price)
        reads = self._in_table(base, keys)
        listed = self._beside(base)
        if not listed:
            return table + sum(reads)
        kept = np.array([one.kept for one in listed])
        through = np.minimum(np.array([one.reads for one in listed]), np.array(reads))
        cheapest = float(through.min(axis=0).sum())
        least = float(kept.min())
        closer: dict[int, tuple[float, ...]] = {}

        def exactly(*some: int) -> float:
            """What some structures, and all entity reads through them or the table, cost at the least."""
            for at in some:
                if at not in closer:
                    closer[at] = self._reads(base, listed[at].alike)
            paid: float = sum(listed[at].kept for at in some)
            longer = keys_bytes(self.model, base, [listed[at].alike[-1] for at in some])
            in_table = self._in_table(base, longer) if longer > keys else reads
            ways = [in_table, *(closer[at] for at in some)]
            return paid + _cheapest(ways)

        room = best * SURELY - table
        found = min(sum(reads), 3 * least + cheapest)
        single = kept + through.sum(axis=1)
        for at in np.argsort(single, kind="stable"):
            if single[at] >= found or single[at] > room:
                found = min(found, float(single[at]))
                break
            found = min(found, max(float(single[at]), exactly(int(at))))
        twice = 2 * least + cheapest
        if twice >= found:
            return table + found
        if twice > room or found <= room or len(listed) > PAIRED:
            return table + twice
        shared = np.minimum(through[:, None, :], through[None, :, :]).sum(axis=2)
        pairs = kept[:, None] + kept[None, :] + shared
        likely = np.argwhere(np.triu(pairs <= min(found, room)))
        if len(likely) > LIKELY:
            return table + min(found, float(pairs.min()))
        for one, other in likely:
            found = min(found, exactly(int(one), int(other)))
        unlikely = pairs[pairs > min(found, room)]
        return table + min(found, float(unlikely.min(initial=inf)))

    def _in_table(self, base: Structure, keys: float) -> tuple[float, ...]:
        """What each entity read costs through the table alone, or a guard."""
        guards = (
            guard_access(self.model, base, rated.entity_read, keys) for rated in self.rated_reads
        )
        return tuple(
            min(read, inf if guard is None else self._read(rated, guard))
            for rated, read, guard in zip(
                self.rated_reads, self._through(base, base, keys), guards, strict=True
            )
        )

    def _through(self, base: Structure, structure: Structure, keys: float) -> tuple[float, ...]:
        """What each entity read costs through a structure; infinite where it cannot be answered."""
        return tuple(
            min(
                (
                    self._read(rated, access)
                    for access in accesses(self.model, base, structure, rated.entity_read, keys)
                ),
                default=inf,
            )
            for rated in self.rated_reads
        )

    def _read(self, rated: RatedRead, access: Access) -> float:
        return self.search.read_price(self.model, rated, access)

    def _beside(self, base: Structure) -> tuple[_Least, ...]:
        """The structures that there may be under a base key: local ones in its partitions alone."""
        local = (
            one
            for one in self.search.indexes(self.model.name)
            if one.kind == "local" and one.partition == base.partition
        )
        return (*self._structures, *(self._least((one,), base) for one in local))

    @cached_property
    def _structures(self) -> tuple[_Least, ...]:
        alike: dict[Structure, list[Structure]] = {}
        for one in self.search.indexes(self.model.name):
            if one.kind != "local" and self.model.shards(one) == 1:
                alike.setdefault(replace(one, bare=False), []).append(one)
        return tuple(
            self._least(tuple(sorted(some, key=lambda one: one.bare)), self._nowhere)
            for some in alike.values()
        )

    @cached_property
    def _nowhere(self) -> Structure:
        return self.search.nowhere(self.model.name)

    def _least(self, alike: tuple[Structure, ...], base: Structure) -> _Least:
        return _Least(alike, min(map(self._kept, alike)), self._reads(base, alike))

    def _reads(self, base: Structure, alike: tuple[Structure, ...]) -> tuple[float, ...]:
        """What each entity read costs through whichever of some structures answers it for the least."""
        every = [self._through(base, one, keys_bytes(self.model, base, (one,))) for one in alike]
        return tuple(map(min, zip(*every, strict=True)))

    def _kept(self, structure: Structure) -> float:
        """What writing and storing the entries of a structure costs at the least."""
        model = self.model
        keys = keys_bytes(model, self._nowhere, (structure,))
        size = model.entry_bytes(self._nowhere, structure, frozenset(), keys)
        size += counted_row_padding(model, self._nowhere, structure)
        stored = (size + ITEM_OVERHEAD_BYTES) * model.density(structure) * (model.entity.items or 0)
        # All that is stored is rounded together: to less than one byte beside this.
        usd = max(0.0, stored - 1) * float(model.prices.byte_month)
        usd += float(kept_charge(model, structure))
        for write in model.writes:
            if write.average is not None:
                units = entry_units(model, self._nowhere, structure, frozenset(), write, keys)
                rate = exact(write.average) * model.prices.write_unit * SECONDS_PER_MONTH
                usd += float(units * rate)
        return usd


def _cheapest(ways: Iterable[tuple[float, ...]]) -> float:
    """All entity reads, each in the cheapest of some ways."""
    found: float = sum(min(reads) for reads in zip(*ways, strict=True))
    return found
