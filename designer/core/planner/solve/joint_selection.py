"""Entities that patterns ask for together: base keys and shared collections, as an integer program.

A column is one way to have one entity: a base key, the entity reads that a shared collection answers, and the shared
indexes it takes part in; its price is that of the best other structures, found by `indexes`. The program takes one
column of each entity, so that each shared Query has its parts in one collection. Columns start with a floor of their
price, and only those that a solution takes are priced in full, until a solution has no floor left in it.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf
from typing import NamedTuple, Protocol

from designer.core.limits import READ_UNIT_BYTES
from designer.core.planner.model.chosen import EntityChoice, Group, Within
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Projection, Projections, Structure
from designer.core.planner.model.worth import NEARLY
from designer.core.planner.pricing.access_paths import smooth_steps
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.solve.index_problem import holds, union
from designer.core.planner.solve.lower_bounds import SURELY, LowerBounds
from designer.core.planner.solve.milp import Program
from designer.core.planner.solve.problem import Problem
from designer.core.planner.solve.weights import BYTES, SAME, SCALE, Weights
from designer.core.units import read_units

COLUMNS = 256
"""Ways to have an entity under one base key; entity reads that would make more of them stay alone."""
PRICED = 1500
"""Ways to answer the reads of all ways that are priced in full; then the best of these is taken, with its gap."""
RIVALS = 3
"""Other base keys that are priced to explain the choice."""
SHARED_KEYS = 3
"""Keys of one entity in the order of a pattern that are tried in a shared index for it; besides, one in another."""

Id = tuple[int, int]
"""An entity read: its pattern, and its place there."""


@dataclass(frozen=True)
class Column:
    """One way to have an entity."""

    entity: str
    base: Structure
    joined: tuple[tuple[Id, object], ...] = ()
    """Entity reads answered in a shared collection of the table, with the collection."""
    shared: tuple[tuple[Id, Structure], ...] = ()
    """Entity reads answered in a shared index, with the entity's keys there."""
    within: Within = ()
    """How long its items may be at the most, so that shared Queries read less."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.base, self.joined, self.shared, self.within))

    @cached_property
    def parts(self) -> frozenset[Id]:
        """All entity reads that are not answered by the entity alone."""
        return frozenset([part for part, _ in self.joined] + [part for part, _ in self.shared])


class Key(NamedTuple):
    """A Query that several parts of a pattern may share: in one collection of the table, or of an index."""

    pattern_read: int
    where: object
    in_index: bool


Step = tuple[Key, tuple[Column, ...], float]
"""A shared Query, the columns that meet in it, and its smallest reads then: parts of them where these are smoothed."""


@dataclass(frozen=True)
class Together:
    """What was chosen for some entities."""

    entities: dict[str, EntityChoice]
    groups: tuple[Group, ...]
    score: Score
    gap: float
    """US dollars a month between the price and what nothing can be cheaper than."""

    def asked(self, number: Mapping[int, int]) -> "Together":
        """The same where its patterns have other numbers."""
        entities = {
            name: replace(
                choice, access={(number[q], at): used for (q, at), used in choice.access.items()}
            )
            for name, choice in self.entities.items()
        }
        groups = tuple(
            replace(group, pattern_read=number[group.pattern_read]) for group in self.groups
        )
        return replace(self, entities=entities, groups=groups)


class Remembering(Problem, Protocol):
    """A problem that knows what was chosen for some entities before."""

    def cached(
        self, names: tuple[str, ...], how: Hashable, choose: Callable[[], Together]
    ) -> Together:
        """What was chosen for some entities, as it was found before for whatever design."""
        ...


@dataclass
class Component:
    """Some entities that are chosen together, with all the ways to have each."""

    search: Remembering
    names: tuple[str, ...]
    most: int | None = None
    """Structures of one entity at most, besides its base key."""
    _floors: dict[Column, Score] = field(default_factory=dict)
    _brought: dict[Column, tuple[tuple[Key, int, float], ...]] = field(default_factory=dict)
    _priced_in_full: set[Column] = field(default_factory=set)
    _answers: int = 0
    _begun: set[tuple[str, Structure]] = field(default_factory=set)
    """Base keys of which some column was priced in full."""
    _best: dict[tuple[tuple[str, Structure], ...], Together] = field(default_factory=dict)
    _explored: Together | None = None

    def best(self, fixed: Mapping[str, Structure] | None = None) -> Together:
        """The best choice; with some base keys fixed, the best under these."""
        key = tuple(sorted((fixed or {}).items(), key=lambda item: item[0]))
        if key not in self._best:
            if fixed:
                self.explored()
                self._best[key] = self._choose(fixed)
            else:
                self._best[key] = self.search.cached(self.names, self.most, self.explored)
        return self._best[key]

    def explored(self) -> Together:
        """The best choice, found here whatever is cached: the floors of columns come of it."""
        if self._explored is None:
            self._explored = self._choose({})
        return self._explored

    def _choose(self, fixed: Mapping[str, Structure]) -> Together:
        if not self.pattern_reads:
            alone = {name: self._alone(name, fixed.get(name)) for name in self.names}
            score = sum((choice.score for choice in alone.values()), Score())
            return Together(alone, (), score, sum(choice.gap for choice in alone.values()))
        columns = [
            column
            for name in self.names
            for column in self.columns[name]
            if name not in fixed or column.base == fixed[name]
        ]
        extra = _Extra()
        limited: _Master | None = None
        best: Together | None = None
        while True:
            master = _Master(self, columns, extra)
            chosen, groups = master.solve()
            enough = self._answers >= PRICED
            if self._priced(chosen):
                if not self.search.clash(groups):
                    found = self._found(chosen, groups)
                    best = found if best is None else min(best, found, key=_score)
                    gap = (limited or master).gap(best.score)
                    if gap <= min(self.search.near, NEARLY * float(best.score.price)):
                        return replace(best, gap=best.gap + gap)
                if enough and limited is None:
                    # The best of what has its price, and how far the rest may be below it.
                    limited = master
                    kept = self._priced_in_full | self._apart(columns)
                    columns = [column for column in columns if column in kept]
                continue
            if self.search.clash(groups):
                extra.banned.append(tuple(column for column in chosen if column.shared))
                continue
            found = self._found(chosen, groups)
            steps = master.add_steps(chosen, groups, found.entities)
            if limited is None:  # else only what has its price is left
                shorter = (one for step in steps for one in self._shorter(step))
                columns = list(dict.fromkeys((*columns, *shorter)))
            if not steps:
                gap = (limited or master).gap(found.score)
                return replace(found, gap=found.gap + gap)

    def _apart(self, columns: Iterable[Column]) -> set[Column]:
        """Of each entity the likeliest way that shares nothing, which can be had whatever else is banned."""
        alone = [column for column in columns if not column.parts and not column.within]
        return {
            min((c for c in alone if c.entity == name), key=lambda c: self.floor(c).key)
            for name in self.names
        }

    # One entity by itself

    def _alone(self, name: str, fixed: Structure | None) -> EntityChoice:
        """The best base key: only keys whose floor is below the best found so far are looked at.

        They are listed by what keeping the table alone costs, and of equals the first is taken. But as soon as prices
        tell them apart, the likeliest is looked at first.
        """
        bases = self.search.bases(name) if fixed is None else (fixed,)
        floors = [self._own_floor(name, base) for base in bases]
        order = sorted(range(len(bases)), key=lambda at: (floors[at].key, at))
        waiting = list(enumerate(order))
        bounds = LowerBounds(self.search, name)
        prices: dict[int, float] = {}
        most = inf
        best: EntityChoice | None = None
        first = 0

        def may_win(score: Score, place: int) -> bool:
            return best is None or (score.key, place) < (best.score.key, first)

        def is_ruled_out(place: int, at: int) -> bool:
            """Whether all choices under a base key are known to cost more than the best."""
            if best is None or place not in prices:
                return False
            now = float(best.score.price)
            if now < most and prices[place] <= now * SURELY:
                # The price was no closer than the best one then asked for.
                prices[place] = bounds.price(bases[at], now)
            return prices[place] > now * SURELY

        while waiting:
            place, at = waiting.pop(0)
            column = Column(name, bases[at])
            if is_ruled_out(place, at):
                continue
            if not may_win(floors[at], place) or (best and not may_win(self.floor(column), place)):
                continue
            found = self.search.solve(name, bases[at], frozenset(), (), most=self.most)
            if may_win(found.score, place):
                best, first = found, place
            if best is not None and not prices and bounds.can_tell(best.score):
                waiting = [(place, at) for place, at in waiting if may_win(floors[at], place)]
                most = float(best.score.price)
                prices = {place: bounds.price(bases[at], most) for place, at in waiting}
                waiting.sort(key=lambda one: (prices[one[0]], one[0]))
        assert best is not None
        return best

    def likeliest(self, name: str, besides: Structure) -> list[Structure]:
        """The base keys with the lowest floors besides one, of equals the first."""
        bases = [base for base in self.search.bases(name) if base != besides]
        bounds = LowerBounds(self.search, name)
        least = [bounds.floor(base) for base in bases]
        found: list[tuple[Score, int]] = []
        for at in sorted(range(len(bases)), key=lambda at: (least[at], at)):
            most = inf
            if len(found) == RIVALS and bounds.can_tell(found[-1][0]):
                most = float(found[-1][0].price) * SURELY
            if least[at] > most:
                break
            found.append((self.floor(Column(name, bases[at])), at))
            found = sorted(found, key=lambda one: (one[0].key, one[1]))[:RIVALS]
        return [bases[at] for _, at in found]

    def _own_floor(self, name: str, base: Structure) -> Score:
        """What keeping the table alone costs, and each read at its least."""
        return self.search.owned(base, {}) + self.search.least_reads(name)

    # Columns

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
        for base in self.search.bases(name):
            ways: list[list[tuple[str, Id, object]]] = []
            count = 1
            for part in parts:
                mine: list[tuple[str, Id, object]] = [("alone", part, None)]
                collection = self.collections[part].get(base)
                if collection is not None:
                    mine.append(("table", part, collection))
                mine += [("index", part, s) for s in self.in_indexes.get(part, ())]
                if len(mine) > 1 and count * len(mine) <= COLUMNS:
                    ways.append(mine)
                    count *= len(mine)
            for chosen in product(*ways):
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

    def forced(self, column: Column) -> tuple[tuple[Structure, Projection], ...]:
        """The structures that a column's shared indexes take, with what they hold for these."""
        projections: dict[Structure, Projection] = {}
        for (q, at), structure in column.shared:
            needs = self.search.requirements.pattern_reads[q].entity_reads[at].needs_sorted
            projections[structure] = union(projections.get(structure, frozenset()), needs)
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
            within=column.within,
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
        return found

    def _priced(self, columns: Iterable[Column]) -> bool:
        """Price columns in full; whether some were not yet."""
        new = [column for column in columns if column not in self._priced_in_full]
        for column in new:
            if (column.entity, column.base) not in self._begun:
                self._begun.add((column.entity, column.base))
                self._lift(self._least_to_do(column))
            self._priced_in_full.add(column)
            self._answers += self._ways_to_answer(column)
            self._floors[column] = self.choice(column).score
            self._lift(column)
        return bool(new)

    def _ways_to_answer(self, column: Column) -> int:
        """How large the program of a column is."""
        model = self.search.models[column.entity]
        return sum(
            len(self.search.options(model, column.base, part))
            for part in self.search.of_entity[column.entity]
            if part.id not in column.parts
        )

    def _least_to_do(self, column: Column) -> Column:
        """What every column of a base key has to do: the entity reads that can't be shared."""
        parts = [
            p.id
            for p in self.search.of_entity[column.entity]
            if p.pattern_read in self.pattern_reads
        ]
        return Column(column.entity, column.base, tuple((part, None) for part in parts))

    def _lift(self, priced: Column) -> None:
        """Raise the floors of columns that have to do all that a priced one does, and answer more reads alone."""
        found = self.choice(priced)
        if priced.within:
            return
        least = _cool(found.score)
        least = replace(least, usd=least.usd - exact(found.gap))
        forced, joined = self.forced(priced), priced.parts
        parts = [part for part in self.search.of_entity[priced.entity] if part.id in joined]
        for column in self.columns[priced.entity]:
            if (
                column.base != priced.base
                or not column.parts <= joined
                or column in self._priced_in_full
            ):
                continue
            projections = dict(self.forced(column))
            if not all(
                structure in projections and holds(projections[structure], projection)
                for structure, projection in forced
            ):
                continue
            alone = [part for part in parts if part.id not in column.parts]
            floor = sum((self.search.least(column.base, part) for part in alone), least)
            self._floors[column] = max(self.floor(column), floor, key=lambda score: score.key)

    def floor(self, column: Column) -> Score:
        """What a column costs at least."""
        if column not in self._floors:
            search = self.search
            score = search.owned(column.base, dict(self.forced(column)))
            for part in search.of_entity[column.entity]:
                if part.id not in column.parts:
                    score = score + search.least(column.base, part)
            self._floors[column] = score
        return self._floors[column]

    # Shared Queries

    def rows(self, q: int, part: int) -> float:
        """Items that a shared Query reads for a part of its pattern."""
        entity_read = self.search.requirements.pattern_reads[q].entity_reads[part]
        return (
            entity_read.matched
            if entity_read.cut is None
            else min(entity_read.matched, entity_read.cut)
        )

    def item_bytes(
        self, column: Column, place: Structure | None, projections: Projections | None = None
    ) -> float:
        """Bytes of an item in the table (None), or of an entry in an index; at the least, if not with what is held."""
        if projections is None:
            projections = dict(self.forced(column))
        model, structure = self.search.models[column.entity], place or column.base
        size = keys_bytes(model, column.base, projections)
        return model.entry_bytes(column.base, structure, projections.get(structure), size)

    def brought(self, column: Column) -> tuple[tuple[Key, int, float], ...]:
        """The shared Queries that a column takes part in, with the part of the pattern and the bytes it brings.

        These are the least that its items may weigh.
        """
        if column not in self._brought:
            self._brought[column] = tuple(self._brings(column))
        return self._brought[column]

    def _brings(self, column: Column) -> Iterator[tuple[Key, int, float]]:
        for (q, part), where in column.joined:
            yield Key(q, where, False), part, self.rows(q, part) * self.item_bytes(column, None)
        for (q, part), structure in column.shared:
            entity_read = self.search.requirements.pattern_reads[q].entity_reads[part]
            key = Key(q, self.search.collection(entity_read, structure), True)
            yield key, part, self.rows(q, part) * self.item_bytes(column, structure)

    def _shorter(self, step: Step) -> Iterator[Column]:
        """The columns of a step with items so short that their Query might read less.

        The cheapest structures need not be those with the shortest keys. What has longer items than the limit reads as
        much as the cheapest has shown, and costs no less.
        """
        key, columns, units = step
        if self.search.models[columns[0].entity].worth:
            return  # no step decides
        if not self.search.requirements.pattern_reads[key.pattern_read].average:
            return  # what it reads has no price
        met = [(column, *self._met(column, key)) for column in columns]
        shortest = sum(rows * self.item_bytes(column, place) for column, place, rows in met)
        room = (units - 1) * READ_UNIT_BYTES - shortest
        for column, place, rows in met:
            choice = self.choice(column)
            least = self.item_bytes(column, place)
            now = self.item_bytes(column, place, choice.projections)
            most = min(least + room / rows, now - 2 * BYTES) if rows else 0.0
            if most < least:
                continue
            within = dict(column.within)
            within[place] = min(most, within.get(place, inf))
            found = replace(column, within=tuple(within.items()))
            if not choice.gap:
                self._floors.setdefault(found, _cool(choice.score))
            yield found

    def _met(self, column: Column, key: Key) -> tuple[Structure | None, float]:
        """Where a shared Query finds the items of a column, and how many it reads of them."""
        q = key.pattern_read
        mine: dict[int, Structure | None]
        if key.in_index:
            mine = {part: structure for (of, part), structure in column.shared if of == q}
        else:
            mine = {part: None for (of, part), at in column.joined if (of, at) == (q, key.where)}
        return next(iter(mine.values())), sum(self.rows(q, part) for part in mine)

    # The answer

    def _found(self, chosen: tuple[Column, ...], groups: tuple[Group, ...]) -> Together:
        entities = {column.entity: self.choice(column) for column in chosen}
        score = sum((choice.score for choice in entities.values()), Score())
        for group in groups:
            score = score + self.search.group_score(group, entities)
        for q in self.pattern_reads:
            score = score + self.search.requests_broken(q, groups, entities)
        return Together(entities, groups, score, sum(c.gap for c in entities.values()))


