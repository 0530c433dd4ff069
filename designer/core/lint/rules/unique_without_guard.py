"""A unique attribute that nothing keeps unique."""

from collections.abc import Iterator

from designer.core import keys
from designer.core.design.document import Design
from designer.core.design.uniqueness import Uniqueness
from designer.core.english import joined
from designer.core.lint.base import Found, Plans, Rule, at_attribute, entity_of, gathered
from designer.core.plan import Shape, Table


class UniqueWithoutGuard(Rule):
    id = "K106"
    severity = "error"
    title = "Unique attribute without a guard"
    about = "attribute"
    what = (
        "An attribute is stated to be unique, is not the identifier, and the plan has neither a "
        "guard item for it nor a table key of it alone, or of it and its scope."
    )
    why = (
        "DynamoDB keeps only primary keys unique. Another attribute stays unique only if "
        "each value has an item of its own, written in the same transaction."
    )
    source = "https://aws.amazon.com/blogs/database/simulating-amazon-dynamodb-unique-constraints-using-transactions/"
    cure = "Let a guard item be written with it, or say that it is not unique."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, unique), styles in gathered(_unguarded(design, plans)).items():
            within = f" within {joined(unique.within)}" if unique.within else ""
            yield Found(
                at_attribute(entity, unique.attribute),
                f"Nothing keeps {entity}.{unique.attribute} unique{within} in {styles}-table style.",
                "Let a guard item be written with it, or say that it is not unique.",
            )


def _unguarded(design: Design, plans: Plans) -> Iterator[tuple[tuple[str, Uniqueness], str]]:
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
                    yield (entity.name, unique), plan.style


def _key_of(table: Table, shape: Shape) -> tuple[str, ...]:
    """The attributes that a shape's items have in their table's key."""
    parts = [part.name for part in (table.key.partition, table.key.sort) if part is not None]
    texts = [shape.set.get(name, f"{{{name}}}") for name in parts]
    return tuple(dict.fromkeys(name for text in texts for name in keys.names(text)))
