"""Messages that name what a decision is about, as a heading."""

TEMPLATES = {
    "about-apart": "Apart {names}",
    "about-copy": "Copy {names}",
    "about-figure": "Figure {names}",
    "about-guard": "Guard {names}",
    "about-identifier": "Identifier {names}",
    "about-index": "Index {names}",
    "about-key": "Key {names}",
    "about-look-up": "Look-up {names}",
    "about-pattern": "Pattern {names}",
    "about-pin": "Pin {names}",
    "about-pins": "Pins {names}",
    "about-shards": "Shards {names}",
    "about-table": "Table {names}",
    "about-together": "Together {names}",
}
