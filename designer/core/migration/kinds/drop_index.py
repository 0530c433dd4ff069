"""An index that nothing reads any more: one in each deployment."""

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step

SOURCE = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html"


class DropIndex(Kind):
    slug = "drop-index"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for was, one in change.kept:
            stay = {index.name for index in one.table.indexes}
            found += [
                Step(
                    self.slug,
                    Phase.CLEAN_UP,
                    f"Remove index {index.name} on table {was.name}",
                    (
                        "Check in its metrics that nothing has read it for a while "
                        "(ConsumedReadCapacityUnits).",
                        "Deploy this step alone: a deployment can create or remove only one index of a table.",
                    ),
                    (
                        Caution(
                            "availability",
                            "Queries on it fail at once, and creating it again takes a backfill. No "
                            "items are lost.",
                        ),
                    ),
                    sources=(SOURCE,),
                    table=was.name,
                    index=index.name,
                    deploys=deploying.drop_index(was.name, index.name),
                )
                for index in was.indexes
                if index.name not in stay
            ]
        return tuple(found)
