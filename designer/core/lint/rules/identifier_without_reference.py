"""An attribute with the name of another entity's identifier that is not said to refer to it."""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits import change_attribute
from designer.core.edits.attributes import attribute_of
from designer.core.edits.replacing import replaced
from designer.core.lint.base import Fix, Found, Plans, Rule, at_attribute, attribute_at
from designer.core.messages import say


class IdentifierWithoutReference(Rule):
    id = "P108"
    severity = "warning"
    title = "Missing reference"
    of_many = "references are missing"
    about = "attribute"
    what = "An attribute has the same name as another entity's identifier, but does not refer to that entity."
    why = (
        "Without the reference, the planner does not know how many items share a value. It then chooses keys and "
        "computes prices for lists of the wrong length."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "State the reference, or rename the attribute if it means something else."
    offers = {
        "refer": "Makes the attribute refer to the other entity.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            for attribute in entity.attributes:
                other = _named_alike(design, entity, attribute)
                if other is not None:
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        say(
                            "identifier-without-reference",
                            entity=entity.name,
                            attribute=attribute.name,
                            other=other.name,
                        ),
                        say("refer-or-rename", other=other.name),
                    )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        entity, name = attribute_at(where)
        other = _named_alike(design, design.entity[entity], attribute_of(design, entity, name))
        if other is not None:
            target = f"{other.name}.{name}"
            yield Fix(
                "refer",
                f"Make it refer to {other.name}",
                lambda now: _referring(now, entity, name, target),
            )


def _named_alike(design: Design, entity: Entity, attribute: Attribute) -> Entity | None:
    """The first other entity that an attribute alone of this name and type identifies.

    None for what refers to something, is made of something, or itself identifies its item alone.
    """
    name = attribute.name
    is_own = entity.identifier == (name,) or attribute.source is not None
    if is_own or (entity.name, name) in design.referred or attribute.aggregate is not None:
        return None
    others = (each for each in design.entities if each.identifier == (name,) and each != entity)
    found = next(others, None)
    return found if found is not None and found.by_name[name].type == attribute.type else None


def _referring(design: Design, entity: str, name: str, target: str) -> Design:
    attribute = replaced(attribute_of(design, entity, name), refers_to=target)
    return change_attribute(design, entity, name, attribute)
