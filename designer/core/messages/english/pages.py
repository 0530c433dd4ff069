"""Messages of the pages, and of the addresses that programs read: why they do not do what was asked."""

TEMPLATES = {
    "part-is-gone": "This {part} is no longer in the design.",
    "subject-of-thread-gone": "What this thread is about is no longer in this design.",
    "box-needs-place": "Give the position of the box as two numbers.",
    "entity-needs-name": "An entity needs a name.",
    "not-an-entity-name": "This is not a name for an entity.",
    "renamed-meanwhile": "Somebody else has renamed this entity in the meantime.",
    "not-a-number-of": "“{typed}” is not a valid number of {what}.",
    "no-earlier-revision": "There is no earlier revision with that number to compare with.",
    "steps-outdated": "The design was changed in the meantime. Look at its steps again.",
    "file-too-large": "The file is larger than {kilobytes:,} kB.",
    "file-not-utf8": "The file is not text in UTF-8.",
    "finding-gone": (
        "This finding no longer exists, or the plan is still being calculated. Nothing was changed."
    ),
    "changed-meanwhile": (
        "Somebody else has changed this, or something that would be removed with it. It was not removed."
    ),
    # What programs are answered.
    "address-read-only": "This address is read-only.",
    "formats-are": "The formats are {names:joined}.",
    "templates-are": "The templates are {names:joined}.",
    "styles-are": "The styles are {names:joined}.",
    "nothing-at-address": "There is nothing at this address.",
    "token-needed": "Send a valid token in the header `Authorization: Bearer TOKEN`.",
    "token-opens-other-designs": "This token gives access to no such design.",
    "no-revision-approved": "No revision of this design is approved.",
    "revision-named-by": "Write draft, approved or the number of a revision.",
    "planning-stopped": "Planning was stopped. {reason}",
    # Why a calculation was stopped, and what in the design makes it long.
    "stopped-at-limit": "{limit} {heavy:text}",
    "memory-at-limit": "It needed more memory than one design may take.",
    "process-ended": "Its process was ended from outside.",
    "time-at-limit": "It took more than {seconds} s.",
    "heavy-optional-conditions": "Pattern {pattern} has {count} optional conditions.",
    "heavy-conditions": "Pattern {pattern} has {count} conditions.",
    "heavy-entities-returned": "Pattern {pattern} returns {count} entities at once.",
    "heavy-reads-of-entity": "{count:,} {count:pattern reads|patterns read} {entity}.",
    "heavy-pins": (
        "The design has {count} {count:pin|pins}, and the planner prices each by a plan without it."
    ),
    "heavy-design": (
        "The design has {patterns:,} access {patterns:pattern|patterns} and {entities:,} {entities:entity|entities}."
    ),
    "plan-not-ready": "The plan is being calculated. Try again in a moment.",
    "plan-failed": "The design could not be planned. That is our mistake, not yours.",
}
