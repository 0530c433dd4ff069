"""Templates and documents made from a plan: one target a file, found by their slugs."""

from designer.core import registry
from designer.core.exporters.base import Export, Exporter, Options

__all__ = ["EXPORTERS", "Export", "Exporter", "Options"]

EXPORTERS: dict[str, Exporter] = {
    slug: exporter() for slug, exporter in registry.load(__name__, Exporter, "slug").items()
}
"""Every exporter by its slug."""
