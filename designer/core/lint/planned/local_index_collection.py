"""An item collection with local indexes that may outgrow what one holds."""

from collections.abc import Iterator
from functools import reduce

from designer.core.design.document import Design
from designer.core.dynamodb.limits import COLLECTION_BYTES_WITH_LSI
from designer.core.lint.base import Fix, Plans, Topic, eventual, reads, spoken
from designer.core.patterns.base import Read
from designer.core.planner.explain.findings import NEAR
from designer.core.words.figures import share, size


class LocalIndexCollection(Topic):
    id = "local-index-collection"
    severity = "warning"
    title = "Item collection near 10 GB"
    about = "entity"
    what = (
        "The items with one partition key value and their entries in local secondary indexes may together take "
        f"more than {share(NEAR)} of the limit of {size(COLLECTION_BYTES_WITH_LSI)}."
    )
    why = (
        "In a table with a local secondary index, an item collection can hold at most 10 GB, and DynamoDB "
        "rejects a write beyond that. Without a local secondary index, DynamoDB can spread the collection over "
        "several partitions."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit"
    cure = (
        "State the largest number of items. Or accept eventually consistent results, which a global secondary "
        "index can return."
    )
    offers = {
        "eventual": (
            "Lets the strongly consistent lists and counts of the entity accept eventually consistent results."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        name = where.removeprefix("entities.")
        # Were only some of them eventual, another would have the table's own key, and the rest a local index again.
        strong = [
            read.number
            for read in reads(design)
            if read.consistency == "strong" and name in read.entities and not _is_point(read)
        ]
        if strong:
            said = (
                f"access pattern{'s' if len(strong) > 1 else ''} {spoken([str(n) for n in strong])}"
            )
            yield Fix(
                "eventual",
                f"Accept eventually consistent results for {said}",
                lambda now: reduce(eventual, strong, now),
            )


def _is_point(read: Read) -> bool:
    """Whether it names its items one by one."""
    return read.by_identifier
