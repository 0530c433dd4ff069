"""Figures over children that a stream keeps."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.keeping import kept_at_once


class FigureLags(Topic):
    id = "figure-lags"
    severity = "advice"
    title = "Aggregate that lags behind"
    about = "attribute"
    what = (
        "A count, a sum, a maximum or a minimum over a relationship's children is kept by a "
        "consumer of their stream. It is a warning where an access pattern is to be strongly "
        "consistent, or tests the aggregate before it writes."
    )
    why = "A stream delivers each change at least once and a moment later. Until then a read sees the old value."
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-aggregation.html"
    )
    cure = (
        "Deploy the consumer that `upkeep` in the plan describes, or keep the figure in the transaction that writes"
        " the child."
    )
    offers = {
        "at-once": (
            "Keeps the aggregates over that relationship's children in the transaction that "
            "writes them. Offered where each write knows what it changes."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return kept_at_once(design, where)
