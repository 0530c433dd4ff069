"""The cheapest structures of one entity under one base key, as an integer program.

Facility location: each index (with what it holds) is opened or not, at the price of its writes and storage; each
entity read goes to the table, a guard or an open index, at the price of its reads. Two things are not sums of single
prices, and enter as rows: what several indexes share (one read before a write that several need, a transaction that
several copies need), and the steps of 1 KB and 4 KB that the key attributes of several indexes reach together. The
second are added when a solution shows them, until the price in the program is the exact one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import READ_UNIT_BYTES
from designer.core.planner.model.score import BEFORE_MONEY, Score
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.pricing.read_figures import repriced, rounded_up
from designer.core.planner.pricing.structures import keys_bytes, needed_once
from designer.core.planner.pricing.write_costs import Costs, write_costs
from designer.core.planner.solve.index_problem import IndexProblem, Place, Ways
from designer.core.planner.solve.index_ways import IndexWays
from designer.core.planner.solve.milp import Program
from designer.core.planner.solve.weights import BYTES, SCALE, Weights
from designer.core.rational import Fraction

COOLER = SCALE * 1e-8
"""What the share of its busiest partition key adds to what an index costs: of equals the coolest is taken."""
WHOLE_UNITS = 20
"""Read units up to which the program itself rounds what several keys add to them."""
NEARLY_ALL = 0.95
"""Share of what a read costs more that makes a step: the rest of it makes another, where it matters."""
STEP = SCALE * 1e-6
"""What a step costs at the least that gets a row: what only breaks ties, as bytes of reads without a rate, is less."""


@dataclass(frozen=True)
class _Swollen:
    """A way to answer an entity read that costs more with the keys of all indexes, as the program weighs it."""

    column: int
    slope: float
    """What each byte of keys costs,"""
    own: float
    """of those beyond the bytes that its own index adds,"""
    slack: float
    """as soon as they cost more than this."""
    step: float
    """What a smallest read costs."""
    units: Fraction
    is_whole: bool
    """Whether it grows by whole smallest reads: 2.5 items on average grow by 2.5 of them."""

    def below(self, slope: float, most: float) -> float:
        """How far it costs less at the most than keys at another slope, of up to so many bytes."""
        if self.slope > slope:
            return slope * min(most, self.own + self.slack / self.slope)
        return slope * most - max(0.0, self.slope * (most - self.own) - self.slack)


class IndexProgram:
    """The program, to which a solution adds the steps that it was priced too low for."""

    def __init__(self, whole: IndexProblem, zero: Score) -> None:
        self.whole, self.zero = whole, zero
        self.program = Program()
        self.opened: dict[Place, int] = {}
        self.by_structure: dict[Structure, list[int]] = {}
        self.served: list[dict[Place | None, tuple[int, Access, float]]] = []
        self._steps: dict[object, int] = {}
        self.there = keys_bytes(whole.model, whole.base, whole.forced)
        """Bytes of keys on every item, whatever is chosen."""
        self._before = self._written(whole.forced)
        self._known_once = whole.known.once.setdefault(tuple(whole.forced.items()), {})
        self._once: dict[frozenset[Structure], dict[object, float]] = {}
        self._costs: dict[Place, Score] = {}
        reads = IndexWays(whole).ways()
        ways = [[score for _, score in mine.values()] for mine in reads]
        worth = Score(penalty=whole.model.worth)
        self.weigh = Weights.of([zero, worth, *(max(mine, default=Score()) for mine in ways)], ways)
        self.fixed = self.weigh(zero)
        self._open(reads)
        self._serve(reads)
        self._share()
        self.every = self._all_keys()
        self._swell()

    # What it costs

    def _cost(self, place: Place) -> Score:
        """What an index costs besides what is there anyway."""
        if place not in self._costs:
            projections = {**self.whole.forced, place[0]: place[1]}
            self._costs[place] = self.whole.owning(projections).less(self.zero)
        return self._costs[place]

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
                most=float(max(0, self.whole.most - len(self.whole.forced))),
            )

    def _serve(self, reads: list[Ways]) -> None:
        for mine in reads:
            columns: dict[Place | None, tuple[int, Access, float]] = {}
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
            hottest = self.whole.model.hottest_share(place[0])
            self.program.costs[self.opened[place]] = max(cost, 0.0) + COOLER * hottest

    def _needed_once(self, structures: Iterable[Structure]) -> dict[object, float]:
        """What some structures make the item itself cost, by what they may need together only once."""
        structures = tuple(structures)
        key = frozenset(structures)
        if key not in self._once:
            known = self._known_once
            if structures not in known:
                known[structures] = self._needed(structures)
            found = known[structures]
            amounts = {what: self.weigh(score) for what, score in found.items()}
            self._once[key] = {what: amount for what, amount in amounts.items() if amount > 0}
        return self._once[key]

    def _needed(self, structures: Iterable[Structure]) -> dict[object, Score]:
        whole = self.whole
        projections: Projections = {**whole.forced, **dict.fromkeys(structures, frozenset[str]())}
        after = plain = self._written(projections)
        if any(structure.kind == "copy" for structure in structures):
            uncopied = (s for s in projections if s.kind != "copy" or s in whole.forced)
            plain = self._written({s: projections[s] for s in uncopied})
        return needed_once(whole.model, whole.base, self._before, after, plain)

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
        return keys_bytes(whole.model, whole.base, {**whole.forced, structure: None}) - self.there

    def _swell(self) -> None:
        """An entity read that reads whole items reads the keys of all indexes: many items, whole units more.

        Units are at least what the bytes come to; what rounding up adds is left to the steps.
        """
        for at, columns in enumerate(self.served):
            found = (self._swollen(at, place, *way) for place, way in columns.items())
            ways = [way for way in found if way is not None]
            if not ways:
                continue
            more = self._steps[at] = self.program.amount(1.0)
            for way in ways:
                self.program.whole[way.column] = (
                    True  # half of an entity read would pay for no step
                )
            self._grow(more, 1.0, ways)
            few = [way for way in ways if way.is_whole and way.units <= WHOLE_UNITS]
            if few and not self.whole.model.worth:
                units, step = self.program.count(0.0), min(way.step for way in few)
                self._grow(units, step, few)
                self.program.row([(more, 1.0), (units, -step)], least=0.0)

    def _grow(self, more: int, factor: float, ways: Sequence[_Swollen]) -> None:
        """What an entity read costs more is no less than the bytes of the keys come to in the way that it takes.

        A row for each slope holds for all ways at once: what another way grows less by at the most is taken off.
        """
        most = sum(self._key_bytes.values())
        for slope in dict.fromkeys(way.slope for way in ways):
            full = slope * most
            terms = [(way.column, way.below(slope, most) - full) for way in ways]
            self.program.row([(more, factor), (self.every, -slope), *terms], least=-full)

    def _swollen(
        self, at: int, place: Place | None, column: int, access: Access, cost: float
    ) -> _Swollen | None:
        """How an entity read grows with the keys in the items that it reads; None where it does not."""
        whole, keys = self.whole, self._key_bytes
        together = sum(keys.values())
        own = 0.0 if place is None else keys[place[0]]
        holding = self._holding(access, place)
        if together <= own or not access.units or (holding is not None and access.then is None):
            return None  # a list has no keys of others
        entity_read, score = whole.entity_reads[at], whole.score(at, access)
        now, longest = whole.priced(at, access, holding, self.there + together)
        if longest.price <= score.price or self.weigh(longest) - cost <= SCALE * 1e-9:
            return None  # it counts for no more, whatever else is there
        if now.page != access.page:
            return None  # pages of other lengths make steps, between which it grows less
        unit = float(read_units(1, entity_read.consistency))
        step = float(score.usd / access.units) * self.weigh.usd * unit
        price = step / READ_UNIT_BYTES
        grown, paid, counted = now.bytes - access.bytes, score.usd, access.bytes
        if whole.model.worth:  # each byte counts that is needed
            grown -= now.filled - access.filled
            paid -= rounded_up(access, entity_read, score.usd, access.padding)
            counted += access.padding - access.filled
        slope = price * grown / (together - own)
        slack = float(paid) * self.weigh.usd - price * counted
        if slope * (together - own) <= slack:
            return None
        is_whole = all(
            _is_whole(one, read_units(1, entity_read.consistency)) for one in (access, now)
        )
        return _Swollen(
            column, float(f"{slope:.9g}"), own, slack, step, access.units, is_whole=is_whole
        )

    def _all_keys(self) -> int:
        """A column for the bytes that the keys of all chosen structures add to an item: rows stay short by it."""
        column = self.program.amount(0.0)
        keys = [(opened, -self._key_bytes[s]) for (s, _), opened in self.opened.items()]
        self.program.row([(column, 1.0), *keys], least=0.0)
        return column

    def _holding(self, access: Access, place: Place | None) -> Projection:
        """What the index of an access holds; None for a whole item."""
        whole = self.whole
        if access.structure is None or access.structure == whole.base:
            return None
        return whole.forced[access.structure] if place is None else place[1]

    # What a solution says

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
        if self.weigh(score) - self.fixed - linear <= STEP:
            return False
        opened = [place for place in projections.items() if place in self.opened]
        added = False
        for what, amount in self._needed_once(structure for structure, _ in opened).items():
            priced = values[self._steps[what]] if what in self._steps else 0.0
            if amount - priced > STEP:
                added |= self._step(what, opened, partial(self._once_step, what))
        added |= self._step("owning", opened, self._owning_step)
        size = keys_bytes(self.whole.model, self.whole.base, projections)
        for at, columns in enumerate(self.served):
            for place, (column, access, cost) in columns.items():
                if values[column] > 0.5:
                    added |= self._longer(at, place, column, access, cost, size, values)
        return added

    def _owning_step(self, opened: Sequence[Place]) -> float:
        """What some structures cost together beyond what the program has them for."""
        cost = self.weigh(self.whole.owning({**self.whole.forced, **dict(opened)}).less(self.zero))
        cost -= sum(self.program.costs[self.opened[place]] for place in opened)
        return cost - sum(self._needed_once(structure for structure, _ in opened).values())

    def _once_step(self, what: object, opened: Sequence[Place]) -> float:
        """What some structures need once, together."""
        return self._needed_once(structure for structure, _ in opened).get(what, 0.0)

    def _longer(
        self,
        at: int,
        place: Place | None,
        column: int,
        access: Access,
        cost: float,
        size: float,
        values: Sequence[float],
    ) -> bool:
        """A row for what an entity read costs more as soon as the keys on an item have so many bytes, whosever."""
        whole = self.whole
        holding = self._holding(access, place)

        def read(keys: float) -> Score:
            entity_read = whole.entity_reads[at]
            now = repriced(whole.model, whole.base, access, entity_read, holding, keys)
            return whole.scored[at](now)

        longest = read(size)
        priced = cost + (values[self._steps[at]] if at in self._steps else 0.0)
        more = self.weigh(longest) - priced
        if more <= STEP:
            return False
        # The step is where it gets nearly so dear, as some reads get dearer with each byte; what comes before money, as
        # a partition that runs hot, is one of its own.
        is_worse = longest.key[:BEFORE_MONEY] > read(self.there).key[:BEFORE_MONEY]

        def is_there(now: Score) -> bool:
            if is_worse:
                return now.key[:BEFORE_MONEY] >= longest.key[:BEFORE_MONEY]
            return self.weigh(now) - priced >= NEARLY_ALL * more

        short, long = self.there, size
        while long - short > BYTES:
            middle = (short + long) / 2
            short, long = (short, middle) if is_there(read(middle)) else (middle, long)
        found = self.weigh(read(long)) - cost
        if at not in self._steps:
            self._steps[at] = self.program.amount(1.0)
        over = self.program.choice(0.0)
        self.program.whole[column] = True
        far = sum(self._key_bytes.values())
        self.program.row([(self.every, 1.0), (over, -far)], most=(short + long) / 2 - self.there)
        self.program.row([(self._steps[at], 1.0), (column, -found), (over, -found)], least=-found)
        return True

    def _step(
        self,
        what: object,
        opened: Sequence[Place],
        step: Callable[[Sequence[Place]], float],
    ) -> bool:
        """A row for what costs more when all of some structures are there: as few of them as do."""
        more = step(opened)
        if more <= STEP:
            return False
        few = list(opened)
        for place in opened:
            fewer = [other for other in few if other != place]
            if step(fewer) >= more - STEP:
                few = fewer
        if what not in self._steps:
            self._steps[what] = self.program.amount(1.0)
        together = [self.opened[place] for place in few]
        terms = [(self._steps[what], 1.0), *((column, -more) for column in together)]
        self.program.row(terms, least=more * (1 - len(together)))
        return True


def _is_whole(access: Access, unit: Fraction) -> bool:
    """Whether a read takes whole requests and gets whole items, and so many smallest reads for them."""
    got = access.read if access.call == "get" else 0.0
    items = got if access.then is None else access.then[1]
    counts = (access.requests, items)
    return (access.units / unit).denominator == 1 and all(
        round(count, 6) == round(count) for count in counts
    )
