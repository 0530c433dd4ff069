"""Amounts of money as explanations say them."""

CENT = 0.005
"""US dollars a month that make no difference."""


NO_BETTER = "costs the same and has no advantage"


def dearer(was: float, now: float) -> str:
    """How much more or less costs what has one price instead of another, both in US dollars a month.

    From both as they are written, so that the three agree.
    """
    way = "more" if now > was else "less"
    usd = round(now, 2) - round(was, 2)
    if not usd:
        return f"costs under $0.01 a month {way}"
    return f"costs ${abs(usd):,.2f} a month {way}"
