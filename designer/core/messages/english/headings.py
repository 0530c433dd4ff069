"""Messages that name what a decision is about, as a heading."""

TEMPLATES = {
    "about-apart": "Storage of {names}",
    "about-copy": "Copy {names}",
    "about-figure": "Aggregate {names}",
    "about-guard": "Guard of {names}",
    "about-index": "Index {names}",
    "about-key": "Key of {names}",
    "about-look-up": "Look-up of {names}",
    "about-pattern": "Pattern {names}",
    "about-pin": "Pin {names}",
    "about-pins": "Pins {names}",
    "about-shards": "Counters for {names}",
    "about-table": "Table {names}",
    "about-together": "{names:and} in one item",
}
