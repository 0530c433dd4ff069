"""Who may read what."""

from designer.core.comparison.criteria.base import Need
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Needs


class Permissions(Need):
    """Access is granted to tables, and within one only by how its partition keys begin."""

    slug = "permissions"
    title = "Personal data and tenants"
    by = "entities that would share a table but need different permissions"
    better = "{fewer} entities that need different permissions share a table"
    rank = 100
    fields = ("personal_data", "tenant")
    without = "No entity is said to hold personal data or to belong to a tenant."
    nothing = "no entity held personal data or belonged to a tenant"
    otherwise = ("held personal data", {"personal_data": True})

    def asked(self, design: Design, entity: Entity, needs: Needs) -> str:
        personal = "personal data" if needs.personal_data else ""
        attribute = entity.by_name.get(needs.tenant or "")
        tenant = (
            ""
            if attribute is None
            else f"kept apart by tenant ({_path(design, entity, attribute)})"
        )
        return ", ".join(filter(None, (personal, tenant)))

    def default(self, design: Design) -> str:
        return "neither personal data nor a tenant"


def _path(design: Design, entity: Entity, attribute: Attribute) -> str:
    """A tenant by the attribute that it refers to in the end."""
    of, name = design.origin(entity, attribute)
    return f"{of.name}.{name.name}"
