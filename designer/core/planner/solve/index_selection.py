"""The cheapest structures of one entity under one base key, as an integer program.

Facility location: each index (with what it holds) is opened or not, at the price of its writes and storage; each
entity read goes to the table, a guard or an open index, at the price of its reads. Two things are not sums of single
prices, and enter as rows: what several indexes share (one read before a write that several need, a transaction that
several copies need), and the steps of 1 KB and 4 KB that the key attributes of several indexes reach together. The
second are added when a solution shows them, until the price in the program is the exact one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import islice, permutations
from math import ceil

from designer.core.limits import READ_UNIT_BYTES, WRITE_UNIT_BYTES
from designer.core.planner.candidates.keys import CROWDED, TWICE, reasons_for
from designer.core.planner.model.chosen import Within
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import COARSE, NEARLY
from designer.core.planner.pricing.access_paths import is_exact, lists_all, repriced, rounded_up
from designer.core.planner.pricing.structures import (
    Costs,
    entry_units,
    items_allowed,
    keys_bytes,
    needed_once,
    owning_score,
    write_costs,
    written_together,
)
from designer.core.planner.solve.dominated import Beside, Place, Ways, dominated
from designer.core.planner.solve.milp import Program, Term
from designer.core.prices import SECONDS_PER_MONTH
from designer.core.units import read_units

ROUNDS = 40
"""Times that steps are added before the best so far is taken."""
LARGE, MILLIONTH = 10_000, 1e-6
"""Columns solved in all rounds together, after which a gap of less than this part of the price is left as it is."""
UNIONS = 24
"""Lists of names that one index may hold: what its readers ask for and every union of these; of more, only each and
all together."""
ORDERS = 24
"""Orders in which entity reads are moved to structures that answer none of theirs: all of up to four structures."""
WHOLE_UNITS = 20
"""Read units up to which the program itself rounds what several keys add to them."""
SCALE = 1000.0
"""What the money at stake is scaled to, so that the solver's tolerances mean the same in every design."""
FEW = 12
"""Indexes with what they hold that are solved sooner than compared."""
CROSSED = 3
"""Steps of 1 KB that keys bring items to, at the most, for which the program has rows from the start."""
BYTES = 1e-3
"""Lengths of items closer than this are the same."""
UNSERVED = 1e7
"""What a pattern that is not answered counts for, at the least."""
UNRATED = 4 * SCALE
"""What a request of a read without a rate counts for."""
SAME = 1e-9
"""Prices closer than this part of what is at stake are told apart in exact arithmetic."""

Option = tuple[Access, Score]
Opened = Place


@dataclass(frozen=True)
class Best:
    """The structures chosen, the access of each read (None: not served), and what their cost was proven against."""

    projections: Projections
    access: tuple[Access | None, ...]
    score: Score
    gap: float
    """US dollars a month between the cost and what nothing can be cheaper than."""


@dataclass
class Weights:
    """A score as one number: what comes first in a score outweighs all that follows."""

    usd: float
    bytes: float
    requests: float
    unserved: float

    @classmethod
    def of(cls, scores: Iterable[Score], ways: Iterable[Iterable[Score]]) -> "Weights":
        """The weights that make the money in some scores `SCALE`, and what breaks ties next to nothing.

        `ways`: of each of these one is taken. To save requests of reads without a rate, nothing is left unserved.
        """
        together = sum(scores, Score())
        slowest = (max((one.unrated_reads for one in mine), default=Fraction(0)) for mine in ways)
        return cls(
            SCALE / float(together.price) if together.price else SCALE,
            1e-3 / float(together.unrated_bytes) if together.unrated_bytes else 0.0,
            1e-5 / float(together.requests) if together.requests else 0.0,
            max(UNSERVED, 2 * UNRATED * float(sum(slowest))),
        )

    def __call__(self, score: Score) -> float:
        return (
            score.unserved * self.unserved
            + (score.violated + score.hot) * 1e6
            + float(score.unrated_reads) * UNRATED
            + float(score.price) * self.usd
            + float(score.unrated_requests) * 1e-2
            + float(score.unrated_bytes) * self.bytes
            + float(score.requests) * self.requests
            + score.unsorted * 2e-6
            + score.structures * 1e-6
        )


