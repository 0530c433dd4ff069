"""Messages about what is wrong with a plan, and what helps."""

TEMPLATES = {
    # What is not served, or takes too much
    "pattern-not-served": "Pattern {pattern} is not served. {reasons:text}",
    "cases-not-served": "Pattern {pattern} is not served {cases:or}. {reasons:text}",
    "case-given": "{given:given}",
    "change-pattern-or-elsewhere": (
        "Change the access pattern, or mark it as served without keys."
    ),
    "served-on-average": "Pattern {pattern} is served only on average. {facts:text}",
    "takes-much-at-worst": (
        "It takes {requests:number} {requests:request|requests} and {units:number} {units:read unit|read units}. In "
        "the worst case, it returns little of what it reads, and takes {most_requests:number} "
        "{most_requests:request|requests} and {most_units:number} {most_units:read unit|read units}."
    ),
    "counts-much-at-worst": (
        "It takes {requests:number} {requests:request|requests} and {units:number} {units:read unit|read units}. In "
        "the worst case, it works out its answer from many more items, and takes {most_requests:number} "
        "{most_requests:request|requests} and {most_units:number} {most_units:read unit|read units}."
    ),
    "overloads-partition-alone": (
        "At its peak, this access pattern alone puts more load on the busiest partition than a partition can serve."
    ),
    "reads-many-pages": (
        "Pattern {pattern} reads {bytes:binary} each time, in {requests:number} {requests:request|requests} and "
        "{units:number} {units:read unit|read units}."
    ),
    "page-by-page": (
        "State a limit, and let the caller ask for further pages when it needs them. Or let a job read all items, at "
        "most once an hour."
    ),
    "smaller-page-by-page": (
        "State a smaller limit, and let the caller ask for further pages when it needs them. Or let a job read all "
        "items, at most once an hour."
    ),
    "fewer-identifiers": (
        "Let the caller give fewer identifiers at a time. Or let a job read all items, at most once an hour."
    ),
    "limit-related-or-job": (
        "State a limit for the items of the relationship “{relationship}”, and let the caller ask for further ones "
        "with an access pattern of their own when it needs them. Or let a job read all items, at most once an hour."
    ),
    "smaller-limit-related-or-job": (
        "State a smaller limit for the items of the relationship “{relationship}”, and let the caller ask for further "
        "ones with an access pattern of their own when it needs them. Or let a job read all items, at most once an "
        "hour."
    ),
    "returns-much-at-worst": (
        "It takes {requests:number} {requests:request|requests} and {units:number} {units:read unit|read units}. In "
        "the worst case, it returns many more items, and takes {most_requests:number} "
        "{most_requests:request|requests} and {most_units:number} {most_units:read unit|read units}."
    ),
    "page-by-page-when-needed": (
        "State a limit, and let the caller ask for further pages when it needs them."
    ),
    "limit-related": (
        "State a limit for the items of the relationship “{relationship}”, and let the caller ask for further ones "
        "with an access pattern of their own when it needs them."
    ),
    "limit-rows": (
        "State a limit for the {entity:several} that it returns, and let the caller ask for further pages when it "
        "needs them."
    ),
    "limit-rows-or-job": (
        "State a limit for the {entity:several} that it returns, and let the caller ask for further pages when it "
        "needs them. Or let a job read all items, at most once an hour."
    ),
    "several-remedies": "{remedies:text}",
    "too-many-requests": (
        "Pattern {pattern} takes {requests:number} {requests:request|requests}, but its limit is {limit}."
    ),
    "too-many-requests-and-worst": (
        "Pattern {pattern} takes {requests:number} {requests:request|requests}, and in the worst case {most:number}, "
        "but its limit is {limit}."
    ),
    "too-many-requests-at-worst": (
        "In the worst case, pattern {pattern} takes {most:number} {most:request|requests}, but its limit is {limit}. "
        "On average, it takes {requests:number}."
    ),
    "allow-more-requests": "Allow more requests, or use the style that needs the fewest.",
    # Hot partitions
    "hot-partition": (
        "At peak, {place} takes {peak}. A partition serves {writes:,} write and {reads:,} read units a second."
    ),
    "busiest-value": "the busiest value of {attributes}",
    "only-partition": "the only partition key value",
    "cache": (
        "If the result may be a few seconds old, cache it in the application or in DAX. Or begin the key with an "
        "attribute that has more values. DAX answers eventually consistent reads from memory, runs in your VPC and is "
        "billed by the hour. Shards would not help, because each read would have to query all of them."
    ),
    "as-for-partition": "The finding about the partition of {entity} says what helps.",
    "write-less-often": "Write to it less often, or combine several changes in one write.",
    "add-to-several-items": (
        "{cause}. Split {attributes} into {items} items instead: add an entity whose identifier ends with a "
        "number from 0 to {last}. A write adds to a random one of these items, and a read gets all {items} in one "
        "BatchGetItem request and adds them up. Or combine several changes in one write."
    ),
    "load-on-one-item": "The load is on one item, which no key can spread",
    "load-on-one-item-and": "The load is on one item, which no key can spread, and {why}",
    "must-be-one-item": (
        "{entity} must be one item, because it is an edge, has a stream or a tenant, or is counted"
    ),
    "counters-would-not-expire": "{entity} expires, but its counters would not",
    "is-aggregate-over-children": "{attributes} is an aggregate over children",
    "is-part-of-key-or-reference": "{attribute} is part of a key or a reference",
    "has-copy-of": "{entity} has a copy of {attributes}",
    "pattern-prevents": "pattern {pattern} {reason}",
    # Copies and aggregates
    "copy-lags": "{facts:text}",
    "copies-updated": (
        "After a change to {changed:or}, a stream consumer updates {attributes} in the {entity:several} of that "
        "{parent}, a moment later and perhaps more than once."
    ),
    "see-old-value": "{patterns:Pattern} may see the old value.",
    "need-strong-results": "{patterns:Pattern} {patterns:needs|need} strongly consistent results.",
    "deploy-consumer-or-query-own": (
        "Deploy the consumer that the plan's upkeep describes, or query by attributes that the item itself holds."
    ),
    "deploy-consumer-or-read-parent": (
        "Deploy the consumer that the plan's upkeep describes, or make {patterns:pattern} strongly consistent: then "
        "each run also reads the {parent}."
    ),
    "copy-dear": (
        "Keeping {attributes} of each {entity} up to date costs ${usd:,.2f} a month. That is more than the "
        "${reads_usd:,.2f} of {patterns:pattern}, which {patterns:uses|use} {attributes:it|them}."
    ),
    "query-steadier-or-parent": (
        "Query {entity} by an attribute that changes less often, or read the {parent} first."
    ),
    "figure-stays": (
        "{attribute} is the {form} {of} that ever existed. {after:start}, the attribute keeps its value, "
        "because another read would be needed to find the next one."
    ),
    "after-patterns": "after {patterns:pattern}",
    "after-expiry": "after {child:a} expires",
    "list-of-one": "If it must reflect the existing items, list {child} items with a limit of 1 instead.",
    "figure-lags": "{facts:text}",
    "aggregates-updated": (
        "A moment after each write of {child:a}, a stream consumer updates {attributes}."
    ),
    "aggregate-not-strong": (
        "{patterns:Pattern} {patterns:reads|read} the item with strong consistency, but the aggregate in it may be "
        "out of date."
    ),
    "test-old-value": (
        "{patterns:Pattern} may test {patterns:its condition|their conditions} on the old value."
    ),
    "deploy-consumer": "Deploy the consumer that the plan's upkeep describes.",
    "deploy-consumer-or-keep-at-once": (
        "Deploy the consumer that the plan's upkeep describes, or update the aggregate in the transaction that "
        "writes the child."
    ),
    "figure-counts-twice": (
        "A record appears once in a stream, but a consumer that fails repeats its batch. A change that is processed "
        "twice is counted twice in {attributes}."
    ),
    "record-each-event": (
        "Let the consumer put an item for each event, on the condition that it does not exist yet, in one "
        "transaction with the update. Or recompute the aggregate regularly."
    ),
    # Limits
    "local-index-collection": (
        "The items with one {attributes} in {table} and their entries in local secondary indexes may take "
        "{gigabytes:,.1f} GB. In a table with a local secondary index, an item collection holds at most 10 GB."
    ),
    "state-most-or-accept-eventual": (
        "State the largest number of items, or accept eventually consistent results."
    ),
    "number-without-digits": (
        "{entity}.{attribute} is part of a key, but its digits are not stated, so the plan pads it to 38 digits."
    ),
    "state-range-or-digits": (
        "State the smallest and the largest value of {attribute}, or its number of digits."
    ),
    "too-many-indexes": (
        "Table {table} needs {count} {kind} secondary {count:index|indexes}, but at most {most} {most:is|are} allowed."
    ),
    "need-fewer-indexes": (
        "Serve fewer access patterns from one table, allow more indexes, or split the table."
    ),
    "key-too-long": (
        "{key} of {entity} holds {attributes}, which can take {bytes:,.0f} bytes. The limit of this key is "
        "{most:,} bytes."
    ),
    "query-by-shorter": (
        "Query by a shorter value, such as a hash or the first part of the attribute."
    ),
    # Prices and needs
    "billed-on-demand": (
        "The plan's figures are for on-demand capacity, but the design states provisioned capacity."
    ),
    "read-as-on-demand": "Read the plan's figures as on-demand costs.",
    "no-prices": "Keywright has no prices for {region}, so the figures use those of us-east-1.",
    "compare-prices": "Compare the figures with the price list of your Region.",
    "needs-differ": (
        "The entities of table {table} differ in {needs}, but a table has only {needs:one}."
    ),
    "compare-multi-table": (
        "Compare the plan with the multi-table style, in which each entity has a table of its own."
    ),
    # Pins
    "change-pin-or-pattern": "Change the pin or the access pattern.",
    "keep-pin-if-worth": (
        "Keep the pin if it is worth its price. Otherwise, remove it, so that the planner chooses freely."
    ),
    "pin-not-obeyed": "Pin {pin} is not followed: {reason:ended}",
    "change-or-remove-pin": "Change or remove the pin.",
    "table-called": "the table is called {table}",
    "shared-table-called": "the table is called {table}, because other entities share it",
    "in-several-tables": "they are in the tables {tables:joined}",
    "no-index-holds": (
        "no index of this name holds {entity}; pin its key, or the pattern that the index serves"
    ),
    "no-key-pinned": "no key is pinned for this index; pin it too, or the pattern that it answers",
    "only-part-as-pinned": "the {part} key is as pinned, but {reason}",
    "key-is-not": "the {part} key is not `{template}`",
    "key-needs-prefix": (
        "{reason}, because its values could equal keys of {others} in the same collection: begin it with `{prefix}`"
    ),
    "no-such-key": "there is no such key",
    "key-called": "the {part} key is called {name}",
    "index-holds-all": (
        "index {index} holds ALL, because a list of all attributes that its access patterns need would be longer "
        "than {most} names; let them ask for fewer attributes, or pin the projection to everything"
    ),
    "index-holds-more": (
        "index {index} holds {projection}, because its other access patterns or item types need it"
    ),
    "reads-no-index": "pattern {pattern} reads no index",
    "reads-no-index-for-result": "pattern {pattern} reads no index for what it returns",
    "reads-other-index": "pattern {pattern} reads {indexes:index|indexes} {indexes:joined}",
    "served-in-one-request": (
        "pattern {pattern} is served in one request from an index that holds all attributes it needs, not by keys "
        "that lead to the items; pin its projection to what its access patterns need"
    ),
    "pin-collides": (
        "In the table {table}, an item {earlier} and an item {later} could have the same key, so the later one would "
        "overwrite the earlier one."
    ),
    "begin-with-other-text": "Begin one of the pinned keys with different text.",
    # Findings of rules
    "rule-failed": "Rule {rule} ({title}) could not check this design: {error}.",
    "tell-us": "Please tell us; the other rules are not affected.",
}
