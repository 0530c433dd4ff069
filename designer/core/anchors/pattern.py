"""An access pattern."""

from designer.core.anchors.base import Anchor, Found, Scene, part_digest


class OfPattern(Anchor):
    kind = "pattern"

    def find(self, scene: Scene, key: str) -> Found | None:
        for pattern in scene.design.patterns:
            if pattern.id == key:
                label = f"Pattern {pattern.number}, {pattern.name}"
                place = f"patterns.{pattern.number}"
                return Found(label, part_digest(pattern), place)
        return None
