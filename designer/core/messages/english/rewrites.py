"""Messages about other ways to store the same data: together, apart, or in shards."""

TEMPLATES = {
    # What is, or could be, chosen
    "item-of-its-own": "an item of its own",
    "inside-parent": "inside {parent}, in {attribute}",
    "in-the-item": "in the item of {entity}",
    "attributes-apart": "{attributes} in an item of {attributes:its|their} own",
    "shards-for-each": "{attributes} in {count} {count:item|items} for each {entity}",
    # A child inside its parent
    "read-with-children": (
        "{share:share} of the reads of {parent:plural} or {child:plural} need both. "
        "Without its keys, {parent:a} takes {parent_bytes:,.0f} bytes, and {count:number} {child:plural} "
        "{child_bytes:,.0f} bytes; {parent:plural} are written {parent_writes:number} times a second, "
        "{child:plural} {child_writes:number} times."
    ),
    "read-with-child": (
        "{share:share} of the reads of {parent:plural} or {child:plural} need both. "
        "Without its keys, {parent:a} takes {parent_bytes:,.0f} bytes, and the {child} {child_bytes:,.0f} bytes; "
        "{parent:plural} are written {parent_writes:number} times a second, {child:plural} {child_writes:number} times."
    ),
    "child-inside-parent": (
        "In one item, one read returns both, but each write is charged for the whole item. {child} cannot exist "
        "before its {parent}, and is deleted with it."
    ),
    # Some attributes apart
    "read-with-rest": (
        "{share:share} of the reads of {entity:plural} need both {attributes} and other attributes. "
        "Without its keys, {entity:a} takes {item_bytes:,.0f} bytes, of which {attributes} {attributes:takes|take} "
        "{bytes:,.0f}. Writes of {attributes} alone: {writes:number} a second; writes of other attributes: "
        "{other_writes:number} a second."
    ),
    "charged-apart": (
        "With two items, each change is charged for its own item only. One transaction creates or deletes both. A read "
        "of both may find one newer than the other."
    ),
    # Numbers in shards
    "additions-overload-item": (
        "At peak the busiest {entity} takes {heat:,.0f} write units a second, but a partition serves {limit:,}. "
        "Additions to {attributes} alone take {units:,.0f} write units a second. At most {shard_limit} write units a "
        "second for each item, to leave a margin, makes {count} {count:item|items}, each with its own partition key."
    ),
    "additions-in-shards": (
        "Each addition updates one of these items at random, on the condition that it exists. One transaction creates "
        "or deletes these items with their {entity}. To read {attributes}, the application reads the {entity}, which "
        "holds the "
        "initial value, and its {count} counter {count:item|items}, and adds the values up. The sum may miss an "
        "addition that is made during the read. Each existing {entity} needs its {count} {count:item|items} before "
        "the first addition."
    ),
    "one-item-overloads": (
        "overloads a partition: one item would take {heat:,.0f} write units a second"
    ),
    "within-limits-but-pinned": "would stay within the limits, but {pin}",
    "exceeds-limit-or-not-served": (
        "an access pattern would take more requests than it allows, or not be served"
    ),
    "overloaded-anyway": "other writes of {entity} overload a partition anyway",
    # What a pattern does that needs the item as it is stated
    "returns-with-another-entity": "returns it with another entity",
    "finds-or-sorts-by-it": "finds, filters or sorts items by it",
    "finds-all-of-list-by-it": "uses it to find what has an item for each value of a list",
    "computes-aggregate-from-it": "computes an aggregate from it",
    "reads-several-entities": "reads several entities",
    "reads-in-transaction": "reads it in a transaction",
    "allows-no-further-request": "allows no further request, which the counters need",
    "deletes-collections": "deletes whole collections of these items",
    "writes-too-many-items": ("would write more than {most} items, with {count} counters for each"),
    "replaces-whole-item": "replaces the whole item",
    "sets-it-too": "sets it, and does not only add to it",
    "has-condition-on-it": "has a condition on it",
    "creates-many-at-once": "creates many items in one request",
    "deletes-many-at-once": "deletes many items in one request",
    "changes-many-at-once": "changes many items in one request",
    "deletes-by-other-than-identifier": "does not delete the item by its identifier",
    "finds-by-other-than-identifier": "does not find the item by its identifier",
    "adds-under-condition": "adds to it only under a condition",
    # Pins in the way
    "costs-less-but-pinned": "costs less, but {pin}",
    "pinned-to-name": "the key is pinned to the name {names}, which needs a table of whole items",
    "pinned-sort-key-begins-with-value": (
        "the pinned sort key `{template}` begins with a value, which may equal the key of another item"
    ),
    "index-pinned-to-both": "index {index} is pinned to hold both {attributes} and {others}",
    "index-pinned-to-everything": (
        "index {index} is pinned to hold {attributes} and everything else"
    ),
}
