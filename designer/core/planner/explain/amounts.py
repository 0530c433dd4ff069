"""Differences in price as explanations say them."""

from designer.core.messages import Message, say

CENT = 0.005
"""US dollars a month that make no difference."""
NO_BETTER = say("no-better")


MATERIAL = 1.0
"""US dollars a month below which a difference decides nothing: rates and sizes are guesses."""
MATERIAL_SHARE = 0.01
"""The same as a share of the larger price."""


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
