"""When the prices of two plans count as different."""

from designer.core.planner.explain.amounts import MATERIAL
from designer.core.rational import Fraction

LEAST = Fraction(MATERIAL)
"""US dollars a month below which a difference decides nothing."""


def costs_more(one: Fraction, other: Fraction, tolerance: Fraction) -> bool:
    """Whether one price is so much higher than another that it decides something.

    Both are US dollars a month. The difference has to be at least a dollar, and more than the tolerance.
    """
    return one - other >= LEAST and one > other * (1 + tolerance)
