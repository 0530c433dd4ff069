"""An entity that no pattern reads."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    asked_elsewhere,
    at_entity,
    brought_along,
    changes,
    reads,
)
from designer.core.messages import say
from designer.core.patterns.base import Member, Write


class EntityNeverRead(Rule):
    id = "P103"
    severity = "warning"
    title = "Entity never read"
    of_many = "entities are never read"
    about = "entity"
    misses_patterns = True
    what = (
        "No access pattern returns items of the entity, includes them as related items, asks another service for "
        "them, or makes a transaction depend on them."
    )
    why = "Either you write and store data that nobody reads, or an access pattern is missing."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Add the access pattern that reads its items, or remove the entity."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        read = {name for pattern in reads(design) for name in pattern.entities}
        read |= {name for pattern in reads(design) for name, _ in brought_along(design, pattern)}
        read |= {change.entity for pattern, change in changes(design) if _decides(pattern, change)}
        read |= asked_elsewhere(design)
        for entity in design.entities:
            if entity.name not in read:
                yield Found(
                    at_entity(entity.name),
                    say("entity-never-read", entity=entity.name),
                    say("read-or-remove-entity", entity=entity.name),
                )


def _decides(pattern: Write, change: Member) -> bool:
    """Whether an item decides if others are written: by a check, or by its own condition in a transaction."""
    others = {other.entity for other in pattern.changes} - {change.entity}
    return change.verb == "check" or bool(others and change.conditions)
