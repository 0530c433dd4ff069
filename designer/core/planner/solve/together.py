"""What was chosen for entities that are chosen together."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from designer.core.planner.model.chosen import EntityChoice, SharedQuery
from designer.core.planner.model.score import Score


@dataclass(frozen=True)
class Together:
    """What was chosen for some entities."""

    entities: dict[str, EntityChoice]
    shared_queries: tuple[SharedQuery, ...]
    score: Score
    gap: float
    """US dollars a month between the price and what nothing can be cheaper than."""

    def asked(self, number: Mapping[int, int]) -> "Together":
        """The same where its patterns have other numbers."""
        entities = {
            name: replace(
                choice, access={(number[q], at): used for (q, at), used in choice.access.items()}
            )
            for name, choice in self.entities.items()
        }
        groups = tuple(
            replace(group, pattern_read=number[group.pattern_read]) for group in self.shared_queries
        )
        return replace(self, entities=entities, shared_queries=groups)
