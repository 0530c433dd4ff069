"""Prices of DynamoDB by Region, with source and date.

Standard table class, on demand. Source: https://aws.amazon.com/dynamodb/pricing/on-demand/ (price cut of
1 November 2024, read November 2026). A month is 30 days; a GB is 10^9 bytes.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

SECONDS_PER_MONTH = 30 * 24 * 3600
AS_OF = "2026-11"
REQUEST = Fraction(1, 10)
"""What a request counts for where the objective is as few as can be: as much as 160,000 write units in us-east-1."""


@dataclass(frozen=True)
class Prices:
    """US dollars: for one read request unit, one write request unit, and one byte stored for a month.

    `request` is what no bill has: the worth of a request saved, where a team wants as few as can be.
    """

    region: str
    read_unit: Fraction
    write_unit: Fraction
    byte_month: Fraction
    request: Fraction = Fraction(0)


def _prices(
    region: str, reads_per_million: str, writes_per_million: str, gigabyte_month: str
) -> Prices:
    return Prices(
        region,
        Fraction(reads_per_million) / 10**6,
        Fraction(writes_per_million) / 10**6,
        Fraction(gigabyte_month) / 10**9,
    )


REGIONS = {
    prices.region: prices
    for prices in (
        _prices("us-east-1", "0.125", "0.625", "0.25"),
        _prices("us-east-2", "0.125", "0.625", "0.25"),
        _prices("us-west-2", "0.125", "0.625", "0.25"),
        _prices("ap-northeast-2", "0.1355", "0.68", "0.27075"),
    )
}


def prices_of(region: str) -> Prices:
    """The prices of a Region; those of us-east-1, under its own name, where we have no others."""
    return REGIONS.get(region, REGIONS["us-east-1"])


def weighed_prices(region: str, objective: str) -> Prices:
    """The prices by which a plan with this objective is chosen; with `requests`, each of these counts besides."""
    prices = prices_of(region)
    return replace(prices, request=REQUEST) if objective == "requests" else prices
