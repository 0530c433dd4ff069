"""The hash of what a design means: approvals, proofs and plans are bound to it.

Left out is what cannot change a plan: ids, free text, examples, findings set aside, and the order
of lists that have none.
"""

import hashlib
import json
from functools import cache
from typing import Any

from pydantic import BaseModel

from designer.core.design.document import (
    Attribute,
    Design,
    Entity,
    IgnoredFinding,
    Pin,
    Relationship,
)
from designer.core.design.write import plain_value
from designer.core.patterns.base import Change, Pattern, Read, With
from designer.core.patterns.delete import Delete
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.patterns.transaction import Transaction

LEFT_OUT: dict[type[BaseModel], frozenset[str]] = {
    Design: frozenset(("description", "ignored_findings")),
    Entity: frozenset(("id", "description")),
    Attribute: frozenset(("id", "description", "examples")),
    Relationship: frozenset(("id", "description")),
    Pattern: frozenset(("id", "description", "why", "considerations")),
    Pin: frozenset(("because",)),
    IgnoredFinding: frozenset(("rule", "about", "because")),
}
"""Fields that do not belong to the meaning. (`because` of a pattern does: it says which service
answers instead.)"""

UNORDERED: dict[type[BaseModel], frozenset[str]] = {
    Design: frozenset(("entities", "relationships", "patterns")),
    Entity: frozenset(("attributes",)),
    Attribute: frozenset(("values",)),
    Read: frozenset(("returns", "where", "keep", "with_", "attributes")),
    With: frozenset(("keep", "attributes")),
    Delete: frozenset(("where",)),
    Elsewhere: frozenset(("returns",)),
    Change: frozenset(("by", "given", "remove", "if_")),
    Transaction: frozenset(("members",)),
    Pin: frozenset(("table",)),
}
"""Lists whose order says nothing. (Pins are tried in their order; an identifier's order is its
key's.)"""


def meaning(design: Design) -> str:
    """`sha256:` and the hash of the canonical JSON of the design's meaning."""
    # Kept with the design, which never changes; a changed copy starts without it.
    found: str | None = design.__dict__.get("_meaning")
    if found is None:
        found = f"sha256:{hashlib.sha256(canonical(design).encode()).hexdigest()}"
        design.__dict__["_meaning"] = found
    return found


def canonical(design: Design) -> str:
    """The JSON that is hashed: keys sorted, no white space, nothing that is at its default."""
    return _text(_meant(design))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _meant(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return _part(value)
    if isinstance(value, tuple):
        return [_meant(element) for element in value]
    if isinstance(value, dict):
        return {key: _meant(inner) for key, inner in value.items()}
    return plain_value(value)


def _part(part: BaseModel) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, alias, default, is_unordered in _fields(type(part)):
        value = getattr(part, name)
        if value == default and name not in ("keywright", "kind"):
            continue
        meant = _meant(value)
        if meant == {}:
            continue  # a part that says nothing is no part
        if isinstance(part, Attribute) and name == "shares":
            continue  # they go with their values
        if isinstance(part, Attribute) and name == "values" and part.shares is not None:
            meant = [
                [value, plain_value(share)] for value, share in zip(meant, part.shares, strict=True)
            ]
        if is_unordered and isinstance(meant, list):
            meant = sorted(meant, key=_text)
        if name in ("by", "returns") and isinstance(meant, list) and len(meant) == 1:
            meant = meant[0]  # `by: userId` says the same as `by: [userId]`
        data[alias] = meant
    return data


@cache
def _fields(kind: type[BaseModel]) -> tuple[tuple[str, str, Any, bool], ...]:
    """Of what a kind of part means: name, name in the document, default, and whether its order says nothing."""
    left_out, unordered = _named(kind, LEFT_OUT), _named(kind, UNORDERED)
    return tuple(
        (name, field.alias or name, field.get_default(call_default_factory=True), name in unordered)
        for name, field in kind.model_fields.items()
        if name not in left_out
    )


def _named(part: type[BaseModel], table: dict[type[BaseModel], frozenset[str]]) -> frozenset[str]:
    return frozenset(
        name for kind, names in table.items() if issubclass(part, kind) for name in names
    )
