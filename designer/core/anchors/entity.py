"""An entity, with its attributes."""

from designer.core.anchors.base import Anchor, Found, Scene, part_digest


class OfEntity(Anchor):
    kind = "entity"

    def find(self, scene: Scene, key: str) -> Found | None:
        for entity in scene.design.entities:
            if entity.id == key:
                place = f"entities.{entity.name}"
                return Found(f"Entity {entity.name}", part_digest(entity), place)
        return None
