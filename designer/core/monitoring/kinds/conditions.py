"""Writes that are refused because their condition does not hold."""

from collections.abc import Iterator
from math import ceil

from designer.core.design.document import Design
from designer.core.monitoring.base import METRICS, MINUTE, Alarm, Kind, called, rounding
from designer.core.plan import Plan
from designer.core.words import figures

USUAL = 0.1
"""Our own threshold: a tenth of the conditional writes may be refused."""
CALLS = ("PutItem", "UpdateItem", "DeleteItem")
"""The calls that the metric counts."""


class Conditions(Kind):
    """A refused write is billed as if it were done."""

    slug = "conditions"
    place = 7
    title = "Failed conditions"
    then = (
        "Find the client that tries to create items that already exist, or to change deleted ones. It may retry "
        "without reading, or two clients may write the same item. Only the caller of a transaction learns which "
        "condition or guard refused it, so count those refusals in the application."
    )
    source = METRICS
    otherwise = "Failed conditions: there is no conditional single write with a rate."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        written = dict.fromkeys((table.name for table in plan.tables), 0.0)
        for each in called(design, plan):
            if each.step.call in CALLS:
                for member in each.step.members:
                    if member.if_ or member.any_:
                        written[member.table] += each.calls_per_second
        for name, per_second in written.items():
            if per_second:
                allowed = per_second * MINUTE * USUAL
                yield Alarm(
                    self.slug,
                    name,
                    None,
                    "ConditionalCheckFailedRequests",
                    "Sum",
                    ceil(round(allowed, 6)),
                    "request",
                    5,
                    f"{figures.share(USUAL)} of {per_second * MINUTE:,.6g} conditional writes a minute at "
                    f"peak{rounding(allowed)}.",
                )
