"""An attribute that no pattern makes use of."""

from collections.abc import Iterator

from designer.core.design.document import Attribute, Design, Entity
from designer.core.lint.base import Found, Plans, Rule, at_attribute, changes
from designer.core.lint.usage import attributes_read


class AttributeNeverUsed(Rule):
    id = "P106"
    severity = "advice"
    title = "Attribute never used"
    why = (
        "Each attribute is paid for in every item, name and value. One that nothing reads may be left "
        "out, or a question is missing."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        used = attributes_read(design) | _changed(design)
        for entity in design.entities:
            for attribute in entity.attributes:
                if (entity.name, attribute.name) not in used and not _has_a_part(entity, attribute):
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        f"No access pattern makes use of {entity.name}.{attribute.name}.",
                        "Add it to the pattern that needs it, or leave it out.",
                    )


def _changed(design: Design) -> set[tuple[str, str]]:
    """Attributes that some write changes; whether anything reads them is another rule's question."""
    return {(change.entity, name) for _, change in changes(design) for name in change.written}


def _has_a_part(entity: Entity, attribute: Attribute) -> bool:
    """Whether it says which item it is, whose it is, or when it ends."""
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
    )
