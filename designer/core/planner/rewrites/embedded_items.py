"""The list in a parent's item that holds its children."""

from dataclasses import dataclass

from designer.core.capacity.sizes import attribute_value_bytes
from designer.core.design.attributes import Attribute
from designer.core.design.entities import Entity, Relationship

_ELEMENT = 1
"""Bytes that DynamoDB counts for each element of a map, besides name and value."""
_MAP = 3
"""Bytes that DynamoDB counts for a map itself."""


@dataclass(frozen=True)
class EmbeddedItems:
    """The items of a bounded child that lie in their parent's item."""

    relationship: Relationship
    child: Entity
    parent: str
    attribute: str
    """The attribute of the parent's item that holds it."""
    same: tuple[tuple[str, str], ...]
    """The child's reference to its parent: pairs (its attribute, the parent's)."""

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.child.name, self.parent)

    @property
    def rest(self) -> tuple[str, ...]:
        """What tells one child of a parent from another; nothing for a 1:1 partner."""
        joined = {own for own, _ in self.same}
        return tuple(name for name in self.child.identifier if name not in joined)

    @property
    def stored(self) -> tuple[Attribute, ...]:
        """What is kept of the child: what its parent's item does not hold already."""
        joined = {own for own, _ in self.same}
        return tuple(a for a in self.child.stored if a.name not in joined)

    @property
    def at(self) -> str | None:
        """The child's name in the map, a template over its attributes."""
        if not self.rest:
            return None
        if len(self.rest) == 1:
            return f"{{text({self.rest[0]})}}"
        return "#".join(f"{{{name}}}" for name in self.rest)

    @property
    def element_bytes(self) -> float:
        """Average bytes of one child inside its parent, its name in the map included."""
        own = sum(
            a.present * (len(a.name.encode()) + attribute_value_bytes(a) + _ELEMENT)
            for a in self.stored
        )
        name = sum(attribute_value_bytes(self.child.by_name[n]) + 1 for n in self.rest)
        return _MAP + own + (name - 1 + _ELEMENT if self.rest else 0)

    def bytes_of(self, count: float) -> float:
        """Bytes of so many children in the parent's item."""
        return self.element_bytes * count + (_MAP if self.rest else 0)
