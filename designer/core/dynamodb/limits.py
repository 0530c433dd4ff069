"""DynamoDB's quotas and limits, each once, with its source.

Source unless said otherwise: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html and
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html (read November 2026).
"""

from designer.core.rational import Fraction

ITEM_BYTES = 400 * 1024
"""An item, attribute names included."""
PARTITION_KEY_BYTES = 2048
SORT_KEY_BYTES = 1024
GSIS = 20
"""Default quota of global secondary indexes of a table."""
LSIS = 5
KEY_ATTRIBUTES = 4
"""Attributes in the partition key, and again in the sort key, of a global secondary index.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
"""
INCLUDE_NAMES = 20
"""Names in one INCLUDE list (CreateTable, Projection.NonKeyAttributes)."""
PROJECTED_NAMES = 100
"""Names in all INCLUDE lists of a table together."""
LARGEST_NUMBER = 10**126
"""Numbers of an attribute are below it."""
TRANSACTION_ITEMS = 100
TRANSACTION_BYTES = 4 * 1024 * 1024
"""All items of one transaction together.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
"""
BATCH_WRITE_ITEMS = 25
BATCH_GET_ITEMS = 100
BATCH_GET_BYTES = 16 * 10**6
"""What one BatchGetItem returns at most; the rest comes back as UnprocessedKeys.

The documents say 16 MB, and that of 100 items of 300 KB it returns 52: fewer than fit into 16 times 1024 * 1024 bytes.
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
"""
PAGE_BYTES = 1024 * 1024
"""What one Query reads before filtering."""
PARTITION_READS = 3000
"""Read units a second of one partition."""
PARTITION_WRITES = 1000
"""Write units a second of one partition."""
SHARD_WRITES = 800
"""Our own target: write units a second of one shard at peak, with a fifth to spare."""
SHARD_READS = 2400
"""Our own target: read units a second of one shard at peak."""
COLLECTION_BYTES_WITH_LSI = 10 * 10**9
CAPACITY_IN_USE = Fraction(7, 10)
"""Share of provisioned capacity that is meant to be in use: what AWS's console suggests for auto scaling."""
WARM_READS = 12_000
WARM_WRITES = 4_000
"""Units a second that a new table on demand serves at once, and each of its global indexes; more comes with time, at
twice the former peak within half an hour, or is bought as warm throughput.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html; of an index, as measured:
https://github.com/go-to-k/cdk-real-drift/issues/627
"""
TABLE_UNITS = 40_000
"""Default quota of a table: read units a second, and as many write units.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
"""
READ_UNIT_BYTES = 4 * 1024
WRITE_UNIT_BYTES = 1024
ITEM_OVERHEAD_BYTES = 100
"""Billed storage on top of each item and each index entry."""

SMALL_COLLECTION_BYTES = 64 * 1024
"""Our own threshold: a filter over a collection this small needs no index."""
FEW_PAGES = 3
"""Our own threshold: pages of 1 MB that one Query may read at the worst to return little of them."""
MANY_REQUESTS = 100
"""Our own threshold: pages that one read may ask for in turn at the worst, however small; they take about as long as a
few of 1 MB."""
NEGLIGIBLE = 0.005
"""Further pages of a Query that so small a part of the calls needs are left out of averages."""
SELDOM = 0.0003
"""Our own threshold: what is asked at most so often a second, about once an hour, a job asks. Nobody waits for its
pages."""
MOST_DROPPED = 0.9
"""Our own threshold: a Query may drop this share of what it reads."""
COOL_VALUES = 100
"""Our own threshold: a leading key with as many values in use needs no heat check."""
EMBEDDED_BYTES = 50 * 1024
"""Our own threshold: children that live in their parent's item take at most this."""
