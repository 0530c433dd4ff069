"""Which entities and attributes of one design are those of an earlier one, also under another name.

Parts of a design carry an id that survives renaming. Where one has none, its name tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.matching import paired
from designer.core.plan import Shape, keys

Part = TypeVar("Part", Entity, Attribute)


@dataclass(frozen=True)
class Lineage:
    """What the parts of the later design were called in the earlier one."""

    before: Design
    after: Design

    @cached_property
    def entities(self) -> dict[str, str]:
        """For each entity of the later design that was there before, its name then."""
        return _paired(self.before.entities, self.after.entities)

    @cached_property
    def attributes(self) -> dict[str, dict[str, str]]:
        """For each of these entities by its new name: its attributes, and what each was called."""
        return {
            new: _paired(self.before.entity[old].attributes, self.after.entity[new].attributes)
            for new, old in self.entities.items()
        }

    def old_entity(self, name: str) -> str | None:
        """What an entity was called; None for a new one."""
        return self.entities.get(name)

    def old_attribute(self, entity: str, name: str) -> str | None:
        """What an attribute of an entity (by its new name) was called; None for a new one."""
        return self.attributes.get(entity, {}).get(name)

    def in_old_words(self, entity: str, template: str) -> str:
        """A key template of an entity with its attributes called as they were."""
        known = self.attributes.get(entity, {})
        return keys.rename(template, known.get)

    def was(self, shape: Shape) -> tuple[str, str] | None:
        """What tells an earlier shape that is the same thing: its entity and its name; None for a new entity."""
        old = self.entities.get(shape.entity)
        if old is None:
            return None
        renamed = old != shape.entity and shape.shape.startswith(shape.entity)
        return old, old + shape.shape.removeprefix(shape.entity) if renamed else shape.shape


def _paired(before: Sequence[Part], after: Sequence[Part]) -> dict[str, str]:
    return {after[new].name: before[old].name for old, new in paired(before, after).both}
