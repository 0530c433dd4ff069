"""Counts and sums that a stream keeps."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.keeping import kept_at_once


class FigureCountsTwice(Topic):
    id = "figure-counts-twice"
    severity = "warning"
    title = "Changes may be counted twice"
    about = "attribute"
    what = "A stream consumer keeps a count or a sum over a relationship's children up to date."
    why = (
        "A stream delivers each change at least once, and a consumer that fails repeats its batch. A change "
        "that is delivered twice is then counted twice."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html"
    cure = (
        "Let the consumer put an item for each event, on the condition that it does not exist yet, in one "
        "transaction with the update. Or recompute the aggregate regularly, or update it in the transaction that "
        "writes the child."
    )
    offers = {
        "at-once": (
            "Updates the aggregates over that relationship's children in the transaction that writes the "
            "children. Available if each write states the values that it changes."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return kept_at_once(design, where)
