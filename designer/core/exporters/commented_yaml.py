"""CloudFormation's data as YAML: functions in their short form, comments before their places."""

import re
from collections.abc import Iterator
from typing import Any

from designer.core.exporters import notes
from designer.core.exporters.quoting import escaped

Path = tuple[str | int, ...]
"""Where something stands: the keys and positions that lead to it."""

Notes = dict[Path, tuple[str, ...]]
"""What is said about some of the places."""

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*(::[A-Za-z0-9]+)*")
_NOT_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that some YAML reader takes for something else than text."""


def scalar(value: str | int | bool) -> str:
    """A YAML scalar that every reader reads as this value.

    >>> scalar("PK"), scalar("N"), scalar("a\\n# b"), scalar(True)
    ('PK', '"N"', '"a\\\\n# b"', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT:
        return value
    return f'"{escaped(value)}"'


def _inline(value: Any) -> str | None:
    """What stands on the line of its key: a scalar, or a function in its short form; else None."""
    match value:
        case {"Ref": name}:
            return f"!Ref {name}"
        case {"Fn::Sub": text}:
            return f'!Sub "{escaped(text)}"'
        case {"Fn::GetAtt": [name, attribute]}:
            return f"!GetAtt {name}.{attribute}"
        case {"Fn::Equals": arguments}:
            return f"!Equals [{', '.join(str(_inline(value)) for value in arguments)}]"
        case {"Fn::If": arguments}:
            return f"!If [{', '.join(str(_inline(value)) for value in arguments)}]"
        case dict() | list() if value:
            return None
        case dict() | list():
            return "{}" if isinstance(value, dict) else "[]"
    return scalar(value)


def lines_of(
    values: dict[str, Any], about: Notes, path: Path = (), indent: str = ""
) -> Iterator[str]:
    """The lines of a map; sections, and resources after the first, are set apart."""
    for key, value in values.items():
        place = (*path, key)
        if not path or (path == ("Resources",) and key != next(iter(values))):
            yield ""
        yield from _comment(about, place, indent)
        inline = _inline(value)
        if inline is not None:
            yield f"{indent}{key}: {inline}"
            continue
        yield f"{indent}{key}:"
        lines = lines_of if isinstance(value, dict) else _list_lines
        yield from lines(value, about, place, f"{indent}  ")


def _list_lines(values: list[Any], about: Notes, path: Path, indent: str) -> Iterator[str]:
    for number, value in enumerate(values):
        place = (*path, number)
        yield from _comment(about, place, indent)
        inline = _inline(value)
        if inline is not None:
            yield f"{indent}- {inline}"
            continue
        first, *rest = lines_of(value, about, place, f"{indent}  ")
        yield f"{indent}- {first.strip()}"
        yield from rest


def _comment(about: Notes, place: Path, indent: str) -> Iterator[str]:
    for line in notes.wrapped(about.get(place, ()), len(indent)):
        yield f"{indent}# {line}"
