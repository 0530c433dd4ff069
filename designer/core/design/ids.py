"""Identities for the parts of a design that have none yet."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.text import Path
from designer.core.patterns.base import Pattern

Part = TypeVar("Part", Entity, Attribute, Relationship, Pattern)
_MOST = 40


def with_ids(design: Design, former: Iterable[str] = ()) -> Design:
    """The design with an id for every entity, attribute, relationship and pattern.

    Made are `e-user`, `a-user-email`, `r-places` and `p-1`; ids that are there stay. The same design
    always gets the same ids, each different from all others in it and from the `former` ones, those of
    parts that it had once.
    """
    taken = {*ids(design), *former}

    def new(*words: object) -> str:
        base = re.sub(r"[^a-z0-9]+", "-", "-".join(str(word) for word in words).lower())
        wanted = base[:_MOST].strip("-")
        number = 1
        while wanted in taken:
            number += 1
            wanted = f"{base[: _MOST - len(str(number)) - 1].strip('-')}-{number}"
        taken.add(wanted)
        return wanted

    def given(part: Part, *words: object, **changes: Any) -> Part:
        if part.id is None:
            changes["id"] = new(*words)
        return part.model_copy(update=changes) if changes else part

    entities = []
    for entity in design.entities:
        with_id = given(entity, "e", entity.name)
        attributes = tuple(given(a, "a", entity.name, a.name) for a in entity.attributes)
        entities.append(with_id.model_copy(update={"attributes": attributes}))
    return design.model_copy(
        update={
            "entities": tuple(entities),
            "relationships": tuple(given(r, "r", r.name) for r in design.relationships),
            "patterns": tuple(given(p, "p", p.number) for p in design.patterns),
        }
    )


def ids(design: Design) -> frozenset[str]:
    """The ids of all its parts."""
    return frozenset(part.id for _, part in identified(design) if part.id is not None)


def identified(
    design: Design,
) -> Iterator[tuple[Path, Entity | Attribute | Relationship | Pattern]]:
    """Every part that can have an id, with its place, in order."""
    for at, entity in enumerate(design.entities):
        yield ("entities", at), entity
        for i, attribute in enumerate(entity.attributes):
            yield ("entities", at, "attributes", i), attribute
    for at, relationship in enumerate(design.relationships):
        yield ("relationships", at), relationship
    for at, pattern in enumerate(design.patterns):
        yield ("patterns", at), pattern
