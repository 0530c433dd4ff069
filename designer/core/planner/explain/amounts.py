"""Differences in price as explanations say them."""

from designer.core.messages import Message, say

CENT = 0.005
"""US dollars a month that make no difference."""
NO_BETTER = say("no-better")


def dearer(was: float, now: float) -> Message:
    """How much more or less costs what has one price instead of another, both in US dollars a month.

    From both as they are written, so that the three agree.
    """
    usd = round(now, 2) - round(was, 2)
    if not usd:
        return say("costs-slightly-more" if now > was else "costs-slightly-less")
    return say("costs-more" if now > was else "costs-less", usd=round(abs(usd), 2))
