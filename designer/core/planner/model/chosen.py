"""What is chosen: for each entity its keys and the access of each entity read, and the Queries that entities share."""

from dataclasses import dataclass, field

from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access, Projections, Structure
from designer.core.rational import Fraction


@dataclass(frozen=True)
class RatedRead:
    """One entity read of one pattern, with the rate of the pattern."""

    pattern_read: int
    at: int
    entity_read: EntityRead = field(hash=False, compare=False)
    average: float | None = None
    peak: float | None = None

    @property
    def id(self) -> tuple[int, int]:
        return (self.pattern_read, self.at)


@dataclass(frozen=True)
class EntityChoice:
    """What one entity got: its base key, its other structures, and an access for each entity read served here."""

    base: Structure
    projections: Projections
    access: dict[tuple[int, int], Access]
    guard: bool
    """The identifier has a guard item."""
    score: Score
    gap: float = 0.0
    """US dollars a month between this and what no choice under the same base key goes below."""


@dataclass(frozen=True)
class SharedQuery:
    """Parts of one pattern that one Query answers."""

    pattern_read: int
    parts: tuple[int, ...]
    structures: tuple[tuple[str, Structure], ...] = ()
    """For a shared index: each entity's keys in it; empty for the table."""

    @property
    def index(self) -> bool:
        return bool(self.structures)

    def structure(self, entity: str) -> Structure:
        """The index keys of an entity."""
        return dict(self.structures)[entity]


@dataclass(frozen=True)
class Choice:
    """The whole choice."""

    entities: dict[str, EntityChoice]
    shared_queries: tuple[SharedQuery, ...]
    score: Score
    bound: Fraction
    """US dollars a month that nothing among the candidates goes below, with all that it counts for: of the bill alone
    where nothing else does."""
    allowed: Fraction
    """US dollars a month that having fewer indexes may still cost."""
    cheapest: Fraction | None = None
    """US dollars a month of the cheapest choice, where this one is the simplest instead."""
