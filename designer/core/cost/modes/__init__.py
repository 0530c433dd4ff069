"""How capacity is paid, one file each."""

from designer.core.cost.modes.base import Load, Mode
from designer.core.registry import load

__all__ = ["MODES", "Load", "Mode"]

MODES: dict[str, Mode] = {
    slug: mode()
    for slug, mode in sorted(load(__name__, Mode, "slug").items(), key=lambda one: one[1].place)
}
"""By slug, in the order in which they are shown."""
