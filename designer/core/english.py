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


def when_given(parameters: Sequence[str] | None) -> str:
    """In which case of a pattern with optional parameters; empty for a pattern without any.

    >>> when_given(["since", "until"]), when_given([])
    ('when only since and until are given', 'when no optional parameter is given')
    """
    if parameters is None:
        return ""
    if not parameters:
        return "when no optional parameter is given"
    return f"when only {joined(parameters)} {'is' if len(parameters) == 1 else 'are'} given"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: `one, two and three`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
