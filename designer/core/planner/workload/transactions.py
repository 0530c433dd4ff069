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


def within_transaction(design: Design, parts: list[EntityRead]) -> tuple[EntityRead, ...]:
    """The entity reads of a pattern, marked as impossible where one transaction can't get all of their items.

    What is got with the identifiers that the caller lists goes in one.
    """
    listed = [part for part in parts if part.list_of is not None]
    return tuple(_within(design, one, listed if one in listed else [one]) for one in parts)


def _within(design: Design, entity_read: EntityRead, together: list[EntityRead]) -> EntityRead:
    if entity_read.impossible is not None or entity_read.consistency != "transactional":
        return entity_read
    entity = design.entity[entity_read.entity]
    if not names_one(entity, set(entity_read.equals)):
        return entity_read  # a Query reads it, which no transaction contains
    many = [(_items(design, one), entity_bytes(design.entity[one.entity])) for one in together]
    helps = say("state-limit" if entity_read.list_of is None else "give-fewer-identifiers")
    size = sum(items * each for items, each in many)
    why = _why_not(sum(items for items, _ in many), size, (helps,))
    return entity_read if why is None else replace(entity_read, impossible=why)


def _items(design: Design, entity_read: EntityRead) -> float:
    items = entity_read.list_length * entity_read.times
    there = design.entity[entity_read.entity].items
    return items if there is None else min(items, there)


def _why_not(items: float, size: float, helps: tuple[Message, ...]) -> Message | None:
    if items > TRANSACTION_ITEMS + CLOSE:
        return say("gets-too-many-items", count=items, limit=TRANSACTION_ITEMS, helps=helps)
    if size > TRANSACTION_BYTES:
        limit = TRANSACTION_BYTES
        return say("gets-too-many-bytes", count=items, bytes=size, limit=limit, helps=helps)
    return None
