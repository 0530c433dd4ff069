"""Messages about why a pattern is not served, or served without keys."""

TEMPLATES = {
    # Served without keys
    "use-search-service": (
        "Copy the items to a search service (OpenSearch, through a zero-ETL integration or Streams) and query it."
    ),
    "use-geo-search": (
        "Index the places in a search service with geo queries, or store geohash cells in an attribute."
    ),
    "use-warehouse": "Export the items to S3 or a warehouse (zero-ETL), and query them there.",
    "use-counter": "Keep a counter that each write updates, or let a stream consumer keep it.",
    "use-archive": "Let old items expire, and let a stream consumer write them to S3.",
    "use-scan": (
        "Let a job read the whole table, with a parallel Scan or from an export to S3. The bill does not include this."
    ),
    # Reads
    "nothing": "nothing",
    "no-common-order": (
        "Rows of several entities can be compared only by attributes of the same name and meaning, but {attribute} is "
        "{meanings:and}. Read each entity alone, or derive {attribute} from attributes of one name."
    ),
    "attribute-of-entity": "{attribute} of {entity}",
    "pinned-index-cannot-serve": "It is pinned to an index that cannot serve it.",
    "pinned-index-not-for-strong-read": (
        "It is pinned to an index that cannot serve it, because a strongly consistent read needs the table's own key."
    ),
    "pinned-index-not-sorted": (
        "It is pinned to an index that cannot serve it: the index is not sorted by {order:joined}, and {reason}."
    ),
    "sort-unbounded": (
        "the largest number of items that a Query would read to sort is unknown. State the maximum in a relationship "
        "of {entity}, or remove the limit"
    ),
    "sort-too-much": (
        "up to {most:,.0f} items, more than 64 KB, would have to be read and sorted to return {limit}"
    ),
    "no-room-for-copy": (
        "A strongly consistent read by {known:joined} needs a second copy of each item. Then {patterns:pattern} "
        "would write more than the {limit} items that a transaction allows. Lower the maximum number of items there, "
        "or accept eventually consistent results, so that an index can serve it."
    ),
    "no-key-for-strong-read": (
        "A strongly consistent read needs the table's own key, and no key of {entity} that never changes starts with "
        "{known:joined}. Accept eventually consistent results, so that an index can serve it."
    ),
    "counter-in-composed-key": (
        "A write adds to {attributes:joined}, and ADD cannot rewrite a composed key."
    ),
    "let-number-sort": "Sort by the number alone.",
    "let-number-sort-or-keys": "Sort by the number alone, or allow multi-attribute keys.",
    "mixed-order": (
        "A Query reads a key forwards or backwards, but this order has one attribute ascending and another "
        "descending. A number, a fixed-width date or time, or one of stated values could be stored inverted, but "
        "there is none here. Reading everything to sort it would drop more than 90 % of what is read."
    ),
    "no-key-serves": (
        "No key of {entity} can serve this read by {known:joined}: a Query would {too_much}."
    ),
    "no-key-serves-all": (
        "No key of {entity} can serve this read, which supplies no value: a Query would {too_much}."
    ),
    "no-key-serves-all-sorted": (
        "No key of {entity} can serve this read, which supplies no value, sorted by {order:joined}: a Query would "
        "{too_much}."
    ),
    "no-key-serves-sorted": (
        "No key of {entity} can serve this read by {known:joined}, sorted by {order:joined}: a Query would {too_much}."
    ),
    "reads-too-much": (
        "drop more than 90 % of what it reads, or at least half of it and more than {pages} pages of 1 MB"
    ),
    "reads-too-much-of-figure": (
        "read more than {pages} pages of 1 MB for one number, or drop more than 90 % of what it reads"
    ),
    "reads-too-much-to-cross": (
        "read more than {pages} pages of 1 MB for each value, or drop more than 90 % of what it reads"
    ),
    # What helps to read less
    "state-smaller-share": (
        "The condition on {attribute} is assumed to keep {assumed:share} of the items. If it keeps {share:share} or "
        "less, state its share: then a key can serve this read."
    ),
    "state-larger-share": (
        "The condition on {attribute} is assumed to keep {assumed:share} of the items. If it keeps {share:share} or "
        "more, state its share: then a key can serve this read."
    ),
    "narrow-crossing": (
        "For each value of {attribute} in the list, all items with that value are read, even if few results have an "
        "item for each value. Add a condition that a key can serve, for example on a category. Or mark the access "
        "pattern as served without keys, by a search service for example."
    ),
    "store-elements": (
        "No key can find one element of {attribute}. Store an item for each element, in an entity of its own, and "
        "query by it."
    ),
    "search-finds-parts": (
        "No key can find a part of a text. Mark the access pattern as served without keys, by a search service for "
        "example."
    ),
    "store-counts-of-ranges": (
        "Store the number of items for each range of {attribute}, in an entity of its own that the writes add to, "
        "and add these numbers up. Or mark the access pattern as served without keys, by a service that ranks, such "
        "as a sorted set in Valkey."
    ),
    "store-figure": (
        "Store the number where writes keep it up to date: in an aggregate of the parent, or in an item of its own "
        "that they add to."
    ),
    "nearest-alone": (
        "Take the nearest item and then test it: put the condition on {attribute} under “Then only if”. The result "
        "is the same if at most one item can meet all conditions, as with ranges that do not overlap."
    ),
    "pin-index": (
        "The plan leaves out {index}, which would serve it in the worst case too, but costs more than it saves. If the "
        "worst case is worth that, pin an index {called} of {entity} with the partition key {partition}{sort}, and pin "
        "the access pattern to it. {effect}"
    ),
    "pin-not-tried": "The pin can change how other access patterns are served.",
    "pin-spares-others": "With it, the plan {differences}. No other access pattern is served less well.",
    "pin-serves-others-less": "But with it, the plan {differences}.",
    "pinned-sort-key": " and the sort key {sort}",
    "pinned-own-sort-key": " and the sort key {sort}, under the attribute's own name",
    "no-sort-key": "",
    "own-pattern-for-case": (
        "An index by {attributes} would serve it in the worst case too, but costs more than it saves. Make this case "
        "an access pattern of its own, without optional conditions. If the plan leaves the index out there too, its "
        "finding will say how to pin it."
    ),
    "ask-for-others": (
        "Under “Found by”, ask for any of the other values of {attribute} instead: {others:or}. A key can serve that."
    ),
    "accept-eventual": (
        "Accept an eventually consistent result, which a global secondary index can serve. If the planner considers "
        "such an index too expensive, this finding will say how to pin it."
    ),
    "move-to-where": (
        "Move {attributes:the condition|the conditions} on {attributes:and} from “Returned only if” to “Found by”, so "
        "that an index can serve {attributes:it|them}."
    ),
    "move-to-where-and-pin": (
        "Move {attributes:the condition|the conditions} on {attributes:and} from “Returned only if” to “Found by”. If "
        "the planner still considers an index by {keyed} too expensive, this finding will say how to pin it."
    ),
    "test-for-equality": (
        "Test for equality, which a key can serve, or store an attribute that marks the wanted items. Or mark the "
        "access pattern as served without keys, by a search service for example."
    ),
    "list-related": (
        "Read the items of the relationship “{relationship}” in an access pattern of their own: a list of {entity} "
        "with {attributes:the condition|the conditions} on {attributes:and} under “Found by”, so that an index can "
        "serve {attributes:it|them}. If the planner considers such an index too expensive, the finding will then say "
        "how to pin it."
    ),
    "list-related-marked": (
        "Read the items of the relationship “{relationship}” in an access pattern of their own, a list of {entity}. "
        "There, test for equality, which a key can serve, or store an attribute that marks the wanted items."
    ),
    "state-most-if-smaller": (
        "If no collection is as large as assumed, state the maximum in the relationship “{relationship}”."
    ),
    "state-smaller-most": (
        "If no collection is as large as stated, state a smaller maximum in the relationship “{relationship}”."
    ),
    "not-of-one-moment": (
        "It reads items at one moment, which only one TransactGetItems can, with the primary keys of all of them. This "
        "read needs a Query or a second request. Let the caller give the identifiers of all items, or accept strongly "
        "consistent results, which are not all of one moment."
    ),
    "gets-too-many-items": (
        "It gets {count:number} items at one moment, but a transaction allows {limit}. Give fewer identifiers at a "
        "time, or accept strongly consistent results, which are not all of one moment."
    ),
    "gets-too-many-bytes": (
        "It gets {count:number} items at one moment, which take {bytes:binary} on average, but a transaction allows "
        "{limit:binary}. Give fewer identifiers at a time, or accept strongly consistent results, which are not all of "
        "one moment."
    ),
    # Writes
    "same-item-twice": (
        "Two steps of the transaction may write the same item of {entity}, but a transaction can write an item only "
        "once: state all its changes in one step."
    ),
    "too-many-items": (
        "It can write {most} items, but a transaction allows {limit}: lower the maximum number of items, or write "
        "them in several transactions that can each be repeated."
    ),
    "too-many-bytes": (
        "It can write {most} items, which take {bytes:binary} at average sizes, but a transaction allows "
        "{limit:binary}: lower the maximum number of items, store large values in Amazon S3, or write the items in "
        "several transactions that can each be repeated."
    ),
    "copy-value-unknown": (
        "{entity} has a copy of {attributes}, and the same transaction adds to the original, so it does not know the "
        "new value: write {entity} in a transaction of its own."
    ),
    "copy-source-not-found": (
        "{entity} has a copy of {attributes}, and no key of {parent} finds it by {names} with a strongly consistent "
        "read. Accept eventually consistent results for other reads of {parent}, so that its own key can start with "
        "these attributes."
    ),
    "upsert-of-counted": (
        "{aggregate} depends on each write of {entity}, and an upsert does not show whether it creates or replaces an "
        "item: use a create and an update instead."
    ),
    "no-index-finds-item": (
        "No index finds the item of {entity} by {identifier}, and its key has more attributes."
    ),
    "key-not-given": (
        "The key of the {entity} item contains {attributes:joined}, which the caller does not give and no read can "
        "find. Give it, or find the item by its identifier."
    ),
    "deletes-counted": (
        "{aggregate} counts the deleted items, and their number is not known beforehand. Delete them one by one to "
        "keep it right."
    ),
    "no-key-finds-items": "No key finds the items of {entity} by {names:joined}.",
    "replaces-aggregate": (
        "It replaces the whole {entity}, including {aggregate}, and also writes the items that this is computed "
        "from: create or update it instead."
    ),
    "moves-and-changes": (
        "It may give {child} another {entity} and also changes {target}, which {aggregate} is computed from: change "
        "one after the other."
    ),
    "old-values-unknown": (
        "{aggregate} is computed from {target}, and a transaction does not know the old values of several {child} "
        "items: write them one by one."
    ),
    "same-in-all-rows": (
        "{aggregate} is computed from {target}, which is the same in all rows: give it with each row."
    ),
}
