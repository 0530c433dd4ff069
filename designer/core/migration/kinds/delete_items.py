"""Items that the later plan does not have in a table that stays."""

from designer.core.migration.base import Backfill, Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import estimate, scanned, there, written
from designer.core.migration.leaving import lost, unreplaced


class DeleteItems(Kind):
    slug = "delete-items"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for was, table in change.kept:
            those = there(change, was.name)
            for shape in table.leftovers:
                lies = [each for each in those if each.shape == shape.shape]
                is_lost, nothing = bool(lost(change, [shape])), unreplaced(change, shape)
                found.append(
                    Step(
                        self.slug,
                        Phase.CLEAN_UP,
                        f"Delete the {'' if is_lost else 'old '}{shape.shape} items of table {was.name}",
                        (
                            f"Read the table in segments and delete each {shape.shape} item that has the key of the "
                            "earlier plan.",
                        ),
                        (
                            Caution(
                                "data",
                                f"{shape.entity} is not in the later design: the data of these items is "
                                f"lost for good. Take a backup first.",
                            )
                            if is_lost
                            else Caution("note", nothing)
                            if nothing
                            else Caution(
                                "data",
                                "Other items hold their data by now. First compare the counts and take a "
                                "backup.",
                            ),
                        ),
                        estimate(
                            change.before,
                            items=sum(each.items for each in lies),
                            reads=scanned(those),
                            writes=written(lies),
                        ),
                        table=was.name,
                        backfills=(Backfill("delete", shape.entity, was.name, shape.shape),),
                    )
                )
        return tuple(found)
