"""What the solvers ask of the search: the problem that they solve parts of.

`choice.Search` is it. The solvers know this much of it and no more, so that none imports what calls it.
"""

from collections.abc import Iterable
from typing import Protocol, Self

from designer.core.design.document import Design
from designer.core.planner.model.chosen import (
    Choice,
    EntityChoice,
    Group,
    RatedRead,
)
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, Requirements
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.rational import Fraction


class Problem(Protocol):
    """One design in one style: its models and entity reads, its candidates, and the choice for a single entity."""

    requirements: Requirements
    design: Design
    models: dict[str, EntityModel]
    of_entity: dict[str, list[RatedRead]]
    """For each entity, the reads that patterns make of it, with their rates."""
    near: float
    """US dollars a month that a choice may lie above its bound."""
    left_aside: float
    """Share of the price by which base keys that are not looked at may be cheaper, where there are many."""

    def bases(self, entity: str) -> tuple[Structure, ...]:
        """The base keys that an entity may have."""
        ...

    def nowhere(self, entity: str) -> Structure:
        """The base key that adds least to an entry."""
        ...

    def indexes(self, entity: str) -> tuple[Structure, ...]:
        """The other structures that an entity may have."""
        ...

    def options(
        self, model: EntityModel, base: Structure, rated: RatedRead
    ) -> list[tuple[Access, Score]]:
        """The ways to answer a read under a base key, each with its score."""
        ...

    def solve(
        self,
        entity: str,
        base: Structure,
        joined: frozenset[tuple[int, int]],
        forced: tuple[tuple[Structure, Projection], ...],
        banned: frozenset[Structure] = frozenset(),
        most: int | None = None,
        below: Score | None = None,
    ) -> EntityChoice:
        """The best indexes of an entity under a base key; `DearerError` where none is better than `below`."""
        ...

    # What reads cost

    def least(self, base: Structure, rated: RatedRead, closely: bool) -> Score:
        """What an entity read costs at least under a base key."""
        ...

    def owned(self, base: Structure, projections: Projections) -> Score:
        """What it costs to keep a base key and other structures, at the least: every write, and storage."""
        ...

    def least_reads(self, entity: str) -> Score:
        """What the entity reads of an entity cost at least under any key."""
        ...

    def read_price(self, model: EntityModel, rated: RatedRead, access: Access) -> float:
        """US dollars a month of reading so."""
        ...

    # Patterns that one Query may answer for several entities

    @property
    def joint(self) -> tuple[int, ...]:
        """Patterns that one request might answer in a shared collection."""
        ...

    def shared_keys(self, q: int) -> dict[int, tuple[Structure, ...]]:
        """For each part of a pattern, the index keys that a Query might answer it by together with others."""
        ...

    def collection(self, entity_read: EntityRead, structure: Structure) -> object | None:
        """What tells in which collection an entity read finds its items; None where it finds them in no single one."""
        ...

    def in_order(self, q: int, at: int, collection: object) -> bool:
        """Whether a part of a pattern lies in its collection as a Query needs it."""
        ...

    def clash(self, groups: Iterable[Group]) -> bool:
        """Whether groups would have to share an index that cannot hold both."""
        ...

    def group_score(self, group: Group, found: dict[str, EntityChoice]) -> Score:
        """What one Query over several parts costs."""
        ...

    def group_reads(
        self, group: Group, found: dict[str, EntityChoice]
    ) -> tuple[float, Fraction, float, float]:
        """(requests, units, bytes, items) of one Query over several parts."""
        ...

    def group_padding(self, group: Group, found: dict[str, EntityChoice]) -> float:
        """Bytes that one Query over several parts counts for besides those that it reads."""
        ...

    def shared_price(self, q: int) -> tuple[Score, Score]:
        """What one Query for several parts costs: for itself, and for each of its smallest reads."""
        ...

    def requests_broken(
        self, q: int, groups: Iterable[Group], found: dict[str, EntityChoice]
    ) -> Score:
        """Whether a pattern takes more requests than the team allows."""
        ...


class Roomy(Problem, Protocol):
    """A problem whose transactions may be given less room."""

    def with_room(self, entity: str, number: int, items: int) -> Self:
        """The problem in which a transaction may write so many items of an entity."""
        ...

    def run(self) -> Choice:
        """The best choice for the whole design."""
        ...
