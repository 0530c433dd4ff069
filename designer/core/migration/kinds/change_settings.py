"""How a table that stays is run: its class, capacity, recovery and encryption.

The class can be changed twice in 30 days
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.tableclasses.html); provisioned
capacity can become on demand four times in 24 hours, the other way at any time
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/switching.capacitymode.html).
"""

from collections.abc import Iterator

from designer.core.capacity.tables import is_provisioned
from designer.core.dynamodb.prices import CLASS_LABELS
from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.plan import Table
from designer.core.words import figures

CLASSES = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithTables.tableclasses.html"
CAPACITY = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/switching.capacitymode.html"
)


class ChangeSettings(Kind):
    slug = "change-settings"

    def steps(self, change: Change) -> tuple[Step, ...]:
        return tuple(step for was, one in change.kept for step in self._of(change, was, one.table))

    def _of(self, change: Change, was: Table, is_: Table) -> Iterator[Step]:
        if was.table_class != is_.table_class:
            yield Step(
                self.slug,
                Phase.DEPLOY,
                f"Change table {is_.name} to the class {CLASS_LABELS[is_.table_class]}",
                ("Deploy it. The table stays in use meanwhile.",),
                (
                    Caution(
                        "availability",
                        "A table's class can be changed twice in 30 days: going back uses up the "
                        "second time.",
                    ),
                ),
                sources=(CLASSES,),
                table=is_.name,
                deploys=deploying.change(is_.name, table_class=is_.table_class),
            )
        if was.recovery_days != is_.recovery_days:
            less = is_.recovery_days < was.recovery_days
            yield Step(
                self.slug,
                Phase.CLEAN_UP if less else Phase.DEPLOY,
                _recovery(is_),
                ("Deploy it.",),
                (
                    Caution(
                        "data",
                        "Once this is deployed, older states can no longer be restored. Take a backup first if you "
                        "may need them.",
                    ),
                )
                if less
                else (),
                table=is_.name,
                deploys=deploying.change(is_.name, recovery_days=is_.recovery_days),
            )
        old, new = (
            is_provisioned(change.before.design, was),
            is_provisioned(change.after.design, is_),
        )
        if old != new:
            yield Step(
                self.slug,
                Phase.WRITES,
                f"Change table {is_.name} to {'provisioned capacity' if new else 'on demand'}",
                (
                    "Deploy it when reads and writes have moved, so that the backfills are not held up.",
                )
                if new
                else ("Deploy it.",),
                (
                    Caution(
                        "availability",
                        "DynamoDB throttles requests beyond the capacity: compare it with the busiest "
                        "hour first.",
                    )
                    if new
                    else Caution(
                        "note", "A table can be switched to on demand four times in 24 hours."
                    ),
                ),
                sources=(CAPACITY,),
                table=is_.name,
                deploys=deploying.change(is_.name),
            )


def _recovery(table: Table) -> str:
    if not table.recovery_days:
        return f"Turn off point-in-time recovery of table {table.name}"
    return f"Set point-in-time recovery of table {table.name} to {figures.count(table.recovery_days, 'day')}"
