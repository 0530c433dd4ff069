"""An item collection with local indexes that may outgrow what one holds."""

from collections.abc import Iterator
from functools import reduce

from designer.core.design.document import Design
from designer.core.figures import share, size
from designer.core.limits import COLLECTION_BYTES_WITH_LSI
from designer.core.lint.base import Fix, Plans, Topic, eventual, reads, spoken
from designer.core.patterns import BatchGet, Get
from designer.core.patterns.base import Read
from designer.core.planner.explain.findings import NEAR


class LocalIndexCollection(Topic):
    id = "local-index-collection"
    severity = "warning"
    title = "Collection with a local index near 10 GB"
    about = "entity"
    what = (
        f"The items of one partition key and their entries in local indexes may come to more than {share(NEAR)} of "
        f"{size(COLLECTION_BYTES_WITH_LSI)}."
    )
    why = (
        "In a table with a local secondary index an item collection holds at most 10 GB; a write beyond that is "
        "refused. Without a local index the collection may be spread over several partitions."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ItemCollections.SizeLimit"
    cure = (
        "State the largest number of them, or accept an eventually consistent answer, which a global index can "
        "give."
    )
    offers = {
        "eventual": (
            "Lets the lists and counts of the entity that read strongly accept an eventually consistent answer."
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
                f"Accept eventually consistent answers to {said}",
                lambda now: reduce(eventual, strong, now),
            )


def _is_point(read: Read) -> bool:
    """Whether it names its items one by one."""
    return isinstance(read, (Get, BatchGet))
