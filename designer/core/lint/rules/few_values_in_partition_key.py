"""A partition key with few values."""

from collections.abc import Iterator
from math import prod

from designer.core.design.changes import mutable_attributes
from designer.core.design.document import Design
from designer.core.dynamodb.limits import COOL_VALUES, PARTITION_READS, PARTITION_WRITES
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    at_attribute,
    distinct_values,
    entity_of,
    gathered,
    keyed,
    named,
)
from designer.core.lint.rules.state_or_time_as_partition_key import is_state_or_time
from designer.core.messages import Message, say
from designer.core.plan import Style
from designer.core.plan.keys import Form, parse, written

Held = tuple[tuple[str, tuple[str, ...]], ...]
"""Attributes of a key, each with the values that a sparse index holds."""


class FewValuesInPartitionKey(Rule):
    id = "K101"
    severity = "advice"
    title = "Partition key with few values"
    about = "attribute"
    what = (
        f"The attributes in the partition key of a table or an index have fewer than {COOL_VALUES} "
        "combinations of values, and the key is not spread over shards."
    )
    why = (
        f"All items with one partition key value share {PARTITION_READS:,} read units and {PARTITION_WRITES:,} "
        "write units a second. With few values, the traffic goes to few partitions."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-uniform-load.html"
    cure = (
        "Look at the Heat page: if the traffic is low, the key can stay as it is. Otherwise query by another attribute "
        "as well, one with more values."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, parts, values, held), places in gathered(_few(design, plans)).items():
            message = say(
                "few-values-in-partition-key",
                places=places,
                entity=entity,
                attributes=parts,
                values=values,
            )
            if len(held) == 1:
                ((limited, texts),) = held
                message = say(
                    "few-values-in-sparse-key",
                    places=places,
                    entity=entity,
                    attributes=parts,
                    limited=limited,
                    held=texts,
                    values=values,
                )
            yield Found(at_attribute(entity, parts[0]), message, say("query-by-more-values"))


def _few(
    design: Design, plans: Plans
) -> Iterator[tuple[tuple[str, tuple[str, ...], float, Held], Message, Style]]:
    """Entity, attributes, number of values and those that an index holds, with the table or index and its style."""
    mutable = mutable_attributes(design)
    for plan, table, index, shape, template in keyed(plans):
        entity = entity_of(design, shape)
        if entity is None or "shard(" in template:
            continue
        parts = [entity.by_name[name] for name in written(template) if name in entity.by_name]
        limited = _limited(template)
        held = tuple((part.name, limited[part.name]) for part in parts if part.name in limited)
        counts = [
            float(len(limited[part.name]))
            if part.name in limited
            else distinct_values(design, entity, part)
            for part in parts
        ]
        values = prod(count for count in counts if count is not None)
        # A state or a time has a rule of its own.
        if (
            parts
            and None not in counts
            and values < COOL_VALUES
            and not all(is_state_or_time(p, mutable[entity.name]) for p in parts)
        ):
            yield (
                (entity.name, tuple(part.name for part in parts), values, held),
                named(table.name, index),
                plan.style,
            )


def _limited(template: str) -> dict[str, tuple[str, ...]]:
    """Of the attributes that have one of a few values in a sparse index, which these are."""
    return {
        part.name: part.texts
        for part in parse(template)
        if isinstance(part, Form) and part.form in ("only", "when") and part.texts
    }
