"""Messages about copies of attributes, and about related items that are read or tested."""

TEMPLATES = {
    # What is, or could be, chosen
    "copied": "{attributes}, through the relationship “{relationship}”",
    "second-read": "a second read for the {parent}",
    "by-second-read": "{parent} by a second read",
    "copies-in-each": "copies in each {child}",
    "tested-on-copies": "tested on copies in each {child}",
    "tested-on-parent": "tested on the {parent} itself",
    # Why
    "asked-by-copy": (
        "{patterns:Pattern} {patterns:queries|query} by {attributes}, but a key can hold only attributes of its own "
        "item. So each {entity} has a copy."
    ),
    "copies-cost-less": (
        "{patterns:Pattern} also {patterns:returns|return} the {parent}, and copies cost less than separate reads."
    ),
    "copied-on-write": (
        "A write that sets the {parent} of an item first reads the copied values from that {parent}."
    ),
    "copy-never-changes": "No write changes the original afterwards.",
    "copy-updated-by-stream": (
        "After a change to {changed:or}, a stream consumer updates about {items:,.3g} {entity} {items:item|items}. It "
        "does so a moment later, in the order of the changes, and perhaps more than once, which does no harm. An "
        "item that is written during a change can miss that change."
    ),
    "also-returns": "{patterns:Pattern} also {patterns:returns|return} the {parent}.",
    "tests-parent": (
        "{patterns:Pattern} {patterns:tests|test} attributes of the {parent}, which {patterns:it reads|they read} "
        "anyway."
    ),
    # Why another one was not chosen
    "saves-nothing": "saves nothing",
    "takes-more-requests": "takes more requests",
}