@dataclass
class IndexProgram:
    """The choice of structures for some entity reads of an entity under a base key."""

    model: EntityModel
    base: Structure
    guard: bool
    entity_reads: Sequence[EntityRead]
    options: Sequence[Sequence[Option]]
    """For each entity read, the ways to answer it, each by itself."""
    scored: Sequence[Callable[[Access], Score]]
    """For each entity read, the score of an access."""
    forced: Projections
    nodes: int
    most: int | None = None
    """Structures at most, the forced ones not counted."""
    within: Within = ()
    """Bytes at most of the items that Queries of several entities read."""
    near: float = 0.0
    """US dollars a month that the choice may lie above what nothing can be cheaper than."""
    _reasons: dict[Structure, tuple[int, ...] | None] = field(default_factory=dict)

    def owning(self, projections: Projections) -> Score:
        """What the structures themselves cost, exactly."""
        size = keys_bytes(self.model, self.base, projections)
        return owning_score(self.model, self.base, projections, self.guard, size)

    def total(self, projections: Projections) -> tuple[Score, tuple[Access | None, ...]]:
        """The exact score of some structures, and for each entity read the best access through them."""
        size = keys_bytes(self.model, self.base, projections)
        score, chosen = self.owning(projections), []
        for at, (entity_read, options) in enumerate(
            zip(self.entity_reads, self.options, strict=True)
        ):
            best: tuple[Score, Access] | None = None
            for access in self._through(options, projections):
                structure, holding = access.structure, None
                if structure is not None and structure != self.base:
                    holding = projections[structure]
                    if not self.suits(at, access, holding):
                        continue
                now = repriced(self.model, self.base, access, entity_read, holding, size)
                found = self.scored[at](now)
                if best is None or found < best[0]:
                    best = found, now
            score = score + (Score(unserved=1) if best is None else best[0])
            chosen.append(None if best is None else best[1])
        more, answering = self._with_reasons(projections, tuple(chosen))
        return score + more, answering

    def reasons(self, structure: Structure) -> tuple[int, ...] | None:
        """The entity reads that are a reason for a structure; None where any of them is, or it is there anyway."""
        is_pinned = self.model.pins is not None and structure.kind != "copy"
        if structure in self.forced or is_pinned:
            return None
        if structure not in self._reasons:
            self._reasons[structure] = reasons_for(self.model, self.entity_reads, structure)
        return self._reasons[structure]

    def _with_reasons(
        self, projections: Projections, chosen: tuple[Access | None, ...]
    ) -> tuple[Score, tuple[Access | None, ...]]:
        """What it costs more that structures answer reads that are reasons for them, or do not; the accesses then."""
        idle = [structure for structure in projections if self._is_idle(structure, chosen)]
        found = []
        for order in islice(permutations(idle), ORDERS):
            now, more = list(chosen), Score()
            for structure in order:
                more = more + self._moved_to(structure, projections, now)
            for structure in projections:
                if self._is_idle(structure, now):
                    more = more + self.idle_score(structure)
            found.append((more, tuple(now)))
        return min(found, key=lambda one: one[0].key)

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
        return Score(penalty=TWICE if is_copy else CROWDED)

    def _moved_to(
        self, structure: Structure, projections: Projections, chosen: list[Access | None]
    ) -> Score:
        """What it costs more that a structure answers the cheapest of its reasons, if that pays; `chosen` changes."""
        size = keys_bytes(self.model, self.base, projections)
        found: list[tuple[Score, int, Access]] = []
        for at in self.reasons(structure) or ():
            entity_read, instead = self.entity_reads[at], chosen[at]
            if instead is None:
                continue
            for access in self._through(self.options[at], {structure: projections[structure]}):
                if access.structure == structure and self.suits(at, access, projections[structure]):
                    now = repriced(
                        self.model, self.base, access, entity_read, projections[structure], size
                    )
                    more = self.scored[at](now).less(self.scored[at](instead))
                    found.append((more, at, now))
        if not found:
            return Score()
        more, at, through = min(found, key=lambda one: (one[0].key, one[1]))
        if self.idle_score(structure) < more:
            return Score()
        chosen[at] = through
        return more

    def _through(self, options: Sequence[Option], projections: Projections) -> Iterator[Access]:
        """The ways to answer an entity read through the structures that are there."""
        for access, _ in options:
            structure = access.structure
            if structure is None or structure == self.base or structure in projections:
                yield access

    def fits(self, projections: Projections) -> bool:
        """Whether items are as short as they have to be."""
        size = keys_bytes(self.model, self.base, projections) if self.within else 0.0
        return all(
            self.model.entry_bytes(
                self.base, place or self.base, projections.get(place or self.base), size
            )
            <= most + BYTES
            for place, most in self.within
        )

    def suits(self, at: int, access: Access, held: Projection) -> bool:
        """Whether an index that holds so much, for others too, answers an entity read in a way, and exactly (rule 3).

        See docs/modelling-rules.md.
        """
        assert access.structure is not None
        if held == access.projection:
            return True
        size = keys_bytes(self.model, self.base, (access.structure,))
        return holds(held, access.projection) and is_exact(
            self.model, self.base, access, self.entity_reads[at], held, size
        )

    def solve(self) -> Best:
        """The best choice. The same program always has the same."""
        zero = self.owning(self.forced)
        if not any(self._may_pay(at) for at in range(len(self.entity_reads))):
            score, access = self.total(self.forced)
            return Best(self.forced, access, score, 0.0)
        program = _Linear(self, zero)
        best: Best | None = None
        solved = 0
        for _ in range(ROUNDS):
            solution = program.program.solve(self.nodes)
            if solution is None:
                break
            solved += len(solution.values)
            projections, linear = program.projections(solution.values), solution.cost
            score, access = self.total(projections)
            if best is None or score < best.score:
                best = Best(projections, access, score, 0.0)
            at_stake = program.weigh(best.score) - program.fixed - solution.bound
            best = Best(
                best.projections, best.access, best.score, max(0.0, at_stake / program.weigh.usd)
            )
            price = float(best.score.price)
            close = max(min(self.near, price * NEARLY), price * MILLIONTH * (solved > LARGE))
            if best.gap <= close:
                break
            if not program.add_steps(projections, solution.values, score, linear):
                break
        if best is None:
            score, access = self.total(self.forced)
            best = Best(self.forced, access, score, float(score.price))
        return self._settled(best, program)

    def without(self, structures: Iterable[Structure]) -> None:
        """Make the next choice without some structures."""
        gone = set(structures)
        self.options = [
            [o for o in options if o[0].structure not in gone] for options in self.options
        ]

    def with_options(self, more: Iterable[Sequence[Option]]) -> None:
        """Make the next choice with more ways to answer each entity read."""
        self.options = [[*old, *new] for old, new in zip(self.options, more, strict=True)]

    def exchanged(self, best: Best, structure: Structure, other: Structure, shards: int) -> Best:
        """The choice with an index in the place of one with the same keys over another number of shards."""
        self.also_over(structure, other, shards)
        projections = {
            other if one == structure else one: has for one, has in best.projections.items()
        }
        return self._instead_of(best, projections)

    def also_over(self, structure: Structure, other: Structure, shards: int) -> None:
        """Make the next choice with the same keys over another number of shards, too."""
        self.options = [
            [
                *options,
                *(
                    self._moved(at, a, other, shards)
                    for a, _ in options
                    if a.structure == structure
                ),
            ]
            for at, options in enumerate(self.options)
        ]

    def _moved(self, at: int, access: Access, structure: Structure, shards: int) -> Option:
        """A way to answer an entity read, through the same keys over another number of shards."""
        moved = replace(access, structure=structure, shards=shards if access.shards > 1 else 1)
        size = keys_bytes(self.model, self.base, (structure,))
        now = repriced(self.model, self.base, moved, self.entity_reads[at], access.projection, size)
        return now, self.scored[at](now)

    def _instead_of(self, best: Best, projections: Projections) -> Best:
        """Other structures than were chosen, with the gap that is then left."""
        score, access = self.total(projections)
        gap = best.gap + float(score.price - best.score.price)
        return Best(projections, access, score, max(0.0, gap))

    def _may_pay(self, at: int) -> bool:
        return any(
            access.structure is not None
            and access.structure != self.base
            and not (
                access.structure in self.forced
                and holds(self.forced[access.structure], access.projection)
            )
            for access, _ in self.options[at]
        )

    def _settled(self, best: Best, program: "_Linear") -> Best:
        """Of choices of one cost, the one with less of what money does not count, the coolest, then the first."""
        projections, score, access = dict(best.projections), best.score, best.access
        for structure in [s for s in projections if s not in self.forced]:
            used = {a.structure for a in access if a is not None}
            if structure in used:
                trials = [
                    {**{s: p for s, p in projections.items() if s != structure}, other: projection}
                    for other, projection in program.equals_of(structure, projections, access)
                ]
            else:
                trials = [{s: p for s, p in projections.items() if s != structure}]
            for trial in trials:
                if not self.fits(trial):
                    continue
                found, through = self.total(trial)
                is_first = program.place(trial, projections) < program.place(projections, trial)
                if found < score or (found == score and is_first):
                    projections, score, access = trial, found, through
        fewer = best.gap - float(best.score.price - score.price)
        tied = fewer <= SAME * max(1.0, float(score.price))
        return Best(projections, access, score, 0.0 if tied else fewer)


