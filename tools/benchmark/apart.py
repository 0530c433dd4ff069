"""A design in which some attributes of an entity lie in an item of their own."""

from typing import TypeVar

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read, SingleWrite, With

BESIDE = 100_000
"""The number of the last pattern that a design can have; those that are added count down from it."""

Asked = TypeVar("Asked", bound=Read)
Written = TypeVar("Written", bound=SingleWrite)


def apart(design: Design, entity: str, name: str, attributes: tuple[str, ...]) -> Design:
    """The design with an entity `name` that has these attributes, one item for each of the entity's.

    What asks for these alone asks the new entity, what needs them besides others gets both; an update of
    these alone is one of the new entity, and each new item gets its part by a write of its own. ValueError where a
    write does more than that.
    """
    whole = design.entity[entity]
    moved = set(attributes)
    identifier = tuple(
        whole.by_name[key].model_copy(update={"refers_to": f"{entity}.{key}"})
        for key in whole.identifier
    )
    part = Entity(
        name=name,
        identifier=whole.identifier,
        items=whole.items,
        attributes=(*identifier, *(whole.by_name[a] for a in attributes)),
    )
    rest = tuple(a for a in whole.attributes if a.name not in moved)
    entities = [
        e.model_copy(update={"attributes": rest}) if e is whole else e for e in design.entities
    ]
    beside = Relationship(name=f"{name}Beside", one=(entity, name), by=whole.identifier)
    patterns = [_asked(pattern, whole, part, moved) for pattern in design.patterns]
    made = [
        pattern.model_copy(update={"number": BESIDE - at, "entity": name})
        for at, pattern in enumerate(design.patterns)
        if isinstance(pattern, SingleWrite)
        and pattern.entity == entity
        and pattern.kind in ("create", "upsert")
    ]
    return design.model_copy(
        update={
            "entities": (*entities, part),
            "relationships": (*design.relationships, beside),
            "patterns": tuple(sorted((*patterns, *made), key=lambda p: p.number)),
        }
    )


def _asked(pattern: AnyPattern, whole: Entity, part: Entity, moved: set[str]) -> AnyPattern:
    if isinstance(pattern, Read):
        return _read(pattern, whole, part, moved)
    if isinstance(pattern, SingleWrite):
        return _written(pattern, whole, part, moved)
    return pattern


def _read(pattern: Asked, whole: Entity, part: Entity, moved: set[str]) -> Asked:
    if pattern.entities != (whole.name,):
        return pattern
    wanted = set(pattern.attributes or whole.by_name)
    if not wanted & moved:
        return pattern
    if wanted <= moved | set(whole.identifier):
        return pattern.model_copy(update={"returns": part.name})
    left = tuple(a for a in pattern.attributes or () if a not in moved) or None
    mine = tuple(a.name for a in part.attributes if a.name in wanted)
    along = With(relationship=f"{part.name}Beside", attributes=mine)
    return pattern.model_copy(update={"attributes": left, "with_": (*pattern.with_, along)})


def _written(pattern: Written, whole: Entity, part: Entity, moved: set[str]) -> Written:
    if pattern.entity != whole.name or pattern.kind != "update":
        return pattern
    changed = set(pattern.written)
    if not changed & moved:
        return pattern
    if changed - moved or pattern.conditions:
        raise ValueError(f"pattern {pattern.number} changes what lies apart and more")
    return pattern.model_copy(update={"entity": part.name, "given": ()})
