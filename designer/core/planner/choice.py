"""Fourth pass: choose. Base keys, indexes and projections are chosen at once, by price.

Entities that some question asks for together form a component; components are solved apart. For one entity and one base
key the best set of indexes is found by branch and bound; the base keys of a component (and the questions that join
in an index) are looked at in every combination while these are few, else improved one by one
while anything gets better.
Work limits count combinations, never seconds, and ties are decided by the order of candidates, so a design always
gives the same plan.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import ceil, prod

from designer.core.limits import BATCH_GET_ITEMS
from designer.core.plan import Constant
from designer.core.planner.accesses import accesses, guard_access
from designer.core.planner.candidates import (
    base_candidates,
    chain_of,
    index_candidates,
    model_order,
    root_of,
)
from designer.core.planner.memory import Memory, fingerprint, surroundings
from designer.core.planner.pins import (
    Candidates,
    all_or_pinned,
    partition_text,
    pinned,
    with_required,
)
from designer.core.planner.pricing import (
    Held,
    is_hot_to_read,
    keys_bytes,
    needs_identifier_guard,
    owning_score,
)
from designer.core.planner.requirements import Question, ReadDemand, Requirements
from designer.core.planner.structures import (
    Access,
    EntityModel,
    Projection,
    Score,
    Structure,
    exact,
)
from designer.core.planner.tables import tables_of
from designer.core.prices import SECONDS_PER_MONTH
from designer.core.units import read_units

IMPOSSIBLE = 10**6
EXHAUSTIVE = 1500
"""Combinations of base keys that are all looked at."""
RIVALS = 4
"""Other base keys that are priced to explain the choice."""
KEPT_BASES = 5
"""Base keys of an entity that stay in the running, besides those that let a question be asked in one request."""


@dataclass(frozen=True)
class Part:
    """One demand of one question."""

    question: int
    at: int
    demand: ReadDemand = field(hash=False, compare=False)
    average: float | None = None
    peak: float | None = None

    @property
    def id(self) -> tuple[int, int]:
        return (self.question, self.at)


@dataclass(frozen=True)
class EntityChoice:
    """What one entity got: its base key, its other structures, and an access for each demand served here."""

    base: Structure
    held: Held
    access: dict[tuple[int, int], Access]
    guard: bool
    """The identifier has a guard item."""
    score: Score
    proven: bool = True


@dataclass(frozen=True)
class Group:
    """Parts of one question that one Query answers."""

    question: int
    parts: tuple[int, ...]
    structures: tuple[tuple[str, Structure], ...] = ()
    """For a shared index: each entity's keys in it; empty for the table."""

    @property
    def index(self) -> bool:
        return bool(self.structures)

    def structure(self, entity: str) -> Structure:
        """The index keys of an entity."""
        return dict(self.structures)[entity]


@dataclass(frozen=True)
class Choice:
    """The whole choice."""

    entities: dict[str, EntityChoice]
    groups: tuple[Group, ...]
    score: Score
    bound: Fraction
    """US dollars a month that nothing among the candidates goes below."""
    rivals: dict[str, tuple[tuple[Structure, Score], ...]] = field(default_factory=dict)
    """For each entity, the other base keys and the score of the whole component with them."""
    component_score: dict[str, Score] = field(default_factory=dict)


def read_score(part: Part, access: Access, model: EntityModel) -> Score:
    """What answering a demand this way costs."""
    return _read_score(part, access.requests, access.units, access.bytes, access.call, model)


def _read_score(
    part: Part, requests: float, units: Fraction, size: float, call: str, model: EntityModel
) -> Score:
    times = part.demand.times
    asked = exact(requests) * exact(times)
    if call == "get" and times > 1:
        asked = Fraction(ceil(times / BATCH_GET_ITEMS))
    if part.average is None:
        return Score(unrated_reads=asked, unrated_bytes=exact(round(size * times)))
    rate = exact(part.average)
    usd = rate * units * exact(times) * model.prices.read_unit * SECONDS_PER_MONTH
    return Score(usd=usd, requests=rate * asked)


