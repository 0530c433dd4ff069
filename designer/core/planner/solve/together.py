"""What was chosen for entities that are chosen together."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from designer.core.planner.model.chosen import EntityChoice, Group
from designer.core.planner.model.score import Score
from designer.core.planner.solve.problem import Problem


@dataclass(frozen=True)
class Together:
    """What was chosen for some entities."""

    entities: dict[str, EntityChoice]
    groups: tuple[Group, ...]
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
            replace(group, pattern_read=number[group.pattern_read]) for group in self.groups
        )
        return replace(self, entities=entities, groups=groups)


class Remembering(Problem, Protocol):
    """A problem that knows what was chosen for some entities before."""

    def cached(
        self, names: tuple[str, ...], how: Hashable, choose: Callable[[], Together]
    ) -> Together:
        """What was chosen for some entities, as it was found before for whatever design."""
        ...
