"""The program over the columns of several entities: one of each, and the Queries that they share."""

from math import inf

from designer.core.dynamodb.limits import READ_UNIT_BYTES
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.score import Score
from designer.core.planner.solve.joint_columns import Column, JointColumns, PossibleQuery
from designer.core.planner.solve.milp import Program
from designer.core.planner.solve.weights import SAME, SCALE, Weights
from designer.core.rational import Fraction


class JointProgram:
    """The program over the columns."""

    def __init__(
        self,
        component: JointColumns,
        columns: list[Column],
        banned: list[tuple[Column, ...]],
        is_shortest: bool = False,
    ) -> None:
        self.component, self.columns, self.banned = component, columns, banned
        """What solutions have shown that cannot be together."""
        self.is_shortest = is_shortest
        """Whether all items are as short as any choice makes them, also those of priced columns."""
        self.search = component.search
        self.program = Program()
        self.is_smooth = any(self.search.models[name].worth for name in component.names)
        floors = [component.floor(column) for column in columns]
        free = [(floor, column.entity) for floor, column in zip(floors, columns, strict=True)]
        ways = [[floor for floor, entity in free if entity == name] for name in component.names]
        self.weigh = Weights.of([min(mine, key=_price) for mine in ways], ways)
        self.taken = {
            column: self.program.choice(self.weigh(floor + component.at_worst(column)))
            for column, floor in zip(columns, floors, strict=True)
        }
        for name in component.names:
            mine = [(taken, 1.0) for column, taken in self.taken.items() if column.entity == name]
            self.program.row(mine, least=1.0, most=1.0)
        self.shared: dict[PossibleQuery, int] = {}
        self.units: dict[PossibleQuery, int] = {}
        for key, parts in self._meetings().items():
            self._share(key, parts)
        for q in component.pattern_reads:
            self._limit_requests(q)
        for combination in banned:
            terms = [(self.taken[column], 1.0) for column in combination]
            self.program.row(terms, most=len(combination) - 1.0)

    def _meetings(self) -> dict[PossibleQuery, dict[int, list[tuple[Column, float]]]]:
        """For each shared Query and part of its pattern, the columns that bring it, with their bytes."""
        found: dict[PossibleQuery, dict[int, list[tuple[Column, float]]]] = {}
        for column in self.columns:
            for key, part, size in self.component.brought(column, self.is_shortest):
                found.setdefault(key, {}).setdefault(part, []).append((column, size))
        return found

    def _share(self, key: PossibleQuery, parts: dict[int, list[tuple[Column, float]]]) -> None:
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

    def solve(self) -> tuple[tuple[Column, ...], tuple[SharedQuery, ...]]:
        """The columns taken, and the shared Queries among them."""
        solution = self.program.solve(self.search.design.planner.work_limit)
        assert solution is not None, "every entity has a column that shares nothing"
        self.solution = solution
        chosen = tuple(c for c, taken in self.taken.items() if solution.takes(taken))
        met = {
            self._group(key, chosen)
            for key, shared in self.shared.items()
            if solution.takes(shared)
        }
        return chosen, tuple(sorted(met, key=lambda group: (group.pattern_read, group.parts)))

    def _group(self, key: PossibleQuery, chosen: tuple[Column, ...]) -> SharedQuery:
        parts = [
            p for c in chosen for (q, p), at in c.joined if (q, at) == (key.pattern_read, key.where)
        ]
        if not key.in_index:
            return SharedQuery(key.pattern_read, tuple(sorted(parts)))
        met = [(p, c.entity, s) for c in chosen for (q, p), s in c.shared if q == key.pattern_read]
        met.sort(key=lambda one: one[0])
        parts = [part for part, _, _ in met]
        return SharedQuery(
            key.pattern_read, tuple(parts), tuple((entity, s) for _, entity, s in met)
        )

    def gap(self, score: Score) -> float:
        """US dollars a month between a price and what no solution is cheaper than."""
        gap = self.weigh(score) - self.solution.bound
        return gap / self.weigh.usd if gap > SCALE * SAME else 0.0


def _price(score: Score) -> Fraction:
    return score.price
