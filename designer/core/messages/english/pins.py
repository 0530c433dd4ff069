"""Messages about pins that cannot be followed, and key templates that cannot be used."""

TEMPLATES = {
    # What is not in the design
    "unknown": "there is no {what} `{name}`; {instead}",
    "unknown-in": "{where} has no {what} `{name}`; {instead}",
    "did-you-mean": "did you mean `{name}`?",
    "there-are": "{names:the only one is|choose from} {names:quoted}",
    "there-are-many": "choose from {names:quoted}, …",
    "add-it-first": "add the {what} first",
    # A template of a key
    "template-unreadable": "the key template cannot be read from character {at} on",
    "attribute-twice-in-key": "an attribute appears in it twice",
    "key-says-nothing": "it holds neither text nor an attribute; add one",
    "type-not-in-key": "{attribute} is of type {type}, and no key can hold that",
    "form-names-one-attribute": "`{form}` names one attribute",
    "state-derived-attribute": (
        "add an attribute `derived: {derived}` to {entity}, and use its name"
    ),
    "padded-as-stated": (
        "numbers are padded to their stated digits; write `{{{attribute}}}`, which becomes "
        "`{{pad({digits}, {scale}, {attribute})}}`, or state other digits for the attribute"
    ),
    "cannot-be-inverted": (
        "{attribute} has no fixed width, so it cannot be inverted; write `{{{attribute}}}`"
    ),
    "inverted-is-written": "inverted, {attribute} is written `{template}`; write that",
    "no-form-of-keys": "`{form}` is not a form of key templates; write `{{{attribute}}}`",
    "only-lists-values": '`only` lists values: `{{only({attribute}, "...")}}`',
    "absent-is-written": (
        'where {attribute} is missing, write `{{absent({attribute}, "{words}")}}`'
    ),
    "shard-out-of-range": (
        "a key is spread over 2 to {most} shards, by one attribute: `{{shard(4, {attribute})}}`"
    ),
    "shard-by-identifier": "the shard must follow from the identifier: {templates:either}",
    "delimiter-between": (
        "`#` must stand between {value} and {following}, or their values run together"
    ),
    "delimiter-after": (
        "what follows {value} must begin with `#`, or it sorts as part of the value"
    ),
    "delimiter-before": (
        "what comes before {following} must end with `#`, or the values run together"
    ),
    # What a pin says, and of what
    "no-such-pattern": (
        "there is no access pattern {pattern}; name one that exists, or remove the pin"
    ),
    "pattern-reads-nothing": "pattern {pattern} reads nothing, so no index can serve it",
    "key-without-entity": "a pinned key belongs to an entity; name it with `entity`",
    "index-without-pattern": "a pinned index serves an access pattern; name it with `pattern`",
    "projection-without-index": (
        "an index holds a projection; name it with `index`, or the `pattern` it serves"
    ),
    "name-of-nothing": (
        "state what has this name: an `index`, an `entity` for its table, or a `table`"
    ),
    "empty-pin": "the pin is empty; give `key`, `names`, `index`, `projection`, `name` or `table`",
    "name-not-allowed": (
        "the name `{name}` is not allowed in DynamoDB: write 3 to 255 characters from a-z, A-Z, 0-9, `_`, `.` and `-`"
    ),
    "key-name-not-allowed": "`{name}` cannot be the name of a key attribute",
    "key-named-like-attribute": (
        "{name} is an attribute of {entity}, and a key of that name holds its value and nothing else"
    ),
    "contradicts-earlier-pin": "an earlier pin contradicts it; remove one of them",
    # What a key of items must hold, and what it cannot
    "key-of-two-items": (
        "two items could have the same key, because {pins:it lacks|with an earlier pin it lacks} {missing:joined}, "
        "which the identifier of {entity} needs"
    ),
    "key-lacks-identifier": (
        "a key holds the identifier of {entity}, and {pins:it lacks|with an earlier pin it lacks} {missing:joined}; "
        "add it, or state {unique:joined}, which {unique:is unique|are unique together}, as the identifier"
    ),
    "changes-in-key": ("{attribute} can change, but an item's own key cannot; use it in an index"),
    "missing-in-key": (
        "not every {entity} has {attribute}, but every item needs its key; use it in an index"
    ),
    "only-in-index-key": "{attribute} is only allowed in the key of an index",
    "other-value-has-no-key": (
        "an item with another value of {attribute} would have no key; use it in an index"
    ),
    "only-index-leaves-out": "only an index can leave items out",
    "added-in-composed-key": (
        "a write adds to {attribute}, and ADD cannot rewrite a composed key; give the key the same name, with nothing "
        "else in it"
    ),
    "range-at-end-of-key": (
        "patterns query a range of {attribute}, so a composed key cannot end with it; add `#` or the identifier after "
        "it"
    ),
    "or-pin-for-multi": (
        "{flaw}, or pin it for the multi-table style alone (`style: multi`), where it can be the whole key"
    ),
    "repeats-partition-key": (
        "it repeats the partition key; leave it out, or pin it for the single-table style alone (`style: single`), "
        "where other item types can follow it"
    ),
    "partition-key-in-other-words": (
        "it has the same attributes as the partition key; write the same text, or leave it out"
    ),
    "shards-in-sort-key": "shards divide the partition key; write them there",
    "several-shards": "write a single `shard(...)`, with the product of the numbers",
    "inverted-partition-key": ("a partition key is not sorted, so nothing in it can be inverted"),
    "when-not-in-key": (
        "`when` without values needs an attribute of the key; "
        "list values of {attribute}, or put it into one of the templates"
    ),
}
