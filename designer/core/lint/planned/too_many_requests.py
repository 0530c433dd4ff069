"""A pattern that takes more requests than its team allows."""

from collections.abc import Iterator
from math import ceil

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic, number_at, with_pattern
from designer.core.patterns.base import MOST_REQUESTS


class TooManyRequests(Topic):
    id = "too-many-requests"
    severity = "warning"
    title = "Too many requests"
    about = "pattern"
    what = (
        "An access pattern needs more requests than its request limit allows. The finding is advice if only the worst "
        "case needs more: the largest stated collection, or the largest stated items."
    )
    why = "Each request adds its time to the response, and costs at least half a read unit or one write unit."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = (
        "Use the style that needs fewer requests, store next to each other the items that are read together, or "
        "allow more requests."
    )
    offers = {
        "allow": (
            "Allows as many requests as the current plans need in the worst case. Available up to "
            f"{MOST_REQUESTS} requests."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        every = [op for plan in plans.values() for op in plan.operations_for(number)]
        most = ceil(max((op.requests_at_worst for op in every), default=0))
        if most <= MOST_REQUESTS:
            yield Fix(
                "allow",
                f"Allow {most} requests",
                lambda now: with_pattern(now, number, at_most_requests=most),
            )
