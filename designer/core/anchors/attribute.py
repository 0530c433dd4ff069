"""An attribute of an entity: its key is the entity's id and its own."""

from designer.core.anchors.base import Anchor, Found, Scene, part_digest


class OfAttribute(Anchor):
    kind = "attribute"

    def find(self, scene: Scene, key: str) -> Found | None:
        of, _, own = key.partition("/")
        for entity in scene.design.entities:
            for attribute in entity.attributes:
                if (entity.id, attribute.id) == (of, own):
                    label = f"Attribute {entity.name}.{attribute.name}"
                    place = f"entities.{entity.name}.attributes.{attribute.name}"
                    return Found(label, part_digest(attribute), place)
        return None
