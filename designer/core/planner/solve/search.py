"""The search over one design and style."""

from dataclasses import replace
from functools import cached_property
from weakref import proxy

from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Structure
from designer.core.planner.solve.entity_search import EntitySearch
from designer.core.planner.solve.joint_selection import Component


class Search(EntitySearch):
    """The search over one design and style, component by component."""

    @cached_property
    def _components(self) -> dict[tuple[tuple[str, ...], int | None], Component]:
        """What was explored, by the names of its entities and how many structures each may have."""
        return {}

    def without_copies(self) -> "Search":
        return Search(self.requirements, self.style, copies=False)

    def with_room(self, entity: str, number: int, items: int) -> "Search":
        """The search in which a transaction may write so many items of an entity."""
        rooms = {**self.requirements.rooms, (number, entity): items}
        return Search(replace(self.requirements, rooms=rooms), self.style, self.copies)

    def component(self, names: tuple[str, ...], most: int | None = None) -> Component:
        """The entities of a component with all the ways to have each, with so many structures each at most."""
        if (names, most) not in self._components:
            # It does not keep the search, or both would wait for the search for garbage.
            self._components[names, most] = Component(proxy(self), names, most)
        return self._components[names, most]

    def rivals(self, entity: str, choice: Choice) -> tuple[tuple[Structure, Score], ...]:
        """Other base keys of an entity, and how much the whole choice would score more with them, the best first."""
        names = next(names for names in self.components() if entity in names)
        component = self.component(names)
        now = component.explored().score
        base = choice.entities[entity].base
        others = component.likeliest(entity, base)
        found = [(other, component.best({entity: other}).score.less(now)) for other in others]
        return tuple(sorted(found, key=lambda rival: rival[1].key))
