"""Pinned keys that two items could share."""

from designer.core.lint.base import Topic


class PinCollides(Topic):
    id = "pin-collides"
    severity = "error"
    title = "Pinned keys that collide"
    about = "pins"
    what = "With pinned keys two kinds of item in a table could have one and the same key."
    why = "A put replaces what has its key, so one item would overwrite the other."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.CoreComponents.html"
    cure = "Let the text of one of the pinned keys begin differently."
