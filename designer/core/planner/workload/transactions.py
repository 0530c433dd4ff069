"""What a transactional read gets by keys goes in one TransactGetItems, or is no snapshot of one moment.

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


def within_transaction(design: Design, entity_read: EntityRead) -> EntityRead:
    """An entity read, marked as impossible where one transaction can't get all of its items."""
    if entity_read.impossible is not None or entity_read.consistency != "transactional":
        return entity_read
    entity = design.entity[entity_read.entity]
    if not names_one(entity, set(entity_read.equals)):
        return entity_read  # a Query reads it, which no transaction contains
    items = entity_read.list_length * entity_read.times
    items = items if entity.items is None else min(items, entity.items)
    helps = say("state-limit" if entity_read.list_of is None else "give-fewer-identifiers")
    why = _why_not(items, items * entity_bytes(entity), (helps,))
    return entity_read if why is None else replace(entity_read, impossible=why)


def _why_not(items: float, size: float, helps: tuple[Message, ...]) -> Message | None:
    if items > TRANSACTION_ITEMS + CLOSE:
        return say("gets-too-many-items", count=items, limit=TRANSACTION_ITEMS, helps=helps)
    if size > TRANSACTION_BYTES:
        limit = TRANSACTION_BYTES
        return say("gets-too-many-bytes", count=items, bytes=size, limit=limit, helps=helps)
    return None
