"""Tables, indexes, and the shapes of the items in them."""

from typing import Literal

from pydantic import Field

from designer.core.plan.base import Part

KeyType = Literal["S", "N", "B"]


class KeyAttribute(Part):
    """A key attribute and its type."""

    name: str
    type: KeyType


class Key(Part):
    """The primary key of a table."""

    partition: KeyAttribute
    sort: KeyAttribute | None = None


class Projection(Part):
    """The attributes that an index holds in addition to its keys and the table's."""

    type: Literal["ALL", "KEYS_ONLY", "INCLUDE"]
    attributes: tuple[str, ...] = ()


class Index(Part):
    """A secondary index: one partition attribute and at most one sort attribute, or more with multi-attribute keys."""

    name: str
    kind: Literal["global", "local"] = "global"
    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...] = ()
    projection: Projection
    sparse: bool = False
    """Whether it leaves out some items of its shapes on purpose."""
    serves: tuple[int, ...] = ()
    """Numbers of the access patterns that read it, directly or in the `upkeep` that follows them."""


class Source(Part):
    """Where a copied attribute comes from: the item of another entity that `per` identifies."""

    entity: str
    attribute: str
    """The attribute of that item. It can be a copy, too."""
    per: tuple[tuple[str, str], ...]
    """Pairs of attributes that have equal values: one of that item, and one of this item."""


class StoredAttribute(Part):
    """An attribute of an item. It is `optional` if some items lack it."""

    type: str
    optional: bool = False
    from_: Source | None = Field(None, alias="from")
    """For a copy that the plan keeps for reads: its source. The entity itself does not have this attribute."""


class Place(Part):
    """Where an embedded item is stored: in an attribute of another item of the same table."""

    shape: str
    """The shape of the outer item."""
    attribute: str
    at: str | None = None
    """A template for its name in the map that the attribute holds. None: the attribute holds this one item."""
    same: dict[str, str] = Field(default_factory=dict)
    """Attributes that identify the outer item: each name in this item, with the name in the outer item."""


class Shape(Part):
    """One item type in a table."""

    shape: str
    entity: str
    role: Literal[
        "entity", "edge", "copy", "guard", "counter", "aggregate", "embedded", "split"
    ] = "entity"
    guards: tuple[str, ...] = ()
    """For a guard: the attributes whose values it keeps unique, or by which it finds the key of an item."""
    counts: tuple[str, ...] = ()
    """For a counter: the numbers that it counts for its entity's item. It holds additions since the item's creation."""
    shards: int | None = None
    """For a counter: how many each item has. `{each.number}` in `set` is 0 in the first, 1 in the second."""
    holds: dict[str, str] = Field(default_factory=dict)
    """Attributes that hold embedded items, each with the shape of these."""
    inside: Place | None = None
    """For an embedded item: where it is stored."""
    set: dict[str, str] = Field(default_factory=dict)
    """Attributes that the plan adds, each with a template over the entity's attributes."""
    attributes: dict[str, StoredAttribute] = Field(default_factory=dict)
    """The entity's attributes that this item holds, under their own names."""
    bytes: float = 0.0
    """The average size of an item in bytes, including its keys and attribute names."""
    items: float = 0.0
    """The number of items."""


class Table(Part):
    """A table, its indexes and the shapes of its items."""

    name: str
    key: Key
    indexes: tuple[Index, ...] = ()
    ttl: str | None = None
    stream: Literal["keys-only", "new", "old", "new-and-old"] | None = None
    recovery_days: int = 35
    table_class: Literal["standard", "infrequent-access"] = "standard"
    serves: tuple[int, ...] = ()
    """Numbers of the access patterns that use the table itself."""
    items: tuple[Shape, ...] = ()
