"""What a column is as an attribute."""

import re
from typing import Any

from designer.core.importers.relational import Column, Family
from designer.core.messages import Message, say

AVERAGE_MOST = 64
"""Bytes that are assumed of a text whose most is larger."""
_MOST_BYTES = 400_000
_MOST_VALUES = 1000
_LONGEST_VALUE = 200
_PLAIN: dict[Family, dict[str, Any]] = {
    "text": {"type": "S"},
    "integer": {"type": "N", "format": "integer"},
    "decimal": {"type": "N", "format": "decimal"},
    "float": {"type": "N"},
    "boolean": {"type": "BOOL"},
    "date": {"type": "S", "format": "date"},
    "datetime": {"type": "S", "format": "datetime"},
    "time": {"type": "S"},
    "uuid": {"type": "S", "format": "uuid"},
    "json": {"type": "M"},
    "list": {"type": "L"},
    "binary": {"type": "B"},
    "search": {"type": "S"},
    "unknown": {"type": "S"},
}
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def attribute_of(column: Column, name: str) -> tuple[dict[str, Any], Message | None]:
    """The attribute as a document has it, and what was guessed about it, or None."""
    kind = column.type
    attribute: dict[str, Any] = {"name": name, **_PLAIN[kind.family]}
    if kind.digits is not None and kind.digits <= 38 and attribute["type"] == "N":
        attribute["digits"] = kind.digits
        if kind.scale:
            attribute["scale"] = kind.scale
    if kind.values:
        return _listed(attribute, kind.values)
    if kind.family == "text":
        return _text(attribute, column)
    if kind.family == "unknown":
        if not kind.written:
            return attribute, say("type-missing")
        return attribute, say("type-unknown", type=kind.written)
    if kind.family == "json" and "JSON" not in kind.written.upper():
        return attribute, say("kept-as-map", type=kind.written)
    return attribute, None


def _listed(
    attribute: dict[str, Any], values: tuple[str, ...]
) -> tuple[dict[str, Any], Message | None]:
    numbers = attribute["type"] == "N" and all(_NUMBER.fullmatch(value) for value in values)
    fits = len(values) <= _MOST_VALUES and all(0 < len(value) <= _LONGEST_VALUE for value in values)
    if not fits or not (attribute["type"] == "S" or numbers):
        return attribute, say("values-left-out")
    attribute["values"] = list(values)
    if attribute["type"] == "S":
        attribute["format"] = "enum"
    return attribute, None


def _text(attribute: dict[str, Any], column: Column) -> tuple[dict[str, Any], Message | None]:
    kind = column.type
    words = column.name.lower()
    if kind.is_fixed and kind.length == 36 and re.search(r"(^|_)(id|uuid|guid)$", words):
        return {**attribute, "format": "uuid"}, say("taken-for-uuid")
    if words.endswith("email"):
        return {**attribute, "format": "email"}, say("taken-for-email")
    if re.search(r"(^|_)ur[li]$", words):
        return {**attribute, "format": "url"}, say("taken-for-url")
    if kind.length is not None and kind.length > 0:
        average = kind.length if kind.is_fixed else min(-(-kind.length // 2), AVERAGE_MOST)
        attribute["bytes"] = min(average, _MOST_BYTES)
    return attribute, None
