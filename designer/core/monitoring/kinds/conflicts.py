"""Transactions that meet others at the same item."""

from collections.abc import Iterator
from math import ceil

from designer.core.design.document import Design
from designer.core.monitoring.base import METRICS, MINUTE, Alarm, Kind, called, rounding
from designer.core.plan import Plan
from designer.core.words import figures

USUAL = 0.01
"""Our own threshold: one in a hundred transactions may meet another."""
CALLS = ("TransactWriteItems", "TransactGetItems")
PERIOD = 5 * MINUTE
"""Over five minutes, so that a single conflict in a quiet minute is no alarm."""


class Conflicts(Kind):
    """Source of the reasons: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html"""

    slug = "conflicts"
    place = 8
    title = "Transaction conflicts"
    then = (
        "Find the item that several transactions write at once, such as a counter. Spread its writes, "
        "or take it out of the transactions."
    )
    source = METRICS
    otherwise = "Transaction conflicts: no access pattern with a rate uses a transaction."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        begun = dict.fromkeys((table.name for table in plan.tables), 0.0)
        for each in called(design, plan):
            if each.step.call in CALLS:
                for table in {member.table for member in each.step.members} or {each.step.table}:
                    begun[table] += each.calls_per_second
        for name, per_second in begun.items():
            if per_second:
                allowed = per_second * PERIOD * USUAL
                yield Alarm(
                    self.slug,
                    name,
                    None,
                    "TransactionConflict",
                    "Sum",
                    ceil(round(allowed, 6)),
                    "request",
                    3,
                    f"{figures.share(USUAL)} of {figures.whole(per_second * PERIOD)} transactions in five minutes at "
                    f"peak{rounding(allowed)}.",
                    period=PERIOD,
                )
