"""Generated designs of a stated size, always the same."""

import random
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.patterns import KINDS

KINDS_ASKED = ("get", "children", "create", "together", "update", "status", "recent", "delete")


def workload(entities: int, patterns: int) -> Design:
    """A design of entities in families, each asked for by identifier, by parent, by status and together."""
    chance = random.Random(entities * 1000 + patterns)
    made = [_entity(at) for at in range(entities)]
    relationships = [
        Relationship(
            name=f"has{at}",
            one=f"Entity{at - 1}",
            many=f"Entity{at}",
            by="parentId",
            average=chance.choice((2, 5, 20)),
            most=500,
        )
        for at in range(entities)
        if at % 5
    ]
    asked: list[Any] = []
    while len(asked) < patterns:
        at = len(asked) % entities
        # Each entity starts elsewhere in the list, so that a design of any size has all kinds.
        kind = KINDS_ASKED[(len(asked) // entities + at) % len(KINDS_ASKED)]
        asked.append(_pattern(len(asked) + 1, at, kind, chance))
    return Design(
        name=f"Workload {entities} {patterns}",
        entities=tuple(made),
        relationships=tuple(relationships),
        patterns=tuple(asked),
    )


def _entity(at: int) -> Entity:
    attributes = [
        Attribute(name=f"entity{at}Id", format="uuid"),
        Attribute(name="createdAt", format="datetime"),
        Attribute(name="status", values=("OPEN", "DONE"), shares=(0.1, 0.9), mutable=True),
        Attribute(name="amount", type="N", format="decimal", digits=10, scale=2, mutable=True),
        Attribute(name="note", bytes=300, mutable=True),
    ]
    if at % 5:
        attributes.append(Attribute(name="parentId", refers_to=f"Entity{at - 1}.entity{at - 1}Id"))
    return Entity(
        name=f"Entity{at}",
        identifier=(f"entity{at}Id",),
        items=10_000 * (at % 7 + 1),
        attributes=tuple(attributes),
    )


def _pattern(number: int, at: int, kind: str, chance: random.Random) -> object:
    name, key, child = f"Entity{at}", f"entity{at}Id", bool(at % 5)
    rate = {"average": chance.choice((0.5, 3, 20)), "peak": 100}
    base = {"number": number, "name": f"Pattern {number}", "rate": rate}
    by_key = {"attribute": key, "is": {"param": key}}
    by_parent = {"attribute": "parentId", "is": {"param": "parentId"}}
    by_status = {"attribute": "status", "is": {"param": "status"}}
    newest = ["createdAt descending"]
    if kind == "create":
        return KINDS["create"].model_validate({**base, "entity": name})
    if kind == "update":
        return KINDS["update"].model_validate(
            {**base, "entity": name, "set": {"status": {"param": "newStatus"}}}
        )
    if kind == "delete":
        return KINDS["delete"].model_validate({**base, "entity": name})
    if kind == "get" or not child:
        return KINDS["get"].model_validate({**base, "returns": name, "where": [by_key]})
    if kind == "together":
        parent = {"attribute": f"entity{at - 1}Id", "is": {"param": "parentId"}}
        along = [{"relationship": f"has{at}", "order": newest, "limit": 10}]
        return KINDS["get"].model_validate(
            {**base, "returns": f"Entity{at - 1}", "where": [parent], "with": along}
        )
    where = {
        "children": [by_parent],
        "status": [by_parent, by_status],
        "recent": [by_status, {"attribute": "createdAt", "from": {"param": "since"}}],
    }[kind]
    return KINDS["list"].model_validate(
        {**base, "returns": name, "where": where, "order": newest, "limit": 20}
    )
