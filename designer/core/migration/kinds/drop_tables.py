"""Tables that nothing uses any more.

Templates of ours keep a table that is taken out of them (`DeletionPolicy: Retain`) and protect it from deletion: to
delete it is a step of its own, by hand.
"""

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import lying
from designer.core.migration.words import joined


class DropTables(Kind):
    slug = "drop-tables"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        moved = {one.origin for table in change.tables for one in table.shapes}
        for table in change.gone:
            lost = sorted({shape.entity for shape in table.items} - {one for one in moved if one})
            items = sum(each.items for each in lying(change.before, table.name))
            found.append(
                Step(
                    self.slug,
                    Phase.CLEAN_UP,
                    f"Remove table {table.name}",
                    (
                        "See in its metrics that it has had neither reads nor writes for a while.",
                        "Take a backup on demand: it can be restored, the table cannot.",
                        "Deploy the template without it. The table stays until you turn off its deletion protection "
                        "and delete it.",
                    ),
                    (
                        Caution(
                            "data",
                            f"Its {round(items):,} items go with it, and there is no way back. "
                            + (
                                f"Nothing else holds {joined(lost)}."
                                if lost
                                else "Compare the counts with those of what took its place first."
                            ),
                        ),
                    ),
                    table=table.name,
                    deploys=deploying.drop_tables([table.name]),
                )
            )
        return tuple(found)
