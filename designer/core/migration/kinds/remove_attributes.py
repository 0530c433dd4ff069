"""Attributes that the later plan does not have: keys of removed indexes, and what the design dropped."""

from designer.core.migration.base import Backfill, Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import estimate, lying, scanned, written
from designer.core.words.english import joined


class RemoveAttributes(Kind):
    slug = "remove-attributes"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for was, table in change.kept:
            for one in table.shapes:
                if one.before is None or not one.leaves:
                    continue
                own = [n for n in one.leaves if n in one.before.attributes or n in one.before.holds]
                lies = [
                    each for each in lying(change.after, was.name) if each.shape == one.shape.shape
                ]
                found.append(
                    Step(
                        self.slug,
                        Phase.CLEAN_UP,
                        f"Remove {joined(list(one.leaves))} from every {one.shape.shape} item",
                        (
                            f"Read table {was.name} in segments. Remove "
                            f"{'this attribute' if len(one.leaves) == 1 else 'these attributes'} from each such "
                            "item with UpdateItem, on condition that the item still exists.",
                            "This can wait, or happen with the next write of each item. Until then, the "
                            "attributes take space.",
                        ),
                        (
                            Caution(
                                "data",
                                f"What {joined(own)} {'holds' if len(own) == 1 else 'hold'} is gone for "
                                "good. Take a backup first.",
                            ),
                        )
                        if own
                        else (),
                        estimate(
                            change.after,
                            items=one.shape.items,
                            reads=scanned(lying(change.after, was.name)),
                            writes=written(lies),
                        ),
                        table=was.name,
                        backfills=(
                            Backfill(
                                "remove",
                                one.shape.entity,
                                was.name,
                                one.shape.shape,
                                (),
                                one.leaves,
                            ),
                        ),
                    )
                )
        return tuple(found)
