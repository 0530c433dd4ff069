"""Values as DynamoDB's own JSON, and back."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from designer.core.answers import Item, Value

Wire = dict[str, Any]


def to_wire(value: Value) -> Wire:
    """A value with its type, as the API takes it."""
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, (int, Decimal)):
        return {"N": format(value, "f")}
    if isinstance(value, bytes):
        return {"B": value}
    if isinstance(value, Mapping):
        return {"M": item_to_wire(value)}
    if isinstance(value, (set, frozenset)):
        wires = [to_wire(one) for one in value]
        kind = next(iter(wires[0]))
        return {f"{kind}S": sorted(wire[kind] for wire in wires)}
    if isinstance(value, (list, tuple)):
        return {"L": [to_wire(one) for one in value]}
    if value is None:
        return {"NULL": True}
    raise TypeError(f"{value!r} is nothing that DynamoDB stores")


def from_wire(wire: Mapping[str, Any]) -> Value:
    """The value of what the API returned."""
    kind, value = next(iter(wire.items()))
    if kind == "N":
        return Decimal(value)
    if kind == "NS":
        return {Decimal(one) for one in value}
    if kind in ("SS", "BS"):
        return set(value)
    if kind == "M":
        return item_from_wire(value)
    if kind == "L":
        return [from_wire(one) for one in value]
    return None if kind == "NULL" else value


def item_to_wire(item: Item) -> Wire:
    """A whole item, as the API takes it."""
    return {name: to_wire(value) for name, value in item.items()}


def item_from_wire(wire: Mapping[str, Any]) -> dict[str, Value]:
    """A whole item that the API returned."""
    return {name: from_wire(value) for name, value in wire.items()}
