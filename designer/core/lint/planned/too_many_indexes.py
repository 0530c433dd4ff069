"""A table that needs more indexes than it may have."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import GSIS, LSIS
from designer.core.edits.replacing import replaced
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.words.figures import count


class TooManyIndexes(Topic):
    id = "too-many-indexes"
    severity = "error"
    title = "Too many indexes"
    about = "settings"
    what = (
        f"A table needs more global secondary indexes than the settings allow, or more than {LSIS} local "
        "secondary indexes."
    )
    why = (
        f"A table has a quota of {GSIS} global secondary indexes, which AWS can raise, and a fixed quota of {LSIS} "
        "local secondary indexes. A write that changes what an index holds is also "
        "charged for that index."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html"
    cure = "Serve fewer access patterns from one table, allow more indexes, or split the table."
    offers = {
        "allow": (
            f"Allows as many global secondary indexes as the current plans need, up to {GSIS}."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        counts = (
            sum(index.kind == "global" for index in table.indexes)
            for plan in plans.values()
            for table in plan.tables
        )
        most = max(counts, default=0)
        if design.planner.max_gsis < most <= GSIS:
            yield Fix(
                "allow",
                f"Allow {count(most, 'index', 'indexes')}",
                lambda now: _allowing(now, most),
            )


def _allowing(design: Design, most: int) -> Design:
    return replaced(design, planner=replaced(design.planner, max_gsis=most))
