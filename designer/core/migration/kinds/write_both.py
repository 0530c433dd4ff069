"""From here on whatever is written is written as both plans have it, so that neither falls behind."""

from collections.abc import Iterator

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, ShapeChange, Step, Tables
from designer.core.migration.kinds.copy_items import items_of
from designer.core.patterns.base import Write
from designer.core.sentences.steps import kept_kinds
from designer.core.words.english import joined


class WriteBoth(Kind):
    slug = "write-both"

    def steps(self, change: Change) -> tuple[Step, ...]:
        shapes = [one for table in change.tables for one in table.shapes]
        updated = [one for one in shapes if one.before is not None and one.sets]
        moved = [one for one in shapes if one.is_moved]
        if not updated and not moved:
            return ()
        entities = {one.shape.entity for one in (*updated, *moved)}
        writes = tuple(
            pattern.number
            for pattern in change.after.design.patterns
            if isinstance(pattern, Write) and {c.entity for c in pattern.changes} & entities
        )
        return (
            Step(
                self.slug,
                Phase.WRITE_BOTH,
                f"Write {joined(sorted(entities))} for both plans",
                tuple(_does(change, updated, moved)),
                (
                    Caution(
                        "data",
                        "The backfill misses changes by older versions of the application. Begin it only "
                        "when no older version runs, consumers and scripts included.",
                    ),
                ),
                patterns=writes,
                means=lambda tables: _together(change, tables),
            ),
        )


def _does(change: Change, updated: list[ShapeChange], moved: list[ShapeChange]) -> Iterator[str]:
    yield "Deploy a version of the application that reads as before and writes both."
    for one in updated:
        names = joined([value.attribute for value in one.sets])
        yield f"Every write of {one.shape.shape} in table {one.table} sets {names} too."
    for one in moved:
        yield (
            f"Every write of {one.shape.entity} puts, changes or deletes its {items_of(one.shape)} in table "
            f"{one.table} too, in the same transaction."
        )
    if change.after.plan.upkeep:
        kept = kept_kinds(change.after.plan.upkeep)
        yield f"From now on, the stream consumer also keeps the later plan's {kept} up to date."


def _together(change: Change, tables: Tables) -> Tables:
    """The tables with the kinds of items of both plans: what their comments say changes, nothing else."""
    for was, one in change.kept:
        items = deploying.both(was.items, one.table.items)
        tables = deploying.change(was.name, items=items)(tables)
    return tables
