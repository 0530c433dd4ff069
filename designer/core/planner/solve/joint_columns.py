"""The columns of the program over several entities: all the ways to have each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import NamedTuple

from designer.core.dynamodb.limits import READ_UNIT_BYTES
from designer.core.planner.model.changed import changed
from designer.core.planner.model.chosen import EntityChoice
from designer.core.planner.model.pins import with_required
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Projection, Structure
from designer.core.planner.pricing.exactness import is_exact
from designer.core.planner.pricing.shared_reads import Part
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.solve.entity_search import EntitySearch
from designer.core.planner.solve.index_problem import union
from designer.core.planner.solve.lower_bounds import LowerBounds
from designer.core.planner.solve.read_scores import shared_charge
from designer.core.planner.solve.together import Together
from designer.core.rational import Fraction

FLOORED = 5_000
"""Ways to answer reads under all base keys of an entity up to which each is priced."""
COLUMNS = 256
"""Ways to have an entity under one base key; entity reads that would make more of them stay alone."""
SHARED_KEYS = 3
"""Keys of one entity in the order of a pattern that are tried in a shared index for it; besides, one in another."""
Id = tuple[int, int]
"""An entity read: its pattern, and its place there."""
HowAnswered = tuple[str, Id, object]
"""How an entity read is answered: `alone`, in the `table` or in an `index`; in which collection, or with which key."""


@dataclass(frozen=True)
class Column:
    """One way to have an entity."""

    entity: str
    base: Structure
    joined: tuple[tuple[Id, object], ...] = ()
    """Entity reads answered in a shared collection of the table, with the collection."""
    shared: tuple[tuple[Id, Structure], ...] = ()
    """Entity reads answered in a shared index, with the entity's keys there."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.base, self.joined, self.shared))

    @cached_property
    def parts(self) -> frozenset[Id]:
        """All entity reads that are not answered by the entity alone."""
        return frozenset([part for part, _ in self.joined] + [part for part, _ in self.shared])


class PossibleQuery(NamedTuple):
    """A Query that several parts of a pattern may share: in one collection of the table, or of an index."""

    pattern_read: int
    where: object
    in_index: bool