@dataclass
class _Extra:
    """What solutions have shown: combinations that cannot be, and shared Queries that read more than their parts."""

    banned: list[tuple[Column, ...]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


class _Master:
    """The program over the columns."""

    def __init__(self, component: Component, columns: list[Column], extra: _Extra) -> None:
        self.component, self.columns, self.extra = component, columns, extra
        self.search = component.search
        self.program = Program()
        self.is_smooth = any(self.search.models[name].worth for name in component.names)
        floors = [component.floor(column) for column in columns]
        # What is kept short may serve less, and so be cheap.
        free = [(f, c.entity) for f, c in zip(floors, columns, strict=True) if not c.within]
        ways = [[floor for floor, entity in free if entity == name] for name in component.names]
        self.weigh = Weights.of([min(mine, key=_price) for mine in ways], ways)
        self.taken = {
            column: self.program.choice(self.weigh(floor))
            for column, floor in zip(columns, floors, strict=True)
        }
        for name in component.names:
            mine = [(taken, 1.0) for column, taken in self.taken.items() if column.entity == name]
            self.program.row(mine, least=1.0, most=1.0)
        self.shared: dict[Key, int] = {}
        self.units: dict[Key, int] = {}
        for key, parts in self._meetings().items():
            self._share(key, parts)
        for q in component.pattern_reads:
            self._limit_requests(q)
        for combination in extra.banned:
            terms = [(self.taken[column], 1.0) for column in combination]
            self.program.row(terms, most=len(combination) - 1.0)
        for key, meeting, units in extra.steps:
            terms = [(self.units[key], 1.0)]
            terms += [(self.taken[column], -float(units)) for column in meeting]
            self.program.row(terms, least=float(units) * (1 - len(meeting)))

    def _meetings(self) -> dict[Key, dict[int, list[tuple[Column, float]]]]:
        """For each shared Query and part of its pattern, the columns that bring it, with their bytes."""
        found: dict[Key, dict[int, list[tuple[Column, float]]]] = {}
        for column in self.columns:
            for key, part, size in self.component.brought(column):
                found.setdefault(key, {}).setdefault(part, []).append((column, size))
        return found

    def _share(self, key: Key, parts: dict[int, list[tuple[Column, float]]]) -> None:
        """A shared Query has two parts at least, at most one of them cut by a limit, and is paid by its bytes."""
        program = self.program
        entity_reads = self.search.requirements.pattern_reads[key.pattern_read].entity_reads
        for_itself, for_each = self.search.shared_price(key.pattern_read)
        shared = self.shared[key] = program.choice(self.weigh(for_itself))
        # By bytes alone where steps of 4 KB decide nothing.
        column = program.amount if self.is_smooth else program.count
        units = self.units[key] = column(self.weigh(for_each))
        every, limited, sizes = [], [], []
        for part, ways in parts.items():
            terms = [(self.taken[column], 1.0) for column, _ in ways]
            every += terms
            sizes += [(self.taken[column], -size / READ_UNIT_BYTES) for column, size in ways]
            if entity_reads[part].limit is not None and not entity_reads[part].one:
                limited += terms
            # In an index all parts meet or none; in the table those that are there.
            program.row([*terms, (shared, -1.0)], least=0.0 if key.in_index else -inf, most=0.0)
        if key.in_index and len(parts) < len(entity_reads):
            program.row([(shared, 1.0)], most=0.0)
        program.row([*every, (shared, -2.0)], least=0.0)
        if limited:
            program.row(limited, most=1.0)
        program.row([(units, 1.0), (shared, -1.0)], least=0.0)
        program.row([(units, 1.0), *sizes], least=0.0)

    def _limit_requests(self, q: int) -> None:
        limit = self.search.requirements.pattern_reads[q].pattern.at_most_requests
        if limit is None:
            return
        terms = [(shared, 1.0) for key, shared in self.shared.items() if key.pattern_read == q]
        for column, taken in self.taken.items():
            requests = self.component.requests(column, q)
            if requests:
                terms.append((taken, requests))
        violated = self.program.choice(self.weigh(Score(violated=1)))
        most = sum(factor for _, factor in terms)
        self.program.row([*terms, (violated, -most)], most=float(limit))

    def solve(self) -> tuple[tuple[Column, ...], tuple[Group, ...]]:
        """The columns taken, and the shared Queries among them."""
        solution = self.program.solve(self.search.design.planner.work_limit)
        assert solution is not None, "every entity has a column that shares nothing"
        self.solution = solution
        chosen = tuple(c for c, taken in self.taken.items() if solution.takes(taken))
        self.meetings: dict[Group, Key] = {}
        for key, shared in self.shared.items():
            if solution.takes(shared):
                self.meetings[self._group(key, chosen)] = key
        groups = sorted(self.meetings, key=lambda group: (group.pattern_read, group.parts))
        return chosen, tuple(groups)

    def _group(self, key: Key, chosen: tuple[Column, ...]) -> Group:
        parts = [
            p for c in chosen for (q, p), at in c.joined if (q, at) == (key.pattern_read, key.where)
        ]
        if not key.in_index:
            return Group(key.pattern_read, tuple(sorted(parts)))
        met = [(p, c.entity, s) for c in chosen for (q, p), s in c.shared if q == key.pattern_read]
        met.sort(key=lambda one: one[0])
        parts = [part for part, _, _ in met]
        return Group(key.pattern_read, tuple(parts), tuple((entity, s) for _, entity, s in met))

    def add_steps(
        self,
        chosen: tuple[Column, ...],
        groups: tuple[Group, ...],
        entities: dict[str, EntityChoice],
    ) -> list[Step]:
        """Where a shared Query reads more units than the program took it for; it knows then."""
        added: list[Step] = []
        for group in groups:
            key = self.meetings[group]
            entity_reads = self.search.requirements.pattern_reads[key.pattern_read].entity_reads
            requests, read, size, _ = self.search.group_reads(group, entities)
            units = float(read / read_units(1, entity_reads[0].consistency))
            if self.is_smooth:
                units = smooth_steps(requests, size)
            names = {entity_reads[at].entity for at in group.parts}
            step = (key, tuple(c for c in chosen if c.entity in names), units)
            if (
                units > self.solution.values[self.units[key]] + BYTES
                and step not in self.extra.steps
            ):
                added.append(step)
        self.extra.steps += added
        return added

    def gap(self, score: Score) -> float:
        """US dollars a month between a price and what no solution is cheaper than."""
        gap = self.weigh(score) - self.solution.bound
        return gap / self.weigh.usd if gap > SCALE * SAME else 0.0


def _score(found: Together) -> Score:
    return found.score


def _price(score: Score) -> Fraction:
    return score.price


def _cool(score: Score) -> Score:
    """A score as a floor of others: what runs hot in one choice need not in another."""
    return replace(score, violated=0, hot=0)
