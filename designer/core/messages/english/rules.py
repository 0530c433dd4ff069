"""Messages about what is unwise about a design or its plans, and what helps: one family for each rule."""

TEMPLATES = {
    # Places
    "table": "table {table}",
    "index-of": "index {index} on {table}",
    "place-with-size": "{place} ({bytes:binary})",
    "place-in-style": "{place} ({style:style} style)",
    "place-in-styles": "{place} ({styles} {styles:style|styles})",
    # Consistency and capacity
    "strong-read-of-index": ("Pattern {pattern} needs a {consistency} read, but reads {index}."),
    "strong-read-without-key": (
        "Pattern {pattern} needs a {consistency} read, but no table key that supports such a read serves it."
    ),
    "accept-eventual-or-table-key": (
        "Accept eventually consistent results, or let a key of the table serve the access pattern."
    ),
    "filter-drops-most": (
        "Pattern {pattern} reads {bytes:binary} from {place} and drops {share:share} of it."
    ),
    "filter-would-drop-most": (
        "Pattern {pattern} filters items by {attributes} after reading them. It would drop more than {share:share} of "
        "them, so it is not served."
    ),
    "filter-instead-of-key": (
        "Pattern {pattern} reads all {entities} items and then filters them by {attributes}."
    ),
    "move-conditions-to-where": (
        "Move the filter conditions to “Found by”, so that a key can serve them."
    ),
    "mark-wanted-items": (
        "Test for equality, which a key can serve, or store an attribute that marks the wanted items. Otherwise, let "
        "another service serve the access pattern."
    ),
    "many-requests": (
        "Pattern {pattern} sends a request to {places} for each {each}: {requests:number} requests on average."
    ),
    "found-row": "row that it finds",
    "given-value": "value that it is given",
    "row-and-value": "row that it finds and each value that it is given",
    "read-together-or-fewer": (
        "Let one Query read the related items together, or read fewer rows at a time."
    ),
    "give-fewer-values": (
        "Give fewer values at a time. Or store the items that one caller reads together under one key, so that one "
        "Query returns them."
    ),
    "identifier-not-generated": (
        "{entity} items are read by their {parent}, but cannot be in its partition, because the design does not state "
        "that {entity}.{attribute} is generated."
    ),
    "state-format-or-parent": (
        "State the format of {attribute} if it is a UUID, a ULID or a KSUID. If it is unique within one {parent} only, "
        "make the identifier of {parent} a part of it."
    ),
    "new-items-one-by-one": (
        "Pattern {pattern} creates each item in a request of its own: {requests:number} requests on average."
    ),
    "upsert-in-batches": "If existing items may be overwritten, make it an upsert, which writes 25 in one request.",
    "reads-everything": (
        "Pattern {pattern} reads all {entities} items each time: {bytes:binary} in {requests:number} requests."
    ),
    "read-part-or-export": "Read only some of the items, store an aggregate, or use an export.",
    "reads-much-for-number": (
        "Pattern {pattern} uses {units:number} read units each time to return one number."
    ),
    "reads-too-much-for-number": (
        "Pattern {pattern} cannot read all items each time to return one number, so it is not served."
    ),
    "store-number-in-item": (
        "Store the number in an item of its own that the writes add to, or read it less often."
    ),
    "store-number-in-parent": (
        "Store it in the {parent}, in an attribute that holds the {aggregate}."
    ),
    "store-number-by-stream": (
        "Store it in the {parent}, in an attribute that holds the {aggregate} and that a stream's consumer updates a "
        "moment later."
    ),
    "expired-still-counted": (
        "{attribute} is updated in the transactions that write {child} items. When one expires, DynamoDB deletes it "
        "without a transaction, and {attribute} keeps what it added."
    ),
    "keep-aggregate-by-stream": (
        "Let a stream consumer update it: set “Updated” in the attribute's form to “a moment later”."
    ),
    "ttl-not-checked": (
        "Pattern {pattern} may return expired {entity} items, whose {attribute} has passed."
    ),
    "keep-unexpired": (
        "If expired items matter, return only items whose {attribute} is later than the time that the caller gives."
    ),
    "let-caller-check-ttl": (
        "If expired items matter, let the caller check {attribute}. Items without this attribute never expire."
    ),
    "expired-taken-over": (
        "Pattern {other} creates {entity} items, and pattern {pattern} replaces an item whose {attribute} has "
        "passed. One conditional write can do both."
    ),
    "upsert-if-expired": (
        "Make pattern {pattern} an upsert with the condition of pattern {other}, and remove pattern {other}. It then "
        "writes the whole item if there is none, or only an expired one."
    ),
    "stopped-taken-over": (
        "Pattern {other} writes {entity} items that do not exist or have expired, and pattern {pattern} restarts an "
        "item whose {attribute} has passed. One conditional write can do both."
    ),
    "upsert-if-stopped": (
        "Add the condition of pattern {other} to pattern {pattern} as an alternative, and remove pattern {other}."
    ),
    # Indexes
    "index-quota-near": "Table {table} has {count} of at most {most} global secondary indexes.",
    "share-index-or-move": (
        "Let access patterns share an index, or move some of them to another service."
    ),
    "index-serves-nothing": "No access pattern reads {index}.",
    "remove-pin-or-add-pattern": (
        "Remove the pin of the index, or add the access pattern that needs it."
    ),
    "projection-too-wide": (
        "The {index} holds {attributes}, but no access pattern reads "
        "{attributes:this attribute|these attributes} from it."
    ),
    "project-fewer": (
        "Project fewer attributes, or name the attributes in the access pattern that needs them."
    ),
    "busy-changing-index-key": (
        "Changes to {attributes} cost {usd:money} a month in {index}, but the reads from this index "
        "cost only {reads_usd:money}."
    ),
    "query-steadier-or-narrow": (
        "Query by an attribute that changes less often, or index only the items that you need."
    ),
    "set-less-often-or-accept": (
        "{patterns:Pattern} {patterns:sorts|sort} by {attributes}, so each change has to move an entry. If an "
        "approximate order is enough, set {attributes:it|them} less often, for example only if the stored value is "
        "some minutes old. Or accept the cost, and ignore this finding."
    ),
    "scan-instead-of-index": (
        "Only jobs read this index, no more than about once an hour. Let them read the whole table instead, with a "
        "parallel Scan or from an export to S3. At their rate, Scans cost {usd:money} a month."
    ),
    "index-for-small-collection": (
        "Pattern {pattern} reads {index}. All items that it returns are in one item collection of the table, "
        "which holds {bytes:binary} on average. A filter over that collection costs at most {usd:money} more a month "
        "and makes the index unnecessary."
    ),
    "move-conditions-to-keep": "Move the conditions that the index serves to “Returned only if”.",
    # Keys
    "few-values-in-partition-key": (
        "In {places}, the partition key of {entity} items is {attributes}, with {values:number} {values:value|values} "
        "in all."
    ),
    "few-values-in-sparse-key": (
        "In {places}, the partition key of {entity} items is {attributes}. The index holds only items "
        "whose {limited} is {held:or}, so the key has {values:number} {values:value|values} there."
    ),
    "query-by-more-values": "Check the heat of the key, or also query by an attribute with more values.",
    "partition-key-alone": (
        "In {places}, the partition key of {entity} items is {attribute} alone."
    ),
    "query-by-owner-or-spread": (
        "Also query by another attribute, such as an owner or a place, or check the heat of the key."
    ),
    "one-partition-for-all": "All {entity} items in {places} share one partition key value.",
    "partition-by-given": (
        "Every access pattern that reads there supplies {attributes:a value|values} for {attributes}. A key "
        "partitioned by {attributes:it|them} may cost little more. Check it in {entity}'s form, under “Keys”, and pin "
        "it if the price is right."
    ),
    "query-by-differing-value": (
        "Query {entity} items by an attribute whose value differs between them, or check the heat of the key."
    ),
    "unbounded-collection": (
        "The design does not state how many {child} items one {parent} can have."
    ),
    "state-most": "State the largest number of them in the relationship “{relationship}”.",
    "tenant-not-in-key": (
        "In {places}, the partition key of {entity} items does not contain {tenant}."
    ),
    "begin-key-with-tenant": (
        "Put {tenant} first in the identifier, or pin a key that starts with it."
    ),
    "check-or-replace-tenant": (
        "{tenant} can change, so it cannot be in the table key. Let the application check {tenant} in each request. Or "
        "let a move delete the {entity} and create another: then {tenant} never changes, and can stand first in the "
        "identifier."
    ),
    "unique-without-guard": (
        "Neither a guard item nor a table key keeps {entity}.{attribute} unique in the {styles} {styles:style|styles}."
    ),
    "unique-in-scope-without-guard": (
        "Neither a guard item nor a table key keeps {entity}.{attribute} unique within {scope} in the {styles} "
        "{styles:style|styles}."
    ),
    "of-style": "{style:style}",
    "add-guard-or-not-unique": (
        "Add a guard item that is written in the same transaction as the item, or state that the attribute is not "
        "unique."
    ),
    "increasing-sort-key": (
        "Each new {entity} sorts after all others. At peak, the busiest key takes {writes:,.0f} write units a second "
        "in {places}."
    ),
    "spread-or-query-by-calmer": (
        "Spread the key over shards, or query by an attribute whose busiest value has less traffic."
    ),
    # Limits
    "item-near-limit": ("A {shape} item is {bytes:binary} on average. The limit is {most:binary}."),
    "store-large-values-in-s3": (
        "Store large values in Amazon S3 and their object keys here, or split them over several items."
    ),
    "item-too-large": (
        "The largest {entity} item is {bytes:binary}, of which {attribute} takes {value_bytes:binary}. The limit is "
        "{most:binary}."
    ),
    "store-elements-as-items": "Store the elements of {attribute} as items of their own.",
    "store-value-in-s3": (
        "Store {attribute} in Amazon S3 and its object key here, or split it over several items."
    ),
    "list-grows": (
        "Pattern {pattern} extends {entity}.{attribute}, which has no stated limit. Each such write is charged for "
        "the whole item, which is {bytes:binary} on average. At {most:binary} it fails."
    ),
    "list-may-grow": (
        "Pattern {pattern} may extend {entity}.{attribute}, which has no stated limit. Each such write is charged for "
        "the whole item, which is {bytes:binary} on average. At {most:binary} it fails."
    ),
    "store-elements-or-state-most": (
        "Store the elements of {attribute} as items of their own, or state their largest number."
    ),
    "list-without-bound": "The design does not state how large {entity}.{attribute} gets.",
    "state-bytes-or-elements": (
        "State its average size or its number of elements. If it grows without limit, store its elements as items of "
        "their own."
    ),
    "transaction-near-limit": (
        "The items in the transaction of pattern {pattern} may take {bytes:binary} at average sizes. The limit is "
        "{most:binary}."
    ),
    "transaction-too-large-at-most": (
        "The items in the transaction of pattern {pattern} may take {bytes:binary} if each has its largest size. The "
        "limit is {most:binary}."
    ),
    "get-less-in-transaction": (
        "Give fewer identifiers at a time, or store large values in Amazon S3."
    ),
    "write-less-in-transaction": (
        "State a lower maximum number of items, store large values in Amazon S3, or write the items in several "
        "transactions."
    ),
    "peak-above-quota": (
        "At the stated peaks, {place} takes {units:number} {kind} units a second. The quota of a table is {most:,} "
        "{kind} units a second."
    ),
    "request-quota": (
        "Request a higher quota from AWS, and raise the warm throughput before the launch."
    ),
    "peak-above-warm-throughput": (
        "At the stated peaks, {place} takes {units:number} {kind} units a second. A new table or index serves {warm:,} "
        "{kind} units a second."
    ),
    "raise-warm-throughput": (
        "Raise its warm throughput before the launch, or let the traffic grow in steps."
    ),
    # Names
    "long-attribute-name": (
        "The name {attribute} takes {bytes:size} more than a name of {long} bytes would."
    ),
    "rename-shorter": "Rename the attribute to a shorter name.",
    "identifier-without-reference": (
        "{entity}.{attribute} has the same name as the identifier of {other}, but does not refer to it."
    ),
    "refer-or-rename": "Make it refer to {other}, or rename it.",
    # Access patterns
    "attribute-never-used": "No access pattern uses {entity}.{attribute}.",
    "use-or-remove": "Add it to the access pattern that needs it, or remove it.",
    "entity-never-created": "No access pattern creates {entity} items.",
    "create-or-name-source": (
        "Add an access pattern that creates them. If {entity} items come from another source, ignore this finding and "
        "name the source."
    ),
    "entity-never-read": "No access pattern reads {entity} items.",
    "read-or-remove-entity": "Add the access pattern that reads them, or remove {entity}.",
    "read-without-write": (
        "Pattern {pattern} queries or sorts by {entity}.{attribute}, which is marked as mutable, but no access "
        "pattern changes it."
    ),
    "test-without-write": (
        "Pattern {pattern} tests {entity}.{attribute}, which is marked as mutable, but no access pattern changes it."
    ),
    "change-or-mark-immutable": (
        "Add the access pattern that changes {attribute}, or mark {attribute} as immutable."
    ),
    "write-without-read": (
        "Pattern {pattern} changes {entity}.{attribute}, but no access pattern reads it."
    ),
    "read-or-remove-change": (
        "Add the access pattern that reads {attribute}, or remove the change."
    ),
    "pattern-without-rate": ("Pattern {pattern} ({name}) has no rate, so the bill leaves it out."),
    "state-rate": ("State its average and its peak rate, in runs a second. An estimate is enough."),
    "values-not-counted": ("The design does not state how many values {entity}.{attribute} has."),
    "state-values": "State its values, their number, or the entity that it refers to.",
    "busiest-beyond-identifier": (
        "The busiest value of {entity}.{attribute} is stated to be on {stated:counted} items, but the identifier has "
        "room for {most:counted} items with the same value."
    ),
    "state-smaller-busiest": (
        "State a smaller share of the busiest {attribute}, or more values of the other attributes of the identifier. "
        "If only the traffic concentrates on it, state that share in the access patterns (“Hottest key's share”)."
    ),
}
