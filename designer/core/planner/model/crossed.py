"""What a crossing leaves of the rows of an entity read."""

from dataclasses import dataclass

from designer.core.plan import Crossing


@dataclass(frozen=True)
class Crossed:
    """What becomes of the rows of an entity read in the application: those that have all values of a list."""

    how: Crossing
    limit: int | None
    """It cuts what is left, so that no Query may end before."""
    found: float
    """Groups that have all values, on average, before the limit."""

    @property
    def returned(self) -> float:
        return self.found if self.limit is None else min(self.found, self.limit)
