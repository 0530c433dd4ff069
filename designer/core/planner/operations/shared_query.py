"""The figures of one Query that answers several entity reads of a pattern."""

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import PAGE_BYTES
from designer.core.plan import Expected, Worst
from designer.core.planner.model.chosen import Group
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import rounded
from designer.core.planner.pricing.at_worst import at_worst
from designer.core.planner.pricing.key_matching import query_access
from designer.core.planner.pricing.structures import keys_bytes


def shared_expected(context: Context, group: Group, limited: EntityRead | None) -> Expected:
    """What it takes on average, and at the worst. `limited`: the entity read with whose limit it ends."""
    _, units, size, items = context.search.group_reads(group, context.choice.entities)
    usual = Expected(
        requests=rounded(max(1, ceil(size / PAGE_BYTES))),
        read=rounded(items),
        returned=rounded(items),
        bytes=rounded(size),
        units=rounded(float(units)),
    )
    found = list(_found_at_worst(context, group, limited))
    most = sum(many * size for many, size in found)
    first = context.search.requirements.pattern_reads[group.pattern_read].entity_reads[0]
    pages = max(1, ceil(most / PAGE_BYTES))
    worst = Worst(
        requests=max(usual.requests, float(pages)),
        read=max(usual.read, rounded(sum(many for many, _ in found))),
        units=max(
            usual.units,
            rounded(float(read_units(most / pages, first.consistency) * pages)),
        ),
    )
    if (worst.requests, worst.read, worst.units) == (usual.requests, usual.read, usual.units):
        return usual
    return usual.model_copy(update={"worst": worst})


def _found_at_worst(
    context: Context, group: Group, limited: EntityRead | None
) -> Iterator[tuple[float, float]]:
    """For each entity read, the items that the Query finds for it at the worst, and the bytes of one."""
    pattern_read = context.search.requirements.pattern_reads[group.pattern_read]
    for at in group.parts:
        entity_read = pattern_read.entity_reads[at]
        model = context.model(entity_read.entity)
        choice = context.choice.entities[entity_read.entity]
        keys = keys_bytes(model, choice.base, choice.projections)
        structure, size = choice.base, model.own_bytes + keys
        if group.index:
            structure = group.structure(entity_read.entity)
            held = choice.projections.get(structure, frozenset())
            size = model.entry_bytes(choice.base, structure, held, keys)
        # What is cut afterwards is read as a whole.
        asked = entity_read if entity_read is limited else replace(entity_read, limit=None)
        worst = at_worst(model, asked, query_access(model, structure, asked), None)
        yield (0.0 if worst is None else worst.read), float(size)
