"""How many items with some values an identifier can tell apart: no more than its other parts have values."""

from collections.abc import Collection
from math import prod

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity


def most_told_apart(design: Design, entity: Entity, given: Collection[str]) -> float | None:
    """Items with one set of values at the most, as the other parts of the identifier have so many values.

    None where nothing states these, where no part is given, or where the identifier cannot even tell all items apart:
    then more values come than are stated.
    """
    values = {
        name: _most_values(design, entity, entity.by_name[name]) for name in entity.identifier
    }
    rest = [values[name] for name in entity.identifier if name not in given]
    known = [one for one in rest if one is not None]
    if len(rest) == len(values) or len(known) < len(rest):
        return None
    if entity.items and prod(one or float(entity.items) for one in values.values()) < entity.items:
        return None
    return prod(known)


def _most_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """Values of an attribute at the most, as far as they are stated of it or of what it refers to."""
    target, original = design.origin(entity, attribute)
    found = [
        float(one)
        for its in (attribute, original)
        for one in (its.distinct, len(its.listed) or None, its.span)
        if one is not None
    ]
    if original is not attribute and target.identifier == (original.name,) and target.items:
        found.append(float(target.items))
    return min(found, default=None)
