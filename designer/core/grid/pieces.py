"""Texts of keys and values as people read them in a grid: in pieces, long ones shortened."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from designer.core.examples.identities import brief
from designer.core.examples.stored_items import filled
from designer.core.plan.keys import (
    Form,
    Reference,
    Value,
    escape,
    is_condition,
    parse,
    plain_text,
    write,
)
from designer.core.sentences.templates import EACH, only_if_text

LONGEST_TEXT = 44
"""Characters of an attribute's value that are shown."""


@dataclass(frozen=True)
class Piece:
    """Part of a key text: constant (`ORDER#`) or variable."""

    text: str
    constant: bool = False
    full: str = ""
    """The whole value, where the text shortens it."""


def value_piece(text: str) -> Piece:
    """A value within a key: the identifiers of known formats shortened, anything else whole."""
    shown = brief(text)
    return Piece(shown, full=text if shown != text else "")


def template_pieces(template: str) -> tuple[Piece, ...]:
    """A key template for people: `ORDER#{placedAt}` as `ORDER#` and `<placedAt>`.

    >>> [piece.text for piece in template_pieces("P#{pad(10, 2, price)}#{shard(4, id)}")]
    ['P#', '<price>', '#', '<shard of id>']
    >>> [piece.text for piece in template_pieces('{when(kind, "ERROR")}EVENT#{sentAt}')]
    ['EVENT#', '<sentAt>', ' (only if kind is ERROR)']
    """
    pieces = []
    for part in parse(template):
        if isinstance(part, str):
            pieces.append(Piece(part, True))
        elif isinstance(part, Form) and part.form == "absent":
            pieces += [Piece(text, True) for text in part.texts]
        elif is_condition(part):
            continue
        elif isinstance(part, Reference) or part.form in ("pad", "only", "text"):
            pieces.append(Piece(f"<{EACH.get(part.name, part.name)}>"))
        else:
            pieces.append(Piece(f"<{part.form} of {part.name}>"))
    if conditions := only_if_text(template):
        pieces.append(Piece(f" {conditions}", True))
    return tuple(pieces)


def sample_pieces(template: str, values: Mapping[str, Value]) -> tuple[Piece, ...]:
    """The text of a template for an item, in pieces; a lone `{name}` as its value."""
    parts = parse(template)
    pieces = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(Piece(part, True))
            continue
        value = filled(write((part,)), values.get)
        text = "" if value is None else value_text(value)
        pieces.append(value_piece(text if len(parts) == 1 else escape(text)))
    return tuple(pieces)


def value_text(value: Value) -> str:
    """A value as text: sets and lists with commas, maps as name and value."""
    if value is None:
        return ""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(value_text(part) for part in value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(part) for part in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {value_text(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Decimal):
        return format(value, "f")
    return plain_text(value)


def short(text: str) -> str:
    """A value as a cell has room for it: an identifier by its beginning and end, a long text by its beginning."""
    text = brief(text)
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1].rstrip() + "\u2026"
