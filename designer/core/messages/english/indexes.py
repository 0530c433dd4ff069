"""Messages about indexes, and about copies of whole items."""

TEMPLATES = {
    # What is, or could be, chosen
    "all-projected": "all attributes projected",
    "all-projected-by-name": "all attributes projected by name",
    "edges-stored-twice": "each edge stored twice, once under each entity",
    "parts-projected": "{attributes} projected",
    "no-copy": "no copy",
    "no-index": "no index",
    "through": "{places}",
    "found-through": "found through {place}",
    # Why an index exists
    "share-partition-key-in-index": (
        "{patterns:Pattern} {patterns:reads|read} {items} in one request, so these items share a partition key in "
        "this index."
    ),
    "found-by": (
        "{patterns:Pattern} {patterns:finds|find} {entity} items by {attributes}, which the table's key does not "
        "start with."
    ),
    "found-by-partition": (
        "{patterns:Pattern} {patterns:finds|find} {entity} items by {attributes}. The table has the same "
        "partition key."
    ),
    "found-by-partition-sorted": (
        "{patterns:Pattern} {patterns:finds|find} {entity} items by {attributes}. The table has the same "
        "partition key, but is not sorted by {sort}."
    ),
    "one-partition-nothing-given": (
        "{patterns:Pattern} {patterns:supplies|supply} no key value, so one partition key value of this index holds "
        "all that {patterns:it returns|they return}."
    ),
    "one-partition-nothing-given-spread": (
        "{patterns:Pattern} {patterns:supplies|supply} no key value, so without shards one partition key value of this "
        "index would hold all that {patterns:it returns|they return}."
    ),
    "one-partition-holds-all-spread": (
        "Without shards, one partition key value of this index would hold all that {patterns:pattern} "
        "{patterns:returns|return}."
    ),
    "one-partition-sorted-spread": (
        "{patterns:Pattern} {patterns:supplies|supply} {attributes}, which the sort key contains, so without shards "
        "all items would share one partition key value."
    ),
    "one-partition-holds-all": (
        "One partition key value of this index holds all that {patterns:pattern} {patterns:returns|return}."
    ),
    "one-partition-sorted": (
        "{patterns:Pattern} {patterns:supplies|supply} {attributes}, which the sort key contains. All items share one "
        "partition key value, which makes the keys shorter. At peak this partition takes {peak}; a partition serves "
        "{writes:,} write and {reads:,} read units."
    ),
    "deletes-through-index": (
        "{patterns:Pattern} {patterns:finds|find} the items to delete through this index, so the table's key can stay "
        "{key}. DynamoDB updates the index a moment after the table. So each item is deleted on the condition that it "
        "exists and still matches, and the index is queried again until it returns none."
    ),
    "read-from-keys": (
        "The keys of the entries contain {attributes}, so the index does not project {attributes:it|them} again. "
        "{patterns:Pattern} {patterns:reads|read} {attributes} from the text of the keys."
    ),
    "tested-on-items": (
        "{patterns:Pattern} {patterns:gets|get} the items from the table before testing {attributes}. The index does "
        "not contain {attributes:it|them}, so changes to {attributes:or} are not written to the index."
    ),
    "local-for-strong-read": (
        "A read must be strongly consistent, so the index is local. It can only be created with the table, and limits "
        "each collection to 10 GB."
    ),
    "copy-for-strong-read": (
        "A read must be strongly consistent, which a global index does not support. So each item is stored a second "
        "time, under this key, and one transaction writes both."
    ),
    "copy-stores-less": (
        "For {patterns:pattern}, each item is stored a second time, under this key, and one transaction writes both. "
        "An index would store the table's key in each of its entries, and its own key in each item. Without these "
        "keys, less is stored and read. That saves at least $1 a month more than the second write costs."
    ),
    "in-stream-twice": (
        "The stream of {table} reports each change to {entity} a second time, as {copy}. Its consumer must ignore the "
        "second one."
    ),
    "keys-are-attributes": (
        "The keys of the index are attributes of the items, so writes neither compose keys nor read items first."
    ),
    "some-keys-are-attributes": (
        "The items already have {attributes}, which {attributes:is a key attribute|are key attributes} here."
    ),
    "composing-reads-item": (
        "A write that composes the other key attributes, but is not given {attributes}, reads the item first."
    ),
    "composing-reads-nothing": "Writes compose the other key attributes without reading the item first.",
    "sparse": "{percent:percent} of the items are in the index; the others have no entry there.",
    "sparse-without": (
        "{percent:percent} of the items, those without {attributes}, are in the index; the others have no entry there."
    ),
    "change-moves-entry": "Each change to {attributes:or} takes two writes here.",
    # Why another one was not chosen
    "holds-unread-attributes": "would hold attributes that no access pattern reads here",
    "holds-other-keys": (
        "would also hold the keys of other indexes, which no access pattern reads here; the chosen index lists its "
        "attributes by name, and holds a new attribute of {entity} only once you recreate it"
    ),
    "holds-other-keys-shared": (
        "would also hold the keys of other indexes, which no access pattern reads here; the chosen index also "
        "holds {others}, so it lists its attributes by name, and holds a new attribute of {entity} only once you "
        "recreate it"
    ),
    "saves-reading-keys": (
        "avoids reading values from the text of keys, but makes the entries longer; {reason}"
    ),
    "tests-before-items-but": (
        "keeps {patterns:pattern} from reading items that fail the test, but {reason}"
    ),
    "saves-second-read-but": "saves {patterns:pattern} the second read, but {reason}",
    "saves-second-read-but-pinned": (
        "would save {patterns:pattern} the second read, but a pin sets the projection"
    ),
    "leaves-out-later-attributes": (
        "costs ${usd:,.2f} a month less, because it leaves out the keys of other indexes; but it would also leave "
        "out attributes that you add later. To choose it, pin the projection to what its access patterns need"
    ),
    "copy-must-save": "{price}; a copy must save at least ${usd:,g} a month",
    "bare-key-must-save": (
        "{price}; a key without the identifier must save at least ${usd:,g} a month"
    ),
    "takes-several-requests": "{patterns:pattern} would take several requests",
    "served-instead": "{reason}; the reads would use {places} instead",
}
