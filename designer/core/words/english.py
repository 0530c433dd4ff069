"""Words of sentences: articles, plurals and lists."""

import re
from collections.abc import Sequence

from designer.core.words.lacking import lacking

_VOWEL_SOUND = re.compile(r"(?!eu|one(?!r)|once)[aeio]|un(?!i)|up|hour|honou?r|honest|heir", re.I)


def a(noun: str) -> str:
    """The noun with its article, by its first sound.

    >>> a("Order"), a("HourSummary"), a("User"), a("Upload")
    ('an Order', 'an HourSummary', 'a User', 'an Upload')
    """
    return f"{'an' if _VOWEL_SOUND.match(noun) else 'a'} {noun}"


def plural(noun: str) -> str:
    """Several of them: `Orders`, `Categories`, `Addresses`.

    >>> plural("Category"), plural("Address"), plural("Day"), plural("Settings")
    ('Categories', 'Addresses', 'Days', 'Settings')
    """
    if re.search(r"[^aisu]s$", noun):
        return noun  # it names several already
    if re.search(r"[^aeiouAEIOU]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


def when_given(parameters: Sequence[str] | None) -> str:
    """In which case of a pattern with optional parameters; empty for a pattern without any.

    >>> when_given(["since", "until"]), when_given([])
    ('when only “since” and “until” are given', 'when no optional parameter is given')
    """
    if parameters is None:
        return ""
    if not parameters:
        return "when no optional parameter is given"
    return f"when only {joined(parameters)} {'is' if len(parameters) == 1 else 'are'} given"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: `one, two and three`.

    >>> joined(["one", "two", "three"]), joined(["name", "about"])
    ('one, two and three', 'name and “about”')
    """
    said = [named(word) for word in words]
    if len(said) < 2:
        return "".join(said)
    return f"{', '.join(said[:-1])} {last} {said[-1]}"


_READ_ON = frozenset(
    re.findall(
        r"\w+",
        "about above after again all among any as at before behind below between beyond but by during each "
        "either for from if in inside into is it its like near of off on once only or out outside over past "
        "per since so some such than that the then through to toward under until up upon when where which "
        "while who whose with within without",
    )
)
"""Words with which a sentence goes on."""


def named(name: str) -> str:
    """A name in a sentence: in quotes, if the sentence would go on with it.

    >>> named("about"), named("name")
    ('“about”', 'name')
    """
    return f"“{name}”" if name in _READ_ON else name


def ordinal(number: int) -> str:
    """A place in an order.

    >>> [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 21, 112)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '112th']
    """
    ending = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def spoken(names: tuple[str, ...]) -> str:
    """Names as a person would say them: a, b and c.

    >>> spoken(("a", "b", "c")), spoken(("a", "absent(b)"))
    ('a, b and c', 'a and the absence of b')
    """
    said = [
        named(name) if (lacks := lacking(name)) is None else f"the absence of {named(lacks)}"
        for name in names
    ]
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


def clause(sentence: str) -> str:
    """A sentence as it stands within another one. A name at its start stays as it is.

    >>> clause("A new Order could have the key of an old one."), clause("GSI1 is gone.")
    ('a new Order could have the key of an old one', 'GSI1 is gone')
    """
    first = sentence.partition(" ")[0]
    start = first.lower() if first in COMMON else first
    return f"{start}{sentence[len(first) :].rstrip('.')}"


COMMON = frozenset(("A", "An", "It", "Its", "Numbers", "Pattern", "Patterns", "The"))
"""First words of sentences that are no names."""


def ended(words: str) -> str:
    """The words with a full stop, unless they end a sentence already.

    >>> ended("remove it"), ended("did you mean `email`?"), ended("It is called “they visit.”")
    ('remove it.', 'did you mean `email`?', 'It is called “they visit.”')
    """
    return words if words.rstrip("”`").endswith((".", "?", "!")) else f"{words}."
