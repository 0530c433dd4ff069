"""Base keys that need not be looked at: what every choice of structures under one costs at the least.

A structure costs what its own entries do, at the shortest they can be, whatever the base key is and whatever else is
there; through it a read is read for no less than where an item has no other key. So a choice costs at least what is
kept without any structure, the entries of those that it has, with what its reads need there, and of each read the
cheapest read through the table or one of them. That is a facility location problem, and no solution of its dual is
above any choice: each read offers what it would pay, and no structure is offered more than it costs to keep.

Source of the dual ascent: D. Erlenkotter, "A Dual-Based Procedure for Uncapacitated Facility Location", Operations
Research 26 (1978). An index over shards costs no less than the plain one and stands behind it.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf

from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.planner.model.chosen import RatedRead
from designer.core.planner.model.reads_and_writes import FOUND
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.read_figures import counted_row_padding, guard_access
from designer.core.planner.pricing.structures import kept_charge, keys_bytes, owning_score
from designer.core.planner.pricing.write_costs import entry_units, needs_identifier_guard
from designer.core.planner.solve.candidate_lists import CandidateLists

PAGED = 0.9
"""Pages of a read that ends at a limit have as many items as fill their steps: of longer items it may cost a little
less, by so much at the most.
"""
SURELY = 1 + 1e-9
"""Prices are summed as floats here: what is dearer by less than this part may be no dearer."""


@dataclass(frozen=True)
class Place:
    """A table, or an index or a copy, with what it costs at the least in US dollars a month."""

    steps: tuple[float, ...]
    """What keeping it costs with the least that any read needs there, and how much more with each that needs more."""
    answers: tuple[tuple[tuple[float, int], ...], ...]
    """For each read, the ways to answer it: what that costs, and up to which step the place has to be kept for it."""


class LowerBounds:
    """The least prices of the choices for one entity by itself."""

    def __init__(self, search: CandidateLists, name: str) -> None:
        self.search, self.model = search, search.models[name]
        self._every_read = tuple(
            rated
            for rated in search.of_entity[name]
            if search.requirements.pattern_reads[rated.pattern_read].finds is None
            and rated.entity_read.part != FOUND
        )
        """Without what is not asked where the key is known: that may cost nothing."""
        self._every_kept: dict[tuple[Structure, Projection], float] = {}
        self._every_offer: dict[Structure, tuple[float, ...]] = {}
        self._every_place: dict[Structure, Place] = {}

    @cached_property
    def rated_reads(self) -> tuple[RatedRead, ...]:
        """The entity reads that are answered under some base key."""
        return tuple(rated for rated in self._every_read if self._is_answered(rated))

    def _is_answered(self, rated: RatedRead) -> bool:
        every = [(self._nowhere, one) for alike in self._alike for one in alike]
        for base in self.search.bases(self.model.name):
            every += [(base, one) for one in (base, *self._local(base))]
            if guard_access(self.model, base, rated.entity_read, 0.0) is not None:
                return True
        return any(
            accesses(self.model, base, one, rated.entity_read, self._keys(base, one))
            for base, one in every
        )

    def can_tell(self, best: Score) -> bool:
        """Whether prices tell what is better than a choice: it is as good as can be in all that comes before them."""
        least = self.search.least_reads(self.model.name)
        is_good = not (best.violated or best.hot) and best.unrated_reads <= least.unrated_reads
        if not (is_good and self._is_plain):
            return False
        return best.unserved <= len(self._every_read) - len(self.rated_reads)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether nothing is pinned."""
        return self.model.pins is None and not any(
            rated.entity_read.is_pinned for rated in self._every_read
        )

    def price(self, base: Structure, closely: bool) -> float:
        """US dollars a month that every choice under a base key costs at the least.

        If not `closely`, what stands beside the table counts as under any base key.
        """
        keys = keys_bytes(self.model, base, ())
        guard = needs_identifier_guard(self.model, base)
        beside = (self._place(one, base) for one in self._alike) if closely else self._places
        kept = float(owning_score(self.model, base, {}, guard, keys).price)
        return kept + sum(dual_offers((*self._under(base), *beside)))

    def reads_at_least(
        self, base: Structure, joined: Container[tuple[int, int]], given: Iterable[Structure]
    ) -> float:
        """US dollars a month that reads under a base key cost at the least, with the structures for them.

        Without reads that are `joined` with others; `given` structures are there anyway. A solution of the dual for all
        reads is one for some of them, in which what is there anyway is offered nothing.
        """
        if not self._is_plain:
            return 0.0
        there = [self._alone(one.plain) for one in given]
        found = 0.0
        for at, offer in enumerate(self._offers(base)):
            if self.rated_reads[at].id not in joined and offer < inf:
                ways = (price for place in there for price, _ in place.answers[at])
                found += min(offer, min(ways, default=inf))
        return found

    def _alone(self, structure: Structure) -> Place:
        """What a structure costs at the least, whatever the base key."""
        if structure not in self._every_place:
            self._every_place[structure] = self._place((structure,), self._nowhere)
        return self._every_place[structure]

    def _offers(self, base: Structure) -> tuple[float, ...]:
        """What each entity read offers under a base key; each structure as under any, and no read below its least."""
        if base not in self._every_offer:
            least = [
                float(self.search.least(base, rated, closely=True).price)
                for rated in self.rated_reads
            ]
            places = (*self._under(base), *self._places)
            self._every_offer[base] = tuple(dual_offers(places, least))
        return self._every_offer[base]

    def _keys(self, base: Structure, structure: Structure) -> float:
        """Bytes of key attributes that an item has at the least, where one is in a structure."""
        return keys_bytes(self.model, base, () if structure is base else (structure,))

    def _under(self, base: Structure) -> tuple[Place, ...]:
        """The table of a base key, which is there anyway, and the local indexes that it may have."""
        reads = self._in_table(base, keys_bytes(self.model, base, ()))
        table = Place((0.0,), tuple(((read, 0),) for read in reads))
        return (table, *(self._place((one,), base) for one in self._local(base)))

    def _in_table(self, base: Structure, keys: float) -> Iterator[float]:
        """What each entity read costs through the table alone, or a guard; infinite where it cannot be answered."""
        for rated in self.rated_reads:
            every = accesses(self.model, base, base, rated.entity_read, keys)
            guard = guard_access(self.model, base, rated.entity_read, keys)
            ways = every if guard is None else (*every, guard)
            yield min((self._read(rated, access) for access in ways), default=inf)

    def _read(self, rated: RatedRead, access: Access) -> float:
        price = self.search.read_price(self.model, rated, access)
        return price if access.page is None else price * PAGED

    def _local(self, base: Structure) -> Iterator[Structure]:
        """The local indexes that there may be under a base key: those in its partitions."""
        for one in self.search.indexes(self.model.name):
            if one.kind == "local" and one.partition == base.partition:
                yield one

    @cached_property
    def _alike(self) -> tuple[tuple[Structure, ...], ...]:
        """Indexes and copies; each with the one that differs from it in whether the identifier ends its key, as no
        bound is lost by taking both for the cheaper.
        """
        alike: dict[Structure, list[Structure]] = {}
        for one in self.search.indexes(self.model.name):
            if one.kind != "local" and self.model.shards(one) == 1:
                alike.setdefault(replace(one, bare=False), []).append(one)
        return tuple(map(tuple, alike.values()))

    @cached_property
    def _places(self) -> tuple[Place, ...]:
        return tuple(self._place(alike, self._nowhere) for alike in self._alike)

    @cached_property
    def _nowhere(self) -> Structure:
        return self.search.nowhere(self.model.name)

    def _place(self, alike: Iterable[Structure], base: Structure) -> Place:
        """What structures cost at the least under a base key, where they are taken for one."""
        answers: list[list[tuple[float, float]]] = [[] for _ in self.rated_reads]
        for one in alike:
            keys = self._keys(base, one)
            for mine, rated in zip(answers, self.rated_reads, strict=True):
                for access in accesses(self.model, base, one, rated.entity_read, keys):
                    mine.append((self._read(rated, access), self._kept(one, access.projection)))
        levels = sorted({kept for mine in answers for _, kept in mine})
        steps = [after - before for before, after in pairwise([0.0, *levels])]
        place = {kept: at for at, kept in enumerate(levels)}
        return Place(
            tuple(steps),
            tuple(tuple((price, place[kept]) for price, kept in mine) for mine in answers),
        )

    def _kept(self, structure: Structure, projection: Projection) -> float:
        """What writing and storing the entries of a structure costs at the least that hold so much."""
        key = (structure, projection)
        if key not in self._every_kept:
            self._every_kept[key] = self._fresh_kept(structure, projection)
        return self._every_kept[key]

    def _fresh_kept(self, structure: Structure, projection: Projection) -> float:
        model, base = self.model, self._nowhere
        keys = keys_bytes(model, base, (structure,))
        size = model.entry_bytes(base, structure, projection, keys)
        size += counted_row_padding(model, base, structure)
        stored = (size + ITEM_OVERHEAD_BYTES) * model.density(structure) * (model.entity.items or 0)
        # All that is stored is rounded together: to less than one byte beside this.
        usd = max(0.0, stored - 1) * float(model.prices.byte_month)
        usd += float(kept_charge(model, structure))
        for write in model.writes:
            if write.average is not None:
                units = entry_units(model, base, structure, projection, write, keys)
                rate = exact(write.average) * model.prices.write_unit * SECONDS_PER_MONTH
                usd += float(units * rate)
        return usd


