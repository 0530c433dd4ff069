"""Which values are in a list that a caller gives: of different values, each as often as people ask for it."""

from collections.abc import Sequence


def among(values: Sequence[tuple[float, float]], length: float) -> list[float]:
    """How often each of some values is in a list of so many. `values`: how often they are asked for in all, and the
    share of the items of each.

    One after the other is put into the list, out of those that are not in it yet.
    """
    many = [often / part for often, part in values]
    if length >= sum(many) * (1 - 1e-9):
        return [1.0] * len(values)
    out, left = [1.0] * len(values), length
    while left > 0:
        remain = sum(n * part * free for n, (_, part), free in zip(many, values, out, strict=True))
        next_one = [
            free * part / (part + remain - part * free)
            for (_, part), free in zip(values, out, strict=True)
        ]
        whole = sum(n * one for n, one in zip(many, next_one, strict=True)) / min(1.0, left)
        out = [max(0.0, free - one / whole) for free, one in zip(out, next_one, strict=True)]
        left = max(0.0, left - 1)
        over = sum(n * free for n, free in zip(many, out, strict=True))
        out = [free * (sum(many) - length + left) / over for free in out]
    return [1 - free for free in out]


def found_by(values: Sequence[tuple[float, float]], length: float) -> float:
    """The share of the items that have any of its values."""
    there = among(values, length)
    return sum(often * one for (often, _), one in zip(values, there, strict=True))


def is_uneven(values: Sequence[tuple[float, float]]) -> bool:
    """Whether more items have some of the values than others."""
    return len({part for _, part in values}) > 1
