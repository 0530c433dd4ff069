"""Rule 3 of docs/modelling-rules.md: how much of what it reads a read may drop."""

from collections.abc import Iterable

from designer.core.dynamodb.limits import (
    FEW_PAGES,
    MOST_DROPPED,
    PAGE_BYTES,
    SMALL_COLLECTION_BYTES,
)
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import share_kept_by_all
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.key_matching import (
    got_of_one,
    is_of_all,
    reads_of_one,
    with_what_is_left,
)


def is_exact(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    projection: Projection,
) -> bool:
    """Rule 3: a Query drops at most nine tenths of what it reads, or reads a small collection.

    That filters are expected to leave fewer rows than they do of all items, or that another list says so, is no reason
    to refuse it, unless it drops more than a few pages, even of entries that hold no more than what it tests. Then it
    returns most of what it reads. So small a collection of such entries may also hold what is wanted, where filters
    keep enough and a limit drops the rest: a second read would get every item that is then read. The same holds for
    items that are tested once they came.
    Sizes are those that the design states, so that how keys are written decides nothing.
    `projection`: what an index holds, perhaps for others.
    """
    if access.structure is None or access.call == "get":
        return True
    entity_read = entity_read.ways[access.way]
    asked = [entity_read]
    if entity_read.filters and (entity_read.expected is not None or entity_read.also):
        there = {*entity_read.equals, *entity_read.exists}
        if entity_read.range is not None:
            there.add(entity_read.range.attribute)
        kept = share_kept_by_all(model.design, model.entity, entity_read.filters, there)
        asked.append(changed(entity_read, expected=None, kept=entity_read.range_share * kept))
    if is_of_all(entity_read, access):
        asked = [changed(one, limit=None) for one in asked]
    rows = [reads_of_one(model, access.structure, one, access) for one in asked]
    size = least = model.stated_entry_bytes(base, access.structure, projection)
    read, returned = rows[0]
    if is_of_all(entity_read, access):
        return _is_little(rows, size) and not drops_pages(entity_read, read, size)
    if access.structure.is_index:
        twice = changed(access, call="query then get")
        tested = with_what_is_left(model, entity_read, twice, frozenset())
        least = min(size, model.stated_entry_bytes(base, access.structure, tested))
    if not _is_little(rows, size):
        if entity_read.limit is None or access.ordered or not _is_little(rows, least):
            return False
        every = (changed(one, limit=None) for one in asked)  # the limit cuts what was sorted
        if not _is_little([reads_of_one(model, access.structure, e, access) for e in every], size):
            return False
    if access.late:
        got, item = got_of_one(model, access.structure, entity_read, access), model.stated_bytes
        if not _is_little([(got, returned)], item) or drops_pages(
            entity_read, got - returned, item
        ):
            return False
    dropped = read - returned
    return not drops_pages(entity_read, dropped, least) or dropped < round(read / 2, 6)


def _is_little(rows: Iterable[tuple[float, float]], size: float) -> bool:
    """Whether so many bytes of each row read are few, or little is dropped.

    `rows`: (rows read, rows returned), as expected and by the filters alone; one of them is enough.
    """
    return any(
        read * size <= SMALL_COLLECTION_BYTES or returned >= read * (1 - MOST_DROPPED)
        for read, returned in rows
    )


def drops_pages(entity_read: EntityRead, items: float, size: float) -> bool:
    """Whether somebody waits for more than a few pages of so many items that the read does not return.

    `size`: bytes of one. Of a figure, all items that it is worked out from count.
    """
    return items * size > FEW_PAGES * PAGE_BYTES and not entity_read.is_job
