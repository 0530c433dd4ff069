"""Copies of attributes that a stream keeps."""

from designer.core.lint.base import Topic


class CopyLags(Topic):
    id = "copy-lags"
    severity = "advice"
    title = "Copy that lags behind"
    about = "relationship"
    what = (
        "An access pattern finds items by a value of another item, so each carries a copy of the value, which a "
        "consumer of a stream keeps up to date. It is a warning where the access pattern is to be strongly "
        "consistent."
    )
    why = "A stream delivers each change at least once and a moment later. Until then a read sees the old value."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html"
    cure = "Deploy the consumer that `upkeep` in the plan describes, or ask for what the item itself holds."
