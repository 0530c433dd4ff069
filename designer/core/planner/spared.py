"""Base keys that need not be looked at: what every choice of structures under one costs at the least.

A structure costs what its own entries do, at the shortest they can be, whatever the base key is and whatever else is
there; through it a demand is read for no less than where an item has no other key. So a choice costs at least what is
kept without any structure, the entries of those that it has, and of each demand the cheapest read through the table or
one of them. Besides no structure and each by itself, all choices of two and more are taken for one: the cheapest
entries twice, with the cheapest reads of all structures.

An index over shards, or a second one of the same keys, costs no less than the plain one and stands behind it.
"""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from designer.core.limits import ITEM_OVERHEAD_BYTES
from designer.core.planner.accesses import accesses, guard_access
from designer.core.planner.chosen import Part
from designer.core.planner.pricing import (
    entry_units,
    keys_bytes,
    needs_identifier_guard,
    owning_score,
)
from designer.core.planner.requirements import FOUND
from designer.core.planner.structures import Access, Score, Structure, exact
from designer.core.prices import SECONDS_PER_MONTH

if TYPE_CHECKING:
    from designer.core.planner.choice import Search

SURELY = 1 + 1e-9
"""Prices are summed as floats here: what is dearer by less than this part may be no dearer."""


@dataclass(frozen=True)
class _Least:
    """What a structure costs at the least under any base key, in US dollars a month."""

    structure: Structure
    kept: float
    reads: tuple[float, ...]
    """For each demand; infinite where it cannot be answered."""


class Spared:
    """The least prices of the choices for one entity by itself."""

    def __init__(self, search: "Search", name: str) -> None:
        self.search, self.model = search, search.models[name]
        self.parts = tuple(
            part
            for part in search.of_entity[name]
            if search.requirements.questions[part.question].finds is None
            and part.demand.part != FOUND
        )
        """Without what is not asked where the key is known: that may cost nothing."""

    def can_tell(self, best: Score) -> bool:
        """Whether prices tell what is better than a choice: it is as good as can be in all that comes before them."""
        least = self.search.least_reads(self.model.name)
        is_good = not (best.unserved or best.broken or best.hot)
        return self._is_plain and is_good and best.unrated_reads <= least.unrated_reads

    @cached_property
    def _is_plain(self) -> bool:
        """Whether nothing is pinned, and no index is made for one base key alone."""
        return (
            self.model.pins is None
            and not any(part.demand.is_pinned for part in self.parts)
            and all(one.kind != "local" for one in self.search.indexes(self.model.name))
        )

    def price(self, base: Structure, best: float) -> float:
        """US dollars a month that every choice under a base key costs at the least; infinite where none serves all.

        No closer than it takes to see that this is more than the `best`.
        """
        keys = keys_bytes(self.model, base, ())
        guard = needs_identifier_guard(self.model, base)
        table = float(owning_score(self.model, base, {}, guard, keys).price)
        reads = self._in_table(base, keys)
        found = sum(reads)
        if not self._structures:
            return table + found
        twice = 2 * min(one.kept for one in self._structures)
        found = min(found, twice + sum(map(min, reads, self._cheapest)))
        single = ((one.kept + sum(map(min, reads, one.reads)), one) for one in self._structures)
        for least, one in sorted(single, key=lambda pair: pair[0]):
            if least >= found or table + least > best:
                return table + min(found, least)
            found = min(found, max(least, self._with(base, one)))
        return table + found

    def _with(self, base: Structure, one: _Least) -> float:
        """What the entries of one structure, and all demands through it or the table, cost at the least."""
        keys = keys_bytes(self.model, base, (one.structure,))
        through = self._through(base, one.structure, keys)
        return one.kept + sum(map(min, self._in_table(base, keys), through))

    def _in_table(self, base: Structure, keys: float) -> tuple[float, ...]:
        """What each demand costs through the table alone, or a guard."""
        guards = (guard_access(self.model, base, part.demand, keys) for part in self.parts)
        return tuple(
            min(read, inf if guard is None else self._read(part, guard))
            for part, read, guard in zip(
                self.parts, self._through(base, base, keys), guards, strict=True
            )
        )

    def _through(self, base: Structure, structure: Structure, keys: float) -> tuple[float, ...]:
        """What each demand costs through a structure; infinite where it cannot be answered."""
        return tuple(
            min(
                (
                    self._read(part, access)
                    for access in accesses(self.model, base, structure, part.demand, keys)
                ),
                default=inf,
            )
            for part in self.parts
        )

    def _read(self, part: Part, access: Access) -> float:
        return self.search.read_price(self.model, part, access)

    @cached_property
    def _structures(self) -> tuple[_Least, ...]:
        indexes = self.search.indexes(self.model.name)
        return tuple(self._least(one) for one in indexes if self.model.shards(one) == 1)

    @cached_property
    def _cheapest(self) -> tuple[float, ...]:
        """Each demand through whichever structure reads it for least."""
        return tuple(map(min, zip(*(one.reads for one in self._structures), strict=True)))

    @cached_property
    def _nowhere(self) -> Structure:
        """A base key that adds nothing to an item or an entry."""
        return Structure(self.model.name, "local", (), (), own=True)

    def _least(self, structure: Structure) -> _Least:
        keys = keys_bytes(self.model, self._nowhere, (structure,))
        reads = self._through(self._nowhere, structure, keys)
        return _Least(structure, self._kept(structure, keys), reads)

    def _kept(self, structure: Structure, keys: float) -> float:
        """What writing and storing the entries of a structure costs at the least."""
        model = self.model
        size = model.entry_bytes(self._nowhere, structure, frozenset(), keys)
        stored = (size + ITEM_OVERHEAD_BYTES) * model.density(structure) * (model.entity.items or 0)
        # All that is stored is rounded together: to less than one byte beside this.
        usd = max(0.0, stored - 1) * float(model.prices.byte_month)
        for write in model.writes:
            if write.average is not None:
                units = entry_units(model, self._nowhere, structure, frozenset(), write, keys)
                rate = exact(write.average) * model.prices.write_unit * SECONDS_PER_MONTH
                usd += float(units * rate)
        return usd
