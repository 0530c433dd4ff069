"""A unique attribute that nothing keeps unique."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.uniqueness import Uniqueness
from designer.core.lint.base import Found, Plans, Rule, at_attribute, entity_of, gathered
from designer.core.messages import Message, say
from designer.core.plan import Shape, Style, Table, keys


class UniqueWithoutGuard(Rule):
    id = "K106"
    severity = "error"
    title = "Unique attribute without a guard"
    about = "attribute"
    what = (
        "An attribute other than the identifier is stated to be unique, but the plan does not enforce this. The "
        "plan has no guard item for the attribute, and no table key that consists of the attribute alone or of "
        "the attribute and its scope."
    )
    why = (
        "DynamoDB enforces uniqueness only for primary keys. Another attribute stays unique only if each value "
        "has a guard item of its own, written in the same transaction as the item."
    )
    source = "https://aws.amazon.com/blogs/database/simulating-amazon-dynamodb-unique-constraints-using-transactions/"
    cure = (
        "Add a guard item that is written in the same transaction as the item, or state that the attribute is not "
        "unique."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, unique), styles in gathered(_unguarded(design, plans)).items():
            yield Found(
                at_attribute(entity, unique.attribute),
                say(
                    "unique-in-scope-without-guard",
                    entity=entity,
                    attribute=unique.attribute,
                    scope=unique.within,
                    styles=styles,
                )
                if unique.within
                else say(
                    "unique-without-guard",
                    entity=entity,
                    attribute=unique.attribute,
                    styles=styles,
                ),
                say("add-guard-or-not-unique"),
            )


def _unguarded(
    design: Design, plans: Plans
) -> Iterator[tuple[tuple[str, Uniqueness], Message, Style]]:
    for plan in plans.values():
        shapes = [(table, shape) for table in plan.tables for shape in table.items]
        guarded = [(s.entity, set(s.guards)) for _, s in shapes if s.role == "guard"]
        for table, shape in shapes:
            key = _key_of(table, shape)
            if shape.role != "copy" and entity_of(design, shape) is not None and key:
                guarded.append((shape.entity, set(key)))
        for entity in design.entities:
            for unique in entity.uniques:
                if not any(of == entity.name and by <= set(unique.names) for of, by in guarded):
                    yield (entity.name, unique), say("of-style", style=plan.style), plan.style


def _key_of(table: Table, shape: Shape) -> tuple[str, ...]:
    """The attributes that a shape's items have in their table's key."""
    parts = [part.name for part in (table.key.partition, table.key.sort) if part is not None]
    texts = [shape.set.get(name, f"{{{name}}}") for name in parts]
    return tuple(dict.fromkeys(name for text in texts for name in keys.names(text)))
