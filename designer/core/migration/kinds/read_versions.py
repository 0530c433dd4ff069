"""Items that say by which version of the design they were written: what may be filled in when they are next written.

Without a backfill an item gets its new attributes when the application next writes it, and until then whoever reads it
supplies them. That does for what only readers look at. It does not for what the engine looks at: an index leaves out
items without its keys, and a filter drops those without its attribute.
"""

import re
from collections.abc import Iterator

from designer.core.migration.base import Caution, Change, Kind, Phase, ShapeChange, Step
from designer.core.plan import Plan
from designer.core.words.english import joined

NAMED = re.compile(r"schema_?version", re.IGNORECASE)


class ReadVersions(Kind):
    slug = "read-versions"

    def steps(self, change: Change) -> tuple[Step, ...]:
        return tuple(
            self._step(change, one, version)
            for _, table in change.kept
            for one in table.shapes
            if one.sets and (version := _version(one)) is not None
        )

    def _step(self, change: Change, one: ShapeChange, version: str) -> Step:
        looked_at = set(_looked_at(change.after.plan, one))
        lazy = [
            v.attribute
            for v in one.sets
            if v.of in ("stated", "renamed") and v.attribute not in looked_at | {version}
        ]
        eager = [v.attribute for v in one.sets if v.attribute not in (*lazy, version)]
        does = [
            f"Every write of {one.shape.shape} raises {version} from now on. Items with an older one, or with none, "
            f"lack {joined([*lazy, *eager])}.",
        ]
        if lazy:
            does.append(
                f"{joined(lazy)} can be filled in lazily: code that reads an older item supplies "
                f"{'it' if len(lazy) == 1 else 'them'}, and its next write stores {'it' if len(lazy) == 1 else 'them'} "
                f"on condition that {version} is what was read."
            )
        if eager:
            does.append(
                f"{joined(eager)} must be backfilled: the engine looks at {'it' if len(eager) == 1 else 'them'}, or "
                "other items say what the value is."
            )
        does.append(
            f"The backfill also raises {version}, and skips items that already have the newest one."
        )
        return Step(
            self.slug,
            Phase.WRITE_BOTH,
            f"Read {one.shape.shape} items of every {version}",
            tuple(does),
            (
                Caution(
                    "note",
                    "Filling in lazily never ends by itself: items that nobody writes stay as they are, so "
                    "the code that supplies the values has to stay. A backfill ends it.",
                ),
            ),
            table=one.table,
        )


def _version(one: ShapeChange) -> str | None:
    """The attribute of an item that says by which version it was written."""
    return next((name for name in one.shape.attributes if NAMED.fullmatch(name)), None)


def _looked_at(plan: Plan, one: ShapeChange) -> Iterator[str]:
    """Attributes that an engine looks at: keys, expiry, and what filters name."""
    table = plan.table(one.table)
    for index in table.indexes:
        yield from (part.name for part in (*index.partition, *index.sort))
    if table.ttl:
        yield table.ttl
    for operation in plan.operations:
        for step in operation.steps:
            if step.table == one.table:
                yield from (condition.attribute for condition in step.filter)
