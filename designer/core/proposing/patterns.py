"""The usual access patterns: what an application asks for by a key, a parent or an index, and the writes.

Whoever proposes patterns takes their words and their parts from here, so that the same pattern is called the same
wherever it comes from. A pattern is a mapping as a document has it, without its number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from designer.core.design.attributes import GENERATED_FORMATS, KEY_TYPES, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Held
from designer.core.words.english import joined
from designer.core.words.spoken import spoken, spoken_many, with_article, words

MOST = 2000
"""Patterns that are proposed at once; the next ones once these are there."""
PAGE = 20
"""Items that a list is assumed to show at once."""
LONGEST_NAME = 190
MOST_CHANGED = 12
"""Attributes that a proposed update sets at the most."""
_BEGUN = re.compile(
    r"^(created|inserted|registered|placed|ordered|posted|sent|occurred|happened|published|started|date|timestamp"
    r"|booked|made|received|recorded)(_?(at|on|date|time))?$",
    re.IGNORECASE,
)
_TIMES = ("date", "datetime", "epoch")

Parts = dict[str, Any]


@dataclass(frozen=True)
class Usual:
    """A pattern that suits an entity. `key` names it as long as the design has the entity and these attributes."""

    key: str
    entity: str
    pattern: Parts

    @property
    def name(self) -> str:
        return str(self.pattern["name"])


def usual(design: Design) -> tuple[Usual, ...]:
    """The usual patterns of each entity that the design has not yet, in the order of its entities: the first of them,
    as many as a page can show.
    """
    there = {_said(pattern) for pattern in _plain(design)}
    found = (
        Usual(f"{entity.name} {at}", entity.name, pattern)
        for entity in design.entities
        for at, pattern in _of(design, entity)
        if not any(said in there for said in _likes(pattern))
    )
    return tuple(islice(found, MOST))


def _of(design: Design, entity: Entity) -> Iterator[tuple[str, Parts]]:
    """The patterns of an entity, each with what tells it from the others."""
    yield "get", get_by(entity, entity.identifier)
    for unique in entity.uniques:
        if all(entity.by_name[name].type in KEY_TYPES for name in unique.names):
            yield f"get {' '.join(unique.names)}", get_by(entity, unique.names)
    ways = [(held.of, by) for held in direct_parents(design, entity) for by in ways_to(held)]
    for parent, by in ways:
        apart = [each for each, _ in ways].count(parent) > 1
        if set(by) != set(entity.identifier):
            yield f"list {' '.join(by)}", children(entity, parent, by, apart=apart)
    yield "create", create(entity)
    changed = changing(design, entity)
    if changed:
        yield "update", update(entity, changed)
    yield "delete", delete(entity)


def direct_parents(design: Design, entity: Entity) -> list[Held]:
    """The entities that the items of one refer to, one step up; each way that leads to one is another."""
    return [held for held in design.held.get(entity.name, ()) if len(held.by) <= 1]


def ways_to(held: Held) -> list[tuple[str, ...]]:
    """The attributes that hold the identifier of another entity, once for each way to it: fromId, and toId."""
    if len(held.parts) == 1:
        return [(name,) for name in sorted(held.parts[0])]
    return [tuple(min(part) for part in held.parts)]


# Patterns -----------------------------------------------------------------------------------------


def get_by(entity: Entity, names: Sequence[str]) -> Parts:
    name = f"Get {with_article(spoken(entity.name))} by {joined(names)}"
    return {"kind": "get", "name": _short(name), "returns": entity.name, "where": given(names)}


def find_by(entity: Entity, names: Sequence[str]) -> Parts:
    """By attributes that are unique only together."""
    name = f"Find {with_article(spoken(entity.name))} by {joined(names)}"
    return {"kind": "list", "name": _short(name), "returns": entity.name, "where": given(names)}


def children(entity: Entity, parent: str, names: Sequence[str], *, apart: bool = False) -> Parts:
    """The items that belong to one of another entity, the newest first where something says since when they are there.

    `apart`: there are several ways to belong to it, so the name says by which attributes.
    """
    newest = begun(entity)
    name = f"List {spoken_many(entity.name)} of {with_article(spoken(parent))}"
    name += f" by {joined(names)}" if apart else ""
    order = {"order": (f"{newest} descending",)} if newest else {}
    return {
        "kind": "list", "name": _short(name + (", newest first" if newest else "")),
        "returns": entity.name, "where": given(names), "limit": PAGE, **order,
    }  # fmt: skip


def listed_by(entity: Entity, names: Sequence[str]) -> Parts:
    name = f"List {spoken_many(entity.name)} by {joined(names)}"
    return {
        "kind": "list", "name": _short(name), "returns": entity.name, "where": given(names), "limit": PAGE,
    }  # fmt: skip


def in_range(entity: Entity, names: Sequence[str]) -> Parts:
    """By all but the last attribute, in a range of that."""
    *before, last = names
    by = f" by {', '.join(before)} and" if before else ""
    ranged = {"attribute": last, "from": {"param": "since"}, "to": {"param": "until"}}
    return {
        "kind": "list", "name": _short(f"List {spoken_many(entity.name)}{by} in a range of {last}"),
        "returns": entity.name, "where": (*given(before), ranged), "order": (f"{last} descending",), "limit": PAGE,
    }  # fmt: skip


def search(entity: Entity) -> Parts:
    name = f"Search {spoken_many(entity.name)} by words"
    return {"kind": "elsewhere", "name": name, "returns": entity.name, "because": "full-text search"}  # fmt: skip


def create(entity: Entity) -> Parts:
    return _write("create", entity)


def update(entity: Entity, names: Iterable[str]) -> Parts:
    return {**_write("update", entity), "set": {name: {"param": name} for name in names}}


def delete(entity: Entity) -> Parts:
    return _write("delete", entity)


def _write(kind: str, entity: Entity) -> Parts:
    name = f"{kind.capitalize()} {with_article(spoken(entity.name))}"
    return {"kind": kind, "name": _short(name), "entity": entity.name}


def given(names: Iterable[str]) -> tuple[Parts, ...]:
    """Conditions: each attribute is what the caller says."""
    return tuple({"attribute": name, "is": {"param": name}} for name in names)


def _short(name: str) -> str:
    return name[:LONGEST_NAME]


# What an entity's attributes are for --------------------------------------------------------------


def begun(entity: Entity) -> str | None:
    """The attribute that says since when an item is there; None where none is called so."""
    own = f"{(words(entity.name) or [''])[-1]}_"
    for attribute in entity.stored:
        plain = "_".join(words(attribute.name)).removeprefix(own)
        if attribute.format in _TIMES and not attribute.ttl and _BEGUN.match(plain):
            return attribute.name
    return None


def changing(design: Design, entity: Entity) -> tuple[str, ...]:
    """The attributes that an update would set: those stated to change, else all that may."""
    own = [a for a in entity.stored if a.name not in entity.identifier and not a.aggregate]
    stated = [a.name for a in own if a.mutable]
    if stated:
        return tuple(stated[:MOST_CHANGED])
    first = begun(entity)
    free = [a.name for a in own if a.name != first and not _stays(design, entity, a)]
    return tuple(free[:MOST_CHANGED])


def _stays(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether an attribute is likely to stay as it was: references, what is unique, generated identifiers."""
    is_reference = (entity.name, attribute.name) in design.referred
    return (
        is_reference
        or attribute.unique
        or attribute.format in GENERATED_FORMATS
        or attribute.type == "NULL"
    )


# What is there already ----------------------------------------------------------------------------

_Said = tuple[str, str, frozenset[str]]


def _plain(design: Design) -> Iterator[Parts]:
    """The patterns of a design, and the parts of its transactions, as mappings."""
    for pattern in design.patterns:
        yield pattern.model_dump(by_alias=True, exclude_defaults=True) | {"kind": pattern.kind}
        for member in getattr(pattern, "members", ()):
            yield {"kind": member.verb, "entity": member.entity}


def _said(pattern: Mapping[str, Any]) -> _Said:
    """What makes two patterns the same to somebody who chooses: what is done, to what, and found by what."""
    of = pattern.get("returns") or pattern.get("entity") or ""
    where = frozenset(str(each["attribute"]) for each in pattern.get("where", ()))
    return str(pattern["kind"]), of if isinstance(of, str) else " ".join(of), where


def _likes(pattern: Mapping[str, Any]) -> Iterator[_Said]:
    """The pattern, and what would stand in for it."""
    kind, of, where = _said(pattern)
    yield kind, of, where
    if kind == "create":
        yield "upsert", of, where
