"""Heavy writes that all go to the end of a partition."""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.limits import PARTITION_WRITES
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_entity,
    entity_of,
    gathered,
    named,
    template_of,
)
from designer.core.lint.sharding import spread_over_shards
from designer.core.messages import Message, say
from designer.core.plan import KeyAttribute, Plan, Style
from designer.core.plan.keys import Form, Reference, parse
from designer.core.rational import Fraction
from designer.core.words.figures import share

HEAVY = Fraction(1, 2)
"""Share of a partition's writes from which a little growth throttles."""
RISING = frozenset({"date", "datetime", "epoch", "ulid", "ksuid"})
"""Formats whose new values sort after all others."""


class IncreasingSortKey(Rule):
    id = "K107"
    severity = "warning"
    title = "Ever-increasing sort key under heavy writes"
    about = "entity"
    what = (
        f"At peak, the busiest value of a partition key takes {share(float(HEAVY))} or more of the "
        f"{PARTITION_WRITES:,} write units a second that a partition serves. The sort key of the items begins "
        "with a time, or with a generated id that increases with time. The key is not spread over shards."
    )
    why = (
        "DynamoDB can split a busy partition at a sort key, so that two partitions share the traffic. If "
        "each new item sorts after all others, all writes still go to the last partition, so a split does not "
        "help."
    )
    source = "https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/"
    cure = (
        "Spread the key over shards, or query by an attribute whose busiest value has less traffic."
    )
    offers = {
        "spread": "Pins the key, spread over as many shards as its writes need. Available if they need more than one.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, writes), places in gathered(_heavy(design, plans)).items():
            yield Found(
                at_entity(entity),
                say("increasing-sort-key", entity=entity, writes=writes, places=places),
                say("spread-or-query-by-calmer"),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return spread_over_shards(design, plans, where)


def _heavy(design: Design, plans: Plans) -> Iterator[tuple[tuple[str, float], Message, Style]]:
    """Entities and write units a second on their hottest key, with the table or index."""
    for plan in plans.values():
        rising = dict(_rising(design, plan))
        # Most plans write so little that how hot each key runs need not be worked out.
        if not {place[:2] for place in rising} & _much_written(design, plan):
            continue
        # What is spread over shards already has as many as its writes need.
        for key in (key for key in plan_heat(design, plan).keys if key.shards == 1):
            for entity in key.entities:
                writes = _writes(key, rising.get((key.table, key.index, entity), frozenset()))
                if writes >= HEAVY * PARTITION_WRITES:
                    yield (entity, float(writes)), named(key.table, key.index), plan.style


def _much_written(design: Design, plan: Plan) -> set[tuple[str, str | None]]:
    """Tables and indexes that take so many write units a second at peak that one key of theirs may be heavy."""
    found: dict[tuple[str, str | None], float] = {}
    upkept = (
        (upkeep.peak_per_second or upkeep.per_second or 0.0, upkeep.steps) for upkeep in plan.upkeep
    )
    asked = (
        (rate.peak or rate.average, operation.steps)
        for operation in plan.operations
        if (rate := design.pattern(operation.pattern).rate) is not None
    )
    for peak, steps in (*asked, *upkept):
        for step in steps:
            for table in {member.table for member in step.members}:
                found[table, None] = found.get((table, None), 0.0) + peak * step.expects.units
            for place, units in step.expects.index_units.items():
                table, _, index = place.partition("/")
                found[table, index] = found.get((table, index), 0.0) + peak * units
    return {place for place, units in found.items() if units >= HEAVY * PARTITION_WRITES}


def _writes(key: KeyHeat, shapes: frozenset[str]) -> Fraction:
    return sum((load.hot_writes for load in key.loads if load.shape in shapes), Fraction(0))


def _rising(
    design: Design, plan: Plan
) -> Iterator[tuple[tuple[str, str | None, str], frozenset[str]]]:
    """By table, index and entity the shapes whose sort key rises."""
    for table in plan.tables:
        sorts: list[tuple[str | None, KeyAttribute | None]] = [(None, table.key.sort)]
        sorts += [(index.name, next(iter(index.sort), None)) for index in table.indexes]
        for index, sort in sorts:
            for shape in table.items:
                entity = entity_of(design, shape)
                if sort and entity and _rises(design, entity, template_of(shape, sort.name)):
                    yield (table.name, index, entity.name), frozenset({shape.shape})


def _rises(design: Design, entity: Entity, template: str | None) -> bool:
    """Whether what comes first in a key, text apart, rises with time."""
    for part in parse(template or ""):
        if isinstance(part, Form) and part.form in ("only", "when", "shard"):
            continue
        if isinstance(part, (Reference, Form)):
            attribute = entity.by_name.get(part.name)
            return attribute is not None and _is_rising(design, entity, attribute)
    return False


def _is_rising(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """An id that refers to another item is as old as that."""
    if attribute.source is not None:
        attribute = entity.by_name[attribute.source[1]]
    return attribute.format in RISING and (entity.name, attribute.name) not in design.referred
