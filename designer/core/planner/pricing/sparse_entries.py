"""What a read finds of items that may lack what it tests: a sparse index holds those that have it, and no others."""

from collections.abc import Collection, Iterator

from designer.core.patterns.base import Condition
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Structure


def range_share_of_present(model: EntityModel, entity_read: EntityRead) -> float:
    """The share that the range keeps of the items that have its attribute."""
    limits = entity_read.range
    present = 1.0 if limits is None else presence_of_tested(model, entity_read, limits.attribute)
    return min(1.0, entity_read.range_share / present) if present else entity_read.range_share


def share_held(model: EntityModel, structure: Structure, entity_read: EntityRead) -> float:
    """The share of the items with the known values that an index holds, whose key needs what is tested."""
    if not structure.is_index:
        return 1.0
    tested = {model.stored_name(one.attribute) for one in _needing_a_value(model, entity_read)}
    share = 1.0
    for name in sorted(tested.intersection(map(model.stored_name, structure.attributes))):
        share *= presence_of_tested(model, entity_read, name)
    return share


def presence_of_tested(model: EntityModel, entity_read: EntityRead, name: str) -> float:
    """The share of the items with the known values that have an attribute; all, where it is known or must be there."""
    there = {model.stored_name(one) for one in (*entity_read.equals, *entity_read.exists)}
    return 1.0 if model.stored_name(name) in there else model.presence(name)


def presence_of_free(model: EntityModel, entity_read: EntityRead, known: Collection[str]) -> float:
    """The share of the items that have what is tested for ranges and texts that the caller chooses.

    Without what is `known` besides, or what another test says.
    """
    tests = tuple(_needing_a_value(model, entity_read))
    free = {
        model.stored_name(one.attribute)
        for one in tests
        if one.is_range or one.contains is not None
    }
    others = {
        model.stored_name(one.attribute)
        for one in tests
        if not (one.is_range or one.contains is not None)
    }
    share = 1.0
    for name in sorted(free - others - {model.stored_name(one) for one in known}):
        share *= presence_of_tested(model, entity_read, name)
    return share


def _needing_a_value(model: EntityModel, entity_read: EntityRead) -> Iterator[Condition]:
    """What a read tests, or finds by a range, that no item meets which lacks the attribute."""
    ranged = () if entity_read.range is None else (entity_read.range,)
    for one in (*ranged, *entity_read.filters):
        if one.needs_a_value and one.attribute in model.entity.by_name:
            yield one
