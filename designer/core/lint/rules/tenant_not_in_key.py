"""A tenant's items that share partitions with other tenants'."""

from collections.abc import Iterator

from designer.core.design.changes import mutable_attributes
from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_entity, entity_of, gathered, keyed, named
from designer.core.messages import Message, say
from designer.core.plan import Style
from designer.core.plan.keys import written


class TenantNotInKey(Rule):
    id = "K105"
    severity = "warning"
    title = "Tenant missing from partition key"
    about = "entity"
    what = (
        "An entity states its tenant attribute, but the partition key of a table or an index that holds its "
        "items does not contain that attribute."
    )
    why = (
        "An access policy can restrict a tenant to its own items by the leading key (`dynamodb:LeadingKeys`). "
        "This works only if the partition key contains the tenant. A sort key or another attribute does not help."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html"
    cure = (
        "Put the tenant first in the identifier, require the tenant in every access pattern, or pin a key that starts "
        "with it. If an item can move to another tenant, no table key can contain the tenant: let the application "
        "check the tenant, or let a move delete the item and create another."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        mutable = mutable_attributes(design)
        for (entity, tenant), places in gathered(_without(design, plans)).items():
            yield Found(
                at_entity(entity),
                say("tenant-not-in-key", places=places, entity=entity, tenant=tenant),
                say("check-or-replace-tenant", entity=entity, tenant=tenant)
                if tenant in mutable[entity]
                else say("begin-key-with-tenant", tenant=tenant),
            )


def _without(design: Design, plans: Plans) -> Iterator[tuple[tuple[str, str], Message, Style]]:
    for plan, table, index, shape, template in keyed(plans):
        entity = entity_of(design, shape)
        tenant = entity.needs.tenant if entity is not None and entity.needs else None
        if entity is not None and tenant is not None and tenant not in written(template):
            yield (entity.name, tenant), named(table.name, index), plan.style
