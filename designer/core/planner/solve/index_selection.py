"""The structures of one entity under one base key: the program is solved until its price is the exact one."""

from dataclasses import replace
from math import inf

from designer.core.planner.model.worth import NEARLY
from designer.core.planner.solve.index_problem import Best, DearerError, IndexProblem, holds
from designer.core.planner.solve.index_program import IndexProgram
from designer.core.planner.solve.weights import SAME, SCALE

ROUNDS = 40
"""Times that steps are added before the best so far is taken."""
TIED = SCALE * 1e-6
"""What is not so much worse in the program is looked at in exact arithmetic."""

MILLIONTH = 1e-6
"""A gap of less than this part of the price is left as it is."""


def selected(problem: IndexProblem) -> Best:
    """The best choice, always the same for a problem; `DearerError` where none is as good as it asks for."""
    zero = problem.owning(problem.forced)
    if not any(_may_pay(problem, at) for at in range(len(problem.entity_reads))):
        score, access = problem.total(problem.forced)
        return Best(problem.forced, access, score, 0.0)
    program = IndexProgram(problem, zero)
    best: Best | None = None
    before: tuple[object, float] | None = None
    below = inf
    if problem.below is not None:
        below = program.weigh(problem.below) - program.fixed + TIED
    for _ in range(ROUNDS):
        solution = program.program.solve(problem.nodes, below)
        if solution is None:
            if below < inf:
                raise DearerError
            break
        below = inf  # steps may make something hot
        projections, linear = program.projections(solution.values), solution.cost
        score, access = problem.total(projections)
        if best is None or score < best.score:
            best = Best(projections, access, score, 0.0)
        at_stake = program.weigh(best.score) - program.fixed - solution.bound
        best = Best(
            best.projections, best.access, best.score, max(0.0, at_stake / program.weigh.usd)
        )
        price = float(best.score.price)
        close = max(min(problem.near, price * NEARLY), price * MILLIONTH)
        if best.gap <= close:
            break
        found = (tuple(projections.items()), solution.bound)
        if found == before or not program.add_steps(projections, solution.values, score, linear):
            break  # nothing comes of more steps
        before = found
    if best is None:
        score, access = problem.total(problem.forced)
        best = Best(problem.forced, access, score, float(score.price))
    tied = best.gap <= SAME * max(1.0, float(best.score.price))
    return replace(best, gap=0.0) if tied else best


def _may_pay(problem: IndexProblem, at: int) -> bool:
    return any(
        access.structure is not None
        and access.structure != problem.base
        and not (
            access.structure in problem.forced
            and holds(problem.forced[access.structure], access.projection)
        )
        for access, _ in problem.options[at]
    )
