"""Which entities share a table: all, none, or those that belong together."""

from collections.abc import Iterable, Iterator, Sequence

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs
from designer.core.planner.model.pins import obeyed

Together = tuple[str, ...]


def tables_of(design: Design, style: str, joined: Iterable[Together] = ()) -> tuple[Together, ...]:
    """The entities of each table, in the design's order.

    In single-table style all share one; in multi-table style each has its own; in grouped style those share one that
    are read in one request (`joined`), that are meaningless without each other, or that one team has, as long as they
    ask the same of their table. Pins bring together what they name, whatever its needs.
    """
    names = [entity.name for entity in design.entities]
    if style == "single":
        return (tuple(names),) if names else ()
    shared: list[Sequence[str]] = [pin.table or () for _, pin in obeyed(design, style)]
    if style == "grouped":
        for together in (*joined, *_belonging(design)):
            shared += alike(design, together)
    return connected(names, shared)


def connected(names: Iterable[str], groups: Iterable[Sequence[str]]) -> tuple[Together, ...]:
    """The names, those together that are in one group or in groups that share a name; in the order they have."""
    leader = {name: name for name in names}

    def find(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for group in groups:
        for name in group[1:]:
            leader[find(name)] = find(group[0])
    members: dict[str, list[str]] = {}
    for name in leader:
        members.setdefault(find(name), []).append(name)
    return tuple(tuple(found) for found in members.values())


def _belonging(design: Design) -> Iterator[Together]:
    """Entities that belong together whatever is asked: identifying relationships, and the teams' own grouping."""
    for relationship in design.relationships:
        if relationship.identifying:
            yield relationship.parent, relationship.child
    teams: dict[str, list[str]] = {}
    for entity in design.entities:
        if entity.needs is not None and entity.needs.team is not None:
            teams.setdefault(entity.needs.team, []).append(entity.name)
    yield from (tuple(names) for names in teams.values())


def alike(design: Design, together: Iterable[str]) -> Iterator[Together]:
    """Some entities, those together that ask the same of their table."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for name in together:
        groups.setdefault(needs_of(design, design.entity[name]), []).append(name)
    yield from (tuple(names) for names in groups.values())


def needs_of(design: Design, entity: Entity) -> tuple[object, ...]:
    """What an entity asks of its table; a tenant by the attribute that it refers to in the end."""
    needs = entity.needs or Needs()
    tenant = entity.by_name.get(needs.tenant or "")
    return (
        needs.team,
        needs.stream,
        35 if needs.recovery_days is None else needs.recovery_days,
        needs.table_class or "standard",
        needs.billing or design.billing,
        None if tenant is None else _path(*design.origin(entity, tenant)),
    )


def _path(entity: Entity, attribute: Attribute) -> str:
    return f"{entity.name}.{attribute.name}"


NEEDS = ("team", "stream", "recovery days", "table class", "capacity mode", "tenant")
"""What `needs_of` gives, in words."""


def differing_needs(design: Design, together: Iterable[str]) -> tuple[str, ...]:
    """In what the needs of some entities differ."""
    asked = [needs_of(design, design.entity[name]) for name in together]
    return tuple(what for what, *found in zip(NEEDS, *asked, strict=True) if len(set(found)) > 1)
