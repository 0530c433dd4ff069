"""An entity that no pattern creates."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_entity, changes


class EntityNeverCreated(Rule):
    id = "P102"
    severity = "warning"
    title = "Entity that nothing creates"
    why = (
        "Either a write is missing, whose cost is then missing too, or the items come from elsewhere, "
        "which a description should say."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        created = {
            change.entity for _, change in changes(design) if change.verb in ("create", "upsert")
        }
        for entity in design.entities:
            if entity.name not in created:
                yield Found(
                    at_entity(entity.name),
                    f"No access pattern creates {entity.name}.",
                    (
                        f"Add a pattern that creates it, or ignore this finding and say where {entity.name} "
                        "items come from."
                    ),
                )