REMEMBERED: Memory[EntityChoice] = Memory()
"""Choices for entities as they were found, for whatever design."""


class Search:
    """The search over one design and style."""

    def __init__(self, requirements: Requirements, style: str) -> None:
        self.requirements = requirements
        self.design = requirements.design
        self.style = style
        self.models = {
            e.name: EntityModel(self.design, e, requirements.form_of(e.name, style), requirements)
            for e in self.design.entities
        }
        self.parts = [
            Part(q, at, demand, question.average, question.peak)
            for q, question in enumerate(requirements.questions)
            for at, demand in enumerate(question.demands)
        ]
        self.of_entity: dict[str, list[Part]] = {name: [] for name in self.models}
        for part in self.parts:
            self.of_entity[part.demand.entity].append(part)
        self.edges = {r.through for r in self.design.relationships if r.through}
        self._solved: dict[tuple[object, ...], EntityChoice] = {}
        self._bases: dict[str, tuple[Structure, ...]] = {}
        self._indexes: dict[str, tuple[Structure, ...]] = {}
        self._fingerprints: dict[str, str] = {}
        self._around = surroundings(self.design)

    # One entity

    def bases(self, entity: str) -> tuple[Structure, ...]:
        if entity not in self._bases:
            demands = [part.demand for part in self.of_entity[entity]]
            pins = self.models[entity].pins
            pinned = pins.bases if pins is not None else None
            self._bases[entity] = pinned or base_candidates(self.models[entity], demands)
        return self._bases[entity]

    def indexes(self, entity: str) -> tuple[Structure, ...]:
        if entity not in self._indexes:
            demands = [part.demand for part in self.of_entity[entity]]
            listed = index_candidates(self.models[entity], demands, entity in self.edges)
            pins = self.models[entity].pins
            self._indexes[entity] = listed if pins is None else all_or_pinned(listed, pins)
        return self._indexes[entity]

    def solve(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure] = frozenset(),
    ) -> EntityChoice:
        """The best indexes of an entity under a base key.

        `joined` demands are answered together with others; `forced` structures are there anyway; `banned` ones are not
        used, to see what doing without them costs.
        """
        pins = self.models[entity].pins
        if pins is not None:
            forced = with_required(forced, pins)
        key = (entity, base, joined, forced, banned)
        if key not in self._solved:
            self._solved[key] = self._remembered(entity, base, joined, forced, banned)
        return self._solved[key]

    def _remembered(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure],
    ) -> EntityChoice:
        """The choice as it was found before, for whatever design; its demands are named by their place there."""
        places = {part.id: (at, 0) for at, part in enumerate(self.of_entity[entity])}
        local = frozenset(places[part] for part in joined)
        key = (self._fingerprint(entity), base, local, forced, banned)
        found = REMEMBERED.get(key)
        if found is None:
            fresh = self._branch_and_bound(entity, base, joined, forced, banned)
            access = {places[part]: used for part, used in fresh.access.items()}
            REMEMBERED.put(key, replace(fresh, access=access))
            return fresh
        here = {place: part for part, place in places.items()}
        return replace(found, access={here[place]: used for place, used in found.access.items()})

    def _fingerprint(self, entity: str) -> str:
        if entity not in self._fingerprints:
            asked = []
            for part in self.of_entity[entity]:
                question = self.requirements.questions[part.question]
                limit = question.pattern.at_most_requests
                how = (part.average, part.peak, limit, len(question.demands))
                asked.append((part.demand, how))
            self._fingerprints[entity] = fingerprint(
                self.models[entity], self._around, asked, entity in self.edges
            )
        return self._fingerprints[entity]

    def _branch_and_bound(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure],
    ) -> EntityChoice:
        model = self.models[entity]
        guard = needs_identifier_guard(model, base)
        parts = [part for part in self.of_entity[entity] if part.id not in joined]
        options = [
            [o for o in self._options(model, base, part) if o[0].structure not in banned]
            for part in parts
        ]
        order = sorted(range(len(parts)), key=lambda i: (len(options[i]), i))
        floors = [Score()] * (len(parts) + 1)
        for place in range(len(order) - 1, -1, -1):
            scores = [score for _, score in options[order[place]]]
            floors[place] = floors[place + 1] + (
                min(scores, key=lambda s: s.key) if scores else Score(unserved=1)
            )
        owned: dict[tuple[tuple[Structure, Projection], ...], Score] = {}

        def owning(held: Held) -> Score:
            key = tuple(sorted(held.items(), key=lambda item: (item[0].label, item[0].kind)))
            if key not in owned:
                owned[key] = owning_score(model, base, held, guard, keys_bytes(model, base, held))
            return owned[key]

        best: tuple[Score, Held, dict[tuple[int, int], Access]] | None = None
        nodes = 0
        limit = self.design.planner.work_limit
        complete = True

        def descend(
            place: int, held: Held, reads: Score, chosen: dict[tuple[int, int], Access]
        ) -> None:
            nonlocal best, nodes, complete
            nodes += 1
            so_far = reads + owning(held)
            if best is not None and not (so_far + floors[place]) < best[0]:
                return
            if place == len(order):
                best = (so_far, dict(held), dict(chosen))
                return
            if nodes > limit and best is not None:
                complete = False
                return
            part = parts[order[place]]
            if not options[order[place]]:
                descend(place + 1, held, reads + Score(unserved=1), chosen)
                return
            ranked = []
            for access, score in options[order[place]]:
                after = _held_with(held, access)
                ranked.append(
                    (
                        score + owning(after) if after is not held else score + owning(held),
                        access,
                        score,
                        after,
                    )
                )
            ranked.sort(key=lambda option: option[0].key)
            for _, access, score, after in ranked:
                chosen[part.id] = access
                descend(place + 1, after, reads + score, chosen)
                del chosen[part.id]

        descend(0, dict(forced), Score(), {})
        assert best is not None
        score, held, access = best
        score = score + Score(broken=self._hot_reads(model, parts, access, base, held))
        return EntityChoice(base, held, access, guard, score, complete)

    def _options(
        self, model: EntityModel, base: Structure, part: Part
    ) -> list[tuple[Access, Score]]:
        keys = model.key_bytes(base)
        found = []
        for structure in (base, *self.indexes(model.name)):
            if structure.kind == "copy" and set(structure.partition) == set(base.partition):
                continue
            own_keys = keys if structure is base else keys + model.key_bytes(structure)
            found += list(accesses(model, base, structure, part.demand, own_keys))
        through_guard = guard_access(model, base, part.demand, keys)
        if through_guard is not None:
            found.append(through_guard)
        limit = self.requirements.questions[part.question].pattern.at_most_requests
        single = len(self.requirements.questions[part.question].demands) == 1
        scored = []
        for access in found:
            over = limit is not None and single and access.requests > limit
            scored.append((access, read_score(part, access, model) + Score(broken=int(over))))
        return scored

    def _hot_reads(
        self,
        model: EntityModel,
        parts: list[Part],
        access: dict[tuple[int, int], Access],
        base: Structure,
        held: Held,
    ) -> int:
        hot = 0
        for structure in (base, *held):
            peak = Fraction(0)
            for part in parts:
                used = access.get(part.id)
                if used is not None and used.structure == structure and part.peak is not None:
                    peak += exact(part.peak) * used.units * exact(part.demand.times)
            hot += is_hot_to_read(model, structure, peak)
        return hot

    # Questions about several entities

    def tokens(self, entity: str, partition: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Where the values of a partition key come from; equal for items that share a partition."""
        model = self.models[entity]
        return tuple(root_of(model, name) for name in partition)

    def groups_of(self, q: int, bases: dict[str, Structure]) -> list[tuple[int, ...]]:
        """The parts of a question that one Query on the table answers, under a choice of base keys."""
        question = self.requirements.questions[q]
        if q not in self.joint:
            return []
        places: dict[object, list[int]] = {}
        for at, demand in enumerate(question.demands):
            key = self._collection(demand, bases[demand.entity])
            if key is not None:
                places.setdefault(key, []).append(at)
        found = [tuple(parts) for parts in places.values() if len(parts) > 1]
        return [
            self._readable(question, parts)
            for parts in found
            if len(self._readable(question, parts)) > 1
        ]

    def _readable(self, question: Question, parts: tuple[int, ...]) -> tuple[int, ...]:
        """The parts that one Query can read together: one newest-N, and no more (rule 7)."""
        limited = [
            at
            for at in parts
            if question.demands[at].limit is not None and not question.demands[at].one
        ]
        return tuple(at for at in parts if at not in limited[1:])

    def _collection(self, demand: ReadDemand, structure: Structure) -> object | None:
        """The item collection in which a demand's items lie together, if its structure keeps them so."""
        if (
            self.models[demand.entity].style != "single"
            or set(demand.equals) != set(structure.partition)
            or demand.list_of is not None
            or not structure.partition
        ):
            return None
        if demand.through is not None and structure not in demand.through:
            return None
        chain = [order.attribute for order in demand.order]
        if chain and list(structure.sort[: len(chain)]) != chain:
            return None
        if len({order.descending for order in demand.order}) > 1:
            return None
        values = tuple(_expression(demand.equals[name]) for name in structure.partition)
        if any(isinstance(value, str) and "{s1." in value for value in values):
            return None
        text = partition_text(self.models[demand.entity], structure)
        table = self.requirements.table_of(demand.entity)
        return (table, self.tokens(demand.entity, structure.partition), text, values)

    def forced_for(
        self, q: int, bases: dict[str, Structure] | None = None
    ) -> dict[str, Structure] | None:
        """The index keys that would let one Query on a shared index answer a whole question.

        An index that the entity has anyway is used where it will do.
        """
        question = self.requirements.questions[q]
        if q not in self.joint or question.demands[0].strong:
            return None
        found: dict[str, Structure] = {}
        keys = set()
        for at, demand in enumerate(question.demands):
            if demand.entity in found:
                return None
            structure = Structure(
                demand.entity,
                "index",
                model_order(self.models[demand.entity], demand.equals),
                chain_of(demand) if demand.order else (),
            )
            if bases is not None:
                base = bases[demand.entity]
                own = self.solve(demand.entity, base, frozenset({(q, at)}), ()).held
                structure = next((s for s in own if self._holds_all(demand, s)), structure)
            if not self._holds_all(demand, structure):
                return None
            keys.add(self._collection(demand, structure))
            found[demand.entity] = structure
        limited = [d for d in question.demands if d.limit is not None and not d.one]
        return found if len(keys) == 1 and len(limited) < 2 else None

    def _holds_all(self, demand: ReadDemand, structure: Structure) -> bool:
        """Whether an index keeps all that a demand asks for together, in the order it asks."""
        model = self.models[demand.entity]
        return (
            structure.kind == "index"
            and not structure.only
            and not structure.own
            and model.can_be_kept(structure)
            and self._collection(demand, structure) is not None
            and all(
                model.may_be_index_key(name)
                and (model.attribute(name).present == 1 or name in demand.equals)
                for name in structure.attributes
            )
        )

    # The whole

    @cached_property
    def joint(self) -> tuple[int, ...]:
        """Questions that one request might answer in a shared collection."""
        return tuple(
            q for q, question in enumerate(self.requirements.questions) if self._shares(question)
        )

    def _shares(self, question: Question) -> bool:
        """Whether two of the entities that a question asks for lie in one table."""
        tables = [
            self.requirements.table_of(demand.entity)
            for demand in question.demands
            if self.models[demand.entity].style == "single"
        ]
        return len(set(tables)) < len(tables)

    def components(self) -> Iterator[tuple[str, ...]]:
        """Entities that are asked for together, in the design's order."""
        leader = {name: name for name in self.models}

        def find(name: str) -> str:
            while leader[name] != name:
                name = leader[name]
            return name

        for q in self.joint:
            names = [demand.entity for demand in self.requirements.questions[q].demands]
            for name in names[1:]:
                leader[find(name)] = find(names[0])
        members: dict[str, list[str]] = {}
        for name in self.models:
            members.setdefault(find(name), []).append(name)
        for component in members.values():
            yield tuple(component)

    def run(self) -> Choice:
        entities: dict[str, EntityChoice] = {}
        groups: list[Group] = []
        score = Score()
        bound = Fraction(0)
        rivals: dict[str, tuple[tuple[Structure, Score], ...]] = {}
        component_score: dict[str, Score] = {}
        for component in self.components():
            best, found = self._solve_component(component)
            entities |= found.entities
            groups += found.groups
            score = score + found.score
            bound += self._bound(component, found)
            for name in component:
                component_score[name] = found.score
                rivals[name] = self._rivals(component, name, best)
        return Choice(entities, tuple(groups), score, bound, rivals, component_score)

    def _solve_component(self, component: tuple[str, ...]) -> tuple["_State", "_Evaluated"]:
        domains = [self._domain(name) for name in component]
        questions = self._may_join_in_index(component)
        if prod(len(domain) for domain in domains) * 2 ** len(questions) > EXHAUSTIVE:
            return self._improve(component, domains, questions)
        states = [
            _State(dict(zip(component, bases, strict=True)), flagged)
            for bases in product(*domains)
            for size in range(len(questions) + 1)
            for flagged in combinations(questions, size)
        ]
        best = min(states, key=lambda state: self._evaluate(component, state).score.key)
        return best, self._evaluate(component, best)

    def _may_join_in_index(self, component: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(
            q
            for q in self.joint
            if self.requirements.questions[q].demands[0].entity in component
            and self.forced_for(q) is not None
        )

    def _improve(
        self,
        component: tuple[str, ...],
        domains: list[tuple[Structure, ...]],
        questions: tuple[int, ...],
    ) -> tuple["_State", "_Evaluated"]:
        """From two starts, change one choice at a time while anything gets better."""
        alone = {name: domain[0] for name, domain in zip(component, domains, strict=True)}
        together = {
            name: next((base for base in domain if self._joins(base)), domain[0])
            for name, domain in zip(component, domains, strict=True)
        }
        found: list[tuple[_State, _Evaluated]] = []
        for start in (_State(alone, ()), _State(together, ())):
            state, value = start, self._evaluate(component, start)
            improved = True
            while improved:
                improved = False
                for trial in _neighbours(state, component, domains, questions):
                    tried = self._evaluate(component, trial)
                    if tried.score < value.score:
                        state, value, improved = trial, tried, True
            found.append((state, value))
        return min(found, key=lambda pair: pair[1].score.key)

    def _joins(self, base: Structure) -> bool:
        return any(
            set(base.partition) == set(part.demand.equals)
            for part in self.of_entity[base.entity]
            if part.question in self.joint
        )

    def _ranked(self, entity: str) -> list[Structure]:
        """The base keys of an entity, the best by itself first."""
        return sorted(
            self.bases(entity),
            key=lambda base: self.solve(entity, base, frozenset(), ()).score.key,
        )

    def _domain(self, entity: str) -> tuple[Structure, ...]:
        """The base keys worth combining: the best alone, and those under which a question can be joined."""
        ranked = self._ranked(entity)
        kept = dict.fromkeys(ranked[: KEPT_BASES if self.joint else 1])
        for base in ranked:
            if self._joins(base) and len(kept) < KEPT_BASES + 4:
                kept[base] = None
        return tuple(kept)

    def _evaluate(self, component: tuple[str, ...], state: "_State") -> "_Evaluated":
        joined: dict[str, set[tuple[int, int]]] = {name: set() for name in component}
        forced: dict[str, dict[Structure, Projection]] = {name: {} for name in component}
        groups: list[Group] = []
        touched = [
            q for q in self.joint if self.requirements.questions[q].demands[0].entity in component
        ]
        for q in touched:
            question = self.requirements.questions[q]
            if q in state.flagged:
                keys = self.forced_for(q, state.bases)
                assert keys is not None
                everything = tuple(range(len(question.demands)))
                groups.append(Group(q, everything, tuple(keys.items())))
                for at, demand in enumerate(question.demands):
                    joined[demand.entity].add((q, at))
                    held, structure = forced[demand.entity], keys[demand.entity]
                    held[structure] = _union(held.get(structure, frozenset()), _joint_needs(demand))
                continue
            for parts in self.groups_of(q, state.bases):
                groups.append(Group(q, parts))
                for at in parts:
                    joined[question.demands[at].entity].add((q, at))
        if _clash(groups):
            return _Evaluated({}, (), Score(unserved=IMPOSSIBLE))
        found = {
            name: self.solve(
                name,
                state.bases[name],
                frozenset(joined[name]),
                tuple(sorted(forced[name].items(), key=lambda i: i[0].label)),
            )
            for name in component
        }
        score = Score()
        for name in component:
            score = score + found[name].score
        for group in groups:
            score = score + self.group_score(group, found)
        for q in touched:
            score = score + self._requests_broken(q, groups, found)
        return _Evaluated(found, tuple(groups), score)

    def group_score(self, group: Group, found: dict[str, EntityChoice]) -> Score:
        """What one Query over several parts costs."""
        requests, units, size, _ = self.group_reads(group, found)
        question = self.requirements.questions[group.question]
        first = question.demands[group.parts[0]]
        part = Part(group.question, group.parts[0], first, question.average, question.peak)
        return _read_score(part, requests, units, size, "query", self.models[first.entity])

    def group_reads(
        self, group: Group, found: dict[str, EntityChoice]
    ) -> tuple[float, Fraction, float, float]:
        """(requests, units, bytes, items) of one Query over several parts."""
        question = self.requirements.questions[group.question]
        size = items = 0.0
        for at in group.parts:
            demand = question.demands[at]
            model, choice = self.models[demand.entity], found[demand.entity]
            keys = keys_bytes(model, choice.base, choice.held)
            read = demand.matched if demand.limit is None else min(demand.matched, demand.limit)
            if group.index:
                structure = group.structure(demand.entity)
                one = model.entry_bytes(
                    choice.base, structure, choice.held.get(structure, frozenset()), keys
                )
            else:
                one = model.own_bytes + keys
            size += read * one
            items += read
        return 1.0, read_units(size, question.demands[0].consistency), size, items

    def _requests_broken(
        self, q: int, groups: list[Group], found: dict[str, EntityChoice]
    ) -> Score:
        limit = self.requirements.questions[q].pattern.at_most_requests
        if limit is None:
            return Score()
        mine = [group for group in groups if group.question == q]
        requests = float(len(mine))
        together = {at for group in mine for at in group.parts}
        for at, demand in enumerate(self.requirements.questions[q].demands):
            access = found[demand.entity].access.get((q, at))
            if at not in together and access is not None:
                requests += access.requests * (
                    1 if access.call == "get" else max(1.0, demand.times)
                )
        return Score(broken=int(requests > limit))

    def _rivals(
        self, component: tuple[str, ...], name: str, best: "_State"
    ) -> tuple[tuple[Structure, Score], ...]:
        found = []
        for base in dict.fromkeys((*self._domain(name), *self._ranked(name)[:RIVALS])):
            if base != best.bases[name]:
                state = _State({**best.bases, name: base}, best.flagged)
                found.append((base, self._evaluate(component, state).score))
        return tuple(sorted(found, key=lambda rival: rival[1].key))

    def _bound(self, component: tuple[str, ...], found: "_Evaluated") -> Fraction:
        """No combination of base keys is cheaper: each entity at its cheapest, joined questions at nothing."""
        if all(choice.proven for choice in found.entities.values()) and not self._was_improved(
            component
        ):
            return found.score.usd
        cheapest = Fraction(0)
        for name in component:
            joint = frozenset(
                part.id for part in self.of_entity[name] if part.question in self.joint
            )
            cheapest += min(
                self.solve(name, base, joint, ()).score.usd for base in self._domain(name)
            )
        return min(cheapest, found.score.usd)

    def _was_improved(self, component: tuple[str, ...]) -> bool:
        combinations_of_bases: int = prod(len(self._domain(name)) for name in component)
        joins: int = 2 ** len(self._may_join_in_index(component))
        return combinations_of_bases * joins > EXHAUSTIVE


@dataclass(frozen=True)
class _State:
    bases: dict[str, Structure]
    flagged: tuple[int, ...]


@dataclass(frozen=True)
class _Evaluated:
    entities: dict[str, EntityChoice]
    groups: tuple[Group, ...]
    score: Score


def _clash(groups: list[Group]) -> bool:
    """Whether questions joined in indexes want two keys of one entity in the same index."""
    sets: list[set[tuple[str, Structure]]] = []
    for group in groups:
        mine = set(group.structures)
        sets = [one for one in sets if not one & mine] + [
            mine.union(*(o for o in sets if o & mine))
        ]
    return any(len({name for name, _ in one}) < len(one) for one in sets)


def _neighbours(
    state: _State,
    component: tuple[str, ...],
    domains: list[tuple[Structure, ...]],
    questions: tuple[int, ...],
) -> Iterator[_State]:
    """The states that differ in one base key, or in one question joined in an index."""
    for name, domain in zip(component, domains, strict=True):
        for base in domain:
            if base != state.bases[name]:
                yield _State({**state.bases, name: base}, state.flagged)
    for q in questions:
        flagged = {*state.flagged} ^ {q}
        yield _State(state.bases, tuple(sorted(flagged)))


def _held_with(held: Held, access: Access) -> Held:
    """The structures held once an access is used; a projection grows to what all its readers need."""
    structure = access.structure
    if structure is None or structure.kind == "base":
        return held
    if structure in held and _union(held[structure], access.projection) == held[structure]:
        return held
    after = dict(held)
    after[structure] = _union(held.get(structure, frozenset()), access.projection)
    return after


def _union(one: Projection, other: Projection) -> Projection:
    return None if one is None or other is None else one | other


def _joint_needs(demand: ReadDemand) -> Projection:
    return None if demand.needs is None else demand.needs


def _expression(value: object) -> object:
    return value.value if isinstance(value, Constant) else value


def choose(
    requirements: Requirements, style: str, candidates: Mapping[str, Candidates] | None = None
) -> tuple[Search, Choice]:
    """The best choice found, with the search that can price others.

    `candidates`: what some entities may have instead of what is listed for them.
    """
    joined: list[tuple[str, ...]] = []
    if style == "grouped":
        # Who belongs together shows in one table for all: what that answers in one request.
        search, choice = choose(requirements, "single")
        for group in choice.groups:
            demands = search.requirements.questions[group.question].demands
            joined.append(tuple(demands[at].entity for at in group.parts))
    tables = tables_of(requirements.design, style, joined)
    search = Search(pinned(replace(requirements, tables=tables), style, candidates or {}), style)
    return search, search.run()
