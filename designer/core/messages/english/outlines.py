"""Messages about lines of text that say no entities, attributes and relationships."""

TEMPLATES = {
    # Lines
    "outline-too-long": "Write at most {lines} lines and {characters:,} characters.",
    "outline-line": (
        "“{line}” is not understood. Write an entity such as “Hotel: hotelId, name”, or a relationship such as "
        "“Hotel 1-N Room”."
    ),
    "relationship-line": (
        "“{line}” is not understood. Write, for example, “A Hotel has many Rooms, by hotelId”."
    ),
    "outline-twice": "{entity} is already in line {line}.",
    "outline-after-relationship": (
        "“{words}” is not understood. After a relationship write “by” and attributes, “through” and an entity, or "
        "“as” and a name."
    ),
    "outline-pairs": (
        "State which entity holds the pairs: “{one} N-M {other} through Booking”, for example."
    ),
    "outline-too-few-attributes": (
        "{parent} is identified by {identifier:joined}: name as many attributes after “by”, in that order."
    ),
    "outline-no-such-entity": "“{name}” is not an entity of this design.",
    "outline-other-entities": (
        "“{name}” is not an entity of this design. {known:The only one is|Choose from} {known:joined}."
    ),
    "outline-more-entities": (
        "“{name}” is not an entity of this design. Choose from {known:commas}, …"
    ),
    # Sentences
    "sentence-too-long": "“{start}…” is too long for one access pattern.",
    "sentence-without-verb": (
        "“{word}” is not a verb that a sentence can begin with. Write List, Get, Count, Sum, Create, Update, Delete, "
        "Check or Search, and then an entity."
    ),
    "sentence-asks-average": (
        "An average is a sum divided by a count: write a sentence that begins with “Sum” and one that begins with "
        "“Count” instead of “{word}”."
    ),
    "number-without-attribute": (
        "Of which attribute? Write “{verb}”, an attribute, and “of {entity:plural}”."
    ),
    "number-has-no": "A number has no {parts:or}.",
    "search-has-no": "A search by another service has no {parts:or}.",
    "search-within-text": (
        "“Search” may mean words within {attribute}. Write “List {entity:plural} by {attribute}” for the whole text, "
        "“List {entity:plural} where {attribute} begins with” for its beginning, or “Search {entity:plural} by words” "
        "for a search service beside DynamoDB."
    ),
    "sentence-without-entity": "Which entity? Write “{verb}” and an entity.",
    "sentence-names-no-entity": "“{words}” names no entity of this design.",
    "sentence-names-none-of": "“{words}” names no entity of this design, which has {known:joined}.",
    "sentence-names-none-of-more": (
        "“{words}” names no entity of this design, which has {known:commas} and more."
    ),
    "sentence-names-no-attribute": (
        "“{words}” is not an attribute of {entity}, which has {known:joined}."
    ),
    "value-before-unknown": (
        "“{word}” before {entity} is not understood: no attribute of {entity} has it among its stated values. Write "
        "such a value there, “latest”, “oldest” or “last 10”."
    ),
    "state-unknown": (
        "“{words}” is not understood. After “that are” write a stated value of {entity:a}: {known:or}."
    ),
    "state-without-values": (
        "“{words}” is not understood: no attribute of {entity} states its values. State them, or write “by” and an "
        "attribute."
    ),
    "write-has-no": "A write has no {parts:or}.",
    "entity-never-changes": (
        "{entity} has no attribute that changes. State which: “Update the status of {entity:a}”."
    ),
    "one-change-a-sentence": "Write only one change in each sentence.",
    "clause-unknown": (
        "“{words}” is not understood. After the entity write “of a” and its parent, “that are” and a value, “by”, "
        "“before”, “after” or “between” and an attribute, or after a comma “newest first” or “20 at a time”."
    ),
    "belongs-to-others": (
        "{child:plural} do not belong to {parent:plural}. {child:A} refers to {known:joined}. Add a relationship "
        "first, or write “by” and an attribute."
    ),
    "meets-in-another": (
        "{child:plural} do not belong to {parent:plural}. {between:A} refers to both: write “List {between:plural} of "
        "{parent:a} with its {child}”."
    ),
    "belongs-to-nothing": (
        "{child:plural} do not belong to {parent:plural}. {child:A} refers to nothing. Add a relationship first, or "
        "write “by” and an attribute."
    ),
    "by-attribute": "“by {attribute}”",
    "refers-in-several-ways": "{entity} refers to it in {count} ways: also write {ways:or}.",
    "no-relationship-between": "No relationship leads from {entity} to {other}.",
    "order-of-nothing": (
        "“{words}” does not say by which attribute. Write “newest first” or, for example, “highest "
        "{example} first”. {entity} has {known:joined}."
    ),
    "tail-unknown": (
        "“{words}” is not understood. Write “newest first”, “A to Z”, “sorted by” and an attribute, “20 at a time” or "
        "“5 a second”."
    ),
    "said-twice": "The sentence gives two {part:plural}: write only one.",
    "no-attribute-of-names": (
        "{entity} has no attribute such as name or title. Write “sorted by” and an attribute instead."
    ),
    "no-attribute-of-time": (
        "{entity} has no attribute that holds a time. Add one such as createdAt, or write “sorted by” and an attribute."
    ),
    # Attributes
    "list-of-attributes-too-long": "A list holds at most {most} attributes.",
    "listed-twice": "{name} is listed twice.",
    "attribute-too-long": "“{start}…” is too long for an attribute: put commas between attributes.",
    "begins-without-name": (
        "“{words}” does not begin with a name. A name begins with a letter or _ and has letters, digits, _ and -, but "
        "no spaces."
    ),
    "attribute-words": (
        "“{words}” after {name} is not understood. Write a type such as text, uuid, date, integer; a range such as "
        "1-5; values such as FREE|HELD; up to 500 characters; unique, unique within tenantId, changes or key; or put "
        "a comma between two attributes."
    ),
    "attribute-words-or-one-name": (
        "“{words}” after {name} is not understood. If both are one name, write {one}. Otherwise write a "
        "type such as text, uuid, date, integer; a range such as 1-5; values such as FREE|HELD; up to 500 "
        "characters; unique, unique within tenantId, changes or key; or put a comma between two attributes."
    ),
    "of-attribute": "{name}: {problem:plain}.",
    "range-from-least": "{name}: write a range from the smallest to the largest value: 1-5.",
    "most-decimals": "{name}: a number has at most 37 digits after the decimal point.",
    "most-digits": "{name}: a number has 1 to 38 digits.",
    "share-of-optional": "State how many items have {name}: “{name} 40 %”, for example.",
}
