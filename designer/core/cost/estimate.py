"""A rate that nobody knows, from figures that somebody does."""

from dataclasses import dataclass

from designer.core.rational import Fraction

DAY = 86_400
HOUR = 3600
EVENLY = Fraction(1, 24)
"""The busiest hour's share of a day without a busiest hour."""


@dataclass(frozen=True)
class Estimate:
    """Times a second."""

    average: Fraction
    peak: Fraction


def estimated_rate(
    users: Fraction, actions_per_day: Fraction, busiest_hour: Fraction = EVENLY
) -> Estimate:
    """The average over a day, and over its busiest hour, which has this share of the day's actions.

    `actions_per_day`: of one user. For actions counted without users, one user has them all. Within the hour they are
    taken to come evenly; where they do not, the peak is higher.

    >>> rate = estimated_rate(Fraction(1), Fraction(200_000), Fraction(12, 100))
    >>> round(float(rate.average), 1), round(float(rate.peak), 1)
    (2.3, 6.7)
    """
    a_day = users * actions_per_day
    return Estimate(a_day / DAY, a_day * max(busiest_hour, EVENLY) / HOUR)
