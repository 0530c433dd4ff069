"""Messages about what was typed into a form."""

TEMPLATES = {
    "not-filled-in": "Not filled in yet.",
    "nothing-changed": "Nothing was filled in or changed.",
    "not-a-number": "“{typed}” is not a number.",
    "typed-out-of-range": "“{typed}” is out of range.",
    "outside-bounds": "Enter a number from {least:exact} to {most:exact}.",
    "typed-not-within": "“{typed}” is out of range; write 0 to {most} {unit}.",
    "neither-true-nor-false": "“{typed}” is neither true nor false.",
    "times-a-day-needed": "State how many times a day, here or at an access pattern.",
    "reference-unlike-identifier": (
        "{parent} is identified by {identifier:joined}: name as many attributes, in that order."
    ),
    "patterns-at-once": "Add at most {most} access patterns at once.",
    "values-times-shards": "Values times shards can be at most {most:,} here.",
    "traffic-needed": "State how often it is read or written.",
    # Where a problem is.
    "in-line": "Line {line}: {problem}",
    "in-what-is-picked": "What is picked: {problem}",
    "problems-of-lines": "{problems:text}",
    "typed-problem": "{problem:typed}",
}
