"""Entities that patterns ask for together: base keys and shared collections, as an integer program.

A column is one way to have one entity: a base key, the entity reads that a shared collection answers, and the shared
indexes it takes part in; its price is that of the best other structures, found by `index_selection`. The program takes
one column of each entity, so that each shared Query has its parts in one collection. Columns start with a floor of
their price, and only those that a solution takes are priced in full, until a solution has no floor left in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf

from designer.core.planner.model.chosen import EntityChoice, SharedQuery
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.worth import NEARLY
from designer.core.planner.solve.index_problem import DearerError
from designer.core.planner.solve.joint_columns import Column, JointColumns
from designer.core.planner.solve.joint_program import JointProgram
from designer.core.planner.solve.lower_bounds import SURELY
from designer.core.planner.solve.together import Together

PRICED = 1500
"""Ways to answer reads that are priced in full; then the best of these is taken, with its gap."""
PRICED_AT_MOST = 2 * PRICED
"""Ways to answer the reads of one entity by itself after which no other base key is looked at, whatever it may save."""
RIVALS = 3
"""Other base keys that are priced to explain the choice."""


@dataclass
class Component(JointColumns):
    """Some entities that are chosen together, with all the ways to have each."""

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
        banned: list[tuple[Column, ...]] = []
        limited: JointProgram | None = None
        best: Together | None = None
        while True:
            master = JointProgram(self, columns, banned)
            chosen, groups = master.solve()
            enough = self._answers >= PRICED
            if self._priced(chosen):
                if not self.search.clash(groups):
                    found = self._found(chosen, groups)
                    best = found if best is None else min(best, found, key=_score)
                    near = min(self.search.near, NEARLY * float(best.score.price))
                    if (limited or master).gap(best.score) <= near:
                        return replace(
                            best, gap=best.gap + self._gap(best.score, limited or master)
                        )
                if enough and limited is None:
                    # The best of what has its price, and how far the rest may be below it.
                    limited = master
                    kept = self._priced_in_full | self._apart(columns)
                    columns = [column for column in columns if column in kept]
                continue
            if self.search.clash(groups):
                banned.append(tuple(column for column in chosen if column.shared))
                continue
            found = self._found(chosen, groups)
            return replace(found, gap=found.gap + self._gap(found.score, limited or master))

    def _gap(self, score: Score, master: JointProgram) -> float:
        """US dollars a month between a score and what no choice goes below, had each entity its shortest items."""
        if master.is_smooth or not master.units:
            return master.gap(score)
        least = JointProgram(self, master.columns, master.banned, is_shortest=True)
        least.solve()
        return least.gap(score)

    def _apart(self, columns: Iterable[Column]) -> set[Column]:
        """Of each entity the likeliest way that shares nothing, which can be had whatever else is banned."""
        alone = [column for column in columns if not column.parts]
        return {
            min((c for c in alone if c.entity == name), key=lambda c: self.floor(c).key)
            for name in self.names
        }

    def _alone(self, name: str, fixed: Structure | None) -> EntityChoice:
        """The best base key: only keys whose floor is below the best found so far are looked at.

        They are listed by what keeping the table alone costs, and of equals the first is taken. But as soon as prices
        tell them apart, the likeliest is looked at first.
        """
        bases = self.search.bases(name) if fixed is None else (fixed,)
        floors = [self._own_floor(name, base) for base in bases]
        order = sorted(range(len(bases)), key=lambda at: (floors[at].key, at))
        waiting = list(enumerate(order))
        bounds = self.bounds(name)
        prices: dict[int, float] = {}
        """What each costs at the least, once that can tell them apart."""
        best: EntityChoice | None = None
        first = looked = 0
        aside = inf
        """The least price of what was left aside."""

        def may_win(score: Score, place: int) -> bool:
            return best is None or (score.key, place) < (best.score.key, first)

        def is_ruled_out(place: int) -> bool:
            """Whether all choices under a base key are known to cost more than the best."""
            if best is None or place not in prices:
                return False
            return prices[place] > float(best.score.price) * SURELY

        def is_left_aside(place: int) -> bool:
            """Whether a base key is not looked at: of many it may save too little, or there were enough."""
            if best is None or place not in prices or looked < PRICED:
                return False
            least = float(best.score.price) * (1 - self.search.left_aside)
            return prices[place] > least or looked >= PRICED_AT_MOST

        while waiting:
            place, at = waiting.pop(0)
            column = Column(name, bases[at])
            if is_ruled_out(place):
                continue
            if is_left_aside(place):
                aside = min(aside, prices[place])
                continue
            if not may_win(floors[at], place) or (best and not may_win(self.floor(column), place)):
                continue
            if place in prices:
                prices[place] = max(prices[place], bounds.price(bases[at], closely=True))
                if is_ruled_out(place):
                    continue
            looked += self._ways_to_answer(column)
            try:
                found = self.search.solve(
                    name,
                    bases[at],
                    frozenset(),
                    (),
                    most=self.most,
                    below=best.score if best else None,
                )
            except DearerError:
                continue
            if may_win(found.score, place):
                best, first = found, place
            if best is not None and not prices and bounds.can_tell(best.score):
                waiting = [(place, at) for place, at in waiting if may_win(floors[at], place)]
                prices = {place: bounds.price(bases[at], closely=False) for place, at in waiting}
                waiting.sort(key=lambda one: (prices[one[0]], one[0]))
        assert best is not None
        return replace(best, gap=max(best.gap, float(best.score.price) - aside))

    def likeliest(self, name: str, besides: Structure) -> list[Structure]:
        """The base keys with the lowest floors besides one, of equals the first."""
        bases = [base for base in self.search.bases(name) if base != besides]
        least = [self._own_floor(name, base).key for base in bases]
        found: list[tuple[Score, int]] = []
        for at in sorted(range(len(bases)), key=lambda at: (least[at], at)):
            if len(found) == RIVALS and least[at] > found[-1][0].key:
                break
            found.append((self.floor(Column(name, bases[at])), at))
            found = sorted(found, key=lambda one: (one[0].key, one[1]))[:RIVALS]
        return [bases[at] for _, at in found]

    def _own_floor(self, name: str, base: Structure) -> Score:
        """What keeping the table alone costs, and each read at its least."""
        return self.search.owned(base, {}) + self.search.least_reads(name)

    def _priced(self, columns: Iterable[Column]) -> bool:
        """Price columns in full; whether some were not yet."""
        new = [column for column in columns if column not in self._priced_in_full]
        for column in new:
            self._priced_in_full.add(column)
            self._answers += self._ways_to_answer(column)
            self._floors[column] = self.choice(column).score
        return bool(new)

    def _ways_to_answer(self, column: Column) -> int:
        """How large the program of a column is."""
        model = self.search.models[column.entity]
        return sum(
            len(self.search.options(model, column.base, part))
            for part in self.search.of_entity[column.entity]
            if part.id not in column.parts
        )

    def _found(self, chosen: tuple[Column, ...], groups: tuple[SharedQuery, ...]) -> Together:
        entities = {column.entity: self.choice(column) for column in chosen}
        score = sum((choice.score for choice in entities.values()), Score())
        for group in groups:
            score = score + self.search.shared_query_score(group, entities)
        for q in self.pattern_reads:
            score = score + self.search.requests_broken(q, groups, entities)
        return Together(entities, groups, score, sum(c.gap for c in entities.values()))


def _score(found: Together) -> Score:
    return found.score
