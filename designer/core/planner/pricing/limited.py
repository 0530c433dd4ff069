"""What a sparse index leaves nothing to test of, because it holds all that is asked for and nothing else."""

from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Structure


def limited_to(structure: Structure, entity_read: EntityRead) -> tuple[str, ...]:
    """The attributes of which an index has all that is asked for and nothing else: nothing is left to test."""
    return tuple(
        name
        for name, values in structure.only
        if name in entity_read.equals and set(values) == set(entity_read.constant_values(name))
    )


def has_all_listed(structure: Structure, entity_read: EntityRead) -> bool:
    """Whether one request brings the items of all values of a list, though the sort key has what is listed.

    The index has these values and no others, and the rest of its key does not matter: neither an order nor a range is
    asked for, nor a value of what follows.
    """
    name, sort = entity_read.list_of, structure.sort
    if not structure.only or name is None or name not in sort or entity_read.order:
        return False
    following = sort[sort.index(name) + 1 :]
    limits = entity_read.range
    return name in limited_to(structure, entity_read) and not any(
        one in entity_read.equals or (limits is not None and one == limits.attribute)
        for one in following
    )
