"""A read that asks by something that changes, where no write changes it."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern, changes, conditions, reads


class ReadWithoutWrite(Rule):
    id = "P104"
    severity = "warning"
    title = "Read without its write"
    why = (
        "The read asks by an attribute that is said to change, and no pattern changes it. The write "
        "that keeps the key up to date, and what it costs on an index, is then missing from the plan."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        changed = {
            (change.entity, name)
            for _, change in changes(design)
            for name in change.written
            if change.verb == "update"
        }
        replaced = {change.entity for _, change in changes(design) if change.verb == "upsert"}
        for pattern in reads(design):
            asked = {c.attribute for c in conditions(pattern)} | {
                order.attribute for order in pattern.orders
            }
            for entity in (design.entity[name] for name in pattern.entities):
                for attribute in entity.attributes:
                    if (
                        attribute.name in asked
                        and attribute.mutable
                        and entity.name not in replaced
                        and (entity.name, attribute.name) not in changed
                    ):
                        yield Found(
                            at_pattern(pattern.number),
                            f"Pattern {pattern.number} asks by {entity.name}.{attribute.name}, which is "
                            "said to change, "
                            "and no access pattern changes it.",
                            f"Add the pattern that changes {attribute.name}, or say that it never changes.",
                        )
