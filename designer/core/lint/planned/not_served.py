"""A pattern that no plan within the rules answers."""

from designer.core.lint.base import Topic


class NotServed(Topic):
    id = "not-served"
    severity = "error"
    title = "Access pattern that is not served"
    about = "pattern"
    what = (
        "No key and no index, within what the settings and the pins allow, answers the access pattern without reading "
        "much more than it returns. The finding says what stands in the way."
    )
    why = (
        "A plan never scans a table, never drops more than nine tenths of what it reads from a large collection, "
        "and never gives a stale answer for a strong one. Where that is impossible, it does not serve the access "
        "pattern."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html"
    cure = (
        "Change what the access pattern asks: give an attribute more, sort by what a key can hold, accept an "
        "eventually consistent answer. Or let another service answer it."
    )
