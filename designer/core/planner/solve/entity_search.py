"""The choice for one entity under one base key, as a search over the candidates of a design finds it."""

from collections.abc import Sequence
from functools import partial

from designer.core.planner.candidates.sharding import (
    Asked,
    may_be_spread,
    recounted,
)
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

COUNTED = 4
"""Times that a choice is made again with the shards that its indexes take."""


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
        program = IndexProblem(
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
        best = self._with_shards_counted(program, rated_reads)
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

    def _with_shards_counted(self, program: IndexProblem, rated_reads: Sequence[RatedRead]) -> Best:
        """The best choice, each of its indexes over as many shards as what it is chosen for takes.

        Where these are others than were listed, the choice is made again with them instead, unless it stays the best.
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
            if changed and self._stays_best(program, changed, counted):
                break
            program.without(changed)
            program.below = None  # there is a choice, whatever others may cost
        assert best is not None
        return best

    def _stays_best(
        self, program: IndexProblem, changed: Sequence[Structure], counted: Best
    ) -> bool:
        """Whether a choice is the best also with other numbers of shards: as good as before, and none is cheaper so."""
        new = {one.plain: one for one in counted.projections}
        return (
            not counted.score.hot
            and program.is_near(counted)
            and all(program.is_no_cheaper(one, new[one.plain]) for one in changed)
        )

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
            (Asked(rated.entity_read, rated.peak, self.hottest(rated)), access)
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
                list(self.ways(program.model, program.base, rated, entity_read, structure))
                for rated, entity_read in zip(rated_reads, program.entity_reads, strict=True)
            ]
            program.with_options(ways)
        return bool(found)
