"""Messages about designs that state more than a design may."""

TEMPLATES = {
    "most-entities": (
        "a design has at most {most:,} entities, but this one has {count:counted}; split it into several designs"
    ),
    "most-relationships": (
        "a design has at most {most:,} relationships, but this one has {count:counted}; split it into several designs"
    ),
    "most-patterns": (
        "a design has at most {most:,} patterns, but this one has {count:counted}; split it into several designs"
    ),
    "most-entities-in-pins": (
        "the pins of tables in a design name at most {most:,} entities, but these name {count:counted}; pin fewer of "
        "them together"
    ),
    "most-recorded-names": (
        "a style has at most {most:,} recorded names of this kind, but this one has {count:counted}; record the names "
        "again"
    ),
    "most-recorded-attributes": (
        "an index is recorded to hold at most {most:,} attributes, but this one holds {count:counted}; record the "
        "names again"
    ),
    "most-recorded-parts": (
        "a key has at most {most:,} recorded parts, but this one has {count:counted}; record the names again"
    ),
    "most-pins": (
        "a design has at most {most:,} pins, but this one has {count:counted}; remove some: for each the planner "
        "makes another plan without it"
    ),
    "most-ignored": (
        "a design has at most {most:,} ignored findings, but this one has {count:counted}; ignore a rule everywhere "
        "instead"
    ),
    "most-nodes": (
        "`work_limit` is at most {most:,} nodes of the search, but here it is {count:counted}; more would take minutes"
    ),
    "most-worth": (
        "`worth` is at most {most:,} US dollars a month, but here it is {count:counted}; check the figure"
    ),
    "most-attributes": (
        "an entity has at most {most:,} attributes, but this one has {count:counted}; keep details together in one "
        "attribute of type M"
    ),
    "most-attributes-in-all": (
        "a design has at most {most:,} attributes in all, but this one has {count:counted}; split it into several "
        "designs, or keep details together in attributes of type M"
    ),
    "most-examples": (
        "an attribute has at most {most:,} examples, but this one has {count:counted}; leave some out: tables show a "
        "handful"
    ),
    "most-values": (
        "an attribute has at most {most:,} values, but this one has {count:counted}; leave them out and say how many "
        "there are as `distinct`"
    ),
    "most-conditions": (
        "`where` has at most {most:,} conditions, but this one has {count:counted}; put those that only drop items "
        "under `keep`: a key has few parts"
    ),
    "most-conditions-of-kind": (
        "a pattern has at most {most:,} conditions of this kind, but this one has {count:counted}; ask for less at "
        "once"
    ),
    "most-combinations": (
        "`where` has at most {most:,} combinations of the values of its lists, but this one has {count:counted}; a "
        "Query reads one of them: shorten the lists, or put some under `keep`"
    ),
    "most-order": (
        "`order` has at most {most:,} attributes, but this one has {count:counted}; leave out those that no "
        "longer decide anything"
    ),
    "most-wanted": (
        "a pattern needs at most {most:,} attributes, but this one needs {count:counted}; leave them out to ask for "
        "all"
    ),
    "most-references": (
        "a relationship has at most {most:,} attributes under `by`, but this one has {count:counted}; name each once"
    ),
    "most-optional": (
        "a pattern has at most {most:,} optional conditions, but this one has {count:counted}; split it into several "
        "patterns: each doubles the cases"
    ),
    "most-cases": (
        "a design has at most {most:,} cases with and without its optional conditions, but this one has "
        "{count:counted}; make some conditions required, or split it into several designs"
    ),
    "most-along": (
        "a pattern has at most {most:,} relationships under `with`, but this one has {count:counted}; ask for less at "
        "once"
    ),
    "most-returned": (
        "a pattern returns at most {most:,} entities, but this one returns {count:counted}; ask for fewer at once"
    ),
    "most-changed": (
        "a write changes at most {most:,} attributes, but this one changes {count:counted}; keep details together in "
        "one attribute of type M"
    ),
    "most-alternatives": (
        "a write has at most {most:,} lists under `or`, but this one has {count:counted}; split it into several "
        "patterns"
    ),
    "most-named": (
        "a write has at most {most:,} attributes of this kind, but this one has {count:counted}; name those that find "
        "the item"
    ),
    "most-said": (
        "a pattern has at most {most:,} conditions, sorted attributes and changes in all, but this one has "
        "{count:counted}; split it into several patterns: its form has a row for each"
    ),
    "most-rate": (
        "a pattern runs at most {most:,} times a second, but this one runs {count:counted}; check the figure: all of "
        "Amazon's own shops together peaked at 151 million requests a second"
    ),
    "most-distinct": (
        "an attribute has at most {most:,} different values in use, but this one has {count:counted}; check the figure"
    ),
    "most-children": (
        "one item has at most {most:,} items on the other side of a relationship, but this one has {count:counted}; "
        "check the figure"
    ),
    "most-expected": (
        "a pattern returns at most {most:,} items, but this one returns {count:counted}; check the figure"
    ),
    "most-latency": (
        "`latency_ms` is at most {most:,} milliseconds, but here it is {count:counted}; answers take less than a day"
    ),
    "share-is-none": "a share this small is practically zero; write 0",
    "rate-is-never": "once in thousands of years is practically never; write 0",
}
