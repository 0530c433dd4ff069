"""A unique attribute that nothing keeps unique."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_attribute, gathered


class UniqueWithoutGuard(Rule):
    id = "K106"
    severity = "error"
    title = "Unique attribute without a guard"
    about = "attribute"
    what = (
        "An attribute is stated to be unique, is not the identifier, and the plan has no "
        "guard item for it."
    )
    why = (
        "DynamoDB keeps primary keys unique and nothing else. Another attribute stays unique only if "
        "each value has an item of its own, written in the same transaction."
    )
    source = "https://aws.amazon.com/blogs/database/simulating-amazon-dynamodb-unique-constraints-using-transactions/"
    cure = "Let a guard item be written with it, or say that it is not unique."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for (entity, attribute), styles in gathered(_unguarded(design, plans)).items():
            yield Found(
                at_attribute(entity, attribute),
                f"Nothing keeps {entity}.{attribute} unique in {styles}-table style.",
                "Let a guard item be written with it, or say that it is not unique.",
            )


def _unguarded(design: Design, plans: Plans) -> Iterator[tuple[tuple[str, str], str]]:
    for plan in plans.values():
        guards = [shape for table in plan.tables for shape in table.items if shape.role == "guard"]
        guarded = {(shape.entity, name) for shape in guards for name in shape.guards}
        for entity in design.entities:
            for attribute in entity.unique_attributes:
                if (entity.name, attribute.name) not in guarded:
                    yield (entity.name, attribute.name), plan.style