def _is_fuller_by_others(opened: Opened) -> bool:
    """Whether the keys of other indexes make its entries longer. A copy lies in no index, so it has none of them."""
    structure, projection = opened
    return structure.is_index and projection is None


def holds(held: Projection, asked: Projection) -> bool:
    """Whether what an index holds is all that is asked of it."""
    return held is None or (asked is not None and asked <= held)


def union(one: Projection, other: Projection) -> Projection:
    """What an index holds for both."""
    return None if one is None or other is None else one | other


def _by_structure(
    mine: Ways,
) -> dict[Structure, list[Opened]]:
    """The places through which an entity read is answered, by their structure."""
    found: dict[Structure, list[Opened]] = {}
    for place in mine:
        if place is not None:
            found.setdefault(place[0], []).append(place)
    return found


class _Linear:
    """The program itself."""

    def __init__(self, whole: IndexProgram, zero: Score) -> None:
        self.whole, self.zero = whole, zero
        self.program = Program()
        self.opened: dict[Opened, int] = {}
        self.by_structure: dict[Structure, list[int]] = {}
        self.served: list[dict[Opened | None, tuple[int, Access, float]]] = []
        self._steps: dict[object, int] = {}
        self._before = self._written(whole.forced)
        self._once: dict[frozenset[Structure], dict[object, float]] = {}
        self._kept: dict[Structure, float] = {}
        self._costs: dict[Opened, Score] = {}
        reads = self._reads()
        ways = [[score for _, score in mine.values()] for mine in reads]
        worth = Score(penalty=whole.model.worth)
        self.weigh = Weights.of([zero, worth, *(max(mine, default=Score()) for mine in ways)], ways)
        self.fixed = self.weigh(zero)
        reads = self._undominated(reads)
        self._open(reads)
        self._serve(reads)
        self._share()
        self._lengthen()
        self._leave_room()
        self._store()
        self._swell()
        for place, most in whole.within:
            self._shorten(place, most)

    # What can be chosen

    def _reads(self) -> list[Ways]:
        """For each entity read and each (index, what it holds), the best access; None is the table or a guard."""
        whole, forced = self.whole, self.whole.forced.items()
        found: list[Ways] = []
        for at, options in enumerate(whole.options):
            mine: Ways = {}
            for access, score in options:
                structure = access.structure
                place: Opened | None = None
                projection = access.projection
                if structure in whole.forced:
                    projection = union(projection, whole.forced[structure])
                    if not whole.suits(at, access, projection):
                        continue
                if whole.forced:
                    access = self._repriced(at, access, projection)
                    score = whole.scored[at](access)
                there = structure in (None, whole.base) or (structure, projection) in forced
                if structure is not None and not there:
                    place = (structure, projection)
                if place not in mine or score < mine[place][1]:
                    mine[place] = (access, score)
            if None in mine:
                # An index never costs less than nothing, so what reads no cheaper through it stays with the table,
                # however long other indexes' keys make the items there; unless it is a reason for the index.
                most = self._swollen(at, mine[None])
                mine = {
                    place: option
                    for place, option in mine.items()
                    if place is None
                    or option[1].key[:-1] < most
                    or at in (whole.reasons(place[0]) or ())
                }
            found.append(mine)
        through = [_by_structure(mine) for mine in found]
        asked: dict[Structure, dict[Projection, None]] = {}
        for mine in found:
            for place in mine:
                if place is not None:
                    asked.setdefault(place[0], {})[place[1]] = None
        for structure, lists in asked.items():
            for projection in self._unions(list(lists)):
                for at, mine in enumerate(found):
                    self._widen(at, mine, through[at].get(structure, []), structure, projection)
        return found

    def _undominated(self, reads: list[Ways]) -> list[Ways]:
        """The ways to answer each entity read, without those through an index that another beats."""
        forced = self.whole.forced
        places = dict.fromkeys(place for mine in reads for place in mine if place is not None)
        if len(places) <= FEW:
            return reads
        beside = {place: self._beside(place) for place in places if place[0] not in forced}
        beaten = dominated(reads, self.weigh, beside)
        return [
            {place: way for place, way in mine.items() if place not in beaten} for mine in reads
        ]

    def _beside(self, place: Opened) -> Beside:
        """What an index counts for besides the reads that it answers."""
        whole, structure = self.whole, place[0]
        once = self._needed_once((structure,))
        reasons = whole.reasons(structure)
        return Beside(
            self.weigh(self._cost(place)) - sum(once.values()),
            once,
            self._added_bytes(structure),
            whole.model.hottest_share(structure),
            None if reasons is None else frozenset(reasons),
        )

    def _cost(self, place: Opened) -> Score:
        """What an index costs besides what is there anyway."""
        if place not in self._costs:
            projections = {**self.whole.forced, place[0]: place[1]}
            self._costs[place] = self.whole.owning(projections).less(self.zero)
        return self._costs[place]

    def _swollen(self, at: int, through: tuple[Access, Score]) -> tuple[object, ...]:
        """What a read costs at the most by what is there, with the keys of as many indexes as there are reads."""
        access, score = through
        if access.structure is None:
            return score.key[:-1]
        whole = self.whole
        held = whole.forced.get(access.structure)
        now = repriced(whole.model, whole.base, access, whole.entity_reads[at], held, self._longest)
        return whole.scored[at](now).key[:-1]

    @cached_property
    def _longest(self) -> float:
        """Bytes of all keys on an item, at the most."""
        whole = self.whole
        model = whole.model
        listed = {a.structure for options in whole.options for a, _ in options}
        keys = [
            model.key_bytes(s) * model.density(s) for s in listed if s is not None and s.is_index
        ]
        most = sum(sorted(keys, reverse=True)[: len(whole.entity_reads)])
        return keys_bytes(model, whole.base, whole.forced) + most

    def _unions(self, lists: list[Projection]) -> list[Projection]:
        """What an index may hold: for each set of its readers, what they ask of it."""
        wider: dict[Projection, None] = dict.fromkeys(lists)
        for one in lists:
            wider |= dict.fromkeys(union(one, other) for other in tuple(wider))
        if len(wider) > UNIONS:
            wider = dict.fromkeys((*lists, reduce(union, lists)))
        return list(wider)

    def _widen(
        self,
        at: int,
        mine: Ways,
        places: list[Opened],
        structure: Structure,
        projection: Projection,
    ) -> None:
        """How an entity read is answered when the index holds more than it asks for. `places`: its own among all."""
        whole = self.whole
        place = (structure, projection)
        entity_read = whole.entity_reads[at]
        if place in mine and not entity_read.others and not lists_all(entity_read, mine[place][0]):
            # The best already: only a list of all counts for more than its price, and of several ranges or lists
            # another may need less, and read less where there is more.
            return
        narrower = [
            access
            for access, _ in map(mine.__getitem__, places)
            if whole.suits(at, access, projection)
        ]
        for access in narrower:
            now = self._repriced(at, access, projection)
            score = whole.scored[at](now)
            if place not in mine:
                places.append(place)
            if place not in mine or score < mine[place][1]:
                mine[place] = (now, score)

    def _repriced(self, at: int, access: Access, projection: Projection) -> Access:
        """An access as it is with the keys of the structures that are there anyway, and its own."""
        whole = self.whole
        structures = dict.fromkeys([*whole.forced, access.structure or whole.base])
        size = keys_bytes(whole.model, whole.base, structures)
        return repriced(whole.model, whole.base, access, whole.entity_reads[at], projection, size)

    # What it costs

    def _open(self, reads: list[Ways]) -> None:
        places = dict.fromkeys(place for mine in reads for place in mine if place is not None)
        for place in places:
            column = self.program.choice(0.0)
            self.opened[place] = column
            self.by_structure.setdefault(place[0], []).append(column)
        for columns in self.by_structure.values():
            if len(columns) > 1:
                self.program.row([(column, 1.0) for column in columns], most=1.0)
        if self.whole.most is not None:
            self.program.row(
                [
                    (column, 1.0)
                    for structure, columns in self.by_structure.items()
                    if structure not in self.whole.forced
                    for column in columns
                ],
                most=float(self.whole.most),
            )

    def _serve(self, reads: list[Ways]) -> None:
        for mine in reads:
            columns: dict[Opened | None, tuple[int, Access, float]] = {}
            for place, (access, score) in mine.items():
                cost = self.weigh(score)
                column = self.program.share(cost)
                columns[place] = (column, access, cost)
                if place is not None:
                    self.program.row([(column, 1.0), (self.opened[place], -1.0)], most=0.0)
            terms = [(column, 1.0) for column, _, _ in columns.values()]
            if None not in mine:
                terms.append((self.program.share(self.weigh(Score(unserved=1))), 1.0))
            self.program.row(terms, least=1.0, most=1.0)
            self.served.append(columns)
        for structure, opened in self.by_structure.items():
            self._answer_a_reason(structure, opened)

    def _answer_a_reason(self, structure: Structure, opened: list[int]) -> None:
        """A structure answers one of the entity reads that are a reason for it, or counts for more."""
        reasons = self.whole.reasons(structure)
        if reasons is None:
            return
        answering = [
            column
            for at in reasons
            for place, (column, _, _) in self.served[at].items()
            if place is not None and place[0] == structure
        ]
        for column in answering:
            self.program.whole[column] = True
        terms = [*((column, 1.0) for column in opened), *((column, -1.0) for column in answering)]
        if structure.kind != "local":
            idle = self.program.amount(self.weigh(self.whole.idle_score(structure)), 1.0)
            terms.append((idle, -1.0))
        self.program.row(terms, most=0.0)

    def _share(self) -> None:
        """What several structures need only once, so that it costs what the dearest of them makes it cost.

        That is a read before a write, the doubling by a transaction, and the steps of the item itself. What they make
        it cost only together is left to the steps.
        """
        owned = {place: self.weigh(self._cost(place)) for place in self.opened}
        needing: dict[object, dict[Structure, float]] = {}
        for structure in self.by_structure:
            for what, amount in self._needed_once((structure,)).items():
                needing.setdefault(what, {})[structure] = amount
        for what, amounts in needing.items():
            column = self._steps[what] = self.program.amount(1.0)
            for structure, amount in amounts.items():
                columns = self.by_structure[structure]
                self.program.row([(column, 1.0), *((c, -amount) for c in columns)], least=0.0)
            for place in owned:
                owned[place] -= amounts.get(place[0], 0.0)
        for place, cost in owned.items():
            self.program.costs[self.opened[place]] = max(cost, 0.0)

    def _lengthen(self) -> None:
        """Each step of 1 KB that the keys of several structures bring an item to makes its writes cost more.

        Without these rows a step is seen only for one set of structures after the other.
        """
        whole = self.whole
        there = keys_bytes(whole.model, whole.base, whole.forced)
        size = whole.model.own_bytes + there
        terms = [(opened, self._key_bytes[s]) for (s, _), opened in self.opened.items()]
        most = size + sum(factor for _, factor in terms)
        crossed: list[Term] = []
        step = ceil(size / WRITE_UNIT_BYTES) * WRITE_UNIT_BYTES
        while step < most and len(crossed) < CROSSED:
            room = step - size
            before, after = (
                write_costs(whole.model, whole.base, whole.forced, whole.guard, there + keys)
                for keys in (room - BYTES, room + BYTES)
            )
            found = needed_once(whole.model, whole.base, before, after, after)
            more = self.weigh(found["steps"]) if "steps" in found else 0.0
            if more > 0:
                over = self.program.choice(0.0)
                far = sum(factor for _, factor in terms) - room
                # A little more than the step is none: prices are rounded to it.
                self.program.row([*terms, (over, -far)], most=room + BYTES)
                crossed.append((over, -more))
            step += WRITE_UNIT_BYTES
        self._cost_at_least("steps", crossed)
        entries: list[Term] = []
        for place, column in self.opened.items():
            if _is_fuller_by_others(place):
                entries += self._lengthen_entries(place[0], column, there)
        self._cost_at_least("owning", entries)

    def _lengthen_entries(self, structure: Structure, column: int, there: float) -> Iterator[Term]:
        """What the next step of 1 KB makes the writes of an index cost that holds all attributes."""
        whole, model = self.whole, self.whole.model
        own = there + self._key_bytes[structure]
        size = model.entry_bytes(whole.base, structure, None, own)
        room = ceil(size / WRITE_UNIT_BYTES) * WRITE_UNIT_BYTES - size
        terms = [
            (opened, self._key_bytes[s])
            for (s, _), opened in self.opened.items()
            if s != structure and self._key_bytes[s] > 0
        ]
        far = sum(factor for _, factor in terms) - room
        if far <= BYTES:
            return
        more = Score()
        for write in model.writes:
            before, after = (
                entry_units(model, whole.base, structure, None, write, own + keys)
                for keys in (room - BYTES, room + BYTES)
            )
            if write.average is not None and after > before:
                rate = exact(write.average) * model.prices.write_unit * SECONDS_PER_MONTH
                more = more + Score(usd=(after - before) * rate)
        if self.weigh(more) > SCALE * 1e-6:
            over = self.program.choice(0.0)
            self.program.row([*terms, (column, far), (over, -far)], most=room + far + BYTES)
            yield over, -self.weigh(more)

    def _cost_at_least(self, what: object, crossed: list[Term]) -> None:
        """A row by which what some structures cost together is no less than what these terms take off."""
        if crossed:
            if what not in self._steps:
                self._steps[what] = self.program.amount(1.0)
            self.program.row([(self._steps[what], 1.0), *crossed], least=0.0)

    def _leave_room(self) -> None:
        """With more copies than a transaction has room for, it is not served.

        Where there is room for none, each makes it so, and the row is there already.
        """
        opened = [
            column
            for structure, columns in self.by_structure.items()
            if structure.kind == "copy" and structure not in self.whole.forced
            for column in columns
        ]
        unserved = self.weigh(Score(unserved=1))
        for number, items in written_together(self._before).items():
            each = sum(
                write.most
                for write, _ in self._before
                if write.pattern.number == number and not write.is_upkeep and write.verb != "check"
            )
            most = (
                (items_allowed(self.whole.model, number) - items) // each if each else len(opened)
            )
            if not 0 < most < len(opened):
                continue
            over = self.program.choice(0.0)
            terms = [*((column, 1.0) for column in opened), (over, float(most - len(opened)))]
            self.program.row(terms, most=float(most))
            column = self._steps["room", number] = self.program.amount(1.0)
            self.program.row([(column, 1.0), (over, -unserved)], least=0.0)

    def _needed_once(self, structures: Iterable[Structure]) -> dict[object, float]:
        """What some structures make the item itself cost, by what they may need together only once."""
        structures = tuple(structures)
        key = frozenset(structures)
        if key not in self._once:
            whole = self.whole
            projections: Projections = {
                **whole.forced,
                **dict.fromkeys(structures, frozenset[str]()),
            }
            copied = any(structure.kind == "copy" for structure in structures)
            after = self._written(projections)
            if copied:
                projections = {
                    s: p for s, p in projections.items() if s.kind != "copy" or s in whole.forced
                }
            found = needed_once(
                whole.model,
                whole.base,
                self._before,
                after,
                self._written(projections) if copied else after,
            )
            amounts = {what: self.weigh(score) for what, score in found.items()}
            self._once[key] = {what: amount for what, amount in amounts.items() if amount > 0}
        return self._once[key]

    def _written(self, projections: Projections) -> Costs:
        whole = self.whole
        size = keys_bytes(whole.model, whole.base, projections)
        return write_costs(whole.model, whole.base, projections, whole.guard, size)

    @cached_property
    def _key_bytes(self) -> dict[Structure, float]:
        """What the keys of each structure add to every item; nothing where they are there anyway."""
        return {structure: self._added_bytes(structure) for structure in self.by_structure}

    def _added_bytes(self, structure: Structure) -> float:
        """What the keys of a structure add to every item."""
        whole = self.whole
        there = keys_bytes(whole.model, whole.base, whole.forced)
        return keys_bytes(whole.model, whole.base, {**whole.forced, structure: None}) - there

    def _store(self) -> None:
        """An index that holds all attributes holds the keys of the others too: of those not there anyway."""
        model = self.whole.model
        byte = float((model.entity.items or 0) * model.prices.byte_month) * self.weigh.usd
        self._kept = {structure: byte * more for structure, more in self._key_bytes.items()}
        for (structure, projection), column in self.opened.items():
            if not _is_fuller_by_others((structure, projection)):
                continue
            others = [
                (other, -self._kept[place[0]] * model.density(structure))
                for place, other in self.opened.items()
                if place[0] != structure and self._kept[place[0]] > 0
            ]
            if others:
                most = sum(-factor for _, factor in others)
                more = self.program.amount(1.0)
                self.program.row([(more, 1.0), *others, (column, -most)], least=-most)

    def _swell(self) -> None:
        """An entity read that reads whole items reads the keys of all indexes: many items, whole units more.

        Units are at least what the bytes come to; what rounding up adds is left to the steps.
        """
        whole = self.whole
        base_keys = keys_bytes(whole.model, whole.base, whole.forced)
        keys = self._key_bytes
        together = sum(keys.values())
        every = self._all_keys()
        for at, columns in enumerate(self.served):
            unit = float(read_units(1, whole.entity_reads[at].consistency))
            for place, (column, access, cost) in columns.items():
                own = 0.0 if place is None else keys[place[0]]
                others = together - own
                if others <= 0:
                    continue
                holding = self._holding(access, place)
                if holding is not None and access.then is None:
                    continue  # a list has no keys of others
                now = repriced(
                    whole.model,
                    whole.base,
                    access,
                    whole.entity_reads[at],
                    holding,
                    base_keys + own + others,
                )
                score = whole.scored[at](access)
                if whole.scored[at](now).price <= score.price:
                    continue  # it counts for no more, whatever else is there
                if not access.units or self.weigh(whole.scored[at](now)) - cost <= SCALE * 1e-9:
                    continue
                price = float(score.usd / access.units) * self.weigh.usd * unit / READ_UNIT_BYTES
                slope = price * (now.bytes - access.bytes) / others
                paid = score.usd
                if whole.model.worth:  # each byte counts
                    paid -= rounded_up(access, whole.entity_reads[at], score.usd)
                slack = float(paid) * self.weigh.usd - price * access.bytes
                itself = () if place is None else self.by_structure[place[0]]
                terms = [(every, -slope), *((opened, slope * own) for opened in itself)]
                most = slope * sum(
                    more * len(self.by_structure[structure])
                    for structure, more in keys.items()
                    if place is None or structure != place[0]
                )
                if most <= slack:
                    continue
                more = self.program.amount(1.0)
                self._steps[at, place] = more
                self.program.whole[column] = True  # half of an entity read would pay for no step
                self.program.row([(more, 1.0), *terms, (column, -most)], least=-most - slack)
                if access.units <= WHOLE_UNITS and not whole.model.worth:
                    step = price * READ_UNIT_BYTES
                    units = self.program.count(0.0)
                    self.program.row([(units, step), *terms, (column, -most)], least=-most - slack)
                    self.program.row([(more, 1.0), (units, -step)], least=0.0)

    def _all_keys(self) -> int:
        """A column for the bytes that the keys of all chosen structures add to an item: rows stay short by it."""
        column = self.program.amount(0.0)
        keys = [(opened, -self._key_bytes[s]) for (s, _), opened in self.opened.items()]
        self.program.row([(column, 1.0), *keys], least=0.0)
        return column

    def _shorten(self, place: Structure | None, most: float) -> None:
        """No item in the table (None), or no entry in an index, has more bytes than are allowed there."""
        whole, model = self.whole, self.whole.model
        base_keys = keys_bytes(model, whole.base, whole.forced)
        keys = {
            column: keys_bytes(model, whole.base, {**whole.forced, s: None}) - base_keys
            for (s, _), column in self.opened.items()
        }
        structure = place or whole.base
        projections: dict[Projection, int | None] = {whole.forced.get(structure): None}
        projections |= {
            holding: column for (s, holding), column in self.opened.items() if s == structure
        }
        for holding, column in projections.items():
            size = model.entry_bytes(whole.base, structure, holding, base_keys)
            factors = dict(keys) if holding is None else {}
            too_long = size + sum(factors.values()) - most
            if too_long <= BYTES:
                continue
            if column is not None:  # the row binds only where the index holds so much
                factors[column] = factors.get(column, 0.0) + too_long
                size -= too_long
            self.program.row(factors.items(), most=most - size)

    def _holding(self, access: Access, place: Opened | None) -> Projection:
        """What the index of an access holds; None for a whole item."""
        whole = self.whole
        if access.structure is None or access.structure == whole.base:
            return None
        return whole.forced[access.structure] if place is None else place[1]

    # What only a solution shows

    def projections(self, values: Sequence[float]) -> Projections:
        """The structures that a solution opens."""
        projections = dict(self.whole.forced)
        for (structure, projection), column in self.opened.items():
            if values[column] > 0.5:
                projections[structure] = projection
        return projections

    def add_steps(
        self, projections: Projections, values: Sequence[float], score: Score, linear: float
    ) -> bool:
        """Rows for the steps that these structures reach together, if the program priced them too low."""
        if self.weigh(score) - self.fixed - linear <= SCALE * 1e-8:
            return False
        opened = [place for place in projections.items() if place in self.opened]
        added = False
        for what, amount in self._needed_once(structure for structure, _ in opened).items():
            priced = values[self._steps[what]] if what in self._steps else 0.0
            if amount - priced > SCALE * 1e-9:
                added |= self._step(what, opened, partial(self._once_step, what))
        added |= self._step("owning", opened, self._owning_step)
        for at, columns in enumerate(self.served):
            for place, (column, access, cost) in columns.items():
                if values[column] > 0.5:
                    step = partial(self._reading_step, at, place, access, cost)
                    needed = () if place is None else (place,)
                    added |= self._step((at, place), opened, step, needed, (column,))
        return added

    def _owning_step(self, opened: Sequence[Opened]) -> float:
        """What some structures cost together beyond what the program has them for."""
        density = self.whole.model.density
        cost = self.weigh(self.whole.owning({**self.whole.forced, **dict(opened)}).less(self.zero))
        cost -= sum(self.program.costs[self.opened[place]] for place in opened)
        structures = dict.fromkeys(structure for structure, _ in opened)
        cost -= sum(self._needed_once(structures).values())
        kept = sum(self._kept[structure] for structure in structures)
        return cost - sum(
            (kept - self._kept[structure]) * density(structure)
            for structure, projection in opened
            if _is_fuller_by_others((structure, projection))
        )

    def _once_step(self, what: object, opened: Sequence[Opened]) -> float:
        """What some structures need once, together."""
        return self._needed_once(structure for structure, _ in opened).get(what, 0.0)

    def _reading_step(
        self,
        at: int,
        place: Opened | None,
        access: Access,
        cost: float,
        opened: Sequence[Opened],
    ) -> float:
        """What an entity read costs beyond what the program has it for, when some structures are there."""
        whole = self.whole
        projections = {**whole.forced, **dict(opened)}
        size = keys_bytes(whole.model, whole.base, projections)
        holding = self._holding(access, place)
        now = repriced(whole.model, whole.base, access, whole.entity_reads[at], holding, size)
        return self.weigh(whole.scored[at](now)) - cost

    def _step(
        self,
        what: object,
        opened: Sequence[Opened],
        step: Callable[[Sequence[Opened]], float],
        needed: Sequence[Opened] = (),
        columns: tuple[int, ...] = (),
    ) -> bool:
        """A row for what costs more when all of some structures are there: as few of them as do."""
        more = step(opened)
        if more <= SCALE * 1e-9:
            return False
        few = list(opened)
        for place in opened:
            fewer = [other for other in few if other != place]
            if place not in needed and step(fewer) >= more - SCALE * 1e-9:
                few = fewer
        if what not in self._steps:
            self._steps[what] = self.program.amount(1.0)
        for column in columns:
            self.program.whole[column] = True
        together = [*columns, *(self.opened[place] for place in few)]
        terms = [(self._steps[what], 1.0), *((column, -more) for column in together)]
        self.program.row(terms, least=more * (1 - len(together)))
        return True

    def place(self, one: Projections, other: Projections) -> tuple[float, int]:
        """How hot at the most what some structures have is that others lack, and its place among the candidates."""
        order = {opened: at for at, opened in enumerate(self.opened)}
        new = [opened for opened in one.items() if opened not in other.items()]
        hottest = max(
            (self.whole.model.hottest_share(structure) for structure, _ in new), default=0
        )
        return hottest, min((order[opened] for opened in new), default=-1)

    def equals_of(
        self, structure: Structure, projections: Projections, access: Sequence[Access | None]
    ) -> list[Opened]:
        """Other structures that serve the same entity reads at the same price, as far as the program can tell."""
        readers = [
            at for at, used in enumerate(access) if used is not None and used.structure == structure
        ]
        place = (structure, projections[structure])

        def price(other: Opened) -> float | None:
            columns = [self.served[at].get(other) for at in readers]
            if any(column is None for column in columns) or other not in self.opened:
                return None
            once = sum(self._needed_once((other[0],)).values())
            return self.program.costs[self.opened[other]] + once + sum(c[2] for c in columns if c)

        mine = price(place)
        if mine is None:
            return []
        return [
            other
            for other in self.opened
            if other[0] not in projections
            and (found := price(other)) is not None
            and found - mine <= SCALE * 1e-6
        ]
