"""Items that come near 400 KB."""

from collections.abc import Iterator

from designer.core.capacity.sizes import largest_bytes, largest_value_bytes
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.limits import ITEM_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_attribute, at_entity
from designer.core.messages import say
from designer.core.words.figures import binary_size as size
from designer.core.words.figures import share

NEAR = 0.5
"""Averages above this share of the limit: many items are twice their average."""


class ItemNearLimit(Rule):
    id = "L101"
    severity = "warning"
    title = "Large item"
    about = "entity"
    what = (
        f"The average size of an item is {share(NEAR)} or more of the limit of {size(ITEM_BYTES)}, or its largest "
        "size, with every attribute at its stated maximum, is above the limit."
    )
    why = (
        "An item can hold at most 400 KB, attribute names included, and a larger write fails. Even below the "
        "limit, a change of one attribute costs a write of the whole item."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html"
    cure = "Store large values in Amazon S3 and their object keys in the item, or split them over several items."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            if (largest := largest_bytes(entity)) > ITEM_BYTES:
                yield _too_large(entity, largest)
        for plan in plans.values():
            for table in plan.tables:
                for shape in table.items:
                    if shape.bytes >= ITEM_BYTES * NEAR and shape.entity in design.entity:
                        yield Found(
                            at_entity(shape.entity),
                            say(
                                "item-near-limit",
                                shape=shape.shape,
                                bytes=shape.bytes,
                                most=ITEM_BYTES,
                            ),
                            say("store-large-values-in-s3"),
                        )


def _too_large(entity: Entity, largest: float) -> Found:
    """Said of the attribute that takes most."""
    most = max(entity.stored, key=largest_value_bytes)
    return Found(
        at_attribute(entity.name, most.name),
        say(
            "item-too-large",
            entity=entity.name,
            bytes=largest,
            attribute=most.name,
            value_bytes=largest_value_bytes(most),
            most=ITEM_BYTES,
        ),
        say(
            "store-elements-as-items" if most.elements is not None else "store-value-in-s3",
            attribute=most.name,
        ),
    )
