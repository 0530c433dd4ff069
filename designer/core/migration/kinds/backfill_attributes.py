"""Attributes that items lack so far: keys of new indexes, copies, figures, and what the design newly asks for."""

from designer.core.migration.base import Backfill, Caution, Change, Kind, Phase, ShapeChange, Step
from designer.core.migration.estimating import estimate, lying, scanned, there, written
from designer.core.words.english import joined

SOURCES = {
    "template": "composed from the item's own attributes",
    "renamed": "copied from its old name",
    "copied": "read from the item that it refers to",
    "counted": "computed from its children",
    "embedded": "combined from separate items",
    "elsewhere": "read from another item of the same entity",
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
                    f"No earlier attribute gives {joined(stated)} for existing items. State a value for "
                    f"each item before you begin.",
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
                    f"Children may change while you compute {joined(figures)}. Set it on the condition "
                    f"that the item does not have it yet, and compute it again for parents whose "
                    f"children changed meanwhile.",
                )
            )
        return Step(
            self.slug,
            Phase.BACKFILL,
            f"Set {joined(names)} on every {one.shape.shape} item",
            (
                f"Read table {one.table} in segments (a parallel Scan), and set on each "
                f"{one.shape.shape} item: "
                + "; ".join(f"{v.attribute} = {v.says}, {SOURCES[v.of]}" for v in one.sets)
                + ".",
                "Send each UpdateItem on the condition that the item exists and that nothing that you "
                "read has changed. If the condition fails, the application has written the item since: "
                "read it again, and skip it if it has the new values.",
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
