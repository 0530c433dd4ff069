"""Copies whose upkeep costs more than what they answer."""

from designer.core.lint.base import Topic


class CopyDear(Topic):
    id = "copy-dear"
    severity = "warning"
    title = "Copy that costs more than it saves"
    about = "relationship"
    what = "Keeping copies up to date costs more a month than the access patterns that use them."
    why = "A change of one item causes a write to every item that carries a copy of it."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-relational-modeling.html"
    cure = "Find the items by something that changes less, or read the parent first."
