"""Bytes of attributes and items, as DynamoDB counts them.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
"""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.entities import Entity
from designer.core.plan.keys import PERIODS

FORMAT_BYTES = {
    "uuid": 36,
    "ulid": 26,
    "ksuid": 27,
    "email": 24,
    "date": 10,
    "datetime": 20,
    "url": 60,
    "enum": 8,
    "text": 24,
    "json": 200,
    "epoch": 6,
    "integer": 4,
    "decimal": 5,
    "version": 2,
}
TYPE_BYTES = {
    "S": 20,
    "N": 5,
    "B": 64,
    "BOOL": 1,
    "NULL": 1,
    "M": 100,
    "L": 100,
    "SS": 60,
    "NS": 20,
    "BS": 60,
}
OPEN_FORMATS = frozenset((None, "text", "url", "json"))
"""Formats of text that say little about how long it is."""
ELEMENT_BYTES = {"L": 24, "SS": 20, "NS": 5, "BS": 64}
"""Of one element of a list or set whose size is not stated, with the byte that a list takes for it."""


def value_bytes(value: Any) -> int:
    """Bytes of one value.

    Numbers: about one byte for two significant digits and one more, and one when negative; maps and lists
    three bytes and one for each element.
    """
    if value is None or isinstance(value, bool):
        return 1
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, (int, float, Decimal)):
        return _number_bytes(Decimal(str(value)))
    if isinstance(value, (bytes, bytearray)):
        return len(value)
    if isinstance(value, dict):
        return 3 + sum(len(name.encode()) + value_bytes(part) + 1 for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return 3 + sum(value_bytes(part) + 1 for part in value)
    if isinstance(value, (set, frozenset)):
        return sum(value_bytes(part) for part in value)
    raise TypeError(f"{type(value).__name__} is no DynamoDB value")


def _number_bytes(number: Decimal) -> int:
    if number == 0:
        return 1
    sign, digits, _ = number.normalize().as_tuple()
    return (len(digits) + 1) // 2 + 1 + sign


def item_bytes(item: dict[str, Any]) -> int:
    """Bytes of one item: names and values."""
    return sum(len(name.encode()) + value_bytes(value) for name, value in item.items())


def attribute_value_bytes(attribute: Attribute) -> float:
    """Average bytes of an attribute's value, as stated or by its format."""
    if attribute.bytes is not None:
        return attribute.bytes
    if attribute.type == "N" and attribute.width is not None:
        return attribute.width // 2 + 1
    if attribute.values:
        return _average_bytes(attribute, attribute.values)
    if attribute.elements is not None:
        return attribute.elements.average * ELEMENT_BYTES[attribute.type]
    return FORMAT_BYTES.get(attribute.format or "", TYPE_BYTES[attribute.type])


def largest_value_bytes(attribute: Attribute) -> float:
    """Bytes of the largest value: as stated, as many elements as there are at the most; else the average."""
    average = attribute_value_bytes(attribute)
    if attribute.most_bytes is not None:
        return attribute.most_bytes
    if attribute.elements is not None:
        return max(average, average / attribute.elements.average * attribute.elements.most)
    return average


def at_its_largest(attribute: Attribute) -> Attribute:
    """An attribute whose average is its largest value, in all items."""
    size = largest_value_bytes(attribute)
    if attribute.values:
        size = max(size, *(len(value.encode()) for value in attribute.values))
    is_larger = size > attribute_value_bytes(attribute)
    return attribute.model_copy(update={"present": 1.0, **({"bytes": size} if is_larger else {})})


def is_guessed(attribute: Attribute) -> bool:
    """Whether an attribute's average size is a guess: neither stated, nor given by its kind or its values."""
    if attribute.bytes is not None or attribute.values:
        return False
    if attribute.derived is not None or attribute.aggregate is not None:
        return False
    if attribute.elements is not None and attribute.type == "NS":
        return False
    return attribute.type not in ("N", "BOOL", "NULL") and attribute.format in OPEN_FORMATS


def _average_bytes(attribute: Attribute, values: Collection[str]) -> float:
    """Average bytes of a text that has one of these values, each as often as the attribute has it."""
    shares = dict(zip(attribute.values or (), attribute.shares or (), strict=False))
    weights = {value: shares.get(value, 0.0) for value in values}
    total = sum(weights.values())
    if not total:
        return sum(len(value.encode()) for value in values) / len(values)
    return sum(len(value.encode()) * weight for value, weight in weights.items()) / total


def attribute_bytes(attribute: Attribute) -> float:
    """Average bytes an attribute adds to an item: name and value, for the share of items that have it."""
    return attribute.present * carried_bytes(attribute)


def carried_bytes(attribute: Attribute) -> float:
    """Average bytes an attribute adds to an item that has it: name and value."""
    return len(attribute.name.encode()) + attribute_value_bytes(attribute)


def text_bytes(attribute: Attribute, only: Collection[str] | None = None) -> float:
    """Average bytes of the value as text inside a composed key, `only` of these values in a sparse one."""
    if attribute.type == "N":
        digits, scale = attribute.padding
        return digits + bool(scale)
    if attribute.source is not None and attribute.source[0] in PERIODS:
        return PERIODS[attribute.source[0]]
    if only is not None:
        return _average_bytes(attribute, only)
    return attribute_value_bytes(attribute)


def most_text_bytes(attribute: Attribute) -> float:
    """Bytes of the largest value as text inside a composed key, as far as that is stated; else the average."""
    average = text_bytes(attribute)
    return max(average, attribute.most_bytes or 0.0) if attribute.source is None else average


def largest_bytes(entity: Entity) -> float:
    """Bytes of an entity's largest item, as far as that is stated: with all attributes, each at its largest."""
    return sum(len(a.name.encode()) + largest_value_bytes(a) for a in entity.stored)


def entity_bytes(entity: Entity) -> float:
    """Average bytes of an entity's own attributes."""
    return sum(attribute_bytes(attribute) for attribute in entity.stored)
