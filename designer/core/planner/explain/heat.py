"""How hot the keys of a choice run: units a second on the busiest partition of each, at the peak of every pattern."""

from dataclasses import dataclass

from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.messages import Message, say
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Structure
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.structures import (
    hottest_reads,
    hottest_second_reads,
    hottest_writes,
    keys_bytes,
)
from designer.core.planner.pricing.write_costs import write_costs
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Heat:
    """Units a second on one partition."""

    writes: Fraction
    reads: Fraction

    @property
    def is_hot(self) -> bool:
        """Whether it is more than a partition serves."""
        return self.writes > PARTITION_WRITES or self.reads > PARTITION_READS

    @property
    def message(self) -> Message:
        """Both, as said in explanations."""
        writes, reads = float(self.writes), float(self.reads)
        if not round(reads):
            return say("write-units-a-second", writes=writes)
        if not round(writes):
            return say("read-units-a-second", reads=reads)
        return say("units-a-second", writes=writes, reads=reads)


def heat(context: Context, name: str) -> dict[Structure, Heat]:
    """The heat of an entity's base key, indexes and copies."""
    choice, model = context.choice.entities[name], context.model(name)
    projections = context.layout.projections[name]
    size = keys_bytes(model, choice.base, projections)
    costs = write_costs(model, choice.base, projections, choice.guard, size)
    reads = dict.fromkeys((choice.base, *projections), Fraction(0))
    for rated in context.search.of_entity[name]:
        access = choice.access.get(rated.id)
        if access is not None and access.structure is not None:
            stated = context.search.requirements.pattern_reads[rated.pattern_read].pattern.hottest
            reads[access.structure] += hottest_reads(
                model, rated.entity_read, access, rated.peak, stated
            )
            reads[choice.base] += hottest_second_reads(
                model, choice.base, rated.entity_read, access, rated.peak
            )
    for group in context.choice.shared_queries:
        first = context.search.requirements.pattern_reads[group.pattern_read].entity_reads[
            group.parts[0]
        ]
        if first.entity == name:
            structure, units = _of_shared_query(context, group)
            reads[structure] += units
    return {s: Heat(hottest_writes(model, s, costs), units) for s, units in reads.items()}


def _of_shared_query(context: Context, group: SharedQuery) -> tuple[Structure, Fraction]:
    """Read units a second of one Query over several parts on its busiest partition, at its key of the first part.

    Its traffic falls on that key as what is said of any of the parts has it.
    """
    search, entities = context.search, context.choice.entities
    pattern_read = search.requirements.pattern_reads[group.pattern_read]
    places, shares = [], []
    for at in group.parts:
        entity_read = pattern_read.entity_reads[at]
        model = context.model(entity_read.entity)
        places.append(group.structure(model.name) if group.index else entities[model.name].base)
        asked = frozenset(entity_read.equals)
        stated = pattern_read.pattern.hottest
        shares.append(
            model.share_of_hottest(
                places[-1], stated, False, entity_read.constants, asked, busier=entity_read.busier
            )
        )
    times = pattern_read.entity_reads[group.parts[0]].times
    share = exact(pattern_read.peak or 0) * exact(times) * exact(max(shares))
    taken = search.shared_query_reads(group, entities, otherwise=lambda part: part.busiest)
    return places[0], share * taken.units
