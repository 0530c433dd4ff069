"""Attributes that items lack so far: keys of new indexes, copies, figures, and what the design newly asks for."""

from designer.core.english import joined
from designer.core.migration.base import Backfill, Caution, Change, Kind, Phase, ShapeChange, Step
from designer.core.migration.estimating import estimate, lying, scanned, there, written

SOURCES = {
    "template": "made of the item's own attributes",
    "renamed": "taken over from its older name",
    "copied": "read from the item that it refers to",
    "counted": "worked out from its children",
    "embedded": "put together from items that had been apart",
    "elsewhere": "read from another item of the same thing",
    "stated": "for you to state",
}


class BackfillAttributes(Kind):
    slug = "backfill-attributes"

    def steps(self, change: Change) -> tuple[Step, ...]:
        return tuple(
            self._step(change, one)
            for _, table in change.kept
            for one in table.shapes
            if one.before is not None and one.sets
        )

    def _step(self, change: Change, one: ShapeChange) -> Step:
        names = [value.attribute for value in one.sets]
        those = [each for each in lying(change.after, one.table) if each.shape == one.shape.shape]
        stated = [value.attribute for value in one.sets if value.of == "stated"]
        cautions = (
            [
                Caution(
                    "note",
                    f"No earlier attribute says what {joined(stated)} of an existing item is. State a value for each "
                    "before you begin.",
                )
            ]
            if stated
            else []
        )
        figures = [value.attribute for value in one.sets if value.of == "counted"]
        if figures:
            cautions.append(
                Caution(
                    "data",
                    f"While {joined(figures)} is worked out its children may change. Set it on condition that the "
                    "item has none yet, and count again what was busy meanwhile.",
                )
            )
        return Step(
            self.slug,
            Phase.BACKFILL,
            f"Set {joined(names)} on every {one.shape.shape} item",
            (
                f"Read table {one.table} in segments (a parallel Scan), and of each {one.shape.shape} item set: "
                + "; ".join(f"{v.attribute} = {v.says}, {SOURCES[v.of]}" for v in one.sets)
                + ".",
                "Each UpdateItem is on condition that the item is there and nothing of what was read has changed. "
                "Where that does not hold, the application has written the item since: read it again, and leave it "
                "if it has them now.",
            ),
            tuple(cautions),
            estimate(
                change.after,
                items=one.shape.items,
                reads=scanned(there(change, one.table)),
                writes=written(those),
            ),
            table=one.table,
            backfills=(Backfill("update", one.shape.entity, one.table, one.shape.shape, one.sets),),
        )
