"""Requests that DynamoDB itself fails."""

from collections.abc import Iterator
from math import ceil

from designer.core.design.document import Design
from designer.core.monitoring.base import (
    MINUTE,
    RECOMMENDED,
    Alarm,
    Kind,
    Metric,
    called,
    rounding,
    tables_of,
)
from designer.core.plan import Plan
from designer.core.words import figures

PROMISED = 1e-4
"""Share of requests that may fail by DynamoDB's service level of 99.99 %: https://aws.amazon.com/dynamodb/sla/"""


class SystemErrors(Kind):
    """Fifteen minutes in a row, as AWS recommends: single ones are usual, and the SDKs try again.

    The metric is sent for each call apart, so those that the plan makes are added up.
    """

    slug = "system-errors"
    place = 3
    essential = True
    title = "Service errors"
    then = (
        "Look at the AWS Health Dashboard, and let the application retry with exponential backoff. The service level "
        "agreement of 99.99 % allows one failed request in 10,000."
    )
    source = RECOMMENDED
    otherwise = "Service errors: no access pattern with a rate reads or writes a table."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        requests = dict.fromkeys((table.name for table in plan.tables), 0.0)
        calls: dict[str, dict[str, None]] = {name: {} for name in requests}
        for each in called(design, plan):
            for table in tables_of(each.step):
                requests[table] += each.calls_per_second
                calls[table][each.step.call] = None
        for name, per_second in requests.items():
            if per_second:
                allowed = per_second * MINUTE * PROMISED
                yield Alarm(
                    self.slug,
                    name,
                    None,
                    "SystemErrors",
                    "Sum",
                    ceil(round(allowed, 6)),
                    "error",
                    15,
                    f"One in 10,000 of {figures.whole(per_second * MINUTE)} requests a minute at "
                    f"peak{rounding(allowed)}.",
                    summed=tuple(
                        Metric("SystemErrors", name, operation=call) for call in sorted(calls[name])
                    ),
                )