def dual_offers(places: Sequence[Place], least: Sequence[float] = ()) -> list[float]:
    """What each read offers for being answered: together no more than what any choice of places costs.

    Infinite for one that no place answers. `least`: what each read costs at the least, whatever places say.
    """
    left = [list(place.steps) for place in places]
    """What each place costs, by steps, beyond what it was offered."""
    reads = range(len(places[0].answers))
    ways = [
        sorted(
            (max(price, least[read]) if least else price, at, level)
            for at, place in enumerate(places)
            for price, level in place.answers[read]
            if price < inf
        )
        for read in reads
    ]
    offered = [mine[0][0] if mine else inf for mine in ways]
    paying: list[dict[int, int]] = [{} for _ in reads]
    """For each read, the places that answer it for what it offers, each with the step up to which it pays."""
    nexts = [0 for _ in reads]
    waiting = [read for read in reads if ways[read]]
    while waiting:
        rising = []
        for read in waiting:
            mine, paid = ways[read], paying[read]
            while nexts[read] < len(mine) and mine[nexts[read]][0] <= offered[read]:
                _, at, level = mine[nexts[read]]
                paid[at] = min(level, paid.get(at, level))
                nexts[read] += 1
            room = min(sum(left[at][: level + 1]) for at, level in paid.items())
            until = mine[nexts[read]][0] if nexts[read] < len(mine) else inf
            more = min(room, until - offered[read])
            if more <= 0:
                continue
            for at, level in paid.items():
                _offer(left[at], level, more)
            offered[read] += more
            if more < room:
                rising.append(read)  # the next place is offered something from here on
        waiting = rising
    return offered


def _offer(left: list[float], level: int, more: float) -> None:
    """Take from the steps of a place, from that of a level downwards: fewer reads pay for a higher one."""
    while more > 0 and level >= 0:
        taken = min(left[level], more)
        left[level] -= taken
        more -= taken
        level -= 1
