"""Values side by side: their order, and whether they are the same."""

from collections.abc import Mapping
from decimal import Decimal

from designer.core.answers.expected import Value


def number(value: Value) -> Value:
    """The value, with a number as a Decimal."""
    return (
        Decimal(str(value))
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else value
    )


def sort_key(value: Value) -> Value:
    """What orders texts by their UTF-8 bytes and numbers by size."""
    return value.encode() if isinstance(value, str) else value


def canonical(value: Value) -> Value:
    """The same for equal values, never for others, and hashable: true is not 1."""
    if isinstance(value, (str, Decimal)):
        return (type(value).__name__, value)
    if isinstance(value, Mapping):
        return ("M", frozenset((name, canonical(inner)) for name, inner in value.items()))
    if isinstance(value, (set, frozenset)):
        return ("set", frozenset(canonical(inner) for inner in value))
    if isinstance(value, (list, tuple)):
        return ("L", tuple(canonical(inner) for inner in value))
    return (type(value).__name__, value)


def equal(one: Value, other: Value) -> bool:
    """Whether two values are the same, type included."""
    if isinstance(one, Mapping):
        return (
            isinstance(other, Mapping)
            and one.keys() == other.keys()
            and all(equal(value, other[name]) for name, value in one.items())
        )
    if isinstance(one, (list, tuple, set, frozenset)):
        return bool(canonical(one) == canonical(other))
    return type(one) is type(other) and bool(one == other)
