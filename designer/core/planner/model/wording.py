"""How the planner's sentences list things."""

import re

from designer.core.design.lacking import lacking


def spoken(names: tuple[str, ...]) -> str:
    """Names as a person would say them: a, b and c.

    >>> spoken(("a", "b", "c")), spoken(("a", "absent(b)"))
    ('a, b and c', 'a and the lack of b')
    """
    said = [name if (lacks := lacking(name)) is None else f"the lack of {lacks}" for name in names]
    return " and ".join(said) if len(said) < 3 else f"{', '.join(said[:-1])} and {said[-1]}"


def limited(only: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    """Which items an index that is sparse on purpose is limited to, to follow its key.

    >>> limited((("state", ("PAID", "SENT")),))
    ', only where state is PAID or SENT'
    """
    said = tuple(f"{name} is {' or '.join(values)}" for name, values in only)
    return f", only where {spoken(said)}" if said else ""


def numbered(numbers: tuple[int, ...]) -> str:
    """Patterns by their numbers: Pattern 3; Patterns 3 and 4."""
    return f"Pattern{'' if len(numbers) == 1 else 's'} {spoken(tuple(map(str, numbers)))}"


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
