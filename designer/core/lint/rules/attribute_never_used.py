"""An attribute that no pattern makes use of."""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import kept_figures
from designer.core.edits import remove_attribute
from designer.core.edits.attributes import attribute_users
from designer.core.lint.base import Fix, Found, Plans, Rule, at_attribute, attribute_at, changes
from designer.core.lint.usage import attributes_read
from designer.core.messages import say


class AttributeNeverUsed(Rule):
    id = "P106"
    severity = "advice"
    title = "Attribute never used"
    of_many = "attributes are never used"
    about = "attribute"
    misses_patterns = True
    what = (
        "No access pattern returns the attribute, queries by it, sorts by it, tests it or changes it. It is not "
        "an identifier, a reference, a time to live, part of an aggregate, unique, or the scope of what is unique."
    )
    why = (
        "Every item stores the attribute's name and value, and you pay for both. Either you can remove the "
        "attribute, or an access pattern is missing."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html"
    cure = "Add it to the access pattern that needs it, or remove it."
    offers = {
        "leave-out": "Removes the attribute.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        used = attributes_read(design) | _changed(design) | _counted(design)
        for entity in design.entities:
            for attribute in entity.attributes:
                if (entity.name, attribute.name) not in used and not _has_a_part(entity, attribute):
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        say("attribute-never-used", entity=entity.name, attribute=attribute.name),
                        say("use-or-remove"),
                    )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        entity, name = attribute_at(where)
        if not attribute_users(design, entity, name):
            yield Fix(
                "leave-out",
                f"Remove {entity}.{name}",
                lambda now: remove_attribute(now, entity, name),
            )


def _changed(design: Design) -> set[tuple[str, str]]:
    """Attributes that some write changes; whether anything reads them is another rule's question."""
    return {(change.entity, name) for _, change in changes(design) for name in change.written}


def _counted(design: Design) -> set[tuple[str, str]]:
    """Attributes of which figures over a relationship's children are made."""
    return {(figure.child, figure.target) for figure in kept_figures(design) if figure.target}


def _has_a_part(entity: Entity, attribute: Attribute) -> bool:
    """Whether it says which item it is, whose it is, when it ends, or what no second item may have."""
    tenant = entity.needs.tenant if entity.needs else None
    return (
        attribute.name in entity.identifier
        or attribute.refers_to is not None
        or attribute.ttl
        or attribute.name == tenant
        or attribute.unique
        or bool(attribute.unique_within)
        or any(attribute.name in other.unique_within for other in entity.attributes)
        or any(
            other.source is not None and other.source[1] == attribute.name
            for other in entity.attributes
        )
    )
