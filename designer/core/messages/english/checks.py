"""Messages about parts of a design that do not hang together, or that contradict themselves."""

TEMPLATES = {
    # Names
    "entity-name-taken": (
        "there is already an entity `{name}` (case is ignored); give one of them another name"
    ),
    "prefix-taken": (
        "another entity's keys begin with `{name}` too; give one of them another `prefix`"
    ),
    "attribute-name-taken": (
        "{entity} already has an attribute `{name}`; give one of them another name"
    ),
    "relationship-name-taken": (
        "there is already a relationship `{name}`; give one of them another name"
    ),
    "number-taken": (
        "there is already an access pattern {name}; give one of them a number of its own"
    ),
    "id-taken": "the id `{name}` is taken; leave it out and a new one is made",
    "none-of": "none of {entities:joined}",
    # Entities and attributes
    "type-has-no-values": "an attribute of type {type} has no list of values; make it type S or N",
    "derived-is-text": "`{name}` is derived and therefore text; make it type S",
    "derived-is-nothing-else": (
        "`{name}` is derived and not stored; it cannot be unique, refer to something or be an aggregate"
    ),
    "aggregate-on-many-side": (
        "{entity} is not on the one side of `{name}`; put the aggregate there"
    ),
    "count-without-attribute": "a count needs no attribute; write `count of {name}`",
    "aggregate-of-attribute": "state the attribute: `{figure} of {name}.attribute`",
    "aggregate-is-number": "`{name}` is a number; make it type N",
    "several-ttls": "{entity} has several time-to-live attributes ({names:quoted}); a DynamoDB table has one",
    "identifier-twice": "the identifier names `{name}` twice; name it once",
    "value-not-number": "`{value}` is not a number, and `{name}` has type N",
    "derived-of-derived": "`{name}` is derived itself; name an attribute that is stored",
    "not-an-aggregate": "`{name}` is not an aggregate; state its `aggregate`",
    "sum-of-numbers": "{entity}.{attribute} is not a number; a sum adds numbers (type N)",
    "identifier-type": "`{name}` has type {type}; an identifier has type S, N or B",
    "refers-to-type": "{target} has type {target_type} and `{name}` {type}; give both one type",
    "derived-of-no-time": (
        "`{name}` holds no time as text; a {form} can only be derived from type S with format date or datetime"
    ),
    "hour-of-date": "`{name}` is a date without an hour; derive from a datetime",
    "identifier-derived": "`{name}` is derived; name the attribute that it is derived from",
    "identifier-aggregate": (
        "`{name}` is an aggregate, which changes; name an attribute that never does"
    ),
    "identifier-missing": "`{name}` is missing from some items; an identifier is always present",
    "list-it-under-attributes": "{entity} has no attribute `{name}`; list it under `attributes`",
    "share-for-each-value": "`shares` needs one share for each of `values`, and two for BOOL: of true and of false",
    "shares-add-up": "`shares` must add up to 1",
    "value-twice": "`values` names a value twice",
    "digits-of-numbers": "`digits` and `scale` belong to numbers (type N)",
    "scale-below-digits": "`scale` must be smaller than `digits`",
    "format-of-numbers": "format {format} belongs to numbers (type N)",
    "format-of-text": "format {format} belongs to text (type S)",
    "elements-of-lists": "`elements` belong to lists and sets (type L, SS, NS or BS)",
    "elements-above-most": "`elements` has more on average than at most; correct one of them",
    "bytes-above-most": "`most_bytes` is below `bytes`, the average; correct one of them",
    "later-is-missing-at-first": (
        "an attribute that is set `later` is missing at first: state the share of the items that have it (`present`)"
    ),
    "ttl-is-number": "a time to live is a number: seconds since 1970 (type N, format epoch)",
    "range-of-numbers": "`minimum` and `maximum` belong to numbers (type N)",
    "range-upside-down": "`minimum` is above `maximum`; swap them",
    "range-needs-digits": (
        "`minimum` and `maximum` need {needed} digits, {behind} of them after the decimal point, and there are "
        "{digits}; correct one of them"
    ),
    # Scopes of what is unique
    "unique-everywhere": (
        "`{name}` is unique among all items, and so within every scope; remove `unique` or `unique_within`"
    ),
    "unique-type": "`{name}` has type {type}; a unique attribute has type S, N or B",
    "scope-is-added-to": (
        "a write adds to `{name}`, and a guard's key cannot follow that; let the write `set` it, or leave it out of "
        "the scope"
    ),
    "scope-identifies": (
        "{known:quoted} already identifies one {entity}; remove `unique_within`, or leave part of the identifier out "
        "of it"
    ),
    "scope-of-itself": (
        "`{name}` cannot be its own scope; name the attribute whose items have different values"
    ),
    "scope-twice": "the scope names `{name}` twice; name it once",
    "scope-derived": "`{name}` is derived and not stored; name an attribute that is stored",
    "scope-aggregate": "`{name}` is an aggregate over children; name an attribute that writes set",
    "scope-type": "`{name}` has type {type}; a scope is of type S, N or B",
    # Relationships
    "average-above-maximum": "the average is above the maximum; correct one of them",
    "nothing-refers": (
        "no attribute of {child} refers to {parent}; name the attribute after `by`, or let one refer to {wanted:quoted}"
    ),
    "reference-types": (
        "{child}.{name} has type {child_type} and {parent}.{target} {type}; give both one type"
    ),
    "two-sides": "an N:M relationship has two sides; write `{field}s: [a, b]`",
    "one-number": "two numbers belong to N:M only; write `{field}: a`",
    "parents-in-circle": (
        "identifying parents form a circle: {circle:arrows}; one of them must be able to exist without its parent"
    ),
    "references-in-circle": (
        "attributes refer to each other in a circle: {circle:arrows}; remove one `refers_to`"
    ),
    "one-and-many": (
        "write `one: A` with `many: B` (1:N), `one: [A, B]` (1:1) or `many: [A, B]` with `through` (N:M)"
    ),
    "through-of-many": "`through` names the edge entity of `many: [A, B]`, and only there",
    # Conditions and their parameters
    "parameter-list-and-single": (
        "the parameter `{name}` is a list in one place and a single value in another; give one of them another name"
    ),
    "parameter-types": (
        "the parameter `{name}` is of type {before} ({before_about}) and of type {type} ({about}); give one of them "
        "another name"
    ),
    "path-not-to-one": (
        "`{name}` does not lead from {entity} towards one other item; a path follows relationships from the many "
        "side to the one side"
    ),
    "path-instead": "{flaw}; or write `{path}`",
    "all-of-in-where": "`all_of` is tested on several items together, so it belongs in `where` of a list",
    "different-types": "`{attribute}` has different types in {entities:joined}; give them one type",
    "range-without-order": (
        "`{attribute}` has type {type}, which has no order; a range needs S, N or B"
    ),
    "prefix-of-text": "`{attribute}` has type {type}; only text has a prefix",
    "contains-type": "`{attribute}` has type {type}; only text, lists and sets contain something",
    "nothing-to-leave-out": (
        "this condition has no parameter that the caller could leave out; remove `optional`, or compare with a "
        "parameter"
    ),
    "prefix-in-quotes": "a prefix is text; put it in quotes",
    "param-or-value": "give exactly one of `param` and `value`",
    "param-or-list": (
        "give exactly one of `param`, a list that the caller gives, and `value`, a list"
    ),
    "count-of-given": "`count` says how many values a caller gives; a fixed list needs no `count`",
    "range-bounds": "a range has one lower and one upper bound: `from` or `after`, `to` or `below`",
    "one-test": (
        "state exactly one test of the attribute: `is`, `any_of`, `all_of`, a range, `begins_with`, `contains`, "
        "`not`, `exists` or `missing`"
    ),
    # Constants
    "not-text": "`{value}` is not text, and `{name}` has type S; put it in quotes",
    "number-too-large": "`{value}` is more than DynamoDB can store; write a number below 1e126",
    "not-boolean": "`{value}` is neither true nor false, and `{name}` has type BOOL",
    "not-among-values": "`{value}` is not one of the values of `{name}`",
    "too-few-digits": (
        "keys hold `{name}` with {digits} digits, {scale} of them after the decimal point, which is too few for "
        "`{value}`; state the `digits` and the `scale` of the attribute, or put the condition under `keep`"
    ),
    "below-minimum": "`{value}` is below the minimum of `{name}`, {bound}",
    "above-maximum": "`{value}` is above the maximum of `{name}`, {bound}",
    # Reads
    "named-twice": "`{name}` is named twice; name it once",
    "use-source-of-derived": (
        "`{name}` is derived and not stored; use the attribute that it is derived from"
    ),
    "included-twice": "`{name}` is included twice; name it once",
    "number-with-related": (
        "the result is a number, so it cannot include related items; remove `with`"
    ),
    "then-keep-without-order": (
        "these conditions test the first items of an order; give `order` and `limit`, or put them under `keep`"
    ),
    "then-keep-of-one-entity": (
        "these conditions test items of one entity; return one, or put them under `keep`"
    ),
    "then-keep-with-all-of": (
        "with `all_of` the answer is not single items; put these conditions under `where`"
    ),
    "then-keep-with-result": (
        "a `limit` does not concern a `result`; put these conditions under `keep`"
    ),
    "then-keep-of-another": (
        "`{attribute}` is of another item, and this tests the returned items; include the relationship under `with`, "
        "and test it in the application"
    ),
    "order-type": "`{attribute}` has type {type}, which has no order; choose one of type S, N or B",
    "leads-to-two": (
        "`{relationship}` leads from {child} to {one} and to {other}; name a relationship in "
        "which one of them is the `one` side and {child} is the `many` side"
    ),
    "joins-others": (
        "`{relationship}` joins {joined:and}, not {returned:joined}; choose a relationship of what is returned"
    ),
    "joins-others-below": (
        "`{relationship}` joins {joined:and}, not {returned:joined}; choose a relationship of what is returned, or "
        "list {child} where `{path}` is given"
    ),
    "figure-of-numbers": "{entity}.{attribute} has type {type}; a {figure} needs numbers (type N)",
    "number-with-attributes": "the result is a number, not items; remove `attributes`",
    "all-of-one-entity": "`all_of` is tested on several items of one entity together; return one entity",
    "all-of-once": "several items can meet only one condition together; state `all_of` once",
    "all-of-and-another": (
        "`{name}` has another condition; items with different values cannot all meet it"
    ),
    "all-of-optional": (
        "without `all_of` the pattern means something else; make it a pattern of its own"
    ),
    "all-of-and-figure": (
        "with `all_of`, no figure can be computed from the answer; list the items"
    ),
    "all-of-stored": "`all_of` compares with an attribute that the items store, of type S, N or B",
    "all-of-in-common": (
        "name what the items, one for each value of `{name}`, have in common, such as the identifier of their parent"
    ),
    "all-of-type": "`{name}` has type {type}; items are compared by values of type S, N or B",
    "all-of-order": "with `all_of`, sort by what is in `attributes`",
    "all-of-with": (
        "`{relationship}` does not lead to one item by `attributes`; add what refers to it"
    ),
    "optional-elsewhere": (
        "the parameter `{name}` is optional in another condition and needed here; give one of them another name"
    ),
    "optional-conditions": (
        "a pattern has at most {most} optional conditions; split it into several patterns"
    ),
    "by-identifier-of-one": (
        "items are found by the identifier of one entity; use kind `list` for several entities"
    ),
    "one-found-by": (
        "one {entity} is found by exact values of {found_by}; otherwise ask for a list, or state that the given values "
        "are unique"
    ),
    "several-found-by": (
        "several {entity} items are found by exact values of {found_by}, with several values for one of them; "
        "otherwise ask for a list"
    ),
    "names": "{names:each}",
    "names-or-unique": (
        "{names:each}, or of {unique:each} ({unique:which is unique|which are unique together})"
    ),
    "no-order": "{line} is not an order; write an attribute and `ascending` or `descending`",
    "peak-below-average": "the peak is below the average; give a peak of at least the average",
    "one-figure": "give exactly one of `sum`, `greatest` and `least`",
    # Writes and transactions
    "times-differ": (
        "members with the rows `{rows}` must have the same `times`; make them equal, or name other rows with `each`"
    ),
    "exists-of-check": "only a `check` has `exists`; remove it",
    "written-twice": (
        "this writes the same {entity} as member {member}; a transaction can write an item only once, so state "
        "everything in one member"
    ),
    "rows-are-parameter": "`{rows}` is already a parameter; give the rows another name with `each`",
    "transaction-too-large": (
        "the transaction touches up to {most:,} items; the limit is {limit}; lower `most`, or split it into several "
        "patterns"
    ),
    "no-place-with-where": (
        "`where` deletes every item that meets it, so `{field}` has no place here; remove one of the two"
    ),
    "optional-in-delete": "a delete has no optional conditions; remove `optional`",
    "no-place-in-verb": "`{field}` has no place in a {verb}; {remedy}",
    "each-without-times": (
        "`each` names the rows of `times`; say how many with `times`, or remove it"
    ),
    "or-without-if": "`or` states alternatives to `if`; write the first one as `if`",
    "changes-nothing": "the update changes nothing; give `set`, `remove`, `add` or `greatest`",
    "tests-another-item": (
        "a write's condition tests the item itself; name one of its attributes, or add a `check` to a transaction"
    ),
    "optional-in-write": "a write has no optional conditions; remove `optional`",
    "compare-source-of-derived": (
        "`{name}` is derived and not stored; compare the attribute that it is derived from"
    ),
    "new-and-old": (
        "`{name}` is the new value in `set` and the old one here; give one of them another name"
    ),
    "set-source-of-derived": (
        "`{name}` is derived and not stored; set the attribute that it is derived from"
    ),
    "attribute-twice": "`{field}` names an attribute twice; name it once",
    "not-identified-by": (
        "a {entity} is identified by {known_by}; name that in `by`, and the rest in `given`"
    ),
    "give-source-of-derived": (
        "`{name}` is derived and not stored; give the attribute that it is derived from"
    ),
    "identifies-already": "`{name}` identifies the item already; remove it here",
    "changed-twice": "`{name}` is changed twice; keep one of the changes",
    "changes-identifier": (
        "`{name}` identifies the {entity} and never changes; delete the item and create another"
    ),
    "change-source-of-derived": (
        "`{name}` is derived and not stored; change the attribute that it is derived from"
    ),
    "add-to-number": "`{name}` has type {type}; only numbers can be added to",
    "greatest-type": "`{name}` has type {type}; `greatest` is for numbers and text",
    "append-to-list": "`{name}` has type {type}; only a list (type L) can be appended to",
    "elements-of-set": (
        "`{name}` has type {type}; only sets (type SS, NS or BS) can gain or lose elements"
    ),
    "now-and-new": (
        "the parameter `{name}` is the value as it is now (in `by` or `given`) and the new one; name the new one "
        "`{new}`"
    ),
    "param-minus-or-value": "give exactly one of `param`, `minus` and `value`",
    "one-verb": "give exactly one of `create`, `update`, `upsert`, `delete` and `check`",
    "exists-of-check-alone": (
        "a `check` says `exists: true`, `exists: false` or `if`; nothing else has `exists`"
    ),
    "names-or-by-unique": "{names:each}, or by what is unique: {ways:alternatives}",
    "all-of-names": "{names:each}",
    "with-set": "{problem}, with `set`",
    "new-item-is-written-whole": (
        "a new item is written whole, from a parameter for each attribute or a constant in `set`"
    ),
    "item-is-written-whole": (
        "the item is written whole, from a parameter for each attribute or a constant in `set`"
    ),
    "deleted-has-nothing-to-change": "a deleted item has nothing to change",
    "check-changes-nothing": "a check changes nothing",
    "remove-it": "remove it",
}
