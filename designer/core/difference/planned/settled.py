"""The later plan under the names of what is there already, as a migration settles them.

What stays has the name that it has. What takes the place of something else has the name of that, if the plan calls it
so: a migration makes it beside that, and so under another.
"""

from collections.abc import Iterator

from designer.core.migration import Change, TableChange
from designer.core.migration.renaming import Names, renamed
from designer.core.plan import Plan


def compared(change: Change) -> tuple[Plan, dict[str, TableChange]]:
    """The later plan as it is compared, and what a migration makes of each of its tables, by their names in it."""
    there = {table.name for table in change.before.plan.tables}
    names = {one.planned: _names(one, there) for one in change.tables}
    return (
        renamed(change.planned, names),
        {names[one.planned].table: one for one in change.tables},
    )


def _names(one: TableChange, there: set[str]) -> Names:
    if one.before is None:
        return Names(one.planned if one.planned in there else one.table.name)
    return Names(one.before.name, dict(_indexes(one)), dict(_attributes(one)))


def _indexes(one: TableChange) -> Iterator[tuple[str, str]]:
    assert one.before is not None
    there = {index.name for index in one.before.indexes}
    going = there - {*one.indexes.values()}
    for planned, name in one.indexes.items():
        yield planned, planned if name not in there and planned in going else name


def _attributes(one: TableChange) -> Iterator[tuple[str, str]]:
    assert one.before is not None
    there = {name for shape in one.before.items for name in (*shape.attributes, *shape.set)}
    for planned, name in one.attributes.items():
        is_free = planned not in one.attributes.values()
        yield planned, planned if name not in there and is_free else name
