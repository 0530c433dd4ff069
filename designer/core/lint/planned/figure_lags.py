"""Figures over children that a stream keeps."""

from designer.core.lint.streamed import KeptByStream


class FigureLags(KeptByStream):
    id = "figure-lags"
    severity = "advice"
    title = "Aggregate lags behind"
    what = (
        "A stream consumer keeps a count, a sum, a maximum or a minimum over a relationship's children up to date. "
        "The finding is a warning if an access pattern needs strongly consistent reads, or tests the aggregate "
        "before it writes."
    )
    why = (
        "A stream delivers each change a moment after it is made, and the consumer then updates the "
        "aggregate. Until it has done so, reads return the old value."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-gsi-aggregation.html"
    )
    cure = (
        "Deploy the consumer that the plan's upkeep describes, or update the aggregate in the transaction that "
        "writes the child."
    )
