"""The usual access patterns of what a schema has: one for each key, reference and index, and the writes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from designer.core.design.bounds import PATTERNS
from designer.core.importers.base import Proposal
from designer.core.importers.model import Edge, Model, Thing
from designer.core.importers.naming import spoken, spoken_many, with_article, words
from designer.core.importers.relational import Index

PAGE = 20
"""Items that a list is assumed to show at once."""
_MOST_NAME = 190
_KEY_TYPES = ("S", "N", "B")
_BEGUN = re.compile(
    r"^(created|inserted|registered|placed|ordered|posted|sent|occurred|happened|published|started|date|timestamp)"
    r"(_?(at|on|date|time))?$"
)


@dataclass
class _Proposing:
    model: Model
    patterns: list[dict[str, Any]] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    left_out: int = 0
    seen: set[tuple[str, tuple[str, ...], bool]] = field(default_factory=set)
    """Lists that are there: of which entity, by which attributes, whether in a range of the last."""

    def add(self, hint: str, is_usual: bool = True, **pattern: Any) -> None:
        if len(self.patterns) >= PATTERNS.most:
            self.left_out += 1
            return
        number = len(self.patterns) + 1
        name = str(pattern.pop("name"))[:_MOST_NAME]
        self.patterns.append({"number": number, "name": name, **pattern})
        self.proposals.append(Proposal(number, hint, is_usual))


def proposed(model: Model) -> tuple[list[dict[str, Any]], list[Proposal]]:
    """Patterns as a document has them, and for each what hints at it. What is guessed about them is noted."""
    making = _Proposing(model)
    for thing in model.things:
        _reads_of_one(making, thing)
        for edge in [edge for edge in model.edges if edge.child is thing]:
            _children(making, edge)
        for index in thing.table.indexes:
            _by_index(making, thing, index)
        _writes(making, thing)
    if any(pattern["kind"] == "list" for pattern in making.patterns):
        model.guessed(
            f"Lists are read {PAGE} at a time, the newest first where something says when an item began."
        )
    if making.left_out:
        model.missing(
            f"{making.left_out:,} more access patterns: a design holds {PATTERNS.most:,}."
        )
    return making.patterns, making.proposals


def _reads_of_one(making: _Proposing, thing: Thing) -> None:
    one = with_article(spoken(thing.name))
    by = [thing.attributes[key]["name"] for key in thing.identifier]
    key = thing.table.primary
    making.add(
        _at("primary key", key.line if key else thing.table.line),
        kind="get", name=f"Get {one} by {', '.join(by)}", returns=thing.name, where=_given(by),
    )  # fmt: skip
    for unique in thing.table.uniques:
        names = [
            thing.attributes[each]["name"] for each in unique.columns if each in thing.attributes
        ]
        if (
            set(unique.columns) == set(thing.identifier)
            or len(names) != len(unique.columns)
            or not names
        ):
            continue
        because = _at(f"unique {unique.name}".strip(), unique.line)
        if (thing.name, tuple(names), False) in making.seen or not _in_key(thing, unique.columns):
            continue
        making.seen.add((thing.name, tuple(names), False))
        kind = "get" if len(names) == 1 else "list"
        verb = "Get" if kind == "get" else "Find"
        making.add(
            because,
            kind=kind,
            name=f"{verb} {one} by {', '.join(names)}",
            returns=thing.name,
            where=_given(names),
        )


def _children(making: _Proposing, edge: Edge) -> None:
    thing = edge.child
    columns = tuple(edge.pairs.values())
    names = tuple(thing.attributes[key]["name"] for key in columns)
    if (thing.name, names, False) in making.seen or sorted(columns) == sorted(thing.identifier):
        return
    making.seen.add((thing.name, names, False))
    newest = _begun(thing)
    many = [
        other
        for other in making.model.edges
        if other.child is thing and other.parent is edge.parent
    ]
    by = f" by {', '.join(names)}" if len(many) > 1 else ""
    order: dict[str, Any] = {"order": [f"{newest} descending"]} if newest else {}
    name = f"List the {spoken_many(thing.name)} of {with_article(spoken(edge.parent.name))}{by}"
    making.add(
        _at(f"foreign key {edge.foreign.name}".strip(), edge.foreign.line),
        kind="list", name=name + (", newest first" if newest else ""), returns=thing.name,
        where=_given(names), limit=PAGE, **order,
    )  # fmt: skip


def _by_index(making: _Proposing, thing: Thing, index: Index) -> None:
    if index.is_full_text:
        making.add(
            _at(f"full-text index {index.name}".strip(), index.line), kind="elsewhere",
            name=f"Search {spoken_many(thing.name)} by words", returns=thing.name, because="full-text search",
        )  # fmt: skip
        return
    held = index.columns
    if not held or not _in_key(thing, held):
        if held:
            said = f"No pattern comes of this index: {', '.join(held)} cannot all be in a key."
            making.model.missing(said, index.name or thing.table.full_name, index.line)
        return
    names = tuple(thing.attributes[key]["name"] for key in held)
    ranged = _is_ordered(thing, held[-1])
    if (thing.name, names, ranged) in making.seen or names == tuple(thing.identifier[: len(names)]):
        return
    making.seen.add((thing.name, names, ranged))
    because = _at(f"index {index.name}".strip(), index.line)
    if not ranged:
        name = f"List {spoken_many(thing.name)} by {', '.join(names)}"
        making.add(
            because, kind="list", name=name, returns=thing.name, where=_given(names), limit=PAGE
        )
        return
    where = [
        *_given(names[:-1]),
        {"attribute": names[-1], "from": {"param": "since"}, "to": {"param": "until"}},
    ]
    by = f" by {', '.join(names[:-1])} and" if names[:-1] else ""
    making.add(
        because, is_usual=bool(names[:-1]), kind="list",
        name=f"List {spoken_many(thing.name)}{by} in a range of {names[-1]}", returns=thing.name,
        where=where, order=[f"{names[-1]} descending"], limit=PAGE,
    )  # fmt: skip


def _writes(making: _Proposing, thing: Thing) -> None:
    one = with_article(spoken(thing.name))
    because = _at("table", thing.table.line)
    making.add(because, kind="create", name=f"Create {one}", entity=thing.name)
    changing = {
        each["name"]: {"param": each["name"]}
        for each in thing.attributes.values()
        if each.get("mutable")
    }
    if changing:
        making.add(because, kind="update", name=f"Update {one}", entity=thing.name, set=changing)
    making.add(because, kind="delete", name=f"Delete {one}", entity=thing.name)


def _given(names: "list[str] | tuple[str, ...]") -> list[dict[str, Any]]:
    return [{"attribute": name, "is": {"param": name}} for name in names]


def _in_key(thing: Thing, columns: tuple[str, ...]) -> bool:
    return all(thing.attributes.get(key, {}).get("type") in _KEY_TYPES for key in columns)


def _is_ordered(thing: Thing, column: str) -> bool:
    """Whether one asks for a range of its values: a time, or a number that refers to nothing and is no list."""
    attribute = thing.attributes[column]
    if attribute.get("format") in ("date", "datetime"):
        return True
    return attribute["type"] == "N" and "refers_to" not in attribute and "values" not in attribute


def _begun(thing: Thing) -> str | None:
    """The attribute that says since when an item is there."""
    return next(_times_begun(thing), None)


def _times_begun(thing: Thing) -> Iterator[str]:
    last = (words(thing.name) or [""])[-1]
    for key, attribute in thing.attributes.items():
        is_time = attribute.get("format") in ("date", "datetime")
        if is_time and _BEGUN.match(key.removeprefix(f"{last}_")):
            yield str(attribute["name"])


def _at(what: str, line: int) -> str:
    return f"{what}, line {line}"
