"""Counts and sums that a stream keeps."""

from designer.core.lint.streamed import KeptByStream


class FigureCountsTwice(KeptByStream):
    id = "figure-counts-twice"
    severity = "warning"
    title = "Changes may be counted twice"
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
