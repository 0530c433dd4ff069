"""Messages about how aggregates over children are kept, and about how writes find their item."""

TEMPLATES = {
    # What is, or could be, chosen
    "kept-in-transaction": "updated with each write of {child:a}, in its transaction",
    "kept-by-consumer": "a stream consumer that updates afterwards",
    "kept-by-stream": "updated by a consumer of the stream of {table}, after each write of {child:a}",
    "found-through-index": "through an index",
    "found-by-key": "by its key or a guard",
    # Why
    "aggregates-always-right": (
        "{names:The value is|The values are} updated when {child:a} is written, not computed when {entity:a} is read. "
        "One transaction also updates the {entity}, on the condition that it exists, so {names:the value is|the values "
        "are} always right. A transaction takes twice the units."
    ),
    "aggregates-behind": (
        "{names:The value is|The values are} allowed to lag by a moment, so a write of {child:a} needs no "
        "transaction for {names:it|them}. The consumer updates the {entity} afterwards, if it exists."
    ),
    "counts-recorded": (
        "A consumer that fails repeats its batch, so it has to record which changes it has counted."
    ),
    "repeats-harmless": "A consumer that fails repeats its batch, which does no harm here.",
    "upkeep-adds": "This upkeep adds {write:number} write units and {usd:money} a month.",
    "upkeep-adds-reads": (
        "This upkeep adds {read:number} read units, {write:number} write units and {usd:money} a month."
    ),
    "write-finds-item": (
        "Writes of {entity} can find their item through an index. DynamoDB updates an index a moment after its table, "
        "so a write may not find an item that was just created. The key that the index returns never changes, and "
        "each write requires that the item still exists."
    ),
    # Why another one was not chosen
    "consumer-is-behind": (
        "needs no transaction, but updates a moment later; a change that is delivered twice is counted twice, unless "
        "the consumer records which changes it has seen"
    ),
    "stream-no-cheaper": "it is no cheaper here",
    "stream-if-stated": "to choose it, set “Updated” in the attribute's form to “a moment later”",
    "transaction-impossible": (
        "is impossible, because an upsert, or a delete of many {child} items, does not know beforehand which items "
        "exist"
    ),
    "transaction-misses-expired": (
        "is impossible, because {child} items expire, and DynamoDB deletes them without a transaction"
    ),
    "transaction-if-stated": (
        "is always right, but takes twice the units; to choose it, set “Updated” in the attribute's form to “in the "
        "same transaction”"
    ),
    "transaction-dearer": "is always right, but takes twice the units and costs more",
    "transaction-not-always": (
        "is always right, but takes twice the units, and not every write can do it"
    ),
    "costs-more-anyhow": "costs more",
    "has-no-advantage": "has no advantage",
}
