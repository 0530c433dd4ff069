"""The choice for one entity under one base key, as a search over the candidates of a design finds it."""

from collections.abc import Sequence
from functools import partial

from designer.core.planner.candidates.sharding import Asked, recounted
from designer.core.planner.model.chosen import EntityChoice, RatedRead
from designer.core.planner.model.pins import with_required
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Projection, Structure
from designer.core.planner.model.worth import left_aside, near
from designer.core.planner.pricing.write_costs import needs_identifier_guard
from designer.core.planner.solve.candidate_lists import entity_read_under
from designer.core.planner.solve.index_problem import Best, IndexProblem, Known
from designer.core.planner.solve.index_selection import selected
from designer.core.planner.solve.shared_queries import SharedQueries
from designer.core.planner.solve.together import Together


class EntitySearch(SharedQueries):
    """The candidates of a design in one style, and the best choice of them for each entity by itself.

    With copies of items that no strong read asks for, or without. `beside`: another search, of which it takes what was
    worked out where it differs in what it aims at alone.
    """

    def __init__(
        self,
        requirements: Requirements,
        style: str,
        copies: bool = True,
        beside: "EntitySearch | None" = None,
    ) -> None:
        super().__init__(requirements, style, copies, beside)
        self.pinned = [
            p
            for p in self.rated_reads
            if p.entity_read.holding or p.entity_read.called or p.entity_read.key_names
        ]
        """What is pinned to be answered from an index that holds something given, or has given names."""
        self.near = near(self.design)
        """US dollars a month that a choice may lie above its bound."""
        self.left_aside = left_aside(self.design)
        """Share of the price by which base keys that are not looked at may be cheaper, where there are many."""
        self._solved: dict[tuple[object, ...], EntityChoice] = {}
        self._known: tuple[Structure, Known] | None = None

    def solve(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure] = frozenset(),
        most: int | None = None,
        below: Score | None = None,
    ) -> EntityChoice:
        """The best indexes of an entity under a base key; `DearerError` where none is better than `below`.

        `joined` reads are answered together with others; `forced` structures are there anyway; `banned` ones are not
        used, to see what doing without them costs; there are at most `most`, unless more are forced.
        """
        pins = self.models[entity].pins
        if pins is not None:
            forced = with_required(forced, pins)
        key = (entity, base, joined, forced, banned, most)
        if key not in self._solved:
            places = {rated.id: at for at, rated in enumerate(self.of_entity[entity])}
            how = (base, frozenset(places[rated] for rated in joined), forced, banned, most)
            found = self.cached((entity,), how, lambda: self._fresh(*key, below))
            self._solved[key] = found.entities[entity]
        return self._solved[key]

    def _fresh(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure],
        most: int | None,
        below: Score | None,
    ) -> Together:
        model = self.models[entity]
        rated_reads = [rated for rated in self.of_entity[entity] if rated.id not in joined]
        guard = needs_identifier_guard(model, base)
        problem = IndexProblem(
            model,
            base,
            guard,
            [entity_read_under(model, base, rated) for rated in rated_reads],
            [
                [o for o in self.options(model, base, rated) if o[0].structure not in banned]
                for rated in rated_reads
            ],
            [rated.id for rated in rated_reads],
            [partial(self.scored, model, base, rated) for rated in rated_reads],
            dict(forced),
            self.design.planner.work_limit,
            most,
            self.near,
            below,
            self._known_of(base),
        )
        best = self._with_shards_counted(problem, rated_reads, selected(problem))
        access = {
            rated.id: used
            for rated, used in zip(rated_reads, best.access, strict=True)
            if used is not None
        }
        hot = self.hot_reads(model, rated_reads, access, base, best.projections)
        score = best.score + Score(hot=hot)
        choice = EntityChoice(base, best.projections, access, guard, score, best.gap)
        return Together({entity: choice}, (), score, best.gap)

    def _known_of(self, base: Structure) -> Known:
        """What was priced of an entity under a base key. Only the last one is kept, as it takes memory."""
        if self._known is None or self._known[0] != base:
            self._known = base, Known()
        return self._known[1]

    def _with_shards_counted(
        self, problem: IndexProblem, rated_reads: Sequence[RatedRead], best: Best
    ) -> Best:
        """The choice with each of its indexes over as many shards as what it holds and answers takes.

        Indexes that are there anyway stay as they are. Keys and shards that are pinned are among them.
        """
        model = problem.model
        for structure in tuple(best.projections):
            is_free = structure not in problem.forced
            if is_free and structure.is_index and model.shards(structure) > 1:
                answered = [
                    (Asked(rated.entity_read, rated.peak, self.hottest(rated)), access)
                    for rated, access in zip(rated_reads, best.access, strict=True)
                    if access is not None and access.structure == structure
                ]
                other = recounted(model, problem.base, structure, best.projections, answered)
                allowed = all(one.entity_read.allows(other) for one, _ in answered)
                if allowed and other not in best.projections:
                    best = problem.exchanged(best, structure, other)
        return best
