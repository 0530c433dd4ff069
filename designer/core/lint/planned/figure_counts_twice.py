"""Counts and sums that a stream keeps."""

from designer.core.lint.streamed import KeptByStream


class FigureCountsTwice(KeptByStream):
    id = "figure-counts-twice"
    severity = "warning"
    title = "Changes may be counted twice"
    what = "A stream consumer keeps a count or a sum over a relationship's children up to date."
    why = (
        "A record appears once in a stream, but a consumer that fails repeats its batch. A change that is processed "
        "twice is counted twice."
    )
    source = "https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html"
    cure = (
        "Let the consumer put an item for each event, on the condition that it does not exist yet, in one "
        "transaction with the update. Or recompute the aggregate regularly, or update it in the transaction that "
        "writes the child."
    )
