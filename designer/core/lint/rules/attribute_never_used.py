"""An attribute that no pattern makes use of."""

from collections.abc import Iterator

from designer.core.design.document import Attribute, Design, Entity
from designer.core.lint.base import Found, Plans, Rule, at_attribute, changes
from designer.core.lint.usage import is_read


class AttributeNeverUsed(Rule):
    id = "P106"
    severity = "advice"
    title = "Attribute never used"
    why = (
        "Each attribute is paid for in every item, name and value. One that nothing reads may be left out, "
        "or a question is missing."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            for attribute in entity.attributes:
                if not _has_a_part(design, entity, attribute) and not is_read(
                    design, entity, attribute.name
                ):
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        f"No access pattern makes use of {entity.name}.{attribute.name}.",
                        "Add it to the pattern that needs it, or leave it out.",
                    )


def _has_a_part(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether it says which item it is, whose it is, or when it ends; changes of it are another rule's."""
    tenant = entity.needs.tenant if entity.needs else None
    return (
        attribute.name in entity.identifier
        or attribute.refers_to is not None
        or attribute.ttl
        or attribute.name == tenant
        or any(
            other.source is not None and other.source[1] == attribute.name
            for other in entity.attributes
        )
        or any(
            change.entity == entity.name
            and attribute.name in {*change.set, *change.add, *change.greatest, *change.remove}
            for _, change in changes(design)
        )
    )
