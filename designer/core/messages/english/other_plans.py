"""Messages about other plans: without pins, with another key, or with copies; and about what differs in them."""

TEMPLATES = {
    "pins": "{pins:pin}",
    "pin-reason": "{text}",
    "as-pinned": "{pins:semicolons}",
    "pin-says": "{about}: {says:commas}",
    "pinned-index": "Index {index} for {entity}",
    "pinned-key": "Key of {entity}",
    "pinned-pattern": "Pattern {pattern}",
    "pinned-table": "Table of {entity}",
    "pinned-together": "One table for {entities:commas}",
    "without-pins": "the plan without {pins:it|them}",
    "pin-effect": "With {pins:pin}, {differences}.",
    "pin-effect-on-plan": "With {pins:pin}, the plan {differences}.",
    # Ways to answer a pattern, and other keys
    "of-entity": "{entity}: {choice}",
    "of-entities": "{entities}: {choice}",
    "for-pattern": "{choice}, for pattern {pattern}",
    "stored-twice": "each item stored twice, the second time by {key:key}",
    "not-served-because": "{lost}. {why:sentences}",
    "but": "{reason}. But {why}",
    "copy-saves-under-a-dollar": (
        "a copy must save at least $1 a month, because every write of an item must also write its copy"
    ),
    "copy-counts-as-index": "a copy counts as an index if the objective is the fewest indexes",
    "pin-cannot-set-exactly": "A pin cannot set it exactly: {reason:ended}",
    "never-created": (
        "no access pattern creates the items, so the cost of writing them twice is unknown"
    ),
    "written-without-rate": (
        "a write of the items has no rate, so the cost of writing them twice is unknown"
    ),
    "collection-deleted": (
        "an access pattern deletes a whole collection, and each item with a copy would take its own request"
    ),
    "items-expire": "the items expire, and an item and its copy would expire at different times",
    # Differences
    "differs": "{differences}",
    "is-the-same": "is the same",
    "costs-the-same": "costs the same",
    "costs-the-same-with-other-keys": "costs the same, with other keys",
    "more-indexes": "has {count} more {count:index|indexes}",
    "fewer-indexes": "has {count} fewer {count:index|indexes}",
    "more-copies": "has {count} more {count:copy|copies} of items",
    "fewer-copies": "has {count} fewer {count:copy|copies} of items",
    "takes-other-requests": (
        "pattern {pattern} takes {now:g} {now:request|requests} instead of {before:g}"
    ),
    "is-served": "{patterns:pattern} {patterns:is|are} served",
    "is-served-given": "pattern {pattern} is served {given:given}",
    "not-served": "{patterns:pattern} {patterns:is|are} not served",
    "not-served-given": "pattern {pattern} is not served {given:given}",
    "has-warning": "has the warning “{warning:unended}”",
}
