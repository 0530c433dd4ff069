"""Prices and their differences as explanations say them."""

from collections.abc import Iterable, Iterator

from designer.core.messages import Message, say
from designer.core.plan import Upkeep

CENT = 0.005
"""US dollars a month that make no difference."""
NO_BETTER = say("no-better")


MATERIAL = 1.0
"""US dollars a month below which a difference decides nothing: rates and sizes are guesses."""
MATERIAL_SHARE = 0.01
"""The same as a share of the larger price."""
LEAST_USD = 1e-4
"""The least amount in US dollars that plans write."""


def is_material(was: float, now: float) -> bool:
    """Whether the difference of two prices, in US dollars a month, is more than rates and sizes can tell apart."""
    return abs(now - was) >= max(MATERIAL, MATERIAL_SHARE * max(was, now))


def dearer(was: float, now: float) -> Message:
    """How much more or less costs what has one price instead of another, both in US dollars a month.

    From both as they are written, so that the three agree.
    """
    usd = round(now, 2) - round(was, 2)
    if not usd:
        return say("about-the-same-cost")
    much, little = "costs-more", "costs-slightly-more"
    if usd < 0:
        much, little = "costs-less", "costs-slightly-less"
    return say(much if is_material(was, now) else little, usd=round(abs(usd), 2))


def upkeep_adds(upkeep: Iterable[Upkeep]) -> Iterator[Message]:
    """What upkeep adds to each month, in one sentence; none where nothing that causes it has a rate."""
    rated = [one for one in upkeep if one.per_second]
    read = sum(one.read_units_per_month or 0 for one in rated)
    write = sum(one.write_units_per_month or 0 for one in rated)
    if rated:
        yield units_added(read, write, sum(one.usd_per_month or 0 for one in rated))


def units_added(read: float, write: float, usd: float) -> Message:
    """Read and write units, and US dollars, a month. What runs is never for nothing, however its price is rounded."""
    usd = max(usd, LEAST_USD)
    if read:
        return say("upkeep-adds-reads", read=read, write=write, usd=usd)
    return say("upkeep-adds", write=write, usd=usd)
