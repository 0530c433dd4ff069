"""Relationships that attributes hint at: an entity with a hotelId belongs to the Hotel that hotelId identifies."""

from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.words.english import a, joined, plural

LONGEST = 60


@dataclass(frozen=True)
class Hinted:
    """A relationship that attributes hint at. `key` names it as long as both entities have these attributes."""

    parent: str
    child: str
    by: tuple[str, ...]
    is_one: bool

    @property
    def key(self) -> str:
        return " ".join((self.parent, self.child, *self.by))

    @property
    def sentence(self) -> str:
        """`A Hotel has many Rooms, by hotelId`."""
        has = f"one {self.child}" if self.is_one else f"many {plural(self.child)}"
        said = f"{a(self.parent)} has {has}, by {joined(self.by)}"
        return said[:1].upper() + said[1:]

    def relationship(self, design: Design) -> Relationship:
        return Relationship(
            name=relationship_name(design, self.parent, self.child, is_one=self.is_one),
            one=(self.parent, self.child) if self.is_one else self.parent,
            many=None if self.is_one else self.child,
            by=self.by[0] if len(self.by) == 1 else self.by,
        )


def hinted(design: Design) -> tuple[Hinted, ...]:
    """The relationships that a design has not, though an entity has the attributes that would join them."""
    return tuple(
        Hinted(parent.name, child.name, by, frozenset(by) == frozenset(child.identifier))
        for parent in design.entities
        for child in design.entities
        if child.name != parent.name and not _is_related(design, parent, child)
        for by in matching(parent, child)
    )


def _is_related(design: Design, parent: Entity, child: Entity) -> bool:
    return any(
        relationship.child == child.name and parent.name in relationship.parents
        for relationship in design.relationships
    )


def matching(parent: Entity, child: Entity) -> list[tuple[str, ...]]:
    """The child's attributes that are called as the parent's identifier, and of its type: `hotelId`, for `id` as well.

    None where there is one missing, and where both are identified by the same.
    """
    names = {each.name.lower(): each for each in child.attributes if each.derived is None}
    by = []
    for name in parent.identifier:
        full = f"{parent.name}{name}".lower(), f"{parent.name}_{name}".lower()
        wanted = full if name.lower() == "id" else (name.lower(),)
        found = next((names[each] for each in wanted if each in names), None)
        if found is None or found.type != parent.by_name[name].type:
            return []
        by.append(found.name)
    return [] if parent.identifier == child.identifier else [tuple(by)]


def relationship_name(design: Design, parent: str, child: str, *, is_one: bool) -> str:
    """A name that the design has not given: `rooms`, `hotelRooms`, `hotelRooms2`."""
    called = child if is_one else plural(child)
    name = f"{called[:1].lower()}{called[1:]}"[:LONGEST]
    longer = f"{parent[:1].lower()}{parent[1:]}{name[:1].upper()}{name[1:]}"[:LONGEST]
    names = (name, longer, *(f"{longer}{number}" for number in range(2, 1000)))
    known = {each.casefold() for each in design.relationship}
    return next(each for each in names if each.casefold() not in known)
