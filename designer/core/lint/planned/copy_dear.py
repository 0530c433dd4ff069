"""Copies whose upkeep costs more than what they answer."""

from designer.core.lint.base import Topic


class CopyDear(Topic):
    id = "copy-dear"
    severity = "warning"
    title = "Copy not worth its cost"
    about = "relationship"
    what = (
        "The monthly cost of keeping copies up to date is higher than the cost of the access patterns that "
        "use them."
    )
    why = "Each change to an item causes a write to every item that has a copy of its attributes."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-relational-modeling.html"
    cure = "Query by an attribute that changes less often, or read the parent first."
