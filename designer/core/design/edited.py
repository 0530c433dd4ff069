"""What an edit changes in a design, part by part and field by field."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from designer.core.design.document import Design
from designer.core.design.write import inline, plain

_PARTS = {"entities": "name", "attributes": "name", "relationships": "name", "patterns": "number"}
"""Lists whose elements are known by a field."""
_WITHOUT_NAMES = ("pins", "ignored_findings")
"""Lists whose elements are known by what they say."""


@dataclass(frozen=True)
class Changed:
    """A field that is not what it was, or a part that came or went."""

    where: str
    """The path of the part: `patterns.9`, `entities.Order.attributes.status`; empty for the design's own fields."""
    field: str
    """Empty where the part itself came or went."""
    before: str
    """As a line of the design's text; empty where it was not there."""
    after: str


def changes(before: Design, after: Design) -> tuple[Changed, ...]:
    """What is different in two designs; ids, which say nothing, left out."""
    return tuple(_between("", plain(before), plain(after)))


def _between(where: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Changed]:
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        path = f"{where}.{name}".removeprefix(".")
        if was == now or name == "id":
            continue
        if name in _PARTS:
            yield from _parts(path, _PARTS[name], was or [], now or [])
        elif name in _WITHOUT_NAMES:
            yield from _elements(path, was or [], now or [])
        elif name == "planner":
            yield from _between(path, was or {}, now or {})
        else:
            yield Changed(where, name, _text(was), _text(now))


def _parts(
    where: str, key: str, old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> Iterator[Changed]:
    was, now = ({part[key]: part for part in parts} for parts in (old, new))
    for name in dict.fromkeys((*was, *now)):
        path = f"{where}.{name}"
        if name in was and name in now:
            yield from _between(path, was[name], now[name])
        else:
            yield Changed(path, "", _text(was.get(name)), _text(now.get(name)))


def _elements(where: str, old: list[Any], new: list[Any]) -> Iterator[Changed]:
    gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
    for was, now in zip_longest(gone, come):
        yield Changed(where, "", _text(was), _text(now))


def _text(value: Any) -> str:
    return "" if value is None else inline(_without_ids(value))


def _without_ids(value: Any) -> Any:
    """Of parts that have a name, their ids go; an attribute that a write sets may be called `id` as well."""
    if isinstance(value, dict):
        is_part = "name" in value
        kept = {name: inner for name, inner in value.items() if name != "id" or not is_part}
        return {name: _without_ids(inner) for name, inner in kept.items()}
    return [_without_ids(element) for element in value] if isinstance(value, list) else value
