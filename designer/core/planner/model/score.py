"""How good a choice is, in exact figures."""

from dataclasses import dataclass
from functools import lru_cache

from designer.core.rational import Fraction

BEFORE_MONEY = 3
"""What comes first in a score: patterns not served, limits, and requests of reads without a rate."""


@dataclass(frozen=True)
class Score:
    """How good a choice is; smaller is better, compared from the first figure on.

    Patterns without a rate cannot be priced: reads count by requests before money does, and by bytes after it.
    """

    unserved: int = 0
    violated: int = 0
    """Limits that the team set and this breaks, or DynamoDB."""
    unrated_reads: Fraction = Fraction(0)
    """Requests of the reads without a rate."""
    usd: Fraction = Fraction(0)
    unrated_requests: Fraction = Fraction(0)
    """Requests of the writes without a rate."""
    unrated_bytes: Fraction = Fraction(0)
    requests: Fraction = Fraction(0)
    structures: int = 0
    penalty: Fraction = Fraction(0)
    """What the requests count for besides what they cost, where as few as can be are wanted."""
    hot: int = 0
    """Partitions that would take more than they serve; as bad as a limit that is violated."""
    unsorted: int = 0
    """Reads whose rows the caller has to put in order."""

    @property
    def price(self) -> Fraction:
        """What choices are compared by, in US dollars a month: the money, and the penalty."""
        return _sum(self.usd, self.penalty)

    @property
    def key(self) -> tuple[int, int, Fraction, Fraction, Fraction, Fraction, Fraction, int, int]:
        return (
            self.unserved,
            self.violated + self.hot,
            self.unrated_reads,
            self.price,
            self.unrated_requests,
            self.unrated_bytes,
            self.requests,
            self.unsorted,
            self.structures,
        )

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.unserved + other.unserved,
            self.violated + other.violated,
            _sum(self.unrated_reads, other.unrated_reads),
            _sum(self.usd, other.usd),
            _sum(self.unrated_requests, other.unrated_requests),
            _sum(self.unrated_bytes, other.unrated_bytes),
            _sum(self.requests, other.requests),
            self.structures + other.structures,
            _sum(self.penalty, other.penalty),
            self.hot + other.hot,
            self.unsorted + other.unsorted,
        )

    def less(self, other: "Score") -> "Score":
        """The difference to another score."""
        return Score(
            self.unserved - other.unserved,
            self.violated - other.violated,
            _sum(self.unrated_reads, -other.unrated_reads),
            _sum(self.usd, -other.usd),
            _sum(self.unrated_requests, -other.unrated_requests),
            _sum(self.unrated_bytes, -other.unrated_bytes),
            _sum(self.requests, -other.requests),
            self.structures - other.structures,
            _sum(self.penalty, -other.penalty),
            self.hot - other.hot,
            self.unsorted - other.unsorted,
        )

    def __lt__(self, other: "Score") -> bool:
        return self.key < other.key


def _sum(one: Fraction, other: Fraction) -> Fraction:
    # Most figures of a score are nothing, and adding fractions takes long.
    if not other:
        return one
    return one + other if one else other


@lru_cache(maxsize=65536)
def exact(figure: float) -> Fraction:
    """A stated figure as an exact one, so that sums do not depend on their order."""
    return Fraction(repr(float(figure)))


def money(usd: Fraction) -> float:
    """US dollars as a plan says them, to a hundredth of a cent."""
    return float(round(usd, 4))
