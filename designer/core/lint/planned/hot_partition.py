"""A partition key value that takes more than a partition serves."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.sharding import spread_over_shards


class HotPartition(Topic):
    id = "hot-partition"
    severity = "warning"
    title = "Hot key"
    about = "entity"
    what = (
        "At peak the busiest value of a partition key, of a table or an index, takes more than the "
        f"{PARTITION_WRITES:,} write or {PARTITION_READS:,} read units a second that a partition serves."
    )
    why = (
        "All items of one key value lie on one partition, unless it is split between sort keys. Traffic beyond its "
        "limits is throttled, however much capacity the table has."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
    cure = (
        "Spread writes over shards; keep answers that are read too often in a cache; query by "
        "something with less traffic on its busiest value. The page Heat shows where the "
        "traffic comes from, and what each remedy costs."
    )
    offers = {
        "spread": (
            "Pins the key over as many shards as its writes need. Offered where shards would cool it."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return spread_over_shards(design, plans, where)
