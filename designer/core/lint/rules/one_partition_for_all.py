"""A partition key that is the same for all items."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.figures import size
from designer.core.keys import names
from designer.core.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.lint.base import Found, Plans, Rule, at_entity, entity_of, gathered, keyed, named


class OnePartitionForAll(Rule):
    id = "K102"
    severity = "advice"
    title = "One partition key for everything"
    why = (
        "A constant partition key puts all items on one partition. That answers `all of them` in one "
        "request, and lasts while they are few and calm: "
        f"{PARTITION_READS:,} read and {PARTITION_WRITES:,} write units a second are the end."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity, places in gathered(_constant(design, plans)).items():
            yield Found(
                at_entity(entity),
                f"All {entity} items lie under one partition key in {places}.",
                f"Ask for {entity} items by something they differ in, or page through them rarely.",
            )


def _constant(design: Design, plans: Plans) -> Iterator[tuple[str, str]]:
    for _, table, index, shape, template in keyed(plans):
        entity = entity_of(design, shape)
        if entity is not None and not names(template):
            yield entity.name, f"{named(table, index)} ({size(shape.items * shape.bytes)})"
