"""Counts and sums that a stream keeps."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.keeping import kept_at_once


class FigureCountsTwice(Topic):
    id = "figure-counts-twice"
    severity = "warning"
    title = "Aggregate that may count twice"
    about = "attribute"
    what = "A count or a sum over a relationship's children is kept by a consumer of their stream."
    why = (
        "A stream delivers each change at least once, and a consumer that failed starts its "
        "batch again. A change that is added twice counts twice."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html"
    cure = (
        "Let the consumer put an item for each event, on the condition that it does not exist yet, in one "
        "transaction with the update; recompute the aggregate from time to time; or keep it in the "
        "transaction that writes the child."
    )
    offers = {
        "at-once": (
            "Keeps the aggregates over that relationship's children in the transaction that "
            "writes them. Offered where each write knows what it changes."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return kept_at_once(design, where)
