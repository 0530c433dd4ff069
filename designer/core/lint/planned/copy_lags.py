"""Copies of attributes that a stream keeps."""

from designer.core.lint.base import Topic


class CopyLags(Topic):
    id = "copy-lags"
    severity = "advice"
    title = "Copy lags behind"
    about = "relationship"
    what = (
        "An access pattern finds items by a value of another item, or returns one with each item. Each item therefore "
        "has a copy of that value, and a stream consumer keeps the copy up to date. The finding is a warning if the "
        "access pattern needs strongly consistent reads."
    )
    why = (
        "A stream delivers each change a moment after it is made, and the consumer then updates the "
        "copy. Until it has done so, reads return the old value."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html"
    cure = (
        "Deploy the consumer that the plan's upkeep describes. Or, where the copy finds items, query by attributes "
        "that the item itself holds. Where it is only returned, ask for strongly consistent results: then each read "
        "also reads the other item."
    )
