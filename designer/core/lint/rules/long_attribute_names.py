"""Long names of attributes, stored with every item."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_attribute
from designer.core.messages import say

LONG = 16
"""Bytes of a name; the part beyond is what a shorter name would save."""
WORTHWHILE_BYTES = 1e9


class LongAttributeNames(Rule):
    id = "N101"
    severity = "advice"
    title = "Long attribute name at scale"
    about = "attribute"
    what = f"The part of an attribute's name beyond its first {LONG} bytes takes 1 GB or more across all items."
    why = (
        "Every item stores the names of its attributes. Names count towards its size, its units and its storage, "
        "in the table and in every index."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html"
    cure = (
        "Choose a shorter name. Rename the attribute in its form; this changes every mention of it."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            for attribute in entity.stored:
                beyond = max(0, len(attribute.name.encode()) - LONG)
                saved = beyond * (entity.items or 0) * attribute.present
                if saved >= WORTHWHILE_BYTES:
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        say(
                            "long-attribute-name", attribute=attribute.name, bytes=saved, long=LONG
                        ),
                        say("rename-shorter"),
                    )
