"""A design as text or plain data, in stable order and without what is left at its default.

Order and line breaks are made for version control: the fields in their order, lists as written,
access patterns by number, and what fits a line in one line, so that a small change is a small
difference.
"""

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Literal

import yaml
from pydantic import BaseModel

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.numbers import as_text
from designer.core.design.text import resolve
from designer.core.patterns.base import CHANGES, Member, Pattern, With

_ORDER: dict[type[BaseModel], tuple[str, ...]] = {
    Pattern: (
        "number",
        "id",
        "name",
        "why",
        "description",
        "kind",
        "returns",
        "entity",
        "where",
        "keep",
        "with",
        "attributes",
        "order",
        "limit",
        "then_keep",
        "result",
        "consistency",
        "by",
        "given",
        *CHANGES,
        "if",
        "or",
        "times",
        "each",
        "workflow",
        "members",
        "because",
        "rate",
        "hottest",
        "expects",
        "latency_ms",
        "at_most_requests",
        "status",
        "considerations",
    ),
    Member: (
        "create",
        "upsert",
        "update",
        "delete",
        "check",
        "exists",
        "by",
        "given",
        "times",
        "each",
        *CHANGES,
        "if",
        "or",
    ),
    With: ("relationship", "attributes", "keep", "order", "limit"),
}
"""The order of fields, where it is not the order of the model (which inheritance decides)."""


def plain(part: BaseModel) -> dict[str, Any]:
    """A design, or a part of one, as plain data (dict, list, scalars) in stable order, defaults
    left out."""
    data = {}
    for name, key, default in _fields(type(part)):
        value = getattr(part, name)
        if value != default:
            data[key] = _plain(value)
    if isinstance(part, Attribute) and part.type == "N" and part.values is not None:
        data["values"] = [_number(text) for text in part.values]
    for kind, order in _ORDER.items():
        if isinstance(part, kind):
            return {key: data[key] for key in sorted(data, key=order.index)}
    return data


@cache
def _fields(kind: type[BaseModel]) -> tuple[tuple[str, str, Any], ...]:
    """Of each field its name, its key, and what it is at when it is left out: asked for once, not for every part."""
    return tuple(
        (
            name,
            field.alias or name,
            object() if name in _ALWAYS else field.get_default(call_default_factory=True),
        )
        for name, field in kind.model_fields.items()
    )


_ALWAYS = ("keywright", "kind")


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return plain(value)
    if isinstance(value, tuple):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return plain_value(value)


def plain_value(value: Any) -> Any:
    """A scalar with whole numbers written as such: 5, not 5.0."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def _number(text: str) -> Any:
    """The number that a text says, where that is written as the text is: "007" stays a text."""
    number = resolve(text)
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    return number if is_number and as_text(number) == text else text


def dump(design: Design, form: Literal["yaml", "json"] = "yaml") -> str:
    """The design as text; `load` of it is the same design."""
    data = plain(design)
    if form == "json":
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    return "\n".join(_document(data)) + "\n"


def inline(value: Any) -> str:
    """Plain data as one line of YAML: `{param: since}`."""
    return _flow(value)


# YAML: a part that fits a line stands in one, as {field: value}; others have a line for each field.

_WIDTH = 120
_SPREAD = frozenset(("entities", "patterns"))
"""Lists whose elements have a line for each field, however short, with an empty line between."""
_SECTIONS = ("entities", "relationships", "patterns", "planner", "ignored_findings", "names")
_ROWS = frozenset(
    (
        "attributes",
        "relationships",
        "where",
        "keep",
        "with",
        "members",
        "pins",
        "ignored_findings",
        "indexes",
        "if",
        "or",
    )
)
"""Lists with a line for each element, where the elements have fields."""


def _document(data: dict[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if key in _SECTIONS:
            yield ""
        yield from _field(key, value, 0)


def _field(key: str, value: Any, indent: int) -> Iterator[str]:
    margin = " " * indent
    head = f"{margin}{_scalar(key)}:"
    if isinstance(value, str) and _is_block_text(value):
        yield f"{head} {'|' if value.endswith(chr(10)) else '|-'}"
        for line in value.removesuffix("\n").split("\n"):
            yield f"{margin}  {line}".rstrip(" ") if line == "" else f"{margin}  {line}"
        return
    if isinstance(value, str):
        yield f"{head} {_scalar(value, _BARE_IN_BLOCK)}"
        return
    flow = f"{head} {_flow(value)}"
    if not isinstance(value, (dict, list)) or not value:
        yield flow
    elif isinstance(value, dict):
        if len(flow) <= _WIDTH:
            yield flow
        else:
            yield head
            for inner, part in value.items():
                yield from _field(inner, part, indent + 2)
    elif not isinstance(value[0], (dict, list)) or (
        len(flow) <= _WIDTH and key not in _ROWS and key not in _SPREAD
    ):
        yield flow
    else:
        yield head
        for number, element in enumerate(value):
            if key in _SPREAD and number and indent == 0:
                yield ""
            yield from _element(element, indent + 2, key in _SPREAD and indent == 0)


def _element(element: Any, indent: int, spread: bool) -> Iterator[str]:
    margin = " " * indent
    flow = f"{margin}- {_flow(element)}"
    has_block = isinstance(element, dict) and any(
        isinstance(v, str) and _is_block_text(v) for v in element.values()
    )
    if (
        not isinstance(element, dict)
        or not element
        or not (spread or has_block or len(flow) > _WIDTH + 40)
    ):
        yield flow
        return
    lines = [line for key, value in element.items() for line in _field(key, value, indent + 2)]
    yield f"{margin}- {lines[0][indent + 2 :]}"
    yield from lines[1:]


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_scalar(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(_flow(element) for element in value) + "]"
    return _scalar(value)


_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.()/;%'&+=$-]*(?: [A-Za-z0-9_.()/;%'&+=$-]+)*")
"""Text that needs no quotes, in a flow collection or out of it."""
_BARE_IN_BLOCK = re.compile(_BARE.pattern.replace("+=$-", "+=$,-"))
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_OLDER = yaml.SafeLoader.yaml_implicit_resolvers


def _scalar(value: Any, bare: re.Pattern[str] = _BARE) -> str:
    if isinstance(value, str):  # most are
        return _short(value, bare) if len(value) <= _SHORT else _text(value, bare)
    return json.dumps(value)


_SHORT = 40
"""Characters of a text that is remembered: most of a design are names of fields, the same again and again."""


@lru_cache(4096)
def _short(text: str, bare: re.Pattern[str]) -> str:
    return _text(text, bare)


def _text(text: str, bare: re.Pattern[str]) -> str:
    if bare.fullmatch(text) and not _reads_as_something_else(text):
        return text
    return _UNPRINTABLE.sub(
        lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False)
    )


def _reads_as_something_else(text: str) -> bool:
    """Whether readers of YAML 1.2 or 1.1 would take the bare text for a number, a date or a
    boolean."""
    if not isinstance(resolve(text), str):
        return True
    return any(regex.match(text) for _, regex in _OLDER.get(text[0], ()))


_BLOCK_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]*")


def _is_block_text(text: str) -> bool:
    """Whether several lines can stand as they are, under `|`."""
    lines = text.removesuffix("\n").split("\n")
    return (
        "\n" in text
        and all(_BLOCK_LINE.fullmatch(line) for line in lines)
        and lines[0] != ""
        and not lines[0].startswith(" ")
        and lines[-1].strip(" ") != ""
    )
