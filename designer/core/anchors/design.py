"""The design as a whole: what it means."""

from designer.core.anchors.base import Anchor, Found, Scene
from designer.core.design.meaning import meaning


class OfDesign(Anchor):
    kind = "design"

    def find(self, scene: Scene, key: str) -> Found | None:
        return None if key else Found("The design as a whole", meaning(scene.design))
