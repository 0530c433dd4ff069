"""A read that tests what its key could have, where only a guess says that the key finds few items."""

from designer.core.design.attributes import KEY_TYPES
from designer.core.dynamodb.limits import SMALL_COLLECTION_BYTES
from designer.core.planner.model.cardinality import matching_items
from designer.core.planner.model.distinct import known_values
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Access
from designer.core.planner.model.worth import UNCOUNTED
from designer.core.rational import Fraction


def uncounted_charge(model: EntityModel, entity_read: EntityRead, access: Access) -> Fraction:
    """What it counts for, in multiples of the worth. `entity_read`: in the way that the access takes."""
    structure = access.structure
    if structure is None or not access.left or not structure.is_index or entity_read.one:
        return Fraction(0)
    if entity_read.expected is not None or not access.call.startswith("query"):
        return Fraction(0)
    if not any(model.attribute(name).type in KEY_TYPES for name in access.left):
        return Fraction(0)
    asked = (*structure.partition, *structure.sort[: access.bound])
    design, entity = model.design, model.entity
    keyed = {
        name: value
        for name, value in entity_read.equals.items()
        if name in asked and name in entity.by_name
    }
    counted = {
        name: value
        for name, value in keyed.items()
        if name in entity_read.said
        or known_values(design, entity, entity.by_name[name]) is not None
    }
    if len(counted) == len(keyed):
        return Fraction(0)
    found = matching_items(design, entity, counted, entity_read.said_of_each)
    return UNCOUNTED if found * model.stated_bytes > SMALL_COLLECTION_BYTES else Fraction(0)
