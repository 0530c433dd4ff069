"""What the largest items take: those with all their attributes, each as large as the design says at the most.

How many of the items are that large, nobody states. A few may all be: those of a page, or those that a caller lists.
Of many, that is not what a largest size means. So up to `LARGEST_ITEMS` of those that are read or written count as the
largest, and the others as the average.
"""

from dataclasses import dataclass
from math import ceil

from designer.core.capacity.sizes import at_its_largest
from designer.core.capacity.units import write_units
from designer.core.dynamodb.limits import BATCH_GET_ITEMS, ITEM_BYTES
from designer.core.planner.model.changed import with_attributes
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Projection, Projections, Structure
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.pricing.write_costs import WriteCost, touches, write_cost
from designer.core.rational import Fraction

LARGEST_ITEMS = BATCH_GET_ITEMS
"""Items that may all be the largest: as many as one request gets by their keys."""


@dataclass(frozen=True)
class UnitsAtWorst:
    """Units of all items of a write, of which a hundred at the most are the largest."""

    reads: Fraction
    writes: Fraction


def largest_of(items: float) -> int:
    """How many of so many items count as the largest."""
    return min(LARGEST_ITEMS, ceil(round(items, 6)))


def largest_model(model: EntityModel) -> EntityModel:
    """An entity of which each item is the largest. What a new item lacks, it lacks here too."""
    return _larger_model(model) or model


@cached
def _larger_model(model: EntityModel) -> EntityModel | None:
    """The same where it is another; None for an entity without larger items, of which more is known already."""
    largest = {one.name: at_its_largest(one) for one in model.entity.attributes}
    if all(largest[one.name] == one for one in model.entity.attributes):
        return None
    fields = {
        name: {"bytes": one.bytes, "present": one.present, "later": name in model.later}
        for name, one in largest.items()
    }
    entity = with_attributes(model.entity, fields)
    return type(model)(model.design, entity, model.style, model.requirements)


def largest_entry_bytes(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    projection: Projection,
    projections: Projections,
) -> float:
    """Bytes of the largest item read from a structure."""
    largest = largest_model(model)
    keys = keys_bytes(largest, base, projections)
    held = projection if structure.is_index else None
    return min(float(ITEM_BYTES), largest.entry_bytes(base, structure, held, keys))


def written_at_worst(
    model: EntityModel,
    base: Structure,
    projections: Projections,
    write: EntityWrite,
    guard: bool,
    cost: WriteCost,
    most: float,
) -> UnitsAtWorst:
    """Units of a write of up to `most` items. `cost`: what it takes on average."""
    largest = largest_model(model)
    keys = keys_bytes(largest, base, projections)
    at_most = write_cost(largest, base, projections, write, guard, keys)
    times, many = exact(write.times), exact(max(write.times, most))
    if not times:
        return UnitsAtWorst(cost.reads, cost.write_units)
    indexes = sum(
        (
            write_units(largest.entry_bytes(base, structure, held, keys))
            * _entries_at_worst(model, structure, held, write)
            for structure, held in projections.items()
            if structure.is_index
        ),
        Fraction(0),
    )
    larger = largest_of(float(many))

    def in_all(usual: Fraction, largest: Fraction) -> Fraction:
        return usual * many + max(Fraction(0), largest - usual) * larger

    return UnitsAtWorst(
        in_all(cost.reads / times, at_most.reads / times),
        in_all(cost.write_units / times, at_most.table / times + indexes),
    )


def _entries_at_worst(
    model: EntityModel, structure: Structure, held: Projection, write: EntityWrite
) -> int:
    """Entries of an index that a write of one item puts and deletes at the most."""
    if write.verb == "check":
        return 0
    found, left = (bool(share) for share in model.membership(structure, write))
    found = found or model.may_find(structure, write)
    moving = bool(model.keys_changed(structure, write))
    if write.verb != "update":
        return int(left) if write.may_replace and not moving else found + left
    if moving:
        return found + left if model.moves(structure, write) else max(found, left)
    return int(found and touches(model, structure, held, write))
