"""Where the structures of a plan lie: what the layout decides."""

from dataclasses import dataclass, field

from designer.core.design.attributes import Attribute
from designer.core.plan import KeyType
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.structures import (
    Guarded,
    Pieces,
    Projection,
    Projections,
    Structure,
)


@dataclass(frozen=True)
class KeyPart:
    """A key attribute: native (the attribute itself), or composed from pieces of text and attributes."""

    name: str
    type: KeyType
    native: str | None = None
    pieces: Pieces = ()
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    when: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes of the other key part that a sparse index hangs on: without them this part is left out too."""

    @property
    def attributes(self) -> tuple[str, ...]:
        if self.native is not None:
            return (self.native,)
        return tuple(value for kind, value in self.pieces if kind != "text")


@dataclass(frozen=True)
class Placement:
    """Where a structure of an entity lies."""

    entity: str
    structure: Structure
    table: str
    index: str | None
    partition: tuple[KeyPart, ...]
    sort: tuple[KeyPart, ...]
    """One key attribute each; of an index whose keys are the items' own attributes up to four."""
    token: str = ""
    """What the sort keys of this entity's items start with, here (single-table style)."""
    called: str = ""
    """The name of the items' shape, where it is not the entity's: of a copy."""

    @property
    def parts(self) -> tuple[KeyPart, ...]:
        return (*self.partition, *self.sort)

    @property
    def shape(self) -> str:
        """The name of the items' shape: the entity's, or for items under another key one of their own."""
        return self.called or self.entity


@dataclass(frozen=True)
class GuardPlacement:
    """Where guard items lie."""

    entity: str
    guarded: Guarded
    shape: str
    table: str
    key: dict[str, str]
    """Templates over the entity's attributes."""
    types: tuple[tuple[str, KeyType], ...]
    """The key attributes with their types."""


@dataclass(frozen=True)
class GroupRange:
    """The stretch of a collection that answers a joined pattern."""

    lower: str | None
    upper: str | None
    """Sort keys; None for the whole collection."""
    forward: bool
    ends_with_limited: bool
    """What only some of is wanted is read last, so that reading stops when there is enough of it."""
    bounded: str | None = None
    """The entity whose range ends the stretch, on the side on which it lies."""


@dataclass
class Layout:
    """All placements of a design in one style."""

    style: str
    bases: dict[str, Placement] = field(default_factory=dict)
    others: dict[tuple[str, Structure], Placement] = field(default_factory=dict)
    """Indexes and copies."""
    guards: dict[tuple[str, Guarded], GuardPlacement] = field(default_factory=dict)
    projections: dict[str, Projections] = field(default_factory=dict)
    """For each entity its indexes and copies with what each really holds (shared lists included)."""
    index_projection: dict[tuple[str, str], Projection] = field(default_factory=dict)
    """By (table, index): what it holds; None for all."""
    listed: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """By (table, index): the names that one which was there before holds, though fewer might do now."""
    shared_queries: tuple[SharedQuery, ...] = ()
    ranges: dict[int, GroupRange] = field(default_factory=dict)
    """For each group, by position."""
    type_attribute: str = "Type"
    ttl: dict[str, str] = field(default_factory=dict)
    """For each table, its TTL attribute."""
    extra: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each entity, further attributes that the plan adds to its items: templates."""

    def placement(self, entity: str, structure: Structure) -> Placement:
        if structure.kind == "base":
            return self.bases[entity]
        return self.others[entity, structure]

    def placements_of(self, entity: str) -> tuple[Placement, ...]:
        """The base, then the others."""
        others = [place for key, place in self.others.items() if key[0] == entity]
        return (self.bases[entity], *others)


def key_type(attribute: Attribute) -> KeyType:
    """The type of an attribute that can be a key."""
    if attribute.type == "N" or attribute.type == "B":
        return attribute.type
    return "S"
