"""What can be chosen for each entity: base keys, indexes, and the ways to answer each read, listed and priced once."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from math import prod

from designer.core.dynamodb.limits import MOST_DROPPED, SMALL_COLLECTION_BYTES
from designer.core.patterns.base import Read
from designer.core.planner.candidates.dominance import undominated
from designer.core.planner.candidates.keys import (
    base_candidates,
    index_candidates,
    keeps_tenants_apart,
)
from designer.core.planner.candidates.sharding import room, with_shards
from designer.core.planner.model.changed import changed
from designer.core.planner.model.chosen import RatedRead
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.pins import all_or_pinned
from designer.core.planner.model.reads_and_writes import FOUND, EntityRead, Requirements
from designer.core.planner.model.score import Score
from designer.core.planner.model.shares import share_kept
from designer.core.planner.model.structures import Access, Projections, Structure
from designer.core.planner.model.worth import stated_worth
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.key_matching import lists_all
from designer.core.planner.pricing.read_figures import guard_access
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.planner.pricing.write_costs import names_its_item, needs_identifier_guard
from designer.core.planner.solve.cache import Listed, Solved, fingerprint, surroundings
from designer.core.planner.solve.read_scores import ReadScores
from designer.core.planner.solve.together import Together
from designer.core.rational import Fraction

GIVEN = 2
"""Optional conditions of a list that its keys are made for: what is given besides is tested afterwards, if that drops
no more than rule 3 of docs/modelling-rules.md allows.
"""
LISTED_READS = 6
"""Reads of an entity up to which lists of all that it has are candidates. With more the programs grow too large, so
that only dear reads have them:"""
DEAR = 20
"""those that cost so many times what is worth talking about, a twentieth of what the design costs at the least."""


def entity_read_under(model: EntityModel, base: Structure, rated: RatedRead) -> EntityRead:
    """An entity read under a base key: a look-up of an item needs all attributes of its key."""
    if rated.entity_read.part != FOUND:
        return rated.entity_read
    return replace(rated.entity_read, needs=model.made_of(base) | set(model.entity.identifier))


def is_needless_beside(structure: Structure, base: Structure) -> bool:
    """Whether a structure is a copy of items that a base key puts under the same partition key."""
    return structure.kind == "copy" and set(structure.partition) == set(base.partition)


CACHED: Solved[Together] = Solved()
"""What was chosen for entities, one or several together, for whatever design; their patterns are numbered apart."""


class CandidateLists(ReadScores):
    """The candidates of each entity, as they were listed before for whatever design."""

    def __init__(
        self,
        requirements: Requirements,
        style: str,
        copies: bool = True,
        beside: ReadScores | None = None,
    ) -> None:
        super().__init__(requirements, style, beside)
        self.copies = copies
        self._lists: dict[str, Listed] = {}
        self._fingerprints: dict[str, str] = {}
        self._around = surroundings(self.design)
        self._dear = DEAR * stated_worth(self.design)
        self._place = {
            rated.id: place for mine in self.of_entity.values() for place, rated in enumerate(mine)
        }

    def lists(self, entity: str) -> Listed:
        """What can be chosen for an entity, as it was listed before for whatever design."""
        if entity not in self._lists:
            found = CACHED.lists.get(self._cached_as((entity,)))
            self._lists[entity] = Listed() if found is None else found
        return self._lists[entity]

    def places(self, reads: Iterable[tuple[int, int]]) -> frozenset[int]:
        """The places of some entity reads among all of their entity."""
        return frozenset(self._place[read] for read in reads)

    def keep_lists(self) -> None:
        for entity, listed in self._lists.items():
            if listed.options and listed.is_short:
                CACHED.lists.put(self._cached_as((entity,)), listed)

    def bases(self, entity: str) -> tuple[Structure, ...]:
        lists = self.lists(entity)
        if lists.bases is None:
            entity_reads = [rated.entity_read for rated in self.of_entity[entity]]
            model = self.models[entity]
            pinned = model.pins.bases if model.pins is not None else None
            every = self._every_base(entity)
            apart = [one for one in every if keeps_tenants_apart(model, one, entity_reads)]
            listed = undominated(model, entity_reads, apart or every)
            # Copies have keys of their own, and a table over shards has no local secondary indexes.
            indexes = [one for one in self.indexes(entity) if one.kind == "index"]
            more = room(model, indexes, self.asked(entity))
            # What is pinned stays as it is, and may run hot.
            lists.bases = pinned or with_shards(model, listed, self.asked(entity), more)
        return lists.bases

    def indexes(self, entity: str) -> tuple[Structure, ...]:
        lists = self.lists(entity)
        if lists.indexes is None:
            entity_reads = [rated.entity_read for rated in self.of_entity[entity]]
            model = self.models[entity]
            listed = tuple(
                structure
                for structure in index_candidates(model, self._with_keys(entity), self.copies)
                if keeps_tenants_apart(model, structure, entity_reads)
            )
            if model.pins is None:
                listed = undominated(model, entity_reads, listed)
            sharded = with_shards(model, listed, self.asked(entity), 0.0, self._every_base(entity))
            pins = model.pins
            lists.indexes = sharded if pins is None else all_or_pinned(sharded, pins)
        return lists.indexes

    def _every_base(self, entity: str) -> tuple[Structure, ...]:
        lists = self.lists(entity)
        if lists.every_base is None:
            lists.every_base = base_candidates(self.models[entity], self._with_keys(entity))
        return lists.every_base

    def _with_keys(self, entity: str) -> list[EntityRead]:
        """The reads that keys are made for. Nobody keeps an index for every combination of what may be given."""
        return [rated.entity_read for rated in self.of_entity[entity] if self.has_keys(rated)]

    def has_keys(self, rated: RatedRead) -> bool:
        """Whether keys are made for a read: for a case of few optional conditions, or whose others drop too much."""
        found = self.requirements.pattern_reads[rated.pattern_read]
        if found.given is None:
            return True
        assert isinstance(found.pattern, Read)
        given, model = set(found.given), self.models[rated.entity_read.entity]
        kept = prod(
            sorted(
                share_kept(self.design, model.entity, condition)
                for condition in found.pattern.conditions
                if condition.optional and given.issuperset(condition.parameters)
            )[GIVEN:]
        )
        if kept in (0, 1):
            return kept == 1
        rows = rated.entity_read.matched / kept
        return kept < 1 - MOST_DROPPED and rows * model.stated_bytes > SMALL_COLLECTION_BYTES

    def options(
        self, model: EntityModel, base: Structure, rated: RatedRead
    ) -> list[tuple[Access, Score]]:
        """The ways to answer an entity read under a base key, each by itself, with its score."""
        found = self.lists(model.name).options
        key = (base, self._place[rated.id])
        if key not in found:
            found[key] = self._fresh_options(model, base, rated)
        return found[key]

    def _fresh_options(
        self, model: EntityModel, base: Structure, rated: RatedRead
    ) -> list[tuple[Access, Score]]:
        return self._ways_of(model, base, rated, (base, *self.indexes(model.name)))

    def _ways_of(
        self,
        model: EntityModel,
        base: Structure,
        rated: RatedRead,
        structures: Iterable[Structure],
    ) -> list[tuple[Access, Score]]:
        """The ways to answer an entity read through some structures under a base key, or through a guard."""
        keys = model.key_bytes(base)
        entity_read = entity_read_under(model, base, rated)
        finds = self.requirements.pattern_reads[rated.pattern_read].finds
        if finds is not None and names_its_item(model, base, finds):
            known = Access(None, "known", requests=0, read=0, units=Fraction(0))
            return [(known, self.scored(model, base, rated, known))]
        found: list[tuple[Access, Score]] = []
        for structure in structures:
            if is_needless_beside(structure, base):
                continue
            if structure.kind == "local" and not self._is_read_strongly(model, base):
                continue
            found += self.ways(model, base, rated, entity_read, structure)
        through_guard = guard_access(model, base, entity_read, keys)
        if through_guard is not None:
            found.append((through_guard, self.scored(model, base, rated, through_guard)))
        return found

    def ways(
        self,
        model: EntityModel,
        base: Structure,
        rated: RatedRead,
        entity_read: EntityRead,
        structure: Structure,
    ) -> Iterator[tuple[Access, Score]]:
        """The ways to answer an entity read through a structure under a base key, each by itself, with its score."""
        own_keys = keys_bytes(model, base, () if structure is base else (structure,))
        held = entity_read.holding or (
            model.pins.held(structure) if model.pins is not None else None
        )
        may_list = held is not None or len(self.of_entity[model.name]) <= LISTED_READS
        for access in accesses(model, base, structure, entity_read, own_keys):
            score = self.scored(model, base, rated, access)
            if not may_list and lists_all(entity_read, access) and score.usd < self._dear:
                continue
            yield access, score

    def _is_read_strongly(self, model: EntityModel, base: Structure) -> bool:
        """Whether some strong read is more than a GetItem under a base key: that alone is worth a local index."""
        named = model.made_of(base)
        return any(
            rated.entity_read.strong and not named <= set(rated.entity_read.equals)
            for rated in self.of_entity[model.name]
        )

    def least(self, base: Structure, rated: RatedRead, closely: bool) -> Score:
        """What an entity read costs at least under a base key.

        If not `closely`, an index or a copy counts with the shortest entries that it has under any base key.
        """
        found = self.lists(base.entity).least
        key = (base, self._place[rated.id], closely)
        if key not in found:
            found[key] = self._fresh_least(base, rated, closely)
        return found[key]

    def _fresh_least(self, base: Structure, rated: RatedRead, closely: bool) -> Score:
        model = self.models[base.entity]
        local = (one for one in self.indexes(base.entity) if one.kind == "local")
        here = self._ways_of(model, base, rated, (base, *local))
        best = min((score for _, score in here), default=Score(unserved=1))
        if any(access.call == "known" for access, _ in here):
            return best
        entity_read = entity_read_under(model, base, rated)
        for least, structure in self._beside(base.entity, rated):
            if least.key >= best.key:
                break  # no structure from here on is cheaper
            if not closely:
                return least
            if not is_needless_beside(structure, base):
                ways = self.ways(model, base, rated, entity_read, structure)
                best = min((best, *(score for _, score in ways)))
        return best

    def _beside(self, entity: str, rated: RatedRead) -> list[tuple[Score, Structure]]:
        """What an entity read costs at least through each index or copy, whatever the base key; the cheapest first."""
        found = self.lists(entity).beside
        place = self._place[rated.id]
        if place not in found:
            model, base = self.models[entity], self.nowhere(entity)
            entity_read = entity_read_under(model, base, rated)
            every = []
            for structure in self.indexes(entity):
                if structure.kind != "local":
                    scores = [
                        # Where the second read runs hot depends on the base key.
                        changed(score, hot=0) if access.then else score
                        for access, score in self.ways(model, base, rated, entity_read, structure)
                    ]
                    if scores:
                        every.append((min(scores), structure))
            found[place] = sorted(every, key=lambda one: one[0].key)
        return found[place]

    def nowhere(self, entity: str) -> Structure:
        """The base key that adds least to an entry. In a shared table each writes the identifier as text, which an
        index key without it does not repeat; else one that adds nothing.
        """
        model, bases = self.models[entity], self.bases(entity)
        if model.style == "single" and not any(one.own for one in bases):
            return replace(
                min(bases, key=lambda one: model.key_bytes(one) + model.counted_padding(one)),
                nowhere=True,
            )
        return Structure(entity, "local", (), (), own=True, nowhere=True)

    def owned(self, base: Structure, projections: Projections) -> Score:
        """What it costs to keep a base key and other structures, at the least: every write, and storage."""
        found = self.lists(base.entity).owned
        key = (base, tuple(projections.items()))
        if key not in found:
            model = self.models[base.entity]
            size = keys_bytes(model, base, projections)
            guard = needs_identifier_guard(model, base)
            found[key] = owning_score(model, base, projections, guard, size)
        return found[key]

    def cached(
        self, names: tuple[str, ...], how: Hashable, choose: Callable[[], Together]
    ) -> Together:
        """What was chosen for some entities, as it was found before for whatever design."""
        pattern_reads = self._asking(names)
        key = (*self._cached_as(names), how)
        found = CACHED.get(key)
        if found is None:
            found = choose().asked({q: place for place, q in enumerate(pattern_reads)})
            CACHED.put(key, found)
        return found.asked(dict(enumerate(pattern_reads)))

    def _asking(self, names: tuple[str, ...]) -> list[int]:
        """The patterns that ask for some entities."""
        return sorted({rated.pattern_read for name in names for rated in self.of_entity[name]})

    def _cached_as(self, names: tuple[str, ...]) -> tuple[Hashable, ...]:
        """All that the choice for some entities depends on, however their patterns are numbered."""
        places = {q: place for place, q in enumerate(self._asking(names))}
        asked = tuple(
            (places[rated.pattern_read], rated.at)
            for name in names
            for rated in self.of_entity[name]
        )
        return (tuple(map(self._fingerprint, names)), asked, self._named_pins, self.copies)

    def _fingerprint(self, entity: str) -> str:
        if entity not in self._fingerprints:
            asked = []
            for rated in self.of_entity[entity]:
                pattern_read = self.requirements.pattern_reads[rated.pattern_read]
                limit = pattern_read.pattern.at_most_requests
                hottest = pattern_read.pattern.hottest
                finds = pattern_read.finds and sorted(pattern_read.finds.known)
                how = (
                    rated.average,
                    rated.peak,
                    hottest,
                    limit,
                    len(pattern_read.entity_reads),
                    pattern_read.gets_along,
                    finds,
                    self.has_keys(rated),
                )
                asked.append((rated.entity_read, how))
            self._fingerprints[entity] = fingerprint(
                self.models[entity], self._around, asked, self.models[entity].is_edge
            )
        return self._fingerprints[entity]

    @cached_property
    def _named_pins(self) -> frozenset[tuple[str, frozenset[tuple[str, Structure]]]]:
        """The same to compare."""
        return frozenset((name, frozenset(keys)) for name, keys in self.pinned_indexes.items())

    @cached_property
    def pinned_indexes(self) -> dict[str, set[tuple[str, Structure]]]:
        """By their names, the keys that are pinned to an index."""
        found: dict[str, set[tuple[str, Structure]]] = {}
        for name, model in self.models.items():
            for structure in model.pins.of_structure if model.pins is not None else ():
                called = model.pins.index_name(structure) if model.pins is not None else None
                if called:
                    found.setdefault(called, set()).add((name, structure))
        return found
