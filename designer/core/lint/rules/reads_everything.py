"""A read of all there is."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import PAGE_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_pattern, reads, steps
from designer.core.messages import say
from designer.core.words.figures import binary_size as size


class ReadsEverything(Rule):
    id = "C103"
    severity = "warning"
    title = "Read of all items"
    of_many = "access patterns read all items"
    about = "pattern"
    what = (
        f"An access pattern has no limit and nothing under “Found by”, and reads more than {size(PAGE_BYTES)}, the "
        "maximum for one request, each time. The planner never scans. It creates a key for the read, but "
        "the amount of data read is the same."
    )
    why = (
        "The access pattern reads all items each time. It becomes slower and more expensive as the data grows, "
        "needs many requests one after another, and uses capacity that other access patterns need."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html"
    cure = (
        "Read only some of the items: those of one owner, those of one day, or the newest few. Store a total in an "
        "aggregate "
        "that the writes keep up to date. For reports, export the table to Amazon S3 and mark the access pattern as "
        "served without keys."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        asked = {
            read.number: read
            for read in reads(design)
            if not read.where and not read.keep and read.limit is None
        }
        for at, read in asked.items():
            most = max((expects for expects in _whole(plans, at)), default=(0.0, 0.0))
            if most[0] > PAGE_BYTES:
                yield Found(
                    at_pattern(at),
                    say(
                        "reads-everything",
                        pattern=at,
                        entities=read.entities,
                        bytes=most[0],
                        requests=most[1],
                    ),
                    say("read-part-or-export"),
                )


def _whole(plans: Plans, pattern: int) -> Iterator[tuple[float, float]]:
    """Bytes and requests of a pattern in each style."""
    for plan in plans.values():
        of_it = [s.expects for _, at, s in steps({plan.style: plan}) if at == pattern]
        yield sum(e.bytes for e in of_it), sum(e.requests for e in of_it)
