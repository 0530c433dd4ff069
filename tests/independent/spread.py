"""Traffic on a partition key, spread over partitions: the same rules as the product's, written apart from it.

Nothing of the product is imported. Partitions are the borders between them on the ring of hashes; every key is looked
up on its own, each second, in exact fractions.
"""

import bisect
import hashlib
from fractions import Fraction
from itertools import pairwise

READS, WRITES = 3000, 1000
BURST, SUSTAINED = 300, 300


class Ring:
    """Borders between partitions; a border is a hash below which another partition's keys end."""

    def __init__(self, partitions: int) -> None:
        # Partition i begins at the smallest hash with hash * partitions >= i * 2 ** 64.
        self.borders = [-(-i * 2**64 // partitions) for i in range(1, partitions)]
        self.names = list(range(partitions))
        self.next = partitions

    def at(self, place: int) -> int:
        return self.names[bisect.bisect_right(self.borders, place)]

    def divide(self, name: int, border: int) -> int:
        at = self.names.index(name)
        self.borders.insert(at, border)
        self.names.insert(at + 1, self.next)
        self.next += 1
        return self.next - 1


def simulate(
    keys: list[str],
    shares: list[Fraction],
    reads: Fraction,
    writes: Fraction,
    partitions: int,
    seconds: int,
    capacity: tuple[int | None, int | None] = (None, None),
) -> tuple[Fraction, Fraction, int]:
    """Read and write units throttled in all, and how many splits there were. Items under a key are never divided."""
    places = [int(hashlib.md5(key.encode()).hexdigest()[:16], 16) for key in keys]
    ring = Ring(partitions)
    over = dict.fromkeys(ring.names, 0)
    saved = {name: [Fraction(0), Fraction(0)] for name in ring.names}
    lost = [Fraction(0), Fraction(0)]
    for _ in range(seconds):
        load = {name: Fraction(0) for name in ring.names}
        for place, share in zip(places, shares, strict=True):
            load[ring.at(place)] += share
        for side, (units, most) in enumerate(((reads, READS), (writes, WRITES))):
            asked = {name: units * load[name] for name in load}
            lost[side] += _second(asked, saved, side, most, capacity[side])
        for name in list(ring.names):
            hot = reads * load[name] > READS or writes * load[name] > WRITES
            over[name] = over[name] + 1 if hot else 0
            if over[name] < SUSTAINED:
                continue
            over[name] = 0
            mine = sorted((p, s) for p, s in zip(places, shares, strict=True) if ring.at(p) == name)
            border = _border(mine)
            if border is not None:
                new = ring.divide(name, border)
                over[new] = 0
                saved[name] = [one / 2 for one in saved[name]]
                saved[new] = list(saved[name])
    return lost[0], lost[1], ring.next - partitions


def _second(
    asked: dict[int, Fraction],
    saved: dict[int, list[Fraction]],
    side: int,
    most: int,
    capacity: int | None,
) -> Fraction:
    """What is throttled; what is saved for later changes."""
    if capacity is None:
        return sum((max(Fraction(0), one - most) for one in asked.values()), Fraction(0))
    part = min(Fraction(most), Fraction(capacity, len(asked)))
    room = Fraction(capacity) - sum(min(one, part) for one in asked.values())
    wants = {name: max(Fraction(0), min(one, most) - part) for name, one in asked.items()}
    given = min(room, sum(wants.values()))
    lost = Fraction(0)
    for name, one in asked.items():
        adapted = wants[name] * given / sum(wants.values()) if given else Fraction(0)
        burst = min(wants[name] - adapted, saved[name][side])
        own = min(one, part)
        unused = (part - own) * (1 - given / room if room else 1)
        saved[name][side] = min(part * BURST, saved[name][side] - burst + unused)
        lost += one - own - adapted - burst
    return lost


def _border(mine: list[tuple[int, Fraction]]) -> int | None:
    """The hash from which the second half begins, so that the hotter half is coolest; the first of equals."""
    whole = sum(share for _, share in mine)
    best, below = None, Fraction(0)
    hotter = whole
    for (_, share), (place, _) in pairwise(mine):
        below += share
        if max(below, whole - below) < hotter:
            hotter, best = max(below, whole - below), place
    return best
