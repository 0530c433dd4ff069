"""Messages about documents that are no designs: text that cannot be read, and parts of another shape."""

TEMPLATES = {
    # Where a problem is
    "at-line": "line {line}, {problem}",
    "at-place": "{place}: {problem}",
    "in-document": "{name}, {problem}.",
    "many-problems": "{name} has {count} problems. The first: {problem}.",
    "too-many-problems": "{name} has more than {count} problems. The first: {problem}.",
    # Text
    "document-too-large": (
        "{name} is larger than {megabytes:.0f} MB of text, the most a design may be. Leave out what is not part of "
        "the design, such as data, or split it into several designs."
    ),
    "byte-not-utf8": "byte 0x{byte} is not UTF-8 text; save the file as UTF-8",
    "yaml-colon": (
        "there is a colon where no field can begin; put text that contains `: ` in quotes, and check the indentation"
    ),
    "yaml-field-without-colon": "a field needs a colon and a space after its name",
    "yaml-first-character": (
        "text cannot begin with this character; put the text in quotes, and indent with spaces"
    ),
    "yaml-no-field": "no field of this block begins here; check the indentation and the quotes",
    "yaml-no-element": "no element of this list begins here; check the indentation",
    "yaml-unclosed-brace": "a comma or a closing }} is missing",
    "yaml-unclosed-bracket": "a comma or a closing ] is missing",
    "yaml-unclosed-quote": "a quote is opened and never closed",
    "yaml-tab": "there is a tab here; indent with spaces",
    "yaml-escape-is-no-character": "this escape is not a character; write the character itself",
    "yaml-control-character": "there is a control character here; remove it",
    "yaml-no-such-escape": (
        "no such escape after a backslash; put the text in single quotes, or double the backslash"
    ),
    "yaml-anchor-or-alias": "text that begins with & or * must be in quotes",
    "yaml-after-end": "text goes on after the end of the document; check the indentation",
    "not-yaml": "this is not YAML: {problem}",
    "yaml-remove-character": "{problem}; remove the character",
    "yaml-second-document": "a second document begins; keep each design in a file of its own",
    "yaml-directives": "a design has no YAML directives; remove the line with %",
    "yaml-alias": "the alias *{anchor} is not allowed; repeat the part in full",
    "yaml-anchor": (
        "the anchor &{anchor} is not allowed; remove it, or put text that begins with & in quotes"
    ),
    "yaml-tag": "the tag {tag} is not allowed; remove it, or put text that begins with ! in quotes",
    "half-a-character": "there is half a character here (a lone surrogate); remove it",
    "too-many-digits": "a number has at most {most} digits",
    "not-finite": "{value} is not a number that a design can hold; put it in quotes if it is text",
    "number-out-of-range": "{value} is too large a number",
    "too-many-parts": "a design has at most {most:,} parts; split it into several designs",
    "yaml-field-not-a-word": (
        "the name of a field must be one word; put text that begins with {{ or [ in quotes"
    ),
    "yaml-merge-key": "the merge key << is not allowed; repeat the fields in full",
    "field-twice": "the field is written twice (first in line {line}); keep one",
    "nested-too-deep": "parts are nested more than {most} levels deep; no design needs that",
    "nul-character": "there is a NUL character here; remove it",
    "document-empty": "{name} is empty. A design begins with `keywright: 1` and `name: ...`.",
    "no-design-in-document": (
        "{name} holds `{value}` instead of a design. A design begins with `keywright: 1` and `name: ...`."
    ),
    "format-missing": (
        "the version of the format is missing; write `keywright: {newest}` at the top"
    ),
    "format-not-a-number": (
        "the version of the format is a whole number from 1; write `keywright: {newest}`"
    ),
    "format-too-new": (
        "this design has format {version}, and this version of Keywright knows formats up to {newest}; open it "
        "with a newer version of Keywright"
    ),
    # The shape of parts
    "with-remedy": "{problem}; {remedy}",
    "choose-from": "choose from {names:quoted}",
    "no-such-field": "there is no field `{name}` here",
    "field-missing": "the field `{name}` is missing; write it",
    "field-missing-for-example": "the field `{name}` is missing; write it, for example `{example}`",
    "kind-missing": "the field `kind` is missing",
    "no-such-kind": "`{name}` is not a kind of access pattern",
    "not-known-here": "`{value}` is not known here",
    "only-true": "write `{name}: true`, or leave the field out",
    "only-true-or-opposite": "write `{name}: true`, or `{opposite}: true` for the opposite",
    "text-empty": "the text is empty",
    "does-not-fit": "`{value}` does not fit",
    "see-the-format": "see the description of the format",
    "out-of-range": "`{value}` is out of range; the number must be {remedy}",
    "at-least": "at least {limit:exact}",
    "more-than": "more than {limit:exact}",
    "at-most": "at most {limit:exact}",
    "less-than": "less than {limit:exact}",
    "name-form": "a name is a letter, then up to 63 letters, digits or _",
    "attribute-name-form": (
        "an attribute's name is a letter or _, then up to 126 letters, digits, _ or -"
    ),
    "attribute-path-form": (
        "write an attribute, or a path such as `seller.regionId`: relationships, then an attribute"
    ),
    "line-form": "this is one line of text, without line breaks or control characters",
    "text-form": "this is text without control characters",
    "id-form": "an id is up to 40 letters, digits and hyphens",
    "prefix-form": "a prefix is up to 40 letters, digits, _, . or -",
    "reference-form": "write an entity and its attribute: `refers_to: User.userId`",
    "derived-form": (
        "write `date(attribute)`, `hour(attribute)`, `month(attribute)` or `year(attribute)`"
    ),
    "aggregate-form": (
        "write `count of relationship`, or `sum of relationship.attribute`, also with `greatest` and `least`"
    ),
    "region-form": "write the code of an AWS Region, such as `eu-west-1`",
    "table-prefix-form": (
        "a table's name may hold letters, digits, _, . and -; the prefix is at most 60 of them"
    ),
    "write-text": "write text here; text that looks like a number or like true goes in quotes",
    "write-true-or-false": "write true or false",
    "write-whole-number": "write a whole number",
    "write-number": "write a number",
    "write-finite-number": "write a finite number",
    "write-list": "write a list: [one, another], or one element a line with `- ` before it",
    "write-fields": "write fields here: {{field: value}}",
    "write-scalar": "write text, a number, true or false",
    "write-names": "write a name, or a list of names",
    "write-whole-character": "there is half a character here; remove it",
    "list-lacks-element": "the list is too short; element {element} is missing",
    "nothing-written-for-example": "nothing is written here; write it, for example `{example}`",
    "nothing-written": "nothing is written here; {remedy}, or leave the field out",
    "long-and-does-not-fit": "`{value}` has {length} characters and does not fit",
    "text-empty-or-left-out": "the text is empty; write something or leave the field out",
    "text-too-long": "the text has {length:,} characters; at most {most:,} are allowed",
    "list-too-short": "the list is too short; name at least {least}",
    "list-too-long": "the list is too long; it holds at most {most}",
    "does-not-fit-because": "`{value}` does not fit: {problem}",
}
