"""Messages about lines of text that say no entities, attributes and relationships."""

TEMPLATES = {
    # Lines
    "outline-too-long": "Write at most {lines} lines and {characters:,} characters.",
    "outline-line": (
        "“{line}” is not understood. Write an entity such as “Hotel: hotelId, name”, or a relationship such as "
        "“Hotel 1-N Room”."
    ),
    "outline-twice": "{entity} stands in line {line} already.",
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
    "outline-other-entities": "“{name}” is not an entity of this design. It has {known:joined}.",
    "outline-more-entities": (
        "“{name}” is not an entity of this design. It has {known:joined} and more."
    ),
    # Attributes
    "list-of-attributes-too-long": "A list holds at most {most} attributes.",
    "listed-twice": "{name} is listed twice.",
    "attribute-too-long": "“{start}…” is too long for an attribute: put commas between them.",
    "begins-without-name": (
        "“{words}” does not begin with a name. A name has letters, digits, _ and -, no spaces."
    ),
    "attribute-words": (
        "“{words}” after {name} is not understood. Write a kind such as text, uuid, date, integer; a range such as "
        "1-5; values such as FREE|HELD; unique, unique within tenantId, changes or key; or put a comma between two "
        "attributes."
    ),
    "attribute-words-or-one-name": (
        "“{words}” after {name} is not understood. If they are one name, write {one}. Write a kind such as text, uuid, "
        "date, integer; a range such as 1-5; values such as FREE|HELD; unique, unique within tenantId, changes or key; "
        "or put a comma between two attributes."
    ),
    "of-attribute": "{name}: {problem:plain}.",
    "range-from-least": "{name}: write a range from the least to the greatest: 1-5.",
    "most-decimals": "{name}: a number has at most 37 digits after the decimal point.",
    "most-digits": "{name}: a number has 1 to 38 digits.",
    "share-of-optional": "State how many items have {name}: “{name} 40 %”, for example.",
}
