"""An index that holds more than its patterns read."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern, spoken, steps
from designer.core.plan import Index, Table


class ProjectionTooWide(Rule):
    id = "I103"
    severity = "advice"
    title = "Projection wider than needed"
    why = (
        "What an index projects is stored a second time, and each change of it is written a second "
        "time. Attributes that no pattern reads from the index can be left out."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html"
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for plan in plans.values():
            for table in plan.tables:
                for index in table.indexes:
                    uses = [
                        (number, step)
                        for _, number, step in steps({plan.style: plan})
                        if (step.table, step.index) == (table.name, index.name)
                    ]
                    held = _held(table, index)
                    if (
                        not uses
                        or not held
                        or any(step.project is None and not step.count for _, step in uses)
                    ):
                        continue
                    needed = {name for _, step in uses for name in step.project or ()}
                    needed |= {condition.attribute for _, step in uses for condition in step.filter}
                    unread = [
                        name for name in held if name not in needed and name != plan.type_attribute
                    ]
                    if unread:
                        yield Found(
                            at_pattern(uses[0][0]),
                            (
                                f"The index {index.name} of {table.name} holds {spoken(unread)}, which no "
                                "pattern reads from it."
                            ),
                            "Project less, or say which pattern needs it.",
                        )


def _held(table: Table, index: Index) -> list[str]:
    """The attributes that an index holds besides its keys and the table's."""
    if index.projection.type == "INCLUDE":
        return list(index.projection.attributes)
    if index.projection.type == "KEYS_ONLY":
        return []
    keys = {
        part.name
        for part in (*index.partition, *index.sort, table.key.partition, table.key.sort)
        if part is not None
    }
    inside = [
        shape
        for shape in table.items
        if all(
            part.name in shape.set or part.name in shape.attributes
            for part in (*index.partition, *index.sort)
        )
    ]
    return [
        name
        for name in dict.fromkeys(name for shape in inside for name in shape.attributes)
        if name not in keys
    ]
