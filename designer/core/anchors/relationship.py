"""A relationship between entities."""

from designer.core.anchors.base import Anchor, Found, Scene, part_digest


class OfRelationship(Anchor):
    kind = "relationship"

    def find(self, scene: Scene, key: str) -> Found | None:
        for relationship in scene.design.relationships:
            if relationship.id == key:
                label = f"Relationship “{relationship.name}”"
                place = f"relationships.{relationship.name}"
                return Found(label, part_digest(relationship), place)
        return None
