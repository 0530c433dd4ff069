"""A partition key value that takes more than a partition serves."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.sharding import spread_over_shards


class HotPartition(Topic):
    id = "hot-partition"
    severity = "warning"
    title = "Hot partition key"
    about = "entity"
    what = (
        "At peak, the busiest partition key value of a table or an index takes more than the "
        f"{PARTITION_WRITES:,} write units or {PARTITION_READS:,} read units a second that a partition serves."
    )
    why = (
        "All items with one key value are in one partition, unless DynamoDB splits the collection at a sort key. "
        "DynamoDB throttles traffic beyond the limits of a partition, however much capacity the table has."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"
    cure = (
        "Spread writes over shards, cache results that are read too often, or query by an attribute whose "
        "busiest value has less traffic. The Heat page shows where the traffic comes from and what each remedy "
        "costs."
    )
    offers = {
        "spread": (
            "Pins the key, spread over as many shards as its writes need. Available if shards reduce the load enough."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return spread_over_shards(design, plans, where)
