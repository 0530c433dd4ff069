"""What comments hang on: the parts of a design and of its plans that people speak of, one kind a file.

An anchor is a text: the kind, and after a colon the key of one object, `entity:e-order`. The design as a whole has no
key. Objects are known by ids, so that a renamed one is still the same.
"""

from designer.core.anchors.base import Anchor, Found, Scene
from designer.core.registry import load

__all__ = ["ANCHORS", "LONGEST", "Anchor", "Found", "Scene", "find", "is_anchor"]

LONGEST = 300
"""Characters of an anchor."""

ANCHORS: dict[str, Anchor] = {
    kind: anchor() for kind, anchor in load(__name__, Anchor, "kind").items()
}
"""Every kind of object by its name."""


def find(scene: Scene, on: str) -> Found | None:
    """The object of an anchor as it is in a design; None when it isn't there."""
    kind, _, key = on.partition(":")
    anchor = ANCHORS.get(kind)
    return anchor.find(scene, key) if anchor is not None else None


def is_anchor(on: str) -> bool:
    """Whether a text is an anchor of a known kind. What it is of need not be there."""
    return len(on) <= LONGEST and on.partition(":")[0] in ANCHORS
