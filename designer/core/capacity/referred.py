"""Sizes of references: a value that another attribute holds too is as large there."""

from collections.abc import Iterator

from designer.core.capacity.sizes import attribute_value_bytes, is_guessed
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity


def with_referred_sizes(design: Design) -> Design:
    """The design where each reference that says nothing of its size states that of what it refers to."""
    entities = tuple(_sized(design, entity) for entity in design.entities)
    if all(one is other for one, other in zip(entities, design.entities, strict=True)):
        return design
    return design.model_copy(update={"entities": entities})


def with_referred_size(design: Design, entity: Entity, attribute: Attribute) -> Attribute:
    """An attribute with the size of what it refers to, where that alone says it."""
    if _says(attribute):
        return attribute
    for original in _originals(design, entity, attribute):
        if original.type == attribute.type and _says(original) and not is_guessed(original):
            return attribute.model_copy(update={"bytes": attribute_value_bytes(original)})
    return attribute


def _sized(design: Design, entity: Entity) -> Entity:
    attributes = tuple(with_referred_size(design, entity, one) for one in entity.attributes)
    if all(one is other for one, other in zip(attributes, entity.attributes, strict=True)):
        return entity
    return entity.model_copy(update={"attributes": attributes})


def _originals(design: Design, entity: Entity, attribute: Attribute) -> Iterator[Attribute]:
    """What an attribute refers to, what that refers to, and so on."""
    name, wanted = entity.name, attribute.name
    for _ in design.entities:
        above = design.referred.get((name, wanted))
        if above is None:
            return
        name, wanted = above
        yield design.entity[name].by_name[wanted]


def _says(attribute: Attribute) -> bool:
    """Whether the attribute itself says how large its values are."""
    is_figured = attribute.derived is not None or attribute.aggregate is not None
    is_listed = attribute.values is not None or attribute.elements is not None
    if attribute.bytes is not None or is_figured or is_listed:
        return True
    return attribute.format is not None or attribute.width is not None
