"""The choice for one entity under one base key: the ways to answer its reads, and what structures cost, exactly."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from designer.core.planner.candidates.copies import TWICE
from designer.core.planner.candidates.keys import CROWDED, reasons_for
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import COARSE, besides
from designer.core.planner.pricing.exactness import is_exact
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.rational import Fraction


class DearerError(Exception):
    """No choice is as good as asked for."""


Option = tuple[Access, Score]
Place = tuple[Structure, Projection]
"""An index, or a copy, with what it holds."""
Ways = dict[Place | None, Option]
"""How an entity read is answered: through each place, or by what is there anyway (None)."""
Through = dict[Structure | None, list[tuple[int, Access]]]
"""The ways to answer an entity read through each structure, with their places among its options."""


@dataclass(frozen=True)
class Best:
    """The structures chosen, the access of each read (None: not served), and what their cost was proven against."""

    projections: Projections
    access: tuple[Access | None, ...]
    score: Score
    gap: float
    """US dollars a month between the cost and what nothing can be cheaper than."""


@dataclass
class Known:
    """What was priced for an entity under a base key. It holds for all choices, whatever they do without."""

    priced: dict[object, tuple[Access, Option]] = field(default_factory=dict)
    """An access again with what an index holds and the bytes of keys, by its identity: so each is kept here, too."""
    scores: dict[object, tuple[Access, Score]] = field(default_factory=dict)
    once: dict[object, dict[tuple[Structure, ...], dict[object, Score]]] = field(
        default_factory=dict
    )
    """For what is there anyway, what some structures need only once, together."""


@dataclass
class IndexProblem:
    """The choice of structures for some entity reads of an entity under a base key."""

    model: EntityModel
    base: Structure
    guard: bool
    entity_reads: Sequence[EntityRead]
    options: Sequence[Sequence[Option]]
    """For each entity read, the ways to answer it, each by itself."""
    read_ids: Sequence[tuple[int, int]]
    """For each entity read, which of all it is."""
    scored: Sequence[Callable[[Access], Score]]
    """For each entity read, the score of an access."""
    forced: Projections
    nodes: int
    most: int | None = None
    """Structures at most. The forced ones count, and are there even if they are more."""
    near: float = 0.0
    """US dollars a month that the choice may lie above what nothing can be cheaper than."""
    below: Score | None = None
    """What a choice has to be better than to be of use: else `DearerError`, as soon as that is known."""
    known: Known = field(default_factory=Known)
    _reasons: dict[Structure, tuple[int, ...] | None] = field(default_factory=dict)
    _grouped: tuple[Sequence[Sequence[Option]], list[Through]] | None = None
    """Options, and the same by their structures."""

    def owning(self, projections: Projections) -> Score:
        """What the structures themselves cost, exactly."""
        size = keys_bytes(self.model, self.base, projections)
        return owning_score(self.model, self.base, projections, self.guard, size)

    def total(self, projections: Projections) -> tuple[Score, tuple[Access | None, ...]]:
        """The exact score of some structures, and for each entity read the best access through them."""
        size = keys_bytes(self.model, self.base, projections)
        score, chosen = self.owning(projections), []
        for at in range(len(self.entity_reads)):
            best: tuple[Score, Access] | None = None
            for access in self._through(at, projections):
                structure, holding = access.structure, None
                if structure is not None and structure != self.base:
                    holding = projections[structure]
                    if not self.suits(at, access, holding):
                        continue
                now, found = self.priced(at, access, holding, size)
                if best is None or found < best[0]:
                    best = found, now
            score = score + (Score(unserved=1) if best is None else best[0])
            chosen.append(None if best is None else best[1])
        for structure in projections:
            if self._is_idle(structure, chosen):
                score = score + self.idle_score(structure)
        return score, tuple(chosen)

    def priced(self, at: int, access: Access, held: Projection, size: float) -> Option:
        """An access of an entity read with what an index holds and so many bytes of keys on an item, and its score."""
        key = (self.read_ids[at], id(access), held, size)
        found = self.known.priced.get(key)
        if found is None:
            now = repriced(self.model, self.base, access, self.entity_reads[at], held, size)
            found = self.known.priced[key] = access, (now, self.score(at, now))
        return found[1]

    def score(self, at: int, access: Access) -> Score:
        """The score of an access of an entity read."""
        key = (self.read_ids[at], id(access))
        found = self.known.scores.get(key)
        if found is None:
            found = self.known.scores[key] = access, self.scored[at](access)
        return found[1]

    def reasons(self, structure: Structure) -> tuple[int, ...] | None:
        """The entity reads that are a reason for a structure; None where any of them is, or it is there anyway."""
        is_pinned = self.model.pins is not None and structure.kind != "copy"
        if structure in self.forced or is_pinned:
            return None
        if structure not in self._reasons:
            self._reasons[structure] = reasons_for(self.model, self.entity_reads, structure)
        return self._reasons[structure]

    def _is_idle(self, structure: Structure, chosen: Sequence[Access | None]) -> bool:
        """Whether a structure answers no entity read that is a reason for it."""
        reasons = self.reasons(structure)
        used = None if reasons is None else [chosen[at] for at in reasons]
        return used is not None and all(one is None or one.structure != structure for one in used)

    def idle_score(self, structure: Structure) -> Score:
        """What it counts for that a structure answers no entity read that is a reason for it."""
        if structure.kind == "local":
            return Score(violated=1)
        is_copy = self.model.is_copy(structure)
        if self.model.worth:  # every copy counts for more by itself
            return Score(penalty=Fraction(0) if is_copy else COARSE * self.model.worth)
        return Score(penalty=besides(self.model.design, TWICE if is_copy else CROWDED))

    def _through(self, at: int, structures: Iterable[Structure]) -> list[Access]:
        """The ways to answer an entity read through the structures that are there, in the order of the options."""
        through = self._by_structure()[at]
        found = [way for one in (None, self.base, *structures) for way in through.get(one, ())]
        return [access for _, access in sorted(found, key=lambda way: way[0])]

    def _by_structure(self) -> list[Through]:
        """For each entity read, the options through each structure, each with its place among all."""
        if self._grouped is None or self._grouped[0] is not self.options:
            found: list[Through] = []
            for options in self.options:
                mine: Through = {}
                for place, (access, _) in enumerate(options):
                    mine.setdefault(access.structure, []).append((place, access))
                found.append(mine)
            self._grouped = self.options, found
        return self._grouped[1]

    def suits(self, at: int, access: Access, held: Projection) -> bool:
        """Whether an index that holds so much, for others too, answers an entity read in a way, and exactly (rule 3).

        See docs/modelling-rules.md.
        """
        assert access.structure is not None
        if held == access.projection:
            return True
        return holds(held, access.projection) and is_exact(
            self.model, self.base, access, self.entity_reads[at], held
        )

    def exchanged(self, best: Best, structure: Structure, other: Structure) -> Best:
        """A choice with an index in the place of one with the same keys over another number of shards."""
        self.options = [
            [
                *options,
                *(self._moved(at, a, other) for a, _ in options if a.structure == structure),
            ]
            for at, options in enumerate(self.options)
        ]
        projections = {
            other if one == structure else one: has for one, has in best.projections.items()
        }
        score, access = self.total(projections)
        gap = best.gap + float(score.price - best.score.price)
        return Best(projections, access, score, max(0.0, gap))

    def _moved(self, at: int, access: Access, other: Structure) -> Option:
        """A way to answer an entity read, through the same keys over another number of shards."""
        shards = self.model.shards(other) if access.shards > 1 else 1
        moved = changed(access, structure=other, shards=shards)
        size = keys_bytes(self.model, self.base, (other,))
        return self.priced(at, moved, access.projection, size)


def holds(held: Projection, asked: Projection) -> bool:
    """Whether what an index holds is all that is asked of it."""
    return held is None or (asked is not None and asked <= held)


def union(one: Projection, other: Projection) -> Projection:
    """What an index holds for both."""
    return None if one is None or other is None else one | other
