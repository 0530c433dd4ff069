"""The figures of one Query that answers several entity reads of a pattern."""

from designer.core.plan import Expected
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import expected_at_most, rounded
from designer.core.planner.pricing.shared_reads import shared_at_worst, shared_reads


def shared_expected(
    context: Context, group: SharedQuery, limited: EntityRead | None, bounded: str | None
) -> tuple[Expected, int | None]:
    """What it takes on average and at the worst, and the items of a page.

    `limited`: with whose limit it ends; `bounded`: the entity with whose range.
    """
    parts = [
        part if part.entity_read.entity == bounded else part.without_range
        for part in context.search.shared_query_parts(group, context.choice.entities)
    ]
    last = next((part for part in parts if part.entity_read is limited), None)
    consistency = parts[0].entity_read.consistency
    taken = shared_reads(parts, last, consistency)
    busiest = [part.busiest for part in parts]
    heaviest = None
    if busiest != parts:
        at = None if last is None else busiest[parts.index(last)]
        heaviest = rounded(float(shared_reads(busiest, at, consistency, taken.page).units))
    usual = Expected(
        requests=rounded(taken.requests),
        read=rounded(taken.items),
        returned=rounded(sum(part.entity_read.returned for part in parts)),
        bytes=rounded(taken.bytes),
        units=rounded(float(taken.units)),
        busiest_units=heaviest,
    )
    most = shared_at_worst(parts, last, consistency, taken.page)
    return expected_at_most(usual, most.requests, most.items, float(most.units)), taken.page
