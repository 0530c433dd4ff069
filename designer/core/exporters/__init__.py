"""Templates and documents made from a plan: one target a file, found by their slugs."""

from designer.core import registry
from designer.core.design.document import Design
from designer.core.exporters.base import NOTHING_BESIDES, Export, Exporter, Options
from designer.core.plan import Plan

__all__ = ["EXPORTERS", "TEMPLATES", "Export", "Exporter", "Options", "export"]

EXPORTERS: dict[str, Exporter] = {
    slug: exporter() for slug, exporter in registry.load(__name__, Exporter, "slug").items()
}
"""Every exporter by its slug."""
TEMPLATES = {slug: each for slug, each in EXPORTERS.items() if each.is_template}
"""Those whose files are deployed."""


def export(slug: str, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
    """The plan of this design as a file of the exporter of this slug."""
    return EXPORTERS[slug].export(design, plan, options)
