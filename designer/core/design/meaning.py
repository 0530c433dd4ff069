"""The hash of what a design means: proofs and plans are bound to it, approvals also to the order in which it is stated.

Left out is what says nothing of the tables: ids, free text, examples, places in the diagram, findings set aside, and
the order of lists that have none. This order can decide between plans that are equally good, so there is a hash that
keeps it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.names import Names
from designer.core.design.settings import IgnoredFinding, Pin
from designer.core.design.write import plain_value
from designer.core.patterns.base import Pattern

LEFT_OUT: dict[type[BaseModel], frozenset[str]] = {
    Design: frozenset(("description", "ignored_findings")),
    Entity: frozenset(("id", "description", "drawn_at")),
    Attribute: frozenset(("id", "description", "examples")),
    Relationship: frozenset(("id", "description")),
    Pattern: frozenset(("id", "description", "why", "considerations")),
    Pin: frozenset(("because",)),
    IgnoredFinding: frozenset(("rule", "about", "because")),
    Names: frozenset(("single", "multi", "grouped")),
}
"""Fields that do not belong to the meaning. (`because` of a pattern does: it says which service
answers instead.) What plans named is left out, as recording it changes no plan; that it was begun anew is not."""


def meaning(design: Design) -> str:
    """`sha256:` and the hash of the canonical JSON of the design's meaning."""
    return _hash(design, is_ordered=False)


def ordered_meaning(design: Design) -> str:
    """The same with every list in the order in which it stands: designs of which it is the same differ in words only,
    and have the same plans.
    """
    return _hash(design, is_ordered=True)


def canonical(design: Design, *, is_ordered: bool = False) -> str:
    """The JSON that is hashed: keys sorted, no white space, nothing that is at its default."""
    return _part(design, is_ordered)


def _hash(design: Design, *, is_ordered: bool) -> str:
    # Kept with the design, which never changes; a changed copy starts without it.
    name = "_ordered_meaning" if is_ordered else "_meaning"
    found: str | None = design.__dict__.get(name)
    if found is None:
        text = canonical(design, is_ordered=is_ordered)
        found = f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
        design.__dict__[name] = found
    return found


def _text(value: Any, is_ordered: bool) -> str:
    if isinstance(value, BaseModel):
        return _part(value, is_ordered)
    if isinstance(value, tuple):
        return _list(_text(each, is_ordered) for each in value)
    if isinstance(value, dict):
        return _object(
            (_leaf(key), _text(inner, is_ordered)) for key, inner in sorted(value.items())
        )
    return _leaf(plain_value(value))


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
"""`json.dumps` would make one for every leaf."""


def _leaf(value: Any) -> str:
    return _ENCODER.encode(value)


def _list(texts: Iterable[str]) -> str:
    return f"[{','.join(texts)}]"


def _object(members: Iterable[tuple[str, str]]) -> str:
    said = ",".join(f"{name}:{text}" for name, text in members)
    return f"{{{said}}}"


def _part(part: BaseModel, is_ordered: bool) -> str:
    # Kept with the part, so that after an edit only what is new is written again.
    name = "_ordered_canonical" if is_ordered else "_canonical"
    found: str | None = part.__dict__.get(name)
    if found is None:
        found = part.__dict__[name] = _object(_members(part, is_ordered))
    return found


def _members(part: BaseModel, is_ordered: bool) -> Iterator[tuple[str, str]]:
    for name, alias, default, is_unordered in _fields(type(part)):
        value = getattr(part, name)
        if value == default and name not in ("keywright", "kind"):
            continue
        if isinstance(part, Attribute) and name == "shares" and part.values is not None:
            continue  # they go with their values
        if isinstance(value, tuple):
            texts = [_text(element, is_ordered) for element in value]
            if isinstance(part, Attribute) and name == "values" and part.shares is not None:
                shares = (_text(each, is_ordered) for each in part.shares)
                texts = [_list(pair) for pair in zip(texts, shares, strict=True)]
            if is_unordered and not is_ordered:
                texts.sort()
            # `by: userId` says the same as `by: [userId]`.
            is_one = name in ("by", "returns") and len(texts) == 1
            text = texts[0] if is_one else _list(texts)
        else:
            text = _text(value, is_ordered)
        if text != "{}":  # a part that says nothing is no part
            yield alias, text


@cache
def _fields(kind: type[BaseModel]) -> tuple[tuple[str, str, Any, bool], ...]:
    """Of what a kind of part means: name, name in the document, default, and whether its order says nothing.

    They are in the order of their names in the document, which are written as JSON has them.
    """
    without, free = left_out(kind), unordered(kind)
    fields = sorted(kind.model_fields.items(), key=lambda named: named[1].alias or named[0])
    return tuple(
        (
            name,
            _leaf(field.alias or name),
            field.get_default(call_default_factory=True),
            name in free,
        )
        for name, field in fields
        if name not in without
    )


@cache
def left_out(kind: type[BaseModel]) -> frozenset[str]:
    """The fields of a kind of part that do not belong to the meaning."""
    return frozenset(
        name for part, names in LEFT_OUT.items() if issubclass(kind, part) for name in names
    )


@cache
def unordered(kind: type[BaseModel]) -> frozenset[str]:
    """Those that hold a list whose order says nothing.

    Pins are tried in their order, and an identifier's order is that of its key.
    """
    return frozenset(name for each in kind.__mro__ for name in vars(each).get("unordered", ()))
