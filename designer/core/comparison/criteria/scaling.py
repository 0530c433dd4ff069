"""How capacity is had and paid for."""

from designer.core.comparison.criteria.base import Need
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs

CLASSES = {"standard": "Standard", "infrequent-access": "Standard-IA"}


class Scaling(Need):
    """A table has one capacity mode and one class, and all its entities with it."""

    slug = "scaling"
    title = "Capacity mode and table class"
    by = "entities that would share a table but need different capacity modes or table classes"
    better = "{fewer} entities that need different capacity modes or table classes share a table"
    rank = 30
    fields = ("billing", "table_class")
    without = "No entity asks for a capacity mode or a table class of its own."
    nothing = "all entities had the capacity mode and the class of the design"
    otherwise = ("were stored in Standard-IA", {"table_class": "infrequent-access"})

    def asked(self, design: Design, entity: Entity, needs: Needs) -> str:
        if needs.billing is None and needs.table_class is None:
            return ""
        return _words(design, needs)

    def default(self, design: Design) -> str:
        return _words(design, Needs())


def _words(design: Design, needs: Needs) -> str:
    mode = (needs.billing or design.billing).replace("-", " ")
    return f"{mode}, {CLASSES[needs.table_class or 'standard']}"
