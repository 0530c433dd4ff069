"""An entity that no pattern creates."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.edits import add_pattern
from designer.core.lint.base import Fix, Found, Plans, Rule, at_entity, changes
from designer.core.messages import say
from designer.core.patterns import Create


class EntityNeverCreated(Rule):
    id = "P102"
    severity = "warning"
    title = "Entity never created"
    of_many = "entities are never created"
    about = "entity"
    misses_patterns = True
    what = "No access pattern creates or upserts items of the entity."
    why = "Either a write is missing, and its cost with it, or the items come from another source."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = (
        "Add the access pattern that creates its items. If the items come from another source, such as an import, "
        "ignore the finding and give that as the reason."
    )
    offers = {
        "add-create": "Adds an access pattern that creates the entity's items. State its rate afterwards.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        created = {change.entity for _, change in changes(design) if change.writes_whole}
        for entity in design.entities:
            if entity.name not in created:
                yield Found(
                    at_entity(entity.name),
                    say("entity-never-created", entity=entity.name),
                    say("create-or-name-source", entity=entity.name),
                )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        name = where.removeprefix("entities.")
        create = Create(number=1, name=f"Create {name}", entity=name)
        yield Fix(
            "add-create",
            f"Add an access pattern that creates {name} items",
            lambda now: add_pattern(now, create),
        )
