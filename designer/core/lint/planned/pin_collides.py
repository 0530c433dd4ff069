"""Pinned keys that two items could share."""

from designer.core.lint.base import Topic


class PinCollides(Topic):
    id = "pin-collides"
    severity = "error"
    title = "Pinned keys collide"
    about = "pins"
    what = "With the pinned keys, two item types in a table could have the same key."
    why = "A put replaces the item with the same key, so one item would overwrite the other."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.CoreComponents.html"
    cure = "Begin one of the pinned keys with different text."
