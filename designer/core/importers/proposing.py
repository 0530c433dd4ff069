"""The usual access patterns of what a schema has: one for each key, reference and index, and the writes."""

from dataclasses import dataclass, field
from typing import Any

from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.bounds import PATTERNS
from designer.core.design.entities import Entity
from designer.core.importers.base import Proposal
from designer.core.importers.model import Edge, Model, Thing
from designer.core.importers.relational import Index
from designer.core.messages import Message, say
from designer.core.proposing import patterns as proposing
from designer.core.proposing.patterns import PAGE, Parts


@dataclass
class _Proposing:
    model: Model
    patterns: list[dict[str, Any]] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    left_out: int = 0
    entity: str = ""
    """The entity for which is proposed."""
    seen: set[tuple[str, tuple[str, ...], bool]] = field(default_factory=set)
    """Lists that are there: of which entity, by which attributes, whether in a range of the last."""

    def add(self, hint: Message, pattern: Parts, is_usual: bool = True) -> None:
        if len(self.patterns) >= PATTERNS.most:
            self.left_out += 1
            return
        number = len(self.patterns) + 1
        self.patterns.append({"number": number, **pattern})
        self.proposals.append(Proposal(number, hint, is_usual, self.entity))


def proposed(model: Model) -> tuple[list[dict[str, Any]], list[Proposal]]:
    """Patterns as a document has them, and for each what hints at it. What is guessed about them is noted."""
    making = _Proposing(model)
    for thing in model.things:
        entity = _entity(thing)
        making.entity = thing.name
        _reads_of_one(making, thing, entity)
        for edge in [edge for edge in model.edges if edge.child is thing]:
            _children(making, edge, entity)
        for index in thing.table.indexes:
            _by_index(making, thing, entity, index)
        _writes(making, thing, entity)
    if any(pattern["kind"] == "list" for pattern in making.patterns):
        model.guessed(say("lists-read-by-page", page=PAGE))
    if making.left_out:
        model.missing(say("patterns-left-out", count=making.left_out, most=PATTERNS.most))
    return making.patterns, making.proposals


def _entity(thing: Thing) -> Entity:
    """What patterns are proposed for. It is checked later, with the whole design."""
    return Entity.model_construct(
        name=thing.name,
        identifier=tuple(thing.attributes[key]["name"] for key in thing.identifier),
        attributes=tuple(Attribute.model_construct(**each) for each in thing.attributes.values()),
    )


def _known_by(thing: Thing) -> Message:
    """What hints at reads by the identifier; the table alone where the identifier was made up."""
    table = thing.table
    if table.primary and table.primary.columns == thing.identifier:
        return _at(say("hint-primary-key"), table.primary.line)
    for unique in table.uniques:
        if unique.columns == thing.identifier:
            return _at(say("hint-unique"), unique.line, unique.name)
    return _at(say("hint-table"), table.line)


def _reads_of_one(making: _Proposing, thing: Thing, entity: Entity) -> None:
    making.add(_known_by(thing), proposing.get_by(entity, entity.identifier))
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
        because = _at(say("hint-unique"), unique.line, unique.name)
        if (thing.name, tuple(names), False) in making.seen or not _in_key(thing, unique.columns):
            continue
        making.seen.add((thing.name, tuple(names), False))
        found = proposing.get_by if entity.names_one(names) else proposing.find_by
        making.add(because, found(entity, names))


def _children(making: _Proposing, edge: Edge, entity: Entity) -> None:
    thing = edge.child
    columns = tuple(edge.pairs.values())
    names = tuple(thing.attributes[key]["name"] for key in columns)
    if (thing.name, names, False) in making.seen or sorted(columns) == sorted(thing.identifier):
        return
    making.seen.add((thing.name, names, False))
    ways = [
        other
        for other in making.model.edges
        if other.child is thing and other.parent is edge.parent
    ]
    because = _at(say("hint-foreign-key"), edge.foreign.line, edge.foreign.name)
    making.add(because, proposing.children(entity, edge.parent.name, names, apart=len(ways) > 1))


def _by_index(making: _Proposing, thing: Thing, entity: Entity, index: Index) -> None:
    if index.is_full_text:
        because = _at(say("hint-full-text-index"), index.line, index.name)
        making.add(because, proposing.search(entity))
        return
    held = index.columns
    if not held or not _in_key(thing, held):
        if held:
            without = tuple(key for key in held if not _in_key(thing, (key,)))
            said = say("index-unfit", columns=without)
            making.model.missing(said, index.name or thing.table.full_name, index.line)
        return
    if index.where:
        said = say("index-of-some", condition=index.where)
        making.model.guessed(said, index.name or thing.table.full_name, index.line)
    names = tuple(thing.attributes[key]["name"] for key in held)
    ranged = _is_ordered(thing, held[-1])
    if (thing.name, names, ranged) in making.seen or names == entity.identifier[: len(names)]:
        return
    making.seen.add((thing.name, names, ranged))
    because = _at(say("hint-index"), index.line, index.name)
    if ranged:
        making.add(because, proposing.in_range(entity, names), is_usual=len(names) > 1)
    else:
        making.add(because, proposing.listed_by(entity, names))


def _writes(making: _Proposing, thing: Thing, entity: Entity) -> None:
    because = _at(say("hint-table"), thing.table.line)
    making.add(because, proposing.create(entity))
    changing = [each.name for each in entity.attributes if each.mutable]
    if changing:
        making.add(because, proposing.update(entity, changing))
    making.add(because, proposing.delete(entity))


def _in_key(thing: Thing, columns: tuple[str, ...]) -> bool:
    return all(thing.attributes.get(key, {}).get("type") in KEY_TYPES for key in columns)


def _is_ordered(thing: Thing, column: str) -> bool:
    """Whether one asks for a range of its values: a time, or a number that refers to nothing and is no list."""
    attribute = thing.attributes[column]
    if attribute.get("format") in ("date", "datetime"):
        return True
    return attribute["type"] == "N" and "refers_to" not in attribute and "values" not in attribute


def _at(hint: Message, line: int, name: str = "") -> Message:
    named = say("hint-named", hint=hint, name=name) if name else hint
    return say("hint-at-line", hint=named, line=line)
