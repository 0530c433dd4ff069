"""A partition key that is a state or a time."""

from collections.abc import Collection, Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.changes import mutable_attributes
from designer.core.design.document import Design
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    at_attribute,
    entity_of,
    gathered,
    keyed,
    named,
)
from designer.core.messages import Message, say
from designer.core.plan import Style
from designer.core.plan.keys import written


def is_state_or_time(attribute: Attribute, mutable: Collection[str]) -> bool:
    """Whether all new items have the same value, or begin with one of few.

    What never changes is no state: new items have each kind as often as all items do. `mutable`: what changes of its
    entity, as stated or by a write.
    """
    is_time = attribute.format in ("date", "datetime", "epoch") or attribute.derived is not None
    has_few = attribute.values is not None or attribute.type == "BOOL"
    return is_time or (has_few and attribute.name in mutable)


class StateOrTimeAsPartitionKey(Rule):
    id = "K103"
    severity = "advice"
    title = "Partition by status or time"
    about = "attribute"
    what = (
        "The partition key of a table or an index consists only of times, statuses or Boolean attributes, "
        "and is not spread over shards."
    )
    why = (
        "New items share the same day and the same status. Most writes and reads therefore go to one "
        "partition, while the others are idle."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-uniform-load.html"
    cure = (
        "Query by another attribute as well, such as an owner or a place. If the traffic is low, the Heat page shows "
        "that the key can stay as it is."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, part), places in gathered(_alone(design, plans)).items():
            yield Found(
                at_attribute(entity, part),
                say("partition-key-alone", places=places, entity=entity, attribute=part),
                say("query-by-owner-or-spread"),
            )


def _alone(design: Design, plans: Plans) -> Iterator[tuple[tuple[str, str], Message, Style]]:
    mutable = mutable_attributes(design)
    for plan, table, index, shape, template in keyed(plans):
        entity = entity_of(design, shape)
        if entity is None or "shard(" in template:
            continue
        parts = [entity.by_name[name] for name in written(template) if name in entity.by_name]
        if parts and all(is_state_or_time(part, mutable[entity.name]) for part in parts):
            yield (entity.name, parts[0].name), named(table.name, index), plan.style
