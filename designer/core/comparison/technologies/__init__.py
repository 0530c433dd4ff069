"""The ways to build it, one file each: the styles, indexes, streams."""

from designer.core.comparison.technologies.base import Technology
from designer.core.registry import load

__all__ = ["TECHNOLOGIES", "Technology"]

_FOUND = load(__name__, Technology, "slug")  # type: ignore[type-abstract]
TECHNOLOGIES: tuple[Technology, ...] = tuple(
    one() for one in sorted(_FOUND.values(), key=lambda one: (one.place, one.slug))
)
