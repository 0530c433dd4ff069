"""Prices of DynamoDB by Region: one table, with source and date.

Sources, read November 2026: https://aws.amazon.com/dynamodb/pricing/on-demand/ (price cut of 1 November 2024),
https://aws.amazon.com/dynamodb/pricing/provisioned/ and AWS's price lists of 2026; for eu-west-1 that of 11 September
(https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonDynamoDB/20260911124422/eu-west-1/index.json), and for
ap-northeast-1 what others quote of it, with the capacity hours that AWS's tool for reserved capacity has. What is None,
or a class that is not there, was in none that we read: a bill leaves it out and says so. A replicated write costs what
a plain one does (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/global-tables-billing.html). No free
tier is deducted. A month is 30 days; a GB is 10^9 bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from designer.core.rational import Fraction

HOURS_PER_MONTH = 30 * 24
SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600
NOT_INCLUDED = (
    "free tier, reserved capacity, savings plans, on-demand backups, exports, calls of AWS KMS for tables "
    "with an AWS managed key, data transfer between Regions and tax"
)
"""What AWS charges or grants besides, and no bill here has, as a list in a sentence."""
AS_OF = "2026-11"
REQUEST = Fraction(1, 10)
"""What a request counts for where the objective is as few as can be: as much as 160,000 write units in us-east-1."""
ALARM_METRIC_MONTH = Fraction("0.10")
"""US dollars a month for each metric that a CloudWatch alarm of standard resolution looks at, in us-east-1.

Read November 2026 in others' lists of Amazon's prices, such as https://c3x.dev/resources/aws/aws_cloudwatch_metric_alarm.
That each metric of a sum counts is our reading.
"""

TableClass = Literal["standard", "infrequent-access"]
CLASS_LABELS: dict[TableClass, str] = {"standard": "Standard", "infrequent-access": "Standard-IA"}


@dataclass(frozen=True)
class ClassPrices:
    """US dollars in one table class: for a request unit, a byte stored for a month, and a capacity unit's hour."""

    read_unit: Fraction
    write_unit: Fraction
    byte_month: Fraction
    read_capacity_hour: Fraction
    write_capacity_hour: Fraction


@dataclass(frozen=True)
class Prices:
    """US dollars: for one read request unit, one write request unit, and one byte stored for a month.

    Those are of the Standard class on demand, by which plans are chosen. `request` is what no bill has: the worth of a
    request saved, where a team wants as few as can be.
    """

    region: str
    read_unit: Fraction
    write_unit: Fraction
    byte_month: Fraction
    request: Fraction = Fraction(0)
    classes: Mapping[TableClass, ClassPrices] = field(default_factory=dict, hash=False)
    recovery_byte_month: Fraction | None = None
    """A byte of table that can be recovered to a point in time, for a month."""
    stream_read: Fraction | None = None
    """One GetRecords call."""


def _class(
    reads_per_million: str,
    writes_per_million: str,
    gigabyte_month: str,
    read_hour: str,
    write_hour: str,
) -> ClassPrices:
    return ClassPrices(
        Fraction(reads_per_million) / 10**6,
        Fraction(writes_per_million) / 10**6,
        Fraction(gigabyte_month) / 10**9,
        Fraction(read_hour),
        Fraction(write_hour),
    )


def _prices(
    region: str,
    standard: ClassPrices,
    rare: ClassPrices | None = None,
    recovery_gigabyte_month: str | None = None,
    stream_reads_per_hundred_thousand: str | None = None,
) -> Prices:
    classes: dict[TableClass, ClassPrices] = {"standard": standard}
    if rare is not None:
        classes["infrequent-access"] = rare
    recovery, stream = recovery_gigabyte_month, stream_reads_per_hundred_thousand
    return Prices(
        region,
        standard.read_unit,
        standard.write_unit,
        standard.byte_month,
        classes=classes,
        recovery_byte_month=None if recovery is None else Fraction(recovery) / 10**9,
        stream_read=None if stream is None else Fraction(stream) / 10**5,
    )


REGIONS = {
    prices.region: prices
    for prices in (
        _prices(
            "us-east-1",
            _class("0.125", "0.625", "0.25", "0.00013", "0.00065"),
            _class("0.155", "0.78", "0.10", "0.00016", "0.00081"),
            "0.20",
            "0.02",
        ),
        _prices("us-east-2", _class("0.125", "0.625", "0.25", "0.00013", "0.00065")),
        _prices(
            "us-west-2",
            _class("0.125", "0.625", "0.25", "0.00013", "0.00065"),
            recovery_gigabyte_month="0.20",
        ),
        _prices(
            "eu-west-1",
            _class("0.1415", "0.705", "0.283", "0.000147", "0.000735"),
            recovery_gigabyte_month="0.22",
        ),
        _prices("ap-northeast-1", _class("0.1425", "0.715", "0.285", "0.0001484", "0.000742")),
        _prices("ap-northeast-2", _class("0.1355", "0.68", "0.27075", "0.00014098", "0.0007049")),
    )
}


def prices_of(region: str) -> Prices:
    """The prices of a Region; those of us-east-1, under its own name, where we have no others."""
    return REGIONS.get(region, REGIONS["us-east-1"])


def weighed_prices(region: str, objective: str) -> Prices:
    """The prices by which a plan with this objective is chosen; with `requests`, each of these counts besides."""
    prices = prices_of(region)
    return replace(prices, request=REQUEST) if objective == "requests" else prices
