"""A read of all there is."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.figures import number, size
from designer.core.limits import PAGE_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_pattern, reads, spoken, steps


class ReadsEverything(Rule):
    id = "C103"
    severity = "warning"
    title = "Scan: a read of everything"
    about = "pattern"
    what = (
        "An access pattern has neither `where` nor `limit`, and what it reads each time is more than "
        f"{size(PAGE_BYTES)}, the most that one request reads. The planner never scans: it "
        "makes a key for the read. The amount that is read is the same."
    )
    why = (
        "It reads all items each time, so it becomes slower and more expensive as the data grows, takes one request "
        "after another, and uses capacity that everything else needs."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html"
    cure = (
        "Read a part: of an owner, of a day, the newest few. Keep a number in an aggregate "
        "that the writes keep up to date (`aggregate`). For reports, export the table to "
        "Amazon S3, and mark the access pattern as answered elsewhere."
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
                    f"Pattern {at} reads all {spoken(list(read.entities))} items each time: {size(most[0])} in "
                    f"{number(most[1])} requests.",
                    "Read a part, keep an aggregate, or leave it to an export.",
                )


def _whole(plans: Plans, pattern: int) -> Iterator[tuple[float, float]]:
    """Bytes and requests of a pattern in each style."""
    for plan in plans.values():
        of_it = [s.expects for _, at, s in steps({plan.style: plan}) if at == pattern]
        yield sum(e.bytes for e in of_it), sum(e.requests for e in of_it)
