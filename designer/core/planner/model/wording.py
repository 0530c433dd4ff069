"""Names for tables and keys, and how sentences begin."""

import re

FEW_VALUES = 3
"""Values of a sparse index that names say, at the most."""


def capital(name: str) -> str:
    """A name as part of a longer one: placed_at becomes PlacedAt."""
    name = re.sub(r"[^A-Za-z0-9]+(.)?", lambda match: (match[1] or "").upper(), name)
    return name[:1].upper() + name[1:]


def sentence(words: str) -> str:
    """The words with a capital at the start."""
    return words[:1].upper() + words[1:]


def plural(name: str) -> str:
    """An entity's name for its table: Orders, Boxes, Categories."""
    if re.search(r"[^aeiou]y$", name):
        return name[:-1] + "ies"
    return name + ("es" if re.search(r"(s|x|z|ch|sh)$", name) else "s")
