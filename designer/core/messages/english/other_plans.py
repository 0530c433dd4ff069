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
    "pinned-together": "One table for {entities:joined}",
    "without-pins": "the plan without {pins:it|them}",
    "pin-effect": "With {pins:pin}, {differences}.",
    "pin-effect-on-plan": "With {pins:pin}, the plan {differences}.",
    # Ways to answer a pattern, and other keys
    "of-entity": "{entity}: {choice}",
    "of-entities": "{entities}: {choice}",
    "for-pattern": "{choice}, for pattern {pattern}",
    "stored-twice": "each item stored twice, the second time {key:key}",
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
    # What a key answers
    "key-finds-then-gets": (
        "The key finds the items. A second request reads the rest of each from the table"
    ),
    "one-item-dropped": "The key finds one item, which is dropped if {attributes} {attributes:differs|differ}",
    "gives-whole-key": "The access pattern gives the whole key and reads one item",
    "reads-to-return": "It reads {read:number} items, then {does:and}, and returns {returned:number} on average",
    "then-tests": "tests {attributes}",
    "then-sorts": "sorts by {attributes}",
    "several-requests-by-key": "It takes {requests:number} requests: one for each {each:and}",
    "several-requests-with-pages": (
        "It takes {requests:number} requests: one or more pages for each {each:and}"
    ),
    "of-the-values": "of the {values:number} values",
    "of-the-shards": "of the {shards:number} shards",
    "of-the-periods": "of the {period}s",
    "a-page": "page",
    "range-holds-result": "One range of {items} holds exactly what the access pattern returns",
    "items-with-one": "the items with one {attributes}",
    "any-items": "all items",
    "partition-key-not-given": (
        "{attributes} {attributes:is|are} not given, and a Query needs the whole partition key"
    ),
    "index-is-not-strong": (
        "It needs a strongly consistent read, which a global index does not support"
    ),
    "index-holds-only": (
        "The index holds only items whose {attribute} is {values:or}, and the result may include others"
    ),
    "index-leaves-out": (
        "Items without {attributes} are not in the index, and the result may include them"
    ),
    "sorts-in-one-direction": (
        "A Query reads a key forwards or backwards, so it cannot sort only one of the attributes descending"
    ),
    "not-sorted-by": "The key is not sorted by {attributes}, and {reason}",
    "too-much-to-sort": "a Query would have to read too many items in order to sort them",
    "query-would": "A Query would {does}",
    # Differences
    "differs": "{differences:semicolons}",
    "is-the-same": "is the same",
    "costs-the-same": "costs the same",
    "costs-the-same-with-other-keys": "costs the same, with other keys",
    "more-indexes": "has {count} more {count:index|indexes}",
    "fewer-indexes": "has {count} fewer {count:index|indexes}",
    "more-copies": "has {count} more {count:copy|copies} of the items",
    "fewer-copies": "has {count} fewer {count:copy|copies} of the items",
    "takes-other-requests": (
        "pattern {pattern} takes {now:number} {now:request|requests} instead of {before:number}"
    ),
    "is-served": "{patterns:pattern} {patterns:is|are} served",
    "is-served-given": "pattern {pattern} is served {given:given}",
    "not-served": "{patterns:pattern} {patterns:is|are} not served",
    "not-served-given": "pattern {pattern} is not served {given:given}",
    "is-served-on-average": "{patterns:pattern} {patterns:is|are} served only on average",
    "is-served-in-pages": "{patterns:pattern} {patterns:is|are} served only in many pages",
    "is-served-better": "{patterns:pattern} {patterns:is|are} served better in the worst case",
    "has-warning": "has the warning “{warning:unended}”",
}
