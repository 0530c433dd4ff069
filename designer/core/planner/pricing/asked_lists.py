"""Lists of values that a read asks for: which of them a key serves, value by value, and what each Query finds."""

from math import prod

from designer.core.plan import Constant
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.listing import OtherList
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Access, Structure
from designer.core.planner.pricing.limited import has_all_listed

NO_LISTS: dict[str, OtherList] = {}
"""Of a read without lists."""


def lists_in_key(
    model: EntityModel, entity_read: EntityRead, access: Access
) -> dict[str, OtherList]:
    """The lists of which a key has the values, so that a Query is made for each, or for each combination of them."""
    if entity_read.list_of is None:
        return NO_LISTS
    structure, lists = access.structure, entity_read.lists
    if structure is None:
        return lists
    return in_key(model, structure, entity_read, access.bound, access.prefix, access.call == "get")


@cached
def in_key(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    bound: int,
    prefix: str,
    is_whole: bool,
) -> dict[str, OtherList]:
    """The same of a Query that knows so many attributes of the sort key, or of what knows the whole key."""
    lists = entity_read.lists
    if is_whole or len(lists) == 1:
        return {
            name: one
            for name, one in lists.items()
            if (name == prefix or model.is_keyed_by(structure, name))
            and not has_all_listed(structure, entity_read)
        }
    fixed = {*structure.partition, *structure.sort[:bound], prefix}
    stored = {model.stored_name(name) for name in structure.partition}
    return {name: one for name, one in lists.items() if name in fixed or name in stored}


def is_asked_of_each(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether a list of values is asked one by one, because the key has what is listed or begins with it."""
    return bool(lists_in_key(model, entity_read, access))


def values_asked(model: EntityModel, entity_read: EntityRead, access: Access) -> float:
    """Values of a list, or combinations of several, for each of which a Query is made; 1 where one Query finds all."""
    return prod(one.length for one in lists_in_key(model, entity_read, access).values())


def elements_of_query(
    model: EntityModel, structure: Structure, entity_read: EntityRead, bound: int, prefix: str
) -> float:
    """Of the lists' combinations, those whose items one Query finds: of a list that is tested after the reading all."""
    if not entity_read.lists:
        return entity_read.list_length
    keyed = in_key(model, structure, entity_read, bound, prefix, False)
    return prod(one.length for name, one in entity_read.lists.items() if name not in keyed)


def serves_several_lists(
    model: EntityModel, entity_read: EntityRead, access: Access, limited: tuple[str, ...]
) -> bool:
    """Whether a key serves more than one of several lists; else the read has another way, which tests the others.

    `limited`: the attributes of which an index has only what is asked for.
    """
    served = lists_in_key(model, entity_read, access).keys() | set(limited)
    return len(served & entity_read.lists.keys()) > 1


def unlike_in_key(model: EntityModel, entity_read: EntityRead, access: Access) -> tuple[float, ...]:
    """How many times as many items as on average each Query reads for a value of a list that is always the same.

    Nothing where all values have as many, or one Query reads all of them.
    """
    if not entity_read.unlike:
        return ()
    is_apart = entity_read.list_of in lists_in_key(model, entity_read, access)
    return entity_read.unlike if is_apart else ()


def asked_apart(
    model: EntityModel, entity_read: EntityRead, access: Access
) -> tuple[tuple[EntityRead, Access], ...]:
    """The queries for each value of a list that is always the same, as reads of one value; nothing for other reads.

    Of several lists this is the first one, and the reads have the others.
    """
    if not entity_read.always:
        return ()
    if entity_read.list_of not in lists_in_key(model, entity_read, access):
        return ()
    times = entity_read.unlike or (1.0,) * len(entity_read.always)
    return tuple(
        (one, changed(access, found=access.found * more))
        for one, more in zip(_of_one_value(model, entity_read), times, strict=True)
    )


@cached
def _of_one_value(model: EntityModel, entity_read: EntityRead) -> tuple[EntityRead, ...]:
    """An entity read as it is for each value of a list that is always the same."""
    assert entity_read.list_of is not None
    times = entity_read.unlike or (1.0,) * len(entity_read.always)
    listed, each = entity_read.list_of, entity_read.said_of_each
    first, *others = entity_read.other_lists or (OtherList("", (), (), 1.0),)

    def said(more: float) -> dict[str, float]:
        stated = entity_read.said
        return {**stated, listed: each[listed] * more} if listed in stated else stated

    return tuple(
        changed(
            entity_read,
            equals={**entity_read.equals, listed: Constant(value=value)},
            said=said(more),
            list_of=first.of or None,
            always=first.always,
            unlike=first.unlike,
            list_length=first.length,
            other_lists=tuple(others),
            matched=entity_read.matched * more,
        )
        for value, more in zip(entity_read.always, times, strict=True)
    )
