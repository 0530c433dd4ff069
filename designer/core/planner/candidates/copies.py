"""Keys under which whole items may be stored a second time."""

from designer.core.messages import Message, say
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.structures import Structure
from designer.core.rational import Fraction

TWICE = Fraction(1)
"""US dollars a month that a copy of the items has to save where no strong read asks for it.

Whoever writes an item has to write its copy as well, and an index is kept by DynamoDB.
"""


def why_not_kept_twice(model: EntityModel) -> Message | None:
    """Why items may not be copied for the price alone; None where they may."""
    writes = [write for write in model.writes if write.verb != "check"]
    if not any(write.writes_whole for write in writes):
        return say("never-created")
    if any(write.average is None for write in writes):
        return say("written-without-rate")
    if any(write.deletes_collection for write in writes):
        return say("collection-deleted")
    if model.entity.expires:
        return say("items-expire")
    return None


def copy_under(model: EntityModel, partition: tuple[str, ...], sort: tuple[str, ...]) -> Structure:
    """Each item kept once more under another key, which the identifier ends."""
    rest = tuple(n for n in model.entity.identifier if n not in (*partition, *sort))
    return Structure(model.name, "copy", partition, (*sort, *rest))
