"""Pages of a Query that stops when enough items pass a test: how large they are, and what the first ones read."""

from dataclasses import dataclass, replace
from math import ceil, floor

from designer.core.dynamodb.limits import PAGE_BYTES, READ_UNIT_BYTES
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Access
from designer.core.planner.pricing.at_worst import item_bytes
from designer.core.planner.pricing.key_matching import reads_of_each


@dataclass(frozen=True)
class Page:
    """One page of such a Query."""

    items: int
    """Items at most: the `Limit` of the request."""
    longer: float
    """How many times the items it needs to read a page reads on average, as it is no shorter than 4 KB. That costs
    nothing: DynamoDB rounds the bytes of each request up to steps of 4 KB."""


def page_behind_test(model: EntityModel, entity_read: EntityRead, access: Access) -> Page:
    """The page of a Query that tests what it reads and has a limit.

    It finds as many as are wanted, on average. One of less than 4 KB would cost as much, and often need another.
    `entity_read`: in the way that the access takes.
    """
    assert access.structure is not None
    assert entity_read.limit is not None
    _, needed = reads_of_each(model, access.structure, entity_read, access)
    without_limit = replace(entity_read, limit=None)
    _, there = reads_of_each(model, access.structure, without_limit, access)
    size = item_bytes(access)
    fills_step = floor(round(READ_UNIT_BYTES / size, 6)) if size else 0
    fills_page = floor(round(PAGE_BYTES / size, 6)) if size else 0
    most = max(entity_read.limit, fills_step, min(ceil(round(needed, 6)), fills_page))
    is_longer = needed > 0 and fills_step > needed
    return Page(most, max(1.0, min(most, there) / needed) if is_longer else 1.0)
