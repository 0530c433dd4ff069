"""Second indexes with the same keys, each with what some readers need: where two may cost less than one with all."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import inf

from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Projection, Projections, Structure
from designer.core.planner.solve.dominated import Ways
from designer.core.planner.solve.index_problem import IndexProblem, duplicates
from designer.core.planner.solve.index_ways import by_structure

KEYS_AGAIN = 3
"""Keys for which that is tried under one base key: the cheapest for their readers, where most may be saved."""


def add_again(reads: Sequence[Ways], structure: Structure) -> None:
    """Let entity reads be answered by other indexes of the same keys, too."""
    for other in duplicates(structure):
        for mine in reads:
            for place, (access, score) in list(mine.items()):
                if place is not None and place[0] == structure:
                    mine[other, place[1]] = (replace(access, structure=other), score)


def worth_having_again(
    problem: IndexProblem, zero: Score, reads: Sequence[Ways]
) -> list[Structure]:
    """The keys of which to try a second index: the cheapest for each set of readers first, by what that saves.

    `zero`: what is there anyway costs.
    """
    through = [by_structure(mine) for mine in reads]
    structures = list(dict.fromkeys(structure for mine in through for structure in mine))
    trials: dict[tuple[int, ...], list[tuple[float, float, int]]] = {}
    for at, structure in enumerate(structures):
        readers = {
            read: {where[1]: float(mine[where][1].price) for where in places.get(structure, ())}
            for read, (mine, places) in enumerate(zip(reads, through, strict=True))
        }
        readers = {read: mine for read, mine in readers.items() if mine}
        if len(readers) < 2 or structure in problem.forced:
            continue
        gained, cost = _gained(problem, zero, structure, list(readers.values()))
        if gained > 0:
            trials.setdefault(tuple(readers), []).append((cost, gained, at))
    ranked = [
        (rank, -gained, at)
        for alike in trials.values()
        for rank, (_, gained, at) in enumerate(sorted(alike))
    ]
    return [structures[at] for _, _, at in sorted(ranked)[:KEYS_AGAIN]]


def _gained(
    problem: IndexProblem,
    zero: Score,
    structure: Structure,
    readers: list[dict[Projection, float]],
) -> tuple[float, float]:
    """US dollars a month that two indexes of the same keys, each with what some readers need, may save at most.

    Besides, what they and their reads then cost. `readers`: what each reads for, by what the index holds.
    """

    def dearer(projections: Projections) -> float:
        """US dollars a month that structures cost besides those that are there anyway."""
        return float(problem.owning({**problem.forced, **projections}).less(zero).price)

    gained = cost = 0.0
    lists = dict.fromkeys(held for mine in readers for held in mine)
    alone = {held: dearer({structure: held}) for held in lists}
    for one, other in combinations(lists, 2):
        least = [min(mine.get(one, inf), mine.get(other, inf)) for mine in readers]
        saved = {
            held: sum(
                max(0.0, mine.get(held, inf) - few)
                for mine, few in zip(readers, least, strict=True)
                if few < inf
            )
            for held in lists
        }
        if min(saved[one], saved[other]) <= 0:
            continue
        both = dearer({structure: one, replace(structure, duplicate=1): other})
        more = min(alone[held] + saved[held] for held in lists) - both
        if more > gained:
            gained, cost = more, both + sum(few for few in least if few < inf)
    return gained, cost
