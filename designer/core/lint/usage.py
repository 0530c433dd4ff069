"""Which attributes the access patterns ask for."""

from collections.abc import Iterable, Iterator

from designer.core.design.document import Design
from designer.core.lint.base import asked_elsewhere, brought_along, changes, conditions, reads
from designer.core.patterns.base import Condition, Order, Read, Write

Named = tuple[str, str]
"""Entity and attribute."""


def attributes_read(design: Design) -> frozenset[Named]:
    """What a pattern returns, asks by, or makes a write depend on."""
    return frozenset(_read(design))


def _read(design: Design) -> Iterator[Named]:
    for name in asked_elsewhere(design):
        yield from _all_of(design, name)
    for pattern in reads(design):
        for name in pattern.entities:
            returned = _returned(pattern)
            yield from _all_of(design, name) if returned is None else _each(name, returned)
            yield from _asked(design, name, conditions(pattern), pattern.orders)
        for (name, asked), along in zip(brought_along(design, pattern), pattern.with_, strict=True):
            yield from _all_of(design, name) if asked is None else _each(name, asked)
            yield from _asked(design, name, along.keep, along.orders)
    for write in design.patterns:
        if isinstance(write, Write):
            found = (condition.attribute for condition in write.collection)
            yield from _each(write.changes[0].entity, found)
    for _, change in changes(design):
        yield from _each(
            change.entity, (*change.by, *change.given, *(c.attribute for c in change.conditions))
        )


def _returned(pattern: Read) -> tuple[str, ...] | None:
    """The attributes of each item that the caller gets; None for all."""
    if pattern.aggregate is not None:
        return (pattern.aggregate.of,)
    return pattern.attributes if pattern.returns_items else ()


def _asked(
    design: Design, entity: str, conditions: Iterable[Condition], orders: Iterable[Order]
) -> Iterator[Named]:
    """What is asked of an entity's items; a path ends at an attribute of the entity it leads to."""
    for path in (*(c.attribute for c in conditions), *(order.attribute for order in orders)):
        *through, last = path.split(".")
        yield (design.relationship[through[-1]].parent if through else entity), last


def _all_of(design: Design, entity: str) -> Iterator[Named]:
    return ((entity, attribute.name) for attribute in design.entity[entity].stored)


def _each(entity: str, names: Iterable[str]) -> Iterator[Named]:
    return ((entity, name) for name in names)
