"""Words of sentences: articles, plurals and lists."""

import re
from collections.abc import Sequence


def a(noun: str) -> str:
    """The noun with its article: `an Order`."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def plural(noun: str) -> str:
    """Several of them: `Orders`, `Categories`, `Addresses`.

    >>> plural("Category"), plural("Address"), plural("Day")
    ('Categories', 'Addresses', 'Days')
    """
    if re.search(r"[^aeiouAEIOU]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: `one, two and three`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
