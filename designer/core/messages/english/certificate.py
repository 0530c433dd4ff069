"""Messages about why a plan cannot have fewer indexes."""

TEMPLATES = {
    "one-key-serves-all": "For each entity, one order of key attributes serves all its access patterns.",
    "patterns-of-entity": "the reads of {entity} in {patterns:pattern}",
    "cases-of-entity": "the reads of {entity} in the cases of {patterns:pattern}",
    "need-different-keys": (
        "{patterns:start} need different key attributes or sort orders, so no single key serves {patterns:both} "
        "in one request without filtering or sorting. The table's own key serves one."
    ),
    "need-different-keys-each": (
        "{patterns:start} need different key attributes or sort orders, so no single key serves two patterns of one "
        "entity in one request without filtering or sorting. Each table's own key serves one."
    ),
    "copy-serves-more": "A copy of the items serves one more.",
    "copies-serve-more": "Copies of the items serve {count} more.",
    "fewer-by-filtering": (
        "These keys would take more indexes than the plan has, because filtering some reads costs less than another "
        "index. With fewer indexes than it has, the plan would cost more."
    ),
}
