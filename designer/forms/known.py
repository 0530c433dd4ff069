"""The attributes that the fields of a form may name."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.forms.bound import MOST_OPTIONS
from designer.forms.fields import Choices


class Known:
    """The attributes of entities, listed once for all fields of a form."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.entities = choices_of(entity.name for entity in design.entities)
        self._of: dict[tuple[str, ...], Attributes] = {}

    def of(self, *entities: str) -> "Attributes":
        """Those that may be named of any of some entities."""
        if entities not in self._of:
            self._of[entities] = Attributes(self.design, entities)
        return self._of[entities]


class Attributes:
    """Attributes of entities, and those one relationship towards one away: `places.name`."""

    def __init__(self, design: Design, entities: tuple[str, ...]) -> None:
        self._design = design
        self._entities = [design.entity[name] for name in entities if name in design.entity]

    def get(self, name: str) -> Attribute | None:
        """The attribute of a name; None where there is none."""
        above, dot, last = name.rpartition(".")
        holders = self._entities
        if dot:
            holders = [parent for called, parent in self._parents() if called == above]
        return next(
            (each.by_name[last] for each in reversed(holders) if last in each.by_name), None
        )

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The names of the entities' own."""
        return tuple(dict.fromkeys(name for each in self._entities for name in each.by_name))

    @cached_property
    def own_choices(self) -> Choices:
        return choices_of(self.own)

    @cached_property
    def choices(self) -> Choices:
        """All that may be chosen, as many as a form offers."""
        return choices_of(islice(dict.fromkeys((*self.own, *self._above())), MOST_OPTIONS))

    @cached_property
    def written(self) -> Choices:
        """Their own that a write may say a value of."""
        return choices_of(
            each.name
            for entity in self._entities
            for each in entity.attributes
            if each.derived is None
        )

    def _above(self) -> Iterator[str]:
        names = (
            f"{called}.{name}" for called, parent in self._parents() for name in parent.by_name
        )
        return islice(names, MOST_OPTIONS)

    def _parents(self) -> Iterator[tuple[str, Entity]]:
        for entity in self._entities:
            for relationship in self._design.of_child.get(entity.name, ()):
                parent = self._design.entity.get(relationship.parent)
                if parent is not None and relationship.cardinality != "N:M":
                    yield relationship.name, parent


def choices_of(names: Iterable[str]) -> Choices:
    return (("", "choose"), *((name, name) for name in names))
