"""Messages about designs that state more than a design may."""

TEMPLATES = {
    "most-entities": (
        "a design has at most {most:,} entities, and here are {count:counted}; split it into several designs"
    ),
    "most-relationships": (
        "a design has at most {most:,} relationships, and here are {count:counted}; split it into several designs"
    ),
    "most-patterns": (
        "a design has at most {most:,} patterns, and here are {count:counted}; split it into several designs"
    ),
    "most-entities-in-pins": (
        "a design has at most {most:,} entities named by its pins of tables, and here are {count:counted}; pin fewer "
        "of them together"
    ),
    "most-recorded-names": (
        "a style has at most {most:,} recorded names of this kind, and here are {count:counted}; record names anew"
    ),
    "most-recorded-attributes": (
        "an index has at most {most:,} attributes that it is recorded to hold, and here are {count:counted}; record "
        "names anew"
    ),
    "most-recorded-parts": (
        "a key has at most {most:,} recorded parts, and here are {count:counted}; record names anew"
    ),
    "most-pins": (
        "a design has at most {most:,} pins, and here are {count:counted}; remove some: each is priced by a plan "
        "without it"
    ),
    "most-ignored": (
        "a design has at most {most:,} ignored findings, and here are {count:counted}; ignore a rule everywhere instead"
    ),
    "most-nodes": (
        "`work_limit` has at most {most:,} nodes, and here are {count:counted}; more would take minutes"
    ),
    "most-worth": (
        "`worth` has at most {most:,} US dollars a month, and here are {count:counted}; check the figure"
    ),
    "most-attributes": (
        "an entity has at most {most:,} attributes, and here are {count:counted}; keep details together in one of "
        "type M"
    ),
    "most-examples": (
        "an attribute has at most {most:,} examples, and here are {count:counted}; leave some out: tables show a "
        "handful"
    ),
    "most-values": (
        "an attribute has at most {most:,} values, and here are {count:counted}; leave them out and say how many "
        "there are as `distinct`"
    ),
    "most-conditions": (
        "`where` has at most {most:,} conditions, and here are {count:counted}; put those that only drop items under "
        "`keep`: a key has few parts"
    ),
    "most-conditions-of-kind": (
        "a pattern has at most {most:,} conditions of this kind, and here are {count:counted}; ask for less at once"
    ),
    "most-combinations": (
        "`where` has at most {most:,} combinations of the values of its lists, and here are {count:counted}; a Query "
        "reads one of them: shorten the lists, or put some under `keep`"
    ),
    "most-order": (
        "`order` has at most {most:,} attributes, and here are {count:counted}; leave out those that decide nothing "
        "any more"
    ),
    "most-wanted": (
        "a pattern has at most {most:,} attributes that it needs, and here are {count:counted}; leave them out to "
        "ask for all"
    ),
    "most-references": (
        "a relationship has at most {most:,} attributes under `by`, and here are {count:counted}; name each once"
    ),
    "most-optional": (
        "a pattern has at most {most:,} optional conditions, and here are {count:counted}; split it into several "
        "patterns: each doubles the cases"
    ),
    "most-cases": (
        "a design has at most {most:,} cases with and without its optional conditions, and here are {count:counted}; "
        "make some conditions firm, or split it in several designs"
    ),
    "most-along": (
        "a pattern has at most {most:,} relationships under `with`, and here are {count:counted}; ask for less at once"
    ),
    "most-returned": (
        "a pattern has at most {most:,} entities that it returns, and here are {count:counted}; ask for fewer at once"
    ),
    "most-changed": (
        "a write has at most {most:,} attributes that it changes, and here are {count:counted}; keep details "
        "together in one of type M"
    ),
    "most-alternatives": (
        "a write has at most {most:,} lists under `or`, and here are {count:counted}; split it in several patterns"
    ),
    "most-named": (
        "a write has at most {most:,} attributes of this kind, and here are {count:counted}; name those that find "
        "the item"
    ),
    "most-said": (
        "a pattern has at most {most:,} conditions, sorted attributes and changes in all, and here are "
        "{count:counted}; split it in several patterns: its form has a row for each"
    ),
    "most-rate": (
        "a pattern has at most {most:,} requests a second, and here are {count:counted}; check the figure: all of "
        "Amazon's own shops took 151 million on their busiest day"
    ),
    "most-distinct": (
        "an attribute has at most {most:,} different values in use, and here are {count:counted}; check the figure"
    ),
    "most-children": (
        "one item has at most {most:,} items on the other side of a relationship, and here are {count:counted}; "
        "check the figure"
    ),
    "most-expected": (
        "a pattern has at most {most:,} items that it returns, and here are {count:counted}; check the figure"
    ),
    "most-latency": (
        "`latency_ms` has at most {most:,} milliseconds, and here are {count:counted}; answers take less than a day"
    ),
    "share-is-none": "a share this small is none; write 0",
    "rate-is-never": "once in thousands of years is never; write 0",
}
