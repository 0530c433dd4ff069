"""An index on a table that has items: one in each deployment, when the items have its keys.

UpdateTable makes or removes one index at a time
(https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html), and so does an update of a stack
(https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html). Its keys and
its projection are fixed: another key, or another projection, is another index.
"""

from collections.abc import Iterator

from designer.core.dynamodb.limits import GSIS
from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step, TableChange
from designer.core.migration.estimating import estimate, lying, written
from designer.core.migration.meeting import entry
from designer.core.plan import Index, Table

SOURCES = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html",
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html",
)


class CreateIndex(Kind):
    slug = "create-index"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for was, one in change.kept:
            there = {index.name for index in was.indexes}
            count = sum(index.kind == "global" for index in was.indexes)
            for index in one.table.indexes:
                if index.name in there:
                    continue
                count += 1
                entries = lying(change.after, was.name, index.name)
                found.append(
                    Step(
                        self.slug,
                        Phase.INDEXES,
                        f"Create index {index.name} on table {was.name}",
                        (
                            "Deploy this step alone: a deployment can create or remove only one index of a "
                            "table.",
                            "Wait until it is ACTIVE and no longer backfilling. Until then, a query on the index is "
                            "refused or misses items.",
                            "Look for items that it leaves out because their key has another type.",
                            *_instead(was, one, index),
                        ),
                        (
                            Caution(
                                "availability",
                                f"The table has {count} indexes for a while, and {GSIS} is the quota: have it raised "
                                "first."
                                if count > GSIS
                                else "If capacity is provisioned, the writes that build it compete with "
                                "those of the table.",
                            ),
                        ),
                        estimate(
                            change.after,
                            items=sum(each.items for each in entries),
                            writes=written(entries),
                            keeps=entries,
                        ),
                        SOURCES,
                        table=was.name,
                        index=index.name,
                        patterns=index.serves,
                        deploys=deploying.add_index(was.name, index),
                    )
                )
        return tuple(found)


def _instead(was: Table, one: TableChange, index: Index) -> Iterator[str]:
    """Why an index that goes is not kept, where its key is the same for each kind of item that both hold."""
    stay = {each.name for each in one.table.indexes}
    for old in was.indexes:
        keys = [
            (entry(shape.before, old), entry(shape.shape, index))
            for shape in one.shapes
            if shape.before is not None
        ]
        common = [pair for pair in keys if None not in pair]
        same = all(before == after for before, after in common) and _types(old) == _types(index)
        if old.name in stay or not common or not same:
            continue
        if old.projection == index.projection:
            yield (
                f"It has the key of {old.name}. If both plans used {old.name}, each would also find the "
                "other's items."
            )
        else:
            yield (
                f"It has the key of {old.name} and another projection, and the projection of an index "
                "cannot be changed."
            )


def _types(index: Index) -> list[str]:
    return [part.type for part in (*index.partition, *index.sort)]
