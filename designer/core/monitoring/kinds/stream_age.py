"""Consumers of streams that fall behind."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.monitoring.base import MINUTE, Alarm, Kind
from designer.core.plan import Plan

KEPT_MS = 24 * 3600 * 1000
"""A stream keeps a record for 24 hours:
https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html"""
UPKEEP_MS = MINUTE * 1000
"""Our own threshold: copies and aggregates that patterns are answered from may be so old."""


class StreamAge(Kind):
    """Lambda says how old the last record of a batch is; what no Lambda function reads has no such metric."""

    slug = "stream-age"
    place = 6
    essential = True
    title = "Age of stream records"
    then = (
        "Check whether the consumer fails and retries the same batch, or is too slow. If it is slow, give it larger "
        "batches, or let it process several batches of each shard at once. Records are deleted after 24 hours."
    )
    source = "https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html"
    otherwise = "Age of stream records: no table has a stream."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        if plan.upkeep:
            threshold = UPKEEP_MS
            events = [*dict.fromkeys(upkeep.event for upkeep in plan.upkeep)]
            what = events[0] if len(events) == 1 else f"each of these changes: {'; '.join(events)}"
            because = (
                f"Access patterns read what the consumer writes after {what}. The consumer should lag by a minute at "
                "most."
            )
        elif any(table.stream for table in plan.tables):
            threshold = KEPT_MS // 10
            because = (
                "A tenth of the 24 hours for which a stream keeps its records. The design does not state how far "
                "its consumers may lag behind."
            )
        else:
            return
        yield Alarm(
            self.slug,
            None,
            None,
            "IteratorAge",
            "Maximum",
            threshold,
            "ms",
            5,
            because,
            namespace="AWS/Lambda",
        )
