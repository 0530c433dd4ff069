"""What a bill can be made out for: how capacity is paid, in which class and Region, and with what besides."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from designer.core.design.document import Design
from designer.core.dynamodb.limits import CAPACITY_IN_USE
from designer.core.dynamodb.prices import TableClass
from designer.core.rational import Fraction

TARGET = CAPACITY_IN_USE


@dataclass(frozen=True)
class Options:
    """As they stand, they are those by which the plan was chosen: on demand, Standard, in the design's Region."""

    mode: str = "on-demand"
    table_class: TableClass | Literal["as-planned"] = "standard"
    region: str | None = None
    """That of the design when None."""
    replicas: tuple[str, ...] = ()
    """Other Regions with a replica of every table."""
    recovery: Literal["as-planned", "on", "off"] = "off"
    """Point-in-time recovery of every table."""
    utilisation: Fraction = TARGET
    """Of provisioned capacity, between 0 (excluded) and 1."""
    stream_reads: Fraction = Fraction(0)
    """GetRecords calls a second on each stream; Lambda and replicas call it for nothing."""


def as_planned(design: Design) -> Options:
    """How a design is paid for as it is stated: its own way to pay, and every table with what it has."""
    return Options(
        mode="autoscaled" if design.billing == "provisioned" else "on-demand",
        table_class="as-planned",
        region=design.region,
        recovery="as-planned",
    )


class Rate(NamedTuple):
    """Times a second."""

    average: Fraction
    peak: Fraction


@dataclass(frozen=True)
class Changes:
    """What is asked "what if" of: rates of patterns by number, and counts of items by entity."""

    rates: Mapping[int, Rate] = field(default_factory=dict)
    items: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.rates or self.items)


@lru_cache(4096)
def exact(figure: float) -> Fraction:
    """A stated figure as an exact one, so that sums do not depend on their order."""
    return Fraction(repr(float(figure)))
