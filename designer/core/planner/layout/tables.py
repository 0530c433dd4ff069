"""What tables of several entities and of one have in common."""

from collections.abc import Iterable

from designer.core.design.names import NamedKey
from designer.core.dynamodb.limits import INCLUDE_NAMES, PROJECTED_NAMES
from designer.core.planner.layout.key_templates import item_template
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.naming import free_name
from designer.core.planner.model.structures import Projection, Structure


class FreeNames:
    """Gives each thing a name of its own."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)

    def __call__(self, wanted: str) -> str:
        name = free_name(wanted, self.taken)
        self.taken.add(name)
        return name


def templates(place: Placement, model: EntityModel) -> NamedKey:
    """What an item has in the attributes of a key."""
    return NamedKey(
        partition=tuple(item_template(part, model) for part in place.partition),
        sort=tuple(item_template(part, model) for part in place.sort),
    )


def when_of(
    model: EntityModel, structure: Structure, part: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What one part of a sparse index key waits for, because the other part does."""
    limited = dict(structure.only)
    return tuple((name, limited.get(name, ())) for name in model.waits_for(structure, part))


class Lists:
    """What the indexes of a table hold: all, where a list of names, or all lists together, would be too long."""

    def __init__(self, besides: int = 0) -> None:
        self.besides, self.names = besides, 0

    def __call__(self, projection: Projection) -> Projection:
        if not projection:
            return projection
        names = len(projection) + self.besides
        if names > INCLUDE_NAMES or self.names + names > PROJECTED_NAMES:
            return None
        self.names += names
        return projection
