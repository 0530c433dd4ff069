"""Items that the later plan does not have in a table that stays."""

from designer.core.migration.base import Backfill, Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import estimate, lying, scanned, written


class DeleteItems(Kind):
    slug = "delete-items"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        origins = {one.origin for table in change.tables for one in table.shapes}
        for was, table in change.kept:
            for shape in table.leftovers:
                lies = [
                    each for each in lying(change.before, was.name) if each.shape == shape.shape
                ]
                lost = shape.entity not in origins
                found.append(
                    Step(
                        self.slug,
                        Phase.CLEAN_UP,
                        f"Delete the {'' if lost else 'old '}{shape.shape} items of table {was.name}",
                        (
                            f"Read the table in segments and delete each item that is a {shape.shape} under the key "
                            "of the earlier plan.",
                        ),
                        (
                            Caution(
                                "data",
                                f"{shape.entity} is in the later design no more: what these items say is gone for "
                                "good. Take a backup first."
                                if lost
                                else "They are elsewhere by now. Compare the counts before, and take a backup.",
                            ),
                        ),
                        estimate(
                            change.before,
                            items=shape.items,
                            reads=scanned(change.before, was.name),
                            writes=written(lies),
                        ),
                        table=was.name,
                        backfills=(Backfill("delete", shape.entity, was.name, shape.shape),),
                    )
                )
        return tuple(found)
