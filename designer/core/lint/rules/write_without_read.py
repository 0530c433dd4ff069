"""A write of an attribute that no read asks for."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern, changes
from designer.core.lint.usage import attributes_read


class WriteWithoutRead(Rule):
    id = "P105"
    severity = "advice"
    title = "Write without its read"
    why = (
        "An attribute that is kept up to date and never asked for costs a write each time for "
        "nothing, or a read is missing."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        read = attributes_read(design)
        for pattern, change in changes(design):
            entity = design.entity[change.entity]
            for name in change.written:
                attribute = entity.by_name[name]
                if (
                    change.verb == "update"
                    and not attribute.ttl
                    and (entity.name, name) not in read
                ):
                    yield Found(
                        at_pattern(pattern.number),
                        f"Pattern {pattern.number} changes {entity.name}.{name}, and no access pattern reads it.",
                        f"Add the pattern that reads {name}, or leave the change out.",
                    )
