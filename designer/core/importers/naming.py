"""Names of tables and columns as a design writes them: `film_actors` becomes FilmActor."""

import re
import unicodedata

from designer.core.words.spoken import singular, words

_LONGEST = 60


def entity_name(table: str) -> str:
    """What a table's rows are called, in the singular: `film_actors` FilmActor; empty where nothing can be."""
    found = words(table)
    if found:
        found[-1] = singular(found[-1])
    name = "".join(word.capitalize() for word in found).lstrip("0123456789")
    return name[:_LONGEST]


def attribute_name(column: str) -> str:
    """A column's name with what a parameter's may have only; empty where nothing is left."""
    plain = unicodedata.normalize("NFKD", column).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_]+", "_", plain).lstrip("_0123456789")[:_LONGEST]


def free(wanted: str, taken: set[str], otherwise: str) -> str:
    """The name, or one with a number, that nothing in `taken` (without capitals) has; it is taken then."""
    base = wanted or otherwise
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        name = f"{base}{number}"
    taken.add(name.casefold())
    return name
