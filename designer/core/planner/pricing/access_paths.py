"""Which structures answer an entity read, and what each answer reads (rules 3, 8, 9, 10, 11 and 23).

See docs/modelling-rules.md.
"""

from collections.abc import Iterator
from itertools import combinations

from designer.core.dynamodb.limits import INCLUDE_NAMES
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.pins import Projected
from designer.core.planner.model.reads_and_writes import FOUND, EntityRead
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.asked_lists import lists_in_key
from designer.core.planner.pricing.key_matching import (
    asked_of_key,
    contains_answer,
    gets_first,
    in_two_requests,
    is_local_to,
    is_spread,
    is_too_long,
    query_access,
    spread_of,
    with_what_is_left,
)
from designer.core.planner.pricing.read_figures import (
    carried,
    get_access,
    priced_access,
    repriced,
    then_got,
)

TESTED_LATE = 3
"""Attributes of which each set may be tested once the items came; of more, only all together."""


@cached
def accesses(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> tuple[Access, ...]:
    """The ways a structure answers an entity read, if any. `keys`: bytes of all key attributes on the item."""
    return tuple(_in_all_ways(model, base, structure, entity_read, keys))


def _in_all_ways(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> Iterator[Access]:
    if not entity_read.allows(structure):
        return
    if not entity_read.others:
        yield from _in_one_way(model, base, structure, entity_read, keys)
        return
    served: list[object] = []
    for at, way in enumerate(entity_read.ways):
        found = list(_in_one_way(model, base, structure, way, keys))
        # Two ways are one where the key serves neither's own range or list.
        if found and _served(model, way, found[0]) not in served:
            served.append(_served(model, way, found[0]))
            yield from (changed(access, way=at) for access in found)


def _served(model: EntityModel, entity_read: EntityRead, access: Access) -> object:
    """The range and the lists that the key serves."""
    is_ranged = access.ranged or bool(access.period)
    listed = frozenset(lists_in_key(model, entity_read, access))
    return (entity_read.range if is_ranged else None, listed)


def _in_one_way(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> Iterator[Access]:
    """The same by one choice of range and list, with what is pinned of the structure."""
    held: Projected | None = model.pins.held(structure) if model.pins else None
    held = held or entity_read.holding
    for access in _accesses(model, base, structure, entity_read, keys):
        if held is None or access.structure is None or not structure.is_index:
            yield access
            continue
        pinned = _held_as_pinned(model, base, access, entity_read, held, keys)
        if pinned is not None:
            yield pinned


def _held_as_pinned(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    held: "Projected",
    keys: float,
) -> Access | None:
    """An access to an index that is pinned to hold something; None where that is not what the access needs."""
    assert access.structure is not None
    if held == "all":
        return repriced(model, base, access, entity_read, None, keys)
    native = carried(model, base, access.structure)
    if held == "include":
        names = access.projection
        if names is None and access.call == "query":
            names = model.entity.stored_names
        more = names is not None and (access.call == "query" or bool(names - native))
        return changed(access, projection=names) if more else None
    names = frozenset() if held == "keys-only" else held
    if access.projection is None or access.projection - names - native:
        return None
    return repriced(
        model, base, changed(access, projection=names), entity_read, names | native, keys
    )


def _accesses(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> Iterator[Access]:
    if structure.kind == "index" and entity_read.strong:
        return
    if structure.kind == "local" and not is_local_to(model, base, structure, keys):
        return
    known = set(entity_read.equals)
    if not structure.is_index and model.made_of(structure) <= known:
        if contains_answer(model, structure, entity_read):
            yield get_access(model, structure, entity_read, keys)
        return
    if entity_read.consistency == "transactional":
        return  # no transaction contains a Query
    access = asked_of_key(model, structure, entity_read)
    if access is None:
        return
    if not structure.is_index:
        yield from priced_access(model, base, structure, entity_read, access, None, keys)
        return
    if is_too_long(model, structure, entity_read, access):
        return  # a key sorted as asked is read no further than the limit, however long a collection is
    for needs in dict.fromkeys(
        (entity_read.needs, entity_read.least, *_by_name(model, entity_read))
    ):
        yield from priced_access(model, base, structure, entity_read, access, needs, keys)
        if needs is not None and needs & model.spelled(base, structure):
            less = needs - model.spelled(base, structure)
            yield from priced_access(model, base, structure, entity_read, access, less, keys)
    if is_spread(access) and entity_read.limit and not gets_first(model, entity_read, access):
        return  # the limit holds for each row; and unsorted keys would all be read to get a few items
    in_one = entity_read.one and set(model.entity.identifier) <= known
    if entity_read.part != FOUND and in_two_requests(model):
        in_one = False
    is_listed = not entity_read.count and not entity_read.strong and not entity_read.deletes
    if not in_one and is_listed:
        yield from _with_second_read(model, base, structure, entity_read, access, keys)


def _by_name(model: EntityModel, entity_read: EntityRead) -> Iterator[frozenset[str]]:
    """All that an item has, as a list: other than with everything, the keys of other indexes are not in it."""
    names = model.entity.stored_names
    if entity_read.needs is None and len(names) < INCLUDE_NAMES:
        yield names


def priced_otherwise(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    projection: Projection,
    keys: float,
    times: float | None = None,
) -> Access:
    """An access with what it would read of an entity read that finds or keeps more or less than was thought.

    Its pages stay as long as they are. `entity_read`: in the one way that the access takes; `times`: how many times
    as many items have what its key fixes, where the entity read does not say so.
    """
    structure, page, access = access.structure, access.page, changed(access, way=0)
    if structure is not None and access.call != "get":
        spread = spread_of(model, structure, entity_read)
        assert spread is not None
        found = access.found * (times or 1.0)
        if times is None:
            found = query_access(model, structure, entity_read, *spread).found
        access = changed(access, found=found)
    return repriced(model, base, access, entity_read, projection, keys, page)


def _with_second_read(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    keys: float,
) -> Iterator[Access]:
    """Keys from the index, which holds what is tested, or some of it, then each item that is left from the table."""
    access = changed(access, call="query then get")
    for way in (access, *_tested_late(model, base, structure, entity_read, access)):
        for first in priced_access(model, base, structure, entity_read, way, frozenset(), keys):
            yield then_got(model, structure, entity_read, first, keys)


def _tested_late(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
) -> Iterator[Access]:
    """The same where some of what writes change is tested of the items, so that no change of it is an index's write.

    A limit cuts what is left, so all of the items are got.
    """
    tested = with_what_is_left(model, entity_read, access, frozenset()) or frozenset()
    changing = sorted((tested - carried(model, base, structure)) & model.mutable)
    if entity_read.limit is not None and is_spread(access):
        return
    access = changed(access, ordered=access.ordered and entity_read.limit is None)
    if is_too_long(model, structure, entity_read, access):
        return
    fewest = 1 if len(changing) <= TESTED_LATE else len(changing)
    for size in range(fewest, len(changing) + 1) if changing else ():
        for late in combinations(changing, size):
            yield changed(access, late=frozenset(late))
