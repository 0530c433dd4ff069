"""An item in two, and what each of them has."""

from dataclasses import dataclass
from functools import cached_property

from designer.core.design.entities import Entity, Relationship
from designer.core.patterns.base import Pattern, Read
from designer.core.plan import Style


@dataclass(frozen=True)
class SplitItems:
    """An entity whose items lie in two: a part of the attributes, and the rest."""

    whole: Entity
    attributes: tuple[str, ...]
    """In the entity's order."""
    name: str
    """The shape of their item, and the entity that stands for it in the rewritten design."""
    style: Style
    shares: bool = True
    """Whether the two items lie in one table; only in multi-table style each may have its own."""

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.whole.name,)

    @cached_property
    def part(self) -> Entity:
        """The entity of the attributes."""
        keys = tuple(
            self.whole.by_name[key].model_copy(update={"refers_to": f"{self.whole.name}.{key}"})
            for key in self.whole.identifier
        )
        own = tuple(self.whole.by_name[name] for name in self.attributes)
        attributes = {"name": self.name, "id": None, "prefix": None, "attributes": (*keys, *own)}
        return self.whole.model_copy(update=attributes)

    @cached_property
    def rest(self) -> Entity:
        """The entity without them."""
        kept = tuple(a for a in self.whole.attributes if a.name not in self.attributes)
        return self.whole.model_copy(update={"attributes": kept})

    @cached_property
    def relationship(self) -> Relationship:
        """How the two belong together."""
        pair = (self.whole.name, self.name)
        return Relationship(name=self.name, one=pair, by=self.whole.identifier, identifying=True)

    @cached_property
    def of_part(self) -> frozenset[str]:
        """What the item of the attributes has."""
        return frozenset((*self.whole.identifier, *self.attributes))

    def brings(self, pattern: Pattern) -> bool:
        """Whether a pattern of the rewritten design reads both items."""
        return isinstance(pattern, Read) and any(
            along.relationship == self.relationship.name for along in pattern.with_
        )
