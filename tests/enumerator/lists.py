"""Which values are in a list that a caller gives: of different values, each as often as people ask for it."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

Values = Sequence[tuple[float, float]]
"""How often values are asked for in all, and the share of the items of each of them."""


def lists(values: Values, length: float) -> list[tuple[float, tuple[int, ...]]]:
    """Every list of so many: how often it is asked for, and how many of the values of each entry are in it.

    Of a length that is no whole number, some lists have one value more than others.
    """
    many = [often / part for often, part in values]
    if length >= sum(many) * (1 - 1e-9):
        return [(1.0, tuple(round(n) for n in many))]
    whole, rest = int(length), length - int(length)
    found = Counter({had: often * (1 - rest) for had, often in _drawn(tuple(values), whole)})
    if rest:
        for had, often in _drawn(tuple(values), whole + 1):
            found[had] += often * rest
    return [(often, had) for had, often in found.items() if often]


@lru_cache(maxsize=512)
def _drawn(
    values: tuple[tuple[float, float], ...], length: int
) -> tuple[tuple[tuple[int, ...], float], ...]:
    """One after the other is put into the list, out of those that are not in it yet."""
    if not length:
        return (((0,) * len(values), 1.0),)
    found: Counter[tuple[int, ...]] = Counter()
    for had, often in _drawn(values, length - 1):
        free = [max(0.0, of - n * part) for n, (of, part) in zip(had, values, strict=True)]
        for at, one in enumerate(free):
            with_it = tuple(n + (at == place) for place, n in enumerate(had))
            found[with_it] += often * one / sum(free)
    return tuple(found.items())


def among(values: Values, length: float) -> list[float]:
    """How often each of some values is in a list of so many."""
    found = lists(values, length)
    return [
        min(1.0, sum(often * had[at] for often, had in found) * part / of)
        for at, (of, part) in enumerate(values)
    ]


def found_by(values: Values, length: float) -> float:
    """The share of the items that have any of its values."""
    there = among(values, length)
    return sum(often * one for (often, _), one in zip(values, there, strict=True))


def together(values: Values, length: float) -> list[tuple[float, float]]:
    """How often lists are asked for, and the share of the items that have any value of each."""
    return [
        (often, sum(n * part for n, (_, part) in zip(had, values, strict=True)))
        for often, had in lists(values, length)
    ]


def one_by_one(values: Values, length: float) -> list[tuple[float, float]]:
    """The same of the values of such lists, each by itself."""
    there = among(values, length)
    return [(of / part * one / length, part) for (of, part), one in zip(values, there, strict=True)]


def is_uneven(values: Values) -> bool:
    """Whether more items have some of the values than others."""
    return len({part for _, part in values}) > 1
