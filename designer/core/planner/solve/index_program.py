"""What only a solution of the program shows: the steps that its structures reach together, and their equals."""

from collections.abc import Callable, Sequence
from functools import partial

from designer.core.planner.model.score import BEFORE_MONEY, Score
from designer.core.planner.model.structures import Access, Projections
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.solve.dominated import Place
from designer.core.planner.solve.index_rows import IndexRows
from designer.core.planner.solve.weights import BYTES, SCALE

STEP = SCALE * 1e-6
"""What a step costs at the least that gets a row: what only breaks ties, as bytes of reads without a rate, is less."""


class IndexProgram(IndexRows):
    """The program, to which a solution adds the steps that it was priced too low for."""

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
        priced = values[self._steps[at]] if at in self._steps else 0.0
        if self.weigh(longest) - cost - priced <= STEP:
            return False
        # The step is where it gets so dear; what comes before money, as a partition that runs hot, is one of its own.
        is_worse = longest.key[:BEFORE_MONEY] > read(self.there).key[:BEFORE_MONEY]
        compared = BEFORE_MONEY if is_worse else BEFORE_MONEY + 1
        short, long = self.there, size
        while long - short > BYTES:
            middle = (short + long) / 2
            is_there = read(middle).key[:compared] >= longest.key[:compared]
            short, long = (short, middle) if is_there else (middle, long)
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
