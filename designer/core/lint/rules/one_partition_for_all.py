"""A partition key that is the same for all items."""

from collections.abc import Iterator

from designer.core.cost.stored import stored
from designer.core.design.document import Design
from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES, SMALL_COLLECTION_BYTES
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    at_entity,
    entity_of,
    gathered,
    keyed,
    named,
    steps,
)
from designer.core.messages import Message, say
from designer.core.patterns.base import Read
from designer.core.plan import Plan, Shape, Style
from designer.core.plan.keys import written
from designer.core.words.figures import binary_size


class OnePartitionForAll(Rule):
    id = "K102"
    severity = "advice"
    title = "Single partition key value"
    about = "entity"
    what = (
        "The partition key of a table or an index is the same constant text for all items of an entity that it holds. "
        f"A Query of them all reads more than {binary_size(SMALL_COLLECTION_BYTES)}."
    )
    why = (
        "A constant partition key puts all items in one item collection. One request can then return all of them, "
        "which works for a few items with low traffic. At first, the collection is in one partition, which serves "
        f"{PARTITION_READS:,} read units and {PARTITION_WRITES:,} write units a second. DynamoDB can split a busy "
        "collection at a sort key (split for heat), unless the table has a local secondary index. No plan "
        "relies on that."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
    cure = (
        "Query by an attribute whose value differs between the items. If all access patterns give the same "
        "attribute, pin a key that is partitioned by it. If the traffic is low, the Heat page shows that the key can "
        "stay as it is."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, given), places in gathered(_constant(design, plans)).items():
            yield Found(
                at_entity(entity),
                say("one-partition-for-all", entity=entity, places=places),
                say("partition-by-given", attributes=given, entity=entity)
                if given
                else say("query-by-differing-value", entity=entity),
            )


def _constant(
    design: Design, plans: Plans
) -> Iterator[tuple[tuple[str, tuple[str, ...]], Message, Style]]:
    """Each entity with what all patterns of a constant key give of it, and where that key is."""
    bytes_in = {style: _bytes_in(design, plan) for style, plan in plans.items()}
    for plan, table, index, shape, template in keyed(plans):
        entity = entity_of(design, shape)
        # A sparse index has fewer items than its table, and an index may hold less of each.
        size = bytes_in[plan.style].get((table.name, index, shape.shape), 0.0)
        if entity is not None and not written(template) and size > SMALL_COLLECTION_BYTES:
            given = _given(design, plan, (table.name, index), shape) if index is not None else ()
            place = say("place-with-size", place=named(table.name, index), bytes=size)
            yield (entity.name, given), place, plan.style


def _bytes_in(design: Design, plan: Plan) -> dict[tuple[str, str | None, str], float]:
    """The bytes that a Query of all items of a shape reads in a table or an index."""
    return {
        (one.table, one.index, one.shape): one.items * one.item_bytes
        for one in stored(design, plan)
    }


def _given(design: Design, plan: Plan, place: tuple[str, str], shape: Shape) -> tuple[str, ...]:
    """The attributes to which all that is asked of a shape in an index gives one value each."""
    asked = {
        number
        for _, number, step in steps({plan.style: plan})
        if (step.table, step.index) == place and shape.shape in step.shapes
    }
    patterns = [pattern for pattern in design.patterns if pattern.number in asked]
    given = [
        {one.attribute for one in pattern.where if one.is_ is not None and not one.optional}
        for pattern in patterns
        if isinstance(pattern, Read)
    ]
    if not given or len(given) < len(patterns):
        return ()
    return tuple(name for name in shape.attributes if all(name in one for one in given))