@dataclass
class JointColumns:
    """All the ways to have each of some entities."""

    search: EntitySearch
    names: tuple[str, ...]
    most: int | None = None
    """Structures of one entity at most, besides its base key."""
    _floors: dict[Column, Score] = field(default_factory=dict)
    _at_worst: dict[Column, Score] = field(default_factory=dict)
    _brought: dict[tuple[Column, bool], tuple[tuple[PossibleQuery, int, float], ...]] = field(
        default_factory=dict
    )
    _priced_in_full: set[Column] = field(default_factory=set)
    _answers: int = 0
    _best: dict[tuple[tuple[str, Structure], ...], Together] = field(default_factory=dict)
    _explored: Together | None = None
    _bounds: dict[str, LowerBounds] = field(default_factory=dict)

    @cached_property
    def pattern_reads(self) -> tuple[int, ...]:
        """The patterns about several of the entities."""
        pattern_reads = self.search.requirements.pattern_reads
        return tuple(
            q for q in self.search.joint if pattern_reads[q].entity_reads[0].entity in self.names
        )

    @cached_property
    def collections(self) -> dict[Id, dict[Structure, object]]:
        """For each read and base key, the collection in which its items lie together, if another part's may too."""
        found: dict[Id, dict[Structure, object]] = {}
        for q in self.pattern_reads:
            seen: dict[object, set[int]] = {}
            entity_reads = self.search.requirements.pattern_reads[q].entity_reads
            for at, entity_read in enumerate(entity_reads):
                for base in self.search.bases(entity_read.entity):
                    key = self.search.collection(entity_read, base)
                    if key is not None and self.search.in_order(q, at, key):
                        found.setdefault((q, at), {})[base] = key
                        seen.setdefault(key, set()).add(at)
            for at in range(len(entity_reads)):
                mine = found.get((q, at), {})
                found[q, at] = {base: key for base, key in mine.items() if len(seen[key]) > 1}
        return found

    @cached_property
    def in_indexes(self) -> dict[Id, tuple[Structure, ...]]:
        """For each entity read of a pattern that one shared index may answer whole, the entity's keys there."""
        found: dict[Id, tuple[Structure, ...]] = {}
        for q in self.pattern_reads:
            entity_reads = self.search.requirements.pattern_reads[q].entity_reads
            for at, structures in self.search.shared_keys(q).items():
                in_order = [one for one in structures if entity_reads[at].is_sorted_by(one.sort)]
                others = [one for one in structures if one not in in_order]
                found[q, at] = (*in_order[:SHARED_KEYS], *others[:1])
        return found

    @cached_property
    def columns(self) -> dict[str, tuple[Column, ...]]:
        """All the ways to have each entity."""
        return {name: tuple(self._columns(name)) for name in self.names}

    def _columns(self, name: str) -> Iterator[Column]:
        parts = [
            part.id
            for part in self.search.of_entity[name]
            if part.pattern_read in self.pattern_reads
        ]
        ends = self._ends(parts)
        for base in self.search.bases(name):
            ways: list[list[HowAnswered]] = []
            count = 1
            for part in parts:
                mine: list[HowAnswered] = [("alone", part, None)]
                collection = self.collections[part].get(base)
                if collection is not None and self._is_exact(part, base, base):
                    mine.append(("table", part, collection))
                mine += [
                    ("index", part, structure)
                    for structure in self.in_indexes.get(part, ())
                    if self._is_exact(part, base, structure)
                ]
                if len(mine) > 1 and count * len(mine) <= COLUMNS:
                    ways.append(mine)
                    count *= len(mine)
            for chosen in product(*ways):
                if ends and _contradict(ends, chosen):
                    continue
                yield Column(
                    name,
                    base,
                    tuple((part, where) for how, part, where in chosen if how == "table"),
                    tuple(
                        (part, where)
                        for how, part, where in chosen
                        if how == "index" and isinstance(where, Structure)
                    ),
                )

    def _ends(self, parts: Iterable[Id]) -> dict[Id, frozenset[tuple[str, bool]]]:
        """For each entity read of the first few the others of its pattern, and whether its items come before theirs:
        what only a few are wanted of is read last (rule 7 of docs/modelling-rules.md). Nothing where none contradicts.

        All that is read in two steps of 4 KB may lie at either end: to read it apart takes two, too.
        """
        found = {}
        for q, at in parts:
            entity_reads = self.search.requirements.pattern_reads[q].entity_reads
            few = entity_reads[at]
            size = few.matched * self.search.models[few.entity].own_bytes
            if few.limit is not None and not few.one and few.order and size > 2 * READ_UNIT_BYTES:
                others = (one.entity for one in entity_reads if one is not few)
                found[q, at] = frozenset((name, few.order[0].descending) for name in others)
        wanted = {end for ends in found.values() for end in ends}
        return found if any((name, not before) in wanted for name, before in wanted) else {}

    def _is_exact(self, id: Id, base: Structure, structure: Structure) -> bool:
        """Whether a shared Query reads no more for an entity read than one of its own might.

        Rule 3 of docs/modelling-rules.md.
        """
        q, at = id
        entity_read = self.search.requirements.pattern_reads[q].entity_reads[at]
        model = self.search.models[entity_read.entity]
        held = entity_read.needs_sorted if structure.is_index else None
        keys = keys_bytes(model, base, (structure,))
        part = self.search.shared_part(entity_read, base, structure, held, keys)
        return is_exact(model, base, part.access, entity_read, held)

    def forced(self, column: Column) -> tuple[tuple[Structure, Projection], ...]:
        """The structures that are there anyway, with what they hold: for a column's shared indexes, or pinned."""
        projections: dict[Structure, Projection] = {}
        for (q, at), structure in column.shared:
            needs = self.search.requirements.pattern_reads[q].entity_reads[at].needs_sorted
            projections[structure] = union(projections.get(structure, frozenset()), needs)
        pins = self.search.models[column.entity].pins
        if pins is not None:
            return with_required(tuple(projections.items()), pins)
        if len(projections) < 2:
            return tuple(projections.items())
        return tuple(sorted(projections.items(), key=lambda item: item[0].label))

    def choice(self, column: Column) -> EntityChoice:
        """The best structures for a column."""
        return self.search.solve(
            column.entity,
            column.base,
            column.parts,
            self.forced(column),
            most=self.most,
        )

    def requests(self, column: Column, q: int) -> float:
        """Requests that a column makes for a pattern by itself: exactly when it is priced, else at the least."""
        found = 0.0
        entity_reads = self.search.requirements.pattern_reads[q].entity_reads
        for at, entity_read in enumerate(entity_reads):
            if entity_read.entity != column.entity or (q, at) in column.parts:
                continue
            if column not in self._priced_in_full:
                found += min(1.0, entity_read.times)
                continue
            access = self.choice(column).access.get((q, at))
            if access is not None:
                found += access.requests * (
                    1 if access.call == "get" else max(1.0, entity_read.times)
                )
        for (number, _), part, _ in self._joined(column):
            if number == q and part.is_cut:
                found += part.pages().requests - 1  # besides the first one
        return found

    def floor(self, column: Column) -> Score:
        """What a column costs at least."""
        if column not in self._floors:
            search = self.search
            score = search.owned(column.base, dict(self.forced(column)))
            for part in search.of_entity[column.entity]:
                if part.id not in column.parts:
                    score = score + search.least(column.base, part, self.closely(column.entity))
            more = self._structures_at_least(column, score)
            self._floors[column] = changed(score, penalty=score.penalty + more) if more else score
        return self._floors[column]

    def _structures_at_least(self, column: Column, reads: Score) -> Fraction:
        """US dollars a month that the structures of a column's own cost at the least, beside its `reads` at theirs."""
        if not self.pattern_reads:
            return Fraction(0)  # base keys have bounds of their own
        kept = self.search.owned(column.base, dict(self.forced(column))).price
        shared = tuple(structure for _, structure in column.shared)
        known = self.search.lists(column.entity).alone
        key = (column.base, self.search.places(column.parts), shared)
        if key not in known:
            bounds = self.bounds(column.entity)
            known[key] = bounds.reads_at_least(column.base, column.parts, shared)
        return exact(round(max(0.0, float(kept - reads.price) + known[key]), 6))

    def bounds(self, entity: str) -> LowerBounds:
        """The least prices of what an entity may have."""
        if entity not in self._bounds:
            self._bounds[entity] = LowerBounds(self.search, entity)
        return self._bounds[entity]

    def closely(self, entity: str) -> bool:
        """Whether each way to answer a read is priced for floors: of many, few are looked at."""
        search = self.search
        reads = len(search.of_entity[entity])
        ways = len(search.bases(entity)) * len(search.indexes(entity)) * reads
        return not self.pattern_reads or ways <= FLOORED

    def part(
        self, column: Column, id: Id, structure: Structure | None, is_priced: bool
    ) -> tuple[Part, float]:
        """An entity read that others are answered with, with the items in its index or table, and the bytes that it
        counts for: as long as a priced column's, else as short as they may be.
        """
        q, at = id
        entity_read = self.search.requirements.pattern_reads[q].entity_reads[at]
        projections = self.choice(column).projections if is_priced else dict(self.forced(column))
        model, place = self.search.models[column.entity], structure or column.base
        keys = keys_bytes(model, column.base, projections)
        held = projections.get(place)
        part = self.search.shared_part(entity_read, column.base, place, held, keys)
        if not part.is_cut:
            return part, part.access.found * (part.size + part.padding)
        pages = part.pages()
        counted = pages.read - pages.filled if model.worth else pages.read
        return part, counted * (part.size + part.padding)

    def at_worst(self, column: Column) -> Score:
        """What it counts for that Queries which a column takes part in return little of what they read at the worst."""
        model = self.search.models[column.entity]
        if not model.worth:
            return Score()
        if column not in self._at_worst:
            charge = sum((shared_charge(part) for _, part, _ in self._joined(column)), Fraction(0))
            self._at_worst[column] = Score(penalty=charge * model.worth)
        return self._at_worst[column]

    def _joined(self, column: Column, is_priced: bool = False) -> Iterator[tuple[Id, Part, float]]:
        places = [(id, None) for id, _ in column.joined]
        for id, structure in (*places, *column.shared):
            yield id, *self.part(column, id, structure, is_priced)

    def brought(
        self, column: Column, is_shortest: bool = False
    ) -> tuple[tuple[PossibleQuery, int, float], ...]:
        """The shared Queries that a column takes part in, with the part of the pattern and the bytes it brings.

        When it is priced, these are the bytes of its cheapest structures, which need not have the shortest items.
        """
        how = (column, column in self._priced_in_full and not is_shortest)
        if how not in self._brought:
            self._brought[how] = tuple(self._brings(*how))
        return self._brought[how]

    def _brings(
        self, column: Column, is_priced: bool
    ) -> Iterator[tuple[PossibleQuery, int, float]]:
        pattern_reads = self.search.requirements.pattern_reads
        size = {id: counted for id, _, counted in self._joined(column, is_priced)}
        for (q, part), where in column.joined:
            yield PossibleQuery(q, where, False), part, size[q, part]
        for (q, part), structure in column.shared:
            entity_read = pattern_reads[q].entity_reads[part]
            key = PossibleQuery(q, self.search.collection(entity_read, structure), True)
            yield key, part, size[q, part]


def _contradict(ends: dict[Id, frozenset[tuple[str, bool]]], chosen: Iterable[HowAnswered]) -> bool:
    """Whether shared Queries want an entity's items before and after another's in one place."""
    found: set[tuple[object, str, bool]] = set()
    for how, part, where in chosen:
        place = where if how == "index" else None
        for name, before in ends.get(part, ()) if how != "alone" else ():
            if (place, name, not before) in found:
                return True
            found.add((place, name, before))
    return False
