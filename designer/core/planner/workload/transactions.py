"""A transactional read is one TransactGetItems, or no snapshot of one moment: it has no Query and no second request.

Limits: 100 items and 4 MB.
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
"""

from dataclasses import replace

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.document import Design
from designer.core.dynamodb.limits import TRANSACTION_BYTES, TRANSACTION_ITEMS
from designer.core.messages import Message, say
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.workload.expected import names_one

CLOSE = 1e-6
"""Items that a figure may exceed the limit by where it was rounded."""


def within_transaction(design: Design, parts: list[EntityRead]) -> tuple[EntityRead, ...]:
    """The entity reads of a pattern, marked as impossible where one transaction can't get all of their items."""
    many = [(_items(design, one), entity_bytes(design.entity[one.entity])) for one in parts]
    size = sum(items * each for items, each in many)
    why = _why_not(sum(items for items, _ in many), size)
    return tuple(_within(design, one, why) for one in parts)


def _within(design: Design, entity_read: EntityRead, too_much: Message | None) -> EntityRead:
    if entity_read.impossible is not None or entity_read.consistency != "transactional":
        return entity_read
    entity = design.entity[entity_read.entity]
    if entity_read.is_dependent or not names_one(entity, set(entity_read.equals)):
        return replace(entity_read, impossible=say("not-of-one-moment"))
    return entity_read if too_much is None else replace(entity_read, impossible=too_much)


def _items(design: Design, entity_read: EntityRead) -> float:
    there = design.entity[entity_read.entity].items
    items = entity_read.combinations
    return items if there is None else min(items, there)


def _why_not(items: float, size: float) -> Message | None:
    if items > TRANSACTION_ITEMS + CLOSE:
        return say("gets-too-many-items", count=items, limit=TRANSACTION_ITEMS)
    if size > TRANSACTION_BYTES:
        limit = TRANSACTION_BYTES
        return say("gets-too-many-bytes", count=items, bytes=size, limit=limit)
    return None
