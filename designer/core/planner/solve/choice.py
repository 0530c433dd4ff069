"""The choice: base keys, indexes and projections are chosen at once, by price.

Entities that some pattern asks for together form a component; components are solved apart, by the integer programs
of `joint_selection` (base keys and shared collections) and `index_selection` (the other structures of one entity under
a base key). Work limits count nodes, never seconds, and ties are decided by the order of candidates, so a design always
gives the same plan.
"""

from collections.abc import Mapping
from dataclasses import replace

from designer.core.planner.candidates.pins import pinned
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.model.score import Score, exact
from designer.core.planner.solve.fewest import fewest_indexes
from designer.core.planner.solve.search import Search
from designer.core.planner.solve.transaction_capacity import with_room_in_transactions
from designer.core.planner.workload.tables import tables_of
from designer.core.rational import Fraction

NEXT_TO_NOTHING = Fraction(1, 200)
"""Half a cent a month: what indexes that entities share may cost when nothing is to be given up for fewer of them."""


def choose(
    requirements: Requirements,
    style: str,
    candidates: Mapping[str, Candidates] | None = None,
    beside: Search | None = None,
) -> tuple[Search, Choice]:
    """The best choice found, with the search that can price others.

    `candidates`: what some entities may have instead of what is listed for them. `beside`: a search for another aim.
    """
    joined = read_together(requirements) if style == "grouped" else ()
    tables = tables_of(requirements.design, style, joined)
    needed = pinned(replace(requirements, tables=tables), style, candidates or {})
    search = Search(needed, style, beside=beside)
    return with_room_in_transactions(search, best_choice)


def best_choice(search: Search) -> Choice:
    """The best choice for the whole design."""
    found = [search.component(names).best() for names in search.components()]
    search.keep_lists()
    best = sum((one.score for one in found), Score())
    bound = max(Fraction(0), best.price - exact(sum(one.gap for one in found)))
    allowed = max((NEXT_TO_NOTHING, *(model.worth for model in search.models.values())))
    if search.design.planner.objective == "indexes":
        allowed = best.usd * exact(search.design.planner.tolerance)
        found = fewest_indexes(search, allowed)
    score = sum((one.score for one in found), search.taken_anyway())
    entities = {name: choice for one in found for name, choice in one.entities.items()}
    return Choice(
        {name: entities[name] for name in search.models},
        tuple(group for one in found for group in one.shared_queries),
        score,
        bound,
        max(Fraction(0), allowed - (score.usd - best.usd)),
    )


def read_together(requirements: Requirements) -> tuple[tuple[str, ...], ...]:
    """Entities that a request reads together when all share one table, those that are asked for most often first."""
    search, choice = choose(requirements, "single")
    pattern_reads = search.requirements.pattern_reads
    often = sorted(
        choice.shared_queries, key=lambda group: -(pattern_reads[group.pattern_read].average or 0)
    )
    found = (
        tuple(pattern_reads[group.pattern_read].entity_reads[at].entity for at in group.parts)
        for group in often
    )
    return tuple(dict.fromkeys(tuple(dict.fromkeys(together)) for together in found))
