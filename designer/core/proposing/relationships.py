"""Relationships that attributes hint at: an entity with a hotelId belongs to the Hotel that hotelId identifies."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain, count, islice

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.words.english import a, joined, plural

LONGEST = 60
MOST = 200
"""Relationships that are proposed at once; the next ones once these are there."""


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
    """The relationships that a design has not, though an entity has the attributes that would join them: the first
    of them, as many as a page can show.
    """
    return tuple(islice(_hinted(design), MOST))


def _hinted(design: Design) -> Iterator[Hinted]:
    related = {
        (parent, relationship.child)
        for relationship in design.relationships
        for parent in relationship.parents
    }
    named = {child.name: _by_lower_name(child) for child in design.entities}
    # Pairs of all entities would be a quarter of a million, few of which have a name in common.
    having: dict[tuple[str, str], list[int]] = {}
    for at, child in enumerate(design.entities):
        for name, attribute in named[child.name].items():
            having.setdefault((name, attribute.type), []).append(at)
    for parent in design.entities:
        for child in (design.entities[at] for at in _holding(parent, having)):
            if child.name == parent.name or (parent.name, child.name) in related:
                continue
            for by in _matching(parent, child, named[child.name]):
                is_one = frozenset(by) == frozenset(child.identifier)
                yield Hinted(parent.name, child.name, by, is_one)


def _by_lower_name(entity: Entity) -> dict[str, Attribute]:
    return {each.name.lower(): each for each in entity.attributes if each.derived is None}


def _holding(parent: Entity, having: dict[tuple[str, str], list[int]]) -> list[int]:
    """The places of the entities that have the part of the parent's identifier that fewest have."""
    found = (
        {
            at
            for each in _wanted(parent, name)
            for at in having.get((each, parent.by_name[name].type), ())
        }
        for name in parent.identifier
    )
    return sorted(min(found, key=len, default=()))


def _wanted(parent: Entity, name: str) -> tuple[str, ...]:
    """What an attribute that refers to a part of the parent's identifier is called, in lower case."""
    if name.lower() == "id":
        return f"{parent.name}{name}".lower(), f"{parent.name}_{name}".lower()
    return (name.lower(),)


def matching(parent: Entity, child: Entity) -> list[tuple[str, ...]]:
    """The child's attributes that are called as the parent's identifier, and of its type: `hotelId`, for `id` as well.

    None where there is one missing, and where both are identified by the same.
    """
    return _matching(parent, child, _by_lower_name(child))


def _matching(parent: Entity, child: Entity, names: dict[str, Attribute]) -> list[tuple[str, ...]]:
    if parent.identifier == child.identifier:
        return []
    by = []
    for name in parent.identifier:
        found = next((names[each] for each in _wanted(parent, name) if each in names), None)
        if found is None or found.type != parent.by_name[name].type:
            return []
        by.append(found.name)
    return [tuple(by)]


def relationship_name(design: Design, parent: str, child: str, *, is_one: bool) -> str:
    """A name that the design has not given: `rooms`, `hotelRooms`, `hotelRooms2`."""
    known = {each.casefold() for each in design.relationship}
    return free_name(known, parent, child, is_one=is_one)


def free_name(known: Collection[str], parent: str, child: str, *, is_one: bool) -> str:
    """The same, of names that are not among `known`, which are folded."""
    called = child if is_one else plural(child)
    name = f"{called[:1].lower()}{called[1:]}"[:LONGEST]
    longer = f"{parent[:1].lower()}{parent[1:]}{name[:1].upper()}{name[1:]}"[:LONGEST]
    numbered = (f"{longer}{number}" for number in count(2))
    return next(each for each in chain((name, longer), numbered) if each.casefold() not in known)
