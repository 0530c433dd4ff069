"""What DynamoDB refuses in a table, said before an engine is asked: emulators accept more than it does.

Sources: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html,
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html and
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from designer.core.design.attributes import KEY_TYPES
from designer.core.dynamodb.limits import GSIS, INCLUDE_NAMES, KEY_ATTRIBUTES, LSIS, PROJECTED_NAMES
from designer.core.plan import Index, Shape, Table, keys

Schema = list[tuple[str, str]]
"""Pairs of an attribute and HASH or RANGE."""


def has_keys_of_several_attributes(index: Index) -> bool:
    """Whether an index is of the kind that DynamoDB has known since November 2025."""
    return max(len(index.partition), len(index.sort)) > 1


def refused(description: Mapping[str, Any]) -> list[str]:
    """Why DynamoDB would refuse what CreateTable is given; nothing when it would not."""
    return list(_refused(description))


def mistyped(table: Table) -> list[str]:
    """The key attributes that some shape stores in another type than their keys have."""
    parts = [table.key.partition, *([table.key.sort] if table.key.sort else [])]
    parts += [part for index in table.indexes for part in (*index.partition, *index.sort)]
    return [
        f"{shape.shape} stores {part.name} as {stored}, and it is a key of type {part.type}."
        for shape in table.items
        for part in dict.fromkeys(parts)
        if (stored := _stored_type(shape, part.name)) not in (None, part.type)
    ]


def _stored_type(shape: Shape, name: str) -> str | None:
    """The type in which a shape stores an attribute; None when it does not."""
    template = shape.set.get(name)
    source = name if template is None else keys.lone(template)
    if source is None:
        return "S"
    carried = shape.attributes.get(source)
    return None if carried is None else carried.type


def _refused(description: Mapping[str, Any]) -> Iterator[str]:
    own = _schema(description)
    if [kind for _, kind in own] not in (["HASH"], ["HASH", "RANGE"]):
        yield "The table's key must be one HASH attribute and at most one RANGE attribute."
    yield from _types(description)
    made = {kind: description.get(f"{kind}SecondaryIndexes", ()) for kind in ("Global", "Local")}
    for kind, most in (("Global", GSIS), ("Local", LSIS)):
        if len(made[kind]) > most:
            yield f"A table has at most {most} {kind.lower()} secondary indexes."
    names = Counter(index["IndexName"] for of in made.values() for index in of)
    for name, times in names.items():
        if times > 1:
            yield f"Two indexes are called {name}."
        if not re.fullmatch(r"[a-zA-Z0-9_.-]{3,255}", name):
            yield f"An index cannot be called {name}."
    for index in made["Global"]:
        yield from _global(index)
    for index in made["Local"]:
        yield from _local(index, own)
    yield from _projections([*made["Global"], *made["Local"]])


def _schema(part: Mapping[str, Any]) -> Schema:
    return [(key["AttributeName"], key["KeyType"]) for key in part["KeySchema"]]


def _types(description: Mapping[str, Any]) -> Iterator[str]:
    """Each key attribute is defined once, of type S, N or B, and nothing else is."""
    defined = [
        (one["AttributeName"], one["AttributeType"]) for one in description["AttributeDefinitions"]
    ]
    schemas = [description, *description.get("GlobalSecondaryIndexes", ())]
    schemas += description.get("LocalSecondaryIndexes", ())
    used = {name for part in schemas for name, _ in _schema(part)}
    if used != {name for name, _ in defined} or len(dict(defined)) != len(defined):
        yield "The attributes defined must be those of the keys, each once."
    for name, kind in defined:
        if kind not in KEY_TYPES:
            yield f"{name} is of type {kind}, and keys are of type S, N or B."


def _global(index: Mapping[str, Any]) -> Iterator[str]:
    schema, name = _schema(index), index["IndexName"]
    kinds = [kind for _, kind in schema]
    if kinds != sorted(kinds):
        yield f"In the key of {name} a RANGE attribute stands before a HASH attribute."
    if not 1 <= kinds.count("HASH") <= KEY_ATTRIBUTES or kinds.count("RANGE") > KEY_ATTRIBUTES:
        yield (
            f"The key of {name} has {kinds.count('HASH')} HASH and {kinds.count('RANGE')} RANGE attributes; "
            f"one to {KEY_ATTRIBUTES} and up to {KEY_ATTRIBUTES} are allowed."
        )
    if len(dict(schema)) != len(schema):
        yield f"The key of {name} names an attribute twice."


def _local(index: Mapping[str, Any], table: Schema) -> Iterator[str]:
    schema, name = _schema(index), index["IndexName"]
    if [kind for _, kind in schema] != ["HASH", "RANGE"] or len(table) < 2:
        yield f"The local index {name} and its table must each have one HASH and one RANGE attribute."
    elif schema[0] != table[0] or schema[1] == table[1]:
        yield f"The local index {name} must have its table's HASH attribute and another RANGE attribute."


def _projections(indexes: list[Mapping[str, Any]]) -> Iterator[str]:
    total = 0
    for index in indexes:
        included = index["Projection"].get("NonKeyAttributes", ())
        total += len(included)
        if (index["Projection"]["ProjectionType"] == "INCLUDE") != bool(included):
            yield f"{index['IndexName']} must include attributes when its projection is INCLUDE, and only then."
        if len(included) > INCLUDE_NAMES:
            yield f"{index['IndexName']} includes {len(included)} attributes; at most {INCLUDE_NAMES} are allowed."
    if total > PROJECTED_NAMES:
        yield f"The table's indexes include {total} attributes; at most {PROJECTED_NAMES} are allowed."
