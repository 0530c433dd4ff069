"""Messages about keys, and about guard items."""

TEMPLATES = {
    # What is chosen
    "key": "{key:templates}",
    "key-of": "{entity}: {key:templates}",
    "key-by": "{key:key}",
    "key-by-in-short": "{key:short}",
    "not-spread": "the same key, not spread over shards",
    # What a key does
    "the-identifier": "the identifier",
    "identifier-is-key": (
        "{named_by:start} {named_by:is|are} the key: reads and writes of one {entity} use it directly."
    ),
    "identifier-is-split": "{named_by:start} {named_by:is|are} split into a partition key and a sort key.",
    "identifier-is-sort-key": "{named_by:start} {named_by:is|are} the sort key.",
    "all-items": "All items",
    "items-with-same": "Items with the same {attributes}",
    "collection": "{items} form one collection, sorted by {sort}.",
    "collection-listed": (
        "{items} form one collection, sorted by {sort}, so a Query lists them without an index."
    ),
    "collection-unlisted": (
        "{items} form one collection, sorted by {sort}, but no access pattern lists the collection."
    ),
    "partition-identifies": "The partition key contains {attributes}, which identifies one {entity}.",
    "sort-key-has": "The sort key contains {attributes}.",
    "key-ends-with": "Each key is unique, because it ends with {named_by}.",
    "key-contains": "Each key is unique, because it contains {named_by}.",
    "several-items": "several items of {entity}",
    "share-partition-key": (
        "{patterns:Pattern} {patterns:reads|read} {items} in one request, so these items share a partition key."
    ),
    "spread": (
        "The key is spread over {shards} shards by {by}, so that no shard takes more than {writes:,} write or "
        "{reads:,} "
        "read units a second at peak. A read queries all shards."
    ),
    # Guards
    "guard-finds-item": "A guard item keeps {named_by} unique, and writes find the item through it.",
    "guard-item": "the guard item",
    "guard-keeps-unique": (
        "No two items may have the same {attributes}, but DynamoDB enforces uniqueness only for primary keys. So the "
        "transaction that writes an item also puts a guard item with this value as its key, on the condition that the "
        "guard does not exist yet."
    ),
    "guard-keeps-unique-in-scope": (
        "No two items with the same {scope} may have the same {attribute}, but DynamoDB enforces uniqueness only for "
        "primary keys. So the transaction that writes an item also puts a guard item with these values as its key, on "
        "the condition that the guard does not exist yet."
    ),
    "guard-doubles-writes": "The transaction doubles the write units.",
    # Key templates that cannot be read, and values that do not fit them
    "template-part-unreadable": "“{template}” cannot be read from character {character} on",
    "not-a-form-of-keys": "`{form}` is not a form of a key template",
    "form-argument-unreadable": "an argument of `{form}` cannot be read",
    "form-needs-one-value": "`{form}` must name exactly one value",
    "write-form-so": "write `{form}`",
    "form-needs-rows": "`{form}` combines the rows of a list, but a key has no rows",
    "only-needs-values": "name the values for which it is written, as in `{example}`",
    "number-too-long-for-key": (
        "{value} does not fit into {digits} {digits:digit|digits} with {scale} after the decimal point"
    ),
    "too-many-periods": "there are more than {most:,} periods from {first} to {last}",
    "not-an-iso-time": "“{text}” is not the beginning of an ISO 8601 time",
    "no-period-follows": "no {form} follows {period}",
}
