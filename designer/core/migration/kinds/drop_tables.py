"""Tables that nothing uses any more.

Templates of ours keep a table that is taken out of them (`DeletionPolicy: Retain`) and protect it from deletion: to
delete it is a step of its own, by hand.
"""

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.migration.estimating import there
from designer.core.migration.leaving import lost, unreplaced
from designer.core.words.english import joined


class DropTables(Kind):
    slug = "drop-tables"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for table in change.gone:
            items = round(sum(each.items for each in there(change, table.name)))
            nothing = [unreplaced(change, shape) for shape in table.items]
            gone = lost(change, table.items)
            found.append(
                Step(
                    self.slug,
                    Phase.CLEAN_UP,
                    f"Remove table {table.name}",
                    (
                        "Check in its metrics that nothing has read or written it for a while.",
                        "Take an on-demand backup: without it, the table cannot be restored.",
                        "Deploy the template without it. The table stays until you turn off its deletion protection "
                        "and delete it.",
                    ),
                    (
                        Caution(
                            "data",
                            f"Its {f'{items:,} items' if items else 'items'} are deleted with it, and "
                            f"this cannot be undone. "
                            + (
                                f"Nothing else holds {joined(gone)}."
                                if gone
                                else " ".join(nothing)
                                if all(nothing)
                                else "First compare the counts with those of its replacement."
                            ),
                        ),
                    ),
                    table=table.name,
                    deploys=deploying.drop_tables([table.name]),
                )
            )
        return tuple(found)
