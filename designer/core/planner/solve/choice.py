"""The choice: base keys, indexes and projections are chosen at once, by price.

Entities that some pattern asks for together form a component; components are solved apart, by the integer programs
of `together` (base keys and shared collections) and `indexes` (the other structures of one entity under a base key).
Work limits count nodes, never seconds, and ties are decided by the order of candidates, so a design always gives the
same plan.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from math import ceil

from designer.core.limits import BATCH_GET_ITEMS, PARTITION_READS, READ_UNIT_BYTES
from designer.core.plan import Constant
from designer.core.planner.candidates.dominance import undominated
from designer.core.planner.candidates.keys import (
    LISTED,
    base_candidates,
    chain_of,
    index_candidates,
    keeps_tenants_apart,
    model_order,
)
from designer.core.planner.candidates.pins import pinned
from designer.core.planner.candidates.sharding import (
    Asked,
    may_be_spread,
    recounted,
    room,
    with_room,
    with_shards,
)
from designer.core.planner.model.chosen import Choice, EntityChoice, Group, RatedRead, Within
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import partition_text, root_of
from designer.core.planner.model.pins import Candidates, all_or_pinned, with_required
from designer.core.planner.model.reads_and_writes import (
    FOUND,
    EntityRead,
    PatternRead,
    Requirements,
)
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import ANOTHER_REQUEST, near
from designer.core.planner.pricing.access_paths import (
    accesses,
    contains_answer,
    guard_access,
    lists_all,
    rounded_up,
    smooth_steps,
)
from designer.core.planner.pricing.structures import (
    hottest_reads,
    hottest_second_reads,
    keys_bytes,
    names_its_item,
    needs_identifier_guard,
    owning_score,
)
from designer.core.planner.solve.cache import Listed, Solved, fingerprint, surroundings
from designer.core.planner.solve.fewest import fewest_indexes
from designer.core.planner.solve.index_problem import Best, IndexProblem
from designer.core.planner.solve.index_selection import selected
from designer.core.planner.solve.joint_selection import Component, Together
from designer.core.planner.solve.transaction_capacity import with_room_in_transactions
from designer.core.planner.workload.tables import connected, tables_of
from designer.core.prices import SECONDS_PER_MONTH
from designer.core.units import read_units

NEXT_TO_NOTHING = Fraction(1, 200)
"""Half a cent a month: what indexes that entities share may cost when nothing is to be given up for fewer of them."""
COUNTED = 4
"""Times that a choice is made again with the shards that its indexes take."""
LISTED_READS = 6
"""Reads of an entity up to which lists of all that it has are candidates; with more the programs grow too large."""


def read_score(rated: RatedRead, access: Access, model: EntityModel) -> Score:
    """What answering an entity read this way costs."""
    unsorted = int(not access.ordered)
    return _read_score(
        rated, access.requests, access.units, access.bytes, access.call, model, unsorted
    )


def _read_score(
    rated: RatedRead,
    requests: float,
    units: Fraction,
    size: float,
    call: str,
    model: EntityModel,
    unsorted: int = 0,
) -> Score:
    times = rated.entity_read.times
    asked = exact(requests) if times == 1 else exact(requests) * exact(times)
    if call == "get" and times > 1:
        asked = Fraction(ceil(times / BATCH_GET_ITEMS))
    if rated.average is None:
        return Score(
            unrated_reads=asked, unrated_bytes=exact(round(size * times)), unsorted=unsorted
        )
    rate = exact(rated.average)
    usd = _usd_of_a_unit(model, rated.average, times) * units
    return Score(usd=usd, requests=rate if asked == 1 else rate * asked, unsorted=unsorted)


def _trips(access: Access) -> int:
    """Requests of which one needs the answer of another, or of one partition and another: one, or more than one."""
    if not access.requests:
        return 0
    return 2 if access.then or access.shards > 1 or access.call == "guard then get" else 1


def entity_read_under(model: EntityModel, base: Structure, rated: RatedRead) -> EntityRead:
    """An entity read under a base key: who looks an item up needs all that its key is made of."""
    if rated.entity_read.part != FOUND:
        return rated.entity_read
    return replace(rated.entity_read, needs=model.made_of(base) | set(model.entity.identifier))


@cached
def _usd_of_a_unit(model: EntityModel, average: float, times: float) -> Fraction:
    """What one unit costs a month that is read so often."""
    return exact(average) * exact(times) * model.prices.read_unit * SECONDS_PER_MONTH


CACHED: Solved[Together] = Solved()
"""What was chosen for entities, one or several together, for whatever design; their patterns are numbered apart."""


class Search:
    """The search over one design and style, with copies of items that no strong read asks for or without."""

    def __init__(self, requirements: Requirements, style: str, copies: bool = True) -> None:
        self.requirements = requirements
        self.copies = copies
        self.design = requirements.design
        self.style = style
        self.models = {
            e.name: EntityModel(self.design, e, requirements.form_of(e.name, style), requirements)
            for e in self.design.entities
        }
        self.rated_reads = [
            RatedRead(q, at, entity_read, pattern_read.average, pattern_read.peak)
            for q, pattern_read in enumerate(requirements.pattern_reads)
            for at, entity_read in enumerate(pattern_read.entity_reads)
        ]
        self.of_entity: dict[str, list[RatedRead]] = {name: [] for name in self.models}
        for rated in self.rated_reads:
            self.of_entity[rated.entity_read.entity].append(rated)
        self.pinned = [
            p
            for p in self.rated_reads
            if p.entity_read.holding or p.entity_read.called or p.entity_read.key_names
        ]
        """What is pinned to be answered from an index that holds something given, or has given names."""
        self.near = near(self.design)
        """US dollars a month that a choice may lie above its bound."""
        self._solved: dict[tuple[object, ...], EntityChoice] = {}
        self._lists: dict[str, Listed] = {}
        self._fingerprints: dict[str, str] = {}
        self._around = surroundings(self.design)
        self._components: dict[tuple[tuple[str, ...], int | None], Component] = {}
        self._place = {
            rated.id: place for mine in self.of_entity.values() for place, rated in enumerate(mine)
        }

    def without_copies(self) -> "Search":
        return Search(self.requirements, self.style, copies=False)

    def with_room(self, entity: str, number: int, items: int) -> "Search":
        """The search in which a transaction may write so many items of an entity."""
        rooms = {**self.requirements.rooms, (number, entity): items}
        return Search(replace(self.requirements, rooms=rooms), self.style, self.copies)

    # One entity

    def lists(self, entity: str) -> Listed:
        """What can be chosen for an entity, as it was listed before for whatever design."""
        if entity not in self._lists:
            found = CACHED.lists.get(self._cached_as((entity,)))
            self._lists[entity] = Listed() if found is None else found
        return self._lists[entity]

    def _keep_lists(self) -> None:
        for entity, listed in self._lists.items():
            if listed.options and listed.is_short:
                CACHED.lists.put(self._cached_as((entity,)), listed)

    def bases(self, entity: str) -> tuple[Structure, ...]:
        lists = self.lists(entity)
        if lists.bases is None:
            entity_reads = [rated.entity_read for rated in self.of_entity[entity]]
            model = self.models[entity]
            pinned = model.pins.bases if model.pins is not None else None
            every = base_candidates(model, entity_reads)
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
                for structure in index_candidates(model, entity_reads, self.copies)
                if keeps_tenants_apart(model, structure, entity_reads)
            )
            if model.pins is None:
                listed = undominated(model, entity_reads, listed)
            sharded = with_shards(model, listed, self.asked(entity))
            roomy = with_room(model, sharded, self.asked(entity))
            sharded = (*sharded, *roomy)
            pins = model.pins
            lists.roomy = roomy
            lists.indexes = sharded if pins is None else all_or_pinned(sharded, pins)
        return lists.indexes

    def asked(self, entity: str) -> Iterator[Asked]:
        """The entity reads of an entity as they heat its keys."""
        for rated in self.of_entity[entity]:
            yield Asked(rated.entity_read, rated.peak, self._hottest(rated))

    def _heats(
        self, model: EntityModel, base: Structure, rated: RatedRead, access: Access
    ) -> Iterator[tuple[Structure | None, Fraction]]:
        """Read units a second on the busiest partition of what a read is answered by: of two trips, of both."""
        heat = hottest_reads(model, rated.entity_read, access, rated.peak, self._hottest(rated))
        yield access.structure, heat
        if access.then is not None:
            yield base, hottest_second_reads(model, base, rated.entity_read, access, rated.peak)

    def _hottest(self, rated: RatedRead) -> float | None:
        """What the team says of the hottest key of a read's pattern."""
        return self.requirements.pattern_reads[rated.pattern_read].pattern.hottest

    def solve(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure] = frozenset(),
        most: int | None = None,
        within: Within = (),
    ) -> EntityChoice:
        """The best indexes of an entity under a base key.

        `joined` reads are answered together with others; `forced` structures are there anyway; `banned` ones are not
        used, to see what doing without them costs; of others there are at most `most`. Items stay `within` limits.
        """
        pins = self.models[entity].pins
        if pins is not None:
            forced = with_required(forced, pins)
        key = (entity, base, joined, forced, banned, most, within)
        if key not in self._solved:
            places = {rated.id: at for at, rated in enumerate(self.of_entity[entity])}
            how = (base, frozenset(places[rated] for rated in joined), forced, banned, most, within)
            found = self.cached((entity,), how, lambda: self._fresh(*key))
            self._solved[key] = found.entities[entity]
        return self._solved[key]

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
                    finds,
                )
                asked.append((rated.entity_read, how))
            self._fingerprints[entity] = fingerprint(
                self.models[entity], self._around, asked, self.models[entity].is_edge
            )
        return self._fingerprints[entity]

    def _fresh(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure],
        most: int | None,
        within: Within,
    ) -> Together:
        model = self.models[entity]
        rated_reads = [rated for rated in self.of_entity[entity] if rated.id not in joined]
        guard = needs_identifier_guard(model, base)
        program = IndexProblem(
            model,
            base,
            guard,
            [entity_read_under(model, base, rated) for rated in rated_reads],
            [
                [o for o in self.options(model, base, rated) if o[0].structure not in banned]
                for rated in rated_reads
            ],
            [partial(self.scored, model, base, rated) for rated in rated_reads],
            dict(forced),
            self.design.planner.work_limit,
            most,
            within,
            self.near,
        )
        best = self._with_shards_counted(program, rated_reads)
        access = {
            rated.id: used
            for rated, used in zip(rated_reads, best.access, strict=True)
            if used is not None
        }
        hot = self._hot_reads(model, rated_reads, access, base, best.projections)
        score = best.score + Score(hot=hot)
        choice = EntityChoice(base, best.projections, access, guard, score, best.gap, within)
        return Together({entity: choice}, (), score, best.gap)

    def _with_shards_counted(self, program: IndexProblem, rated_reads: Sequence[RatedRead]) -> Best:
        """The best choice, each of its indexes over as many shards as what it is chosen for takes.

        Where these are others than were listed, the choice is made again with them instead.
        """
        best: Best | None = None
        for _ in range(COUNTED):
            chosen = selected(program)
            counted = self._shards_counted(program, rated_reads, chosen)
            if best is None or counted.score < best.score:
                best = counted
            changed = [one for one in chosen.projections if one not in counted.projections]
            if not changed and not self._spread_what_is_hot(program, rated_reads, counted):
                break
            program.without(changed)
        assert best is not None
        return best

    def _shards_counted(
        self, program: IndexProblem, rated_reads: Sequence[RatedRead], best: Best
    ) -> Best:
        """A choice with the shards of its indexes counted for what they hold and answer."""
        model = program.model
        for structure in tuple(best.projections):
            is_free = structure not in program.forced and model.pins is None
            if is_free and structure.is_index and model.shards(structure) > 1:
                other = self._recounted(program, rated_reads, best, structure)
                if other not in best.projections:
                    best = program.exchanged(best, structure, other, model.shards(other))
        return best

    def _recounted(
        self,
        program: IndexProblem,
        rated_reads: Sequence[RatedRead],
        best: Best,
        structure: Structure,
    ) -> Structure:
        """An index over as many shards as take what it holds and answers in a choice."""
        answered = [
            (Asked(rated.entity_read, rated.peak, self._hottest(rated)), access)
            for rated, access in zip(rated_reads, best.access, strict=True)
            if access is not None and access.structure == structure
        ]
        return recounted(program.model, program.base, structure, best.projections, answered)

    def _spread_what_is_hot(
        self, program: IndexProblem, rated_reads: Sequence[RatedRead], best: Best
    ) -> bool:
        """Let the program choose the indexes that run hot over shards, too, counted for this base key's entries.

        What is listed before is counted for the shortest entries there are. Whether there is any such index.
        """
        if not best.score.hot or program.model.pins is not None:
            return False
        known = {a.structure for options in program.options for a, _ in options}
        free = [
            one for one in best.projections if one not in program.forced and one.kind == "index"
        ]
        plain = [one for one in free if may_be_spread(program.model, one)]
        spread = (self._recounted(program, rated_reads, best, one) for one in plain)
        found = set(spread) - known
        for structure in sorted(found, key=lambda one: one.label):
            ways = [
                list(self._ways(program.model, program.base, rated, entity_read, structure))
                for rated, entity_read in zip(rated_reads, program.entity_reads, strict=True)
            ]
            program.with_options(ways)
        return bool(found)

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
        keys = model.key_bytes(base)
        entity_read = entity_read_under(model, base, rated)
        finds = self.requirements.pattern_reads[rated.pattern_read].finds
        if finds is not None and names_its_item(model, base, finds):
            known = Access(None, "known", requests=0, read=0, units=Fraction(0))
            return [(known, self.scored(model, base, rated, known))]
        found: list[tuple[Access, Score]] = []
        for structure in (base, *self.indexes(model.name)):
            if structure.kind == "copy" and set(structure.partition) == set(base.partition):
                continue
            if structure.kind == "local" and not self._is_read_strongly(model, base):
                continue
            found += self._ways(model, base, rated, entity_read, structure)
        through_guard = guard_access(model, base, entity_read, keys)
        if through_guard is not None:
            found.append((through_guard, self.scored(model, base, rated, through_guard)))
        return found

    def _ways(
        self,
        model: EntityModel,
        base: Structure,
        rated: RatedRead,
        entity_read: EntityRead,
        structure: Structure,
    ) -> Iterator[tuple[Access, Score]]:
        """The ways to answer an entity read through a structure under a base key, each by itself, with its score."""
        own_keys = keys_bytes(model, base, () if structure is base else (structure,))
        whole = structure in self.lists(model.name).roomy
        held = entity_read.holding or (
            model.pins.held(structure) if model.pins is not None else None
        )
        may_list = held is not None or len(self.of_entity[model.name]) <= LISTED_READS
        for access in accesses(model, base, structure, entity_read, own_keys):
            if lists_all(entity_read, access) and not may_list:
                continue
            if access.projection is None or not whole:
                yield access, self.scored(model, base, rated, access)

    def _is_read_strongly(self, model: EntityModel, base: Structure) -> bool:
        """Whether some strong read is more than a GetItem under a base key: that alone is worth a local index."""
        named = model.made_of(base)
        return any(
            rated.entity_read.strong and not named <= set(rated.entity_read.equals)
            for rated in self.of_entity[model.name]
        )

    def scored(
        self, model: EntityModel, base: Structure, rated: RatedRead, access: Access
    ) -> Score:
        """What answering an entity read this way costs, and whether it breaks a limit: the team's, or a partition's."""
        pattern_read = self.requirements.pattern_reads[rated.pattern_read]
        limit = pattern_read.pattern.at_most_requests
        # What is asked before a write is a request besides the write's own.
        requests = access.requests + (pattern_read.finds is not None and access.requests > 0)
        over = limit is not None and len(pattern_read.entity_reads) == 1 and requests > limit
        score = self._counted(rated, access, model)
        if lists_all(rated.entity_read, access):
            score = score + Score(penalty=LISTED)
        heats = self._heats(model, base, rated, access)
        hot = sum(heat > PARTITION_READS for _, heat in heats)
        return score + Score(violated=int(over), hot=hot) if over or hot else score

    def read_price(self, model: EntityModel, rated: RatedRead, access: Access) -> float:
        """US dollars a month of answering a read this way, at the least: whether it lists all counts for nothing."""
        return float(self._counted(rated, access, model).price)

    def _counted(self, rated: RatedRead, access: Access, model: EntityModel) -> Score:
        """The score of a read with all that it counts for besides its cost."""
        score = self._with_penalty(rated, read_score(rated, access, model), model)
        if not model.worth:
            return score
        is_alone = _takes_one(self.requirements.pattern_reads[rated.pattern_read])
        more = max(0, _trips(access) - is_alone) * ANOTHER_REQUEST * model.worth
        return score + Score(penalty=more - rounded_up(access, rated.entity_read, score.usd))

    def _with_penalty(self, rated: RatedRead, score: Score, model: EntityModel) -> Score:
        """The score of a read with what its requests count for; the one that each pattern takes anyway does not."""
        if not (model.a_request and score.requests):
            return score
        is_alone = _takes_one(self.requirements.pattern_reads[rated.pattern_read])
        more = score.requests - (exact(rated.average or 0) if is_alone else 0)
        return replace(score, penalty=more * model.a_request)

    def _taken_anyway(self) -> Score:
        """What the requests count for that no key saves: other ways to keep the same data may."""
        penalty = Fraction(0)
        for pattern_read in self.requirements.pattern_reads:
            model = self.models[pattern_read.entity_reads[0].entity]
            if model.a_request and _takes_one(pattern_read):
                penalty += exact(pattern_read.average or 0) * model.a_request
            if len(pattern_read.entity_reads) > 1:  # the first request of each is free
                penalty -= ANOTHER_REQUEST * model.worth
        return Score(penalty=penalty)

    def _hot_reads(
        self,
        model: EntityModel,
        rated_reads: list[RatedRead],
        access: dict[tuple[int, int], Access],
        base: Structure,
        projections: Projections,
    ) -> int:
        heats: dict[Structure, list[Fraction]] = {one: [] for one in (base, *projections)}
        for rated in rated_reads:
            used = access.get(rated.id)
            for structure, heat in self._heats(model, base, rated, used) if used else ():
                if structure is not None:
                    heats[structure].append(heat)
        # What is too much by itself counts where the access is chosen.
        return sum(
            sum(mine) > PARTITION_READS >= max(mine, default=Fraction(0)) for mine in heats.values()
        )

    # Patterns about several entities

    def tokens(self, entity: str, partition: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Where the values of a partition key come from; equal for items that share a partition."""
        model = self.models[entity]
        return tuple(root_of(model, name) for name in partition)

    def collection(self, entity_read: EntityRead, structure: Structure) -> object | None:
        """The item collection in which an entity read's items lie together, if its structure keeps them so."""
        if (
            self.models[entity_read.entity].style != "single"
            or set(entity_read.equals) != set(structure.partition)
            or entity_read.list_of is not None
            or not structure.partition
            or structure.inverse
        ):
            return None
        if not entity_read.allows(structure):
            return None
        if (
            entity_read.limit is not None
            and not entity_read.one
            and not entity_read.is_sorted_by(structure.sort)
        ):
            return None  # what is read whole can be sorted by the caller
        values = tuple(_expression(entity_read.equals[name]) for name in structure.partition)
        if any(isinstance(value, str) and "{s1." in value for value in values):
            return None
        text = partition_text(self.models[entity_read.entity], structure)
        table = self.requirements.table_of(entity_read.entity)
        return (table, self.tokens(entity_read.entity, structure.partition), text, values)

    def shared_keys(self, q: int) -> dict[int, tuple[Structure, ...]]:
        """For each part of a pattern, the index keys with which one Query on a shared index would answer it all.

        Empty when there are none, or when it reads strongly or two newest-N.
        """
        pattern_read = self.requirements.pattern_reads[q]
        entity_reads = pattern_read.entity_reads
        limited = [
            entity_read
            for entity_read in entity_reads
            if entity_read.limit is not None and not entity_read.one
        ]
        entities = {entity_read.entity for entity_read in entity_reads}
        if entity_reads[0].strong or len(limited) > 1 or len(entities) < len(entity_reads):
            return {}
        found: dict[int, dict[object, list[Structure]]] = {}
        for at, entity_read in enumerate(entity_reads):
            plain = Structure(
                entity_read.entity,
                "index",
                model_order(self.models[entity_read.entity], entity_read.equals),
                chain_of(entity_read) if entity_read.order else (),
            )
            pins = self.models[entity_read.entity].pins
            # What is pinned is there anyway, so it comes first where only a few are tried.
            there = pins.of_structure if pins is not None else ()
            mine: dict[object, list[Structure]] = {}
            for structure in dict.fromkeys((*there, plain, *self.indexes(entity_read.entity))):
                if self._holds_all(entity_read, structure):
                    mine.setdefault(self.collection(entity_read, structure), []).append(structure)
            found[at] = mine
        common = set.intersection(*(set(mine) for mine in found.values()))
        kept = {
            at: tuple(s for key, structures in mine.items() if key in common for s in structures)
            for at, mine in found.items()
        }
        return kept if all(kept.values()) else {}

    def _holds_all(self, entity_read: EntityRead, structure: Structure) -> bool:
        """Whether an index keeps all that an entity read asks for together."""
        model = self.models[entity_read.entity]
        return (
            structure.kind == "index"
            and not structure.bare
            and not structure.only
            and not structure.own
            and model.can_be_kept(structure)
            and self.collection(entity_read, structure) is not None
            and contains_answer(model, structure, entity_read)
            and all(map(model.may_be_index_key, structure.attributes))
        )

    # The whole

    def clash(self, groups: Iterable[Group]) -> bool:
        """Whether patterns joined in indexes want two keys of one entity in the same index, or one index two names."""
        groups = [group for group in groups if group.index]
        if not groups:
            return False
        named = self._pinned_indexes
        sets: list[set[tuple[str, Structure]]] = []
        for mine in (*named.values(), *(set(group.structures) for group in groups)):
            sets = [one for one in sets if not one & mine] + [
                mine.union(*(o for o in sets if o & mine))
            ]
        twice = any(len({name for name, _ in one}) < len(one) for one in sets)
        return twice or any(sum(bool(one & mine) for mine in named.values()) > 1 for one in sets)

    @cached_property
    def _named_pins(self) -> frozenset[tuple[str, frozenset[tuple[str, Structure]]]]:
        """The same to compare."""
        return frozenset((name, frozenset(keys)) for name, keys in self._pinned_indexes.items())

    @cached_property
    def _pinned_indexes(self) -> dict[str, set[tuple[str, Structure]]]:
        """By their names, the keys that are pinned to an index."""
        found: dict[str, set[tuple[str, Structure]]] = {}
        for name, model in self.models.items():
            for structure in model.pins.of_structure if model.pins is not None else ():
                called = model.pins.index_name(structure) if model.pins is not None else None
                if called:
                    found.setdefault(called, set()).add((name, structure))
        return found

    def in_order(self, q: int, at: int, collection: object) -> bool:
        """Whether pinned sort keys let a Query that reads the first few of one part have another part too (rule 7).

        The few are read last, so all else in their collection lies on the far side of them.

        See docs/modelling-rules.md.
        """
        entity_reads = self.requirements.pattern_reads[q].entity_reads
        few = next((d for d in entity_reads if d.limit is not None and not d.one), None)
        if few is None or few is entity_reads[at] or not few.order:
            return True
        tokens = [self._pinned_token(entity_read.entity) for entity_read in (entity_reads[at], few)]
        if None in tokens:
            return True
        if all(self.collection(few, base) != collection for base in self.bases(few.entity)):
            return True
        other, newest = map(str, tokens)
        return other > newest if few.order[0].descending else other < newest

    def _pinned_token(self, entity: str) -> str | None:
        """What an entity's pinned sort key starts with."""
        pins = self.models[entity].pins
        text = pins.base.sort if pins is not None else None
        return None if text is None else text.token

    @cached_property
    def joint(self) -> tuple[int, ...]:
        """Patterns that one request might answer in a shared collection."""
        return tuple(
            q
            for q, pattern_read in enumerate(self.requirements.pattern_reads)
            if self._shares(pattern_read)
        )

    def _shares(self, pattern_read: PatternRead) -> bool:
        """Whether two of the entities that a pattern asks for lie in one table."""
        tables = [
            self.requirements.table_of(entity_read.entity)
            for entity_read in pattern_read.entity_reads
            if self.models[entity_read.entity].style == "single"
        ]
        return len(set(tables)) < len(tables)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """Entities that are asked for together, in the design's order."""
        pattern_reads = (self.requirements.pattern_reads[q] for q in self.joint)
        return connected(
            self.models,
            ([entity_read.entity for entity_read in one.entity_reads] for one in pattern_reads),
        )

    def run(self) -> Choice:
        """The best choice for the whole design."""
        found = [self.component(names).best() for names in self.components()]
        self._keep_lists()
        best = sum((one.score for one in found), Score())
        bound = max(Fraction(0), best.usd - exact(sum(one.gap for one in found)))
        allowed = max((NEXT_TO_NOTHING, *(model.worth for model in self.models.values())))
        if self.design.planner.objective == "indexes":
            allowed = best.usd * exact(self.design.planner.tolerance)
            found = fewest_indexes(self, allowed)
        score = sum((one.score for one in found), self._taken_anyway())
        entities = {name: choice for one in found for name, choice in one.entities.items()}
        return Choice(
            {name: entities[name] for name in self.models},
            tuple(group for one in found for group in one.groups),
            score,
            bound,
            max(Fraction(0), allowed - (score.usd - best.usd)),
        )

    def component(self, names: tuple[str, ...], most: int | None = None) -> Component:
        """The entities of a component with all the ways to have each, with so many structures each at most."""
        if (names, most) not in self._components:
            self._components[names, most] = Component(self, names, most)
        return self._components[names, most]

    def least(self, base: Structure, rated: RatedRead) -> Score:
        """What an entity read costs at least under a base key."""
        found = self.lists(base.entity).least
        key = (base, self._place[rated.id])
        if key not in found:
            model = self.models[base.entity]
            scores = [
                self._as_spread(model, rated, access, score)
                for access, score in self.options(model, base, rated)
            ]
            found[key] = min(scores, key=lambda s: s.key) if scores else Score(unserved=1)
        return found[key]

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

    def _as_spread(
        self, model: EntityModel, rated: RatedRead, access: Access, score: Score
    ) -> Score:
        """What a way to answer costs at least over whatever number of shards.

        What each shard rounds up is another's, and never less than one rounds up alone. What runs hot over some need
        not over more.
        """
        structure = access.structure
        if structure is None or not structure.is_index or model.pins is not None:
            return score
        if access.shards == 1:
            return replace(score, hot=0) if may_be_spread(model, structure) else score
        _, _, size, units = access.then or (0.0, 0.0, 0.0, Fraction(0))
        smallest = read_units(1, rated.entity_read.consistency)
        units += exact(access.bytes - size) / READ_UNIT_BYTES * smallest
        least = min(Fraction(1), units / access.units) if access.units else 1
        return replace(score, usd=score.usd * least, hot=0)

    def least_reads(self, entity: str) -> Score:
        """What the entity reads of an entity cost at least under any key: the smallest read of each."""
        score = Score()
        for rated in self.of_entity[entity]:
            if self.requirements.pattern_reads[rated.pattern_read].finds is not None:
                continue  # not asked where the key is known
            times = exact(rated.entity_read.times)
            if rated.average is None:
                batches = Fraction(ceil(times / BATCH_GET_ITEMS))
                score = score + Score(unrated_reads=min(times, batches))
            else:
                smallest = read_units(1, rated.entity_read.consistency)
                usd = exact(rated.average) * smallest * times * self.models[entity].prices.read_unit
                score = score + Score(usd=usd * SECONDS_PER_MONTH)
        return score

    def group_score(self, group: Group, found: dict[str, EntityChoice]) -> Score:
        """What one Query over several parts costs."""
        requests, units, size, _ = self.group_reads(group, found)
        pattern_read = self.requirements.pattern_reads[group.pattern_read]
        first = pattern_read.entity_reads[group.parts[0]]
        rated = RatedRead(
            group.pattern_read, group.parts[0], first, pattern_read.average, pattern_read.peak
        )
        model = self.models[first.entity]
        score = _read_score(rated, requests, units, size, "query", model)
        if model.worth:
            smallest = read_units(1, first.consistency)
            steps = exact(round(smooth_steps(requests, size), 6))
            penalty = -score.usd * max(Fraction(0), units - steps * smallest) / units
            return replace(score, penalty=penalty + ANOTHER_REQUEST * model.worth)
        return self._with_penalty(rated, score, model)

    def group_reads(
        self, group: Group, found: dict[str, EntityChoice]
    ) -> tuple[float, Fraction, float, float]:
        """(requests, units, bytes, items) of one Query over several parts."""
        pattern_read = self.requirements.pattern_reads[group.pattern_read]
        size = items = 0.0
        for at in group.parts:
            entity_read = pattern_read.entity_reads[at]
            model, choice = self.models[entity_read.entity], found[entity_read.entity]
            keys = keys_bytes(model, choice.base, choice.projections)
            read = (
                entity_read.matched
                if entity_read.cut is None
                else min(entity_read.matched, entity_read.cut)
            )
            if group.index:
                structure = group.structure(entity_read.entity)
                one = model.entry_bytes(
                    choice.base, structure, choice.projections.get(structure, frozenset()), keys
                )
            else:
                one = model.own_bytes + keys
            size += read * one
            items += read
        return 1.0, read_units(size, pattern_read.entity_reads[0].consistency), size, items

    def shared_price(self, q: int) -> tuple[Score, Score]:
        """What one Query for several parts of a pattern costs: for itself, and for each of its smallest reads."""
        pattern_read = self.requirements.pattern_reads[q]
        if pattern_read.average is None:
            return Score(unrated_reads=Fraction(1)), Score()
        rate = exact(pattern_read.average)
        entity_read = pattern_read.entity_reads[0]
        model = self.models[entity_read.entity]
        usd = rate * read_units(1, entity_read.consistency) * model.prices.read_unit
        a_request = rate * model.a_request + ANOTHER_REQUEST * model.worth
        one = Score(requests=rate, penalty=a_request)
        return one, Score(usd=usd * SECONDS_PER_MONTH)

    def requests_broken(
        self, q: int, groups: Iterable[Group], found: dict[str, EntityChoice]
    ) -> Score:
        """Whether a pattern takes more requests than the team allows."""
        limit = self.requirements.pattern_reads[q].pattern.at_most_requests
        if limit is None:
            return Score()
        mine = [group for group in groups if group.pattern_read == q]
        requests = float(len(mine))
        together = {at for group in mine for at in group.parts}
        for at, entity_read in enumerate(self.requirements.pattern_reads[q].entity_reads):
            access = found[entity_read.entity].access.get((q, at))
            if at not in together and access is not None:
                requests += access.requests * (
                    1 if access.call == "get" else max(1.0, entity_read.times)
                )
        return Score(violated=int(requests > limit))

    def rivals(self, entity: str, choice: Choice) -> tuple[tuple[Structure, Score], ...]:
        """Other base keys of an entity, and how much the whole choice would score more with them, the best first."""
        names = next(names for names in self.components() if entity in names)
        component = self.component(names)
        now = component.explored().score
        base = choice.entities[entity].base
        others = component.likeliest(entity, base)
        found = [(other, component.best({entity: other}).score.less(now)) for other in others]
        return tuple(sorted(found, key=lambda rival: rival[1].key))


def _takes_one(pattern_read: PatternRead) -> bool:
    """Whether a pattern takes a request by itself, whatever the keys."""
    return len(pattern_read.entity_reads) == 1 and pattern_read.finds is None


def _expression(value: object) -> object:
    return value.value if isinstance(value, Constant) else value


def choose(
    requirements: Requirements, style: str, candidates: Mapping[str, Candidates] | None = None
) -> tuple[Search, Choice]:
    """The best choice found, with the search that can price others.

    `candidates`: what some entities may have instead of what is listed for them.
    """
    joined = read_together(requirements) if style == "grouped" else ()
    tables = tables_of(requirements.design, style, joined)
    search = Search(pinned(replace(requirements, tables=tables), style, candidates or {}), style)
    return with_room_in_transactions(search, search.run())


def read_together(requirements: Requirements) -> tuple[tuple[str, ...], ...]:
    """Entities that a request reads together when all share one table, those that are asked for most often first."""
    search, choice = choose(requirements, "single")
    pattern_reads = search.requirements.pattern_reads
    often = sorted(
        choice.groups, key=lambda group: -(pattern_reads[group.pattern_read].average or 0)
    )
    found = (
        tuple(pattern_reads[group.pattern_read].entity_reads[at].entity for at in group.parts)
        for group in often
    )
    return tuple(dict.fromkeys(tuple(dict.fromkeys(together)) for together in found))
