"""An index that holds more than its patterns read."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.edits.pins import replace_pins
from designer.core.edits.replacing import replaced
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern, indexes, named, steps
from designer.core.messages import say
from designer.core.plan import Index, Table
from designer.core.plan.keys import stored


class ProjectionTooWide(Rule):
    id = "I103"
    severity = "advice"
    title = "Projection wider than needed"
    about = "pattern"
    what = (
        "An index holds attributes that no access pattern reads from it or filters by, although every access pattern "
        "that reads the index states the attributes that it needs."
    )
    why = "DynamoDB stores the projected attributes a second time, and writes every change to them a second time."
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html"
    )
    cure = (
        "Leave out the attributes that no access pattern reads from the index, or name them in the access pattern that "
        "needs them."
    )
    offers = {
        "project-less": "Changes pins that project all attributes: they then project only those that are needed.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for table, index, numbers, unread in _wide(plans):
            yield Found(
                at_pattern(numbers[0]),
                say(
                    "projection-too-wide",
                    index=named(table.name, index.name),
                    attributes=tuple(unread),
                ),
                say("project-fewer"),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        wide = [
            (i.name, numbers)
            for _, i, numbers, _ in _wide(plans)
            if at_pattern(numbers[0]) == where
        ]
        less = {
            pin: replaced(pin, projection="include")
            for pin in design.planner.pins
            for name, numbers in wide
            if pin.projection == "all" and (pin.index == name or pin.pattern in numbers)
        }
        if less:
            yield Fix(
                "project-less",
                "Project only what the access patterns need",
                lambda now: replace_pins(now, less),
            )


def _wide(plans: Plans) -> Iterator[tuple[Table, Index, list[int], list[str]]]:
    """Indexes with the numbers of the patterns that read them, and what these do not read."""
    for plan, table, index in indexes(plans):
        uses = [
            (number, step)
            for _, number, step in steps({plan.style: plan})
            if (step.table, step.index) == (table.name, index.name)
        ]
        held = _held(table, index)
        if not uses or not held or any(step.project is None and not step.count for _, step in uses):
            continue
        needed = {name for _, step in uses for name in step.project or ()}
        needed |= {stored(condition.attribute) for _, step in uses for condition in step.filter}
        unread = [name for name in held if name not in needed and name != plan.type_attribute]
        if unread:
            yield table, index, [number for number, _ in uses], unread


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
