"""A score as one number, for programs."""

from collections.abc import Iterable
from dataclasses import dataclass

from designer.core.planner.model.score import Score
from designer.core.rational import Fraction

SCALE = 1000.0
"""What the money at stake is scaled to, so that the solver's tolerances mean the same in every design."""
BYTES = 1e-3
"""Lengths of items closer than this are the same."""
UNSERVED = 1e7
"""What a pattern that is not answered counts for, at the least."""
UNRATED = 4 * SCALE
"""What a request of a read without a rate counts for."""
SAME = 1e-9
"""Prices that differ by less than this share are compared in exact arithmetic."""


@dataclass
class Weights:
    """A score as one number: what comes first in a score outweighs all that follows."""

    usd: float
    bytes: float
    requests: float
    unserved: float

    @classmethod
    def of(cls, scores: Iterable[Score], ways: Iterable[Iterable[Score]]) -> "Weights":
        """The weights that make the money in some scores `SCALE`, and what breaks ties next to nothing.

        `ways`: of each of these one is taken. To save requests of reads without a rate, nothing is left unserved.
        """
        together = sum(scores, Score())
        slowest = (max((one.unrated_reads for one in mine), default=Fraction(0)) for mine in ways)
        return cls(
            SCALE / float(together.price) if together.price else SCALE,
            1e-3 / float(together.unrated_bytes) if together.unrated_bytes else 0.0,
            1e-5 / float(together.requests) if together.requests else 0.0,
            max(UNSERVED, 2 * UNRATED * float(sum(slowest))),
        )

    def __call__(self, score: Score) -> float:
        return (
            score.unserved * self.unserved
            + (score.violated + score.hot) * 1e6
            + _float(score.unrated_reads) * UNRATED
            + _float(score.price) * self.usd
            + _float(score.unrated_requests) * 1e-2
            + _float(score.unrated_bytes) * self.bytes
            + _float(score.requests) * self.requests
            + score.unsorted * 2e-6
            + score.structures * 1e-6
        )


def _float(figure: Fraction) -> float:
    # Most figures of a score are nothing.
    return float(figure) if figure else 0.0
