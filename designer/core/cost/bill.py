"""The bill of a plan: by table and index, by access pattern, and what comes besides."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from designer.core.cost.modes import Load
from designer.core.cost.options import Options, Rate
from designer.core.cost.usage import Place
from designer.core.dynamodb.prices import TableClass
from designer.core.rational import Fraction

NOTHING = Fraction(0)


@dataclass(frozen=True)
class StructureLine:
    """A table, or one of its indexes, in a month."""

    place: Place
    kind: Literal["table", "global index", "local index"]
    table_class: TableClass
    reads: Load
    """Read request units a second."""
    writes: Load
    read_capacity: int | None
    """Capacity units; None on demand, and for a local index, which uses its table's."""
    write_capacity: int | None
    bytes: Fraction
    usd_reads: Fraction
    usd_writes: Fraction
    usd_storage: Fraction

    @property
    def usd(self) -> Fraction:
        return self.usd_reads + self.usd_writes + self.usd_storage


@dataclass(frozen=True)
class PatternLine:
    """An access pattern, or the upkeep after a change, in a month."""

    patterns: tuple[int, ...]
    upkeep: str
    """After what it runs, for upkeep; else empty."""
    keeps: str
    """What it keeps up to date, for upkeep: `Customer.orderCount`; else empty."""
    rate: Rate
    read_units: Fraction
    """Each time."""
    write_units: Fraction
    usd: Fraction
    """Its share of what is paid for the capacity that it uses."""
    usd_at_peak: Fraction
    """If every pattern ran at its peak all month."""

    @property
    def upkeep_label(self) -> str:
        return f"Upkeep of {self.keeps} after {self.upkeep}"


@dataclass(frozen=True)
class Charge:
    """Something that a table is charged for besides requests and storage."""

    label: str
    table: str
    """Empty for all tables together."""
    usd: Fraction


@dataclass(frozen=True)
class Bill:
    """US dollars for a month of 30 days at average rates."""

    options: Options
    region: str
    """That whose prices these are."""
    structures: tuple[StructureLine, ...]
    patterns: tuple[PatternLine, ...]
    charges: tuple[Charge, ...]
    usd_at_peak: Fraction
    """If every pattern ran at its peak all month, all else the same."""
    without_patterns: tuple[int, ...]
    """Left out for want of a rate."""
    left_out: tuple[str, ...]
    """What else is left out, as sentences."""

    @property
    def usd_reads(self) -> Fraction:
        return sum((line.usd_reads for line in self.structures), NOTHING)

    @property
    def usd_writes(self) -> Fraction:
        return sum((line.usd_writes for line in self.structures), NOTHING)

    @property
    def usd_storage(self) -> Fraction:
        return sum((line.usd_storage for line in self.structures), NOTHING)

    @property
    def usd_base(self) -> Fraction:
        """Requests and storage: what the plan was chosen by."""
        return self.usd_reads + self.usd_writes + self.usd_storage

    @property
    def besides(self) -> tuple[Charge, ...]:
        """The charges, each kind once for all tables."""
        found: dict[str, Fraction] = {}
        for charge in self.charges:
            found[charge.label] = found.get(charge.label, NOTHING) + charge.usd
        return tuple(Charge(label, "", usd) for label, usd in found.items())

    @property
    def usd_besides(self) -> Fraction:
        return total_of(self.charges)

    @property
    def usd(self) -> Fraction:
        return self.usd_base + self.usd_besides

    @property
    def bytes(self) -> Fraction:
        return sum((line.bytes for line in self.structures), NOTHING)


def total_of(lines: Iterable[StructureLine | Charge]) -> Fraction:
    """US dollars of several lines."""
    return sum((line.usd for line in lines), NOTHING)
