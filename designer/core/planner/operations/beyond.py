"""What an access pattern takes too much of.

Its bytes and pages are those that the design states, without what the text of keys adds: that is another text in each
style, and how keys are written decides nothing.
"""

from collections.abc import Mapping

from designer.core.dynamodb.limits import FEW_PAGES, MANY_REQUESTS, PAGE_BYTES, PARTITION_READS
from designer.core.patterns.base import Read
from designer.core.plan import Beyond, Step
from designer.core.planner.model.chosen import Group
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.at_worst import at_worst, keeps_most
from designer.core.planner.pricing.pages import Restated, as_stated
from designer.core.planner.pricing.shared_reads import shared_as_stated
from designer.core.planner.pricing.structures import hottest_reads

Queries = Mapping[str, tuple[EntityRead, Access]]
"""The entity reads that Queries of their own answer, in the ways that they take, by the step of each."""


Shared = Mapping[str, Group]
"""The Queries that answer several entity reads, by the step of each."""


def beyond(
    context: Context, q: int, steps: list[Step], queries: Queries, shared: Shared
) -> tuple[Beyond, ...]:
    """What an access pattern takes too much of: at the worst, or each time."""
    pattern_read = context.search.requirements.pattern_reads[q]
    is_short = is_hot = may_miss = False
    keys = 0.0
    restated: dict[str, Restated] = {}
    for step in steps:
        if step.id in shared:
            parts = context.search.group_parts(shared[step.id], context.choice.entities)
            is_short = is_short or any(part.is_short for part in parts)
            may_miss = may_miss or any(part.may_miss for part in parts)
            restated[step.id], more = shared_as_stated(parts, bool(step.until))
            keys += more
    for at, entity_read in enumerate(pattern_read.entity_reads):
        access = context.choice.entities[entity_read.entity].access.get((q, at))
        if access is None:
            continue
        model, way = context.model(entity_read.entity), entity_read.ways[access.way]
        worst = at_worst(model, way, access, None)
        is_short = is_short or (worst is not None and worst.is_short)
        is_query = worst is not None
        may_miss = may_miss or (is_query and not keeps_most(model, way, access))
        hottest = hottest_reads(model, way, access, pattern_read.peak, pattern_read.pattern.hottest)
        is_hot = is_hot or (access.call != "get" and hottest > PARTITION_READS)
        keys += _bytes_of_keys(model, way, access)
    is_job = all(entity_read.is_job for entity_read in pattern_read.entity_reads)
    in_all = sum(step.expects.bytes for step in steps) - keys
    is_long = in_all > FEW_PAGES * PAGE_BYTES and not is_job
    for id, (way, access) in queries.items():
        restated[id] = as_stated(context.model(way.entity), way, access)
    on_and_on = any(_asks_on_and_on(step, restated.get(step.id)) for step in steps)
    is_short = is_short or (may_miss and not is_job and on_and_on)
    asked = pattern_read.pattern
    is_list = isinstance(asked, Read) and asked.returns_items and asked.limit is None
    returns_all = is_list and any(map(_is_uncut, pattern_read.entity_reads))
    more = sum(_more_at_worst(step, restated.get(step.id)) for step in steps)
    is_larger = returns_all and not is_job and not is_long and more > FEW_PAGES
    found: dict[Beyond, bool] = {
        "pages": is_short,
        "partition": is_hot,
        "largest": is_larger and not is_short,
        "answer": is_long,
    }
    return tuple(why for why, is_so in found.items() if is_so)


def _is_uncut(entity_read: EntityRead) -> bool:
    """Whether all items that it finds are wanted, however many these are."""
    limit = entity_read.limit if entity_read.crossed is None else entity_read.crossed.limit
    return limit is None and not entity_read.one


def _more_at_worst(step: Step, restated: Restated | None) -> float:
    """Pages that it takes at the worst, beyond those on average.

    The requests that get a hundred items each need not wait for one another: many count as a few pages.
    """
    if step.expects.worst is None:
        return 0.0
    usual, worst = step.expects.requests, step.expects.worst.requests
    if step.call == "BatchGetItem":
        return FEW_PAGES / MANY_REQUESTS * (worst - usual)
    if restated is not None:
        usual, worst = usual * restated.usual, worst * restated.worst
    return round(worst - usual, 6)


def _asks_on_and_on(step: Step, restated: Restated | None) -> bool:
    """Whether it may ask for far too many pages, however small, before it has found enough."""
    if step.pages != "until" or step.expects.worst is None:
        return False
    times = 1.0 if restated is None else restated.worst
    return round(step.expects.worst.requests * times, 6) > MANY_REQUESTS


def _bytes_of_keys(model: EntityModel, entity_read: EntityRead, access: Access) -> float:
    """Of the bytes that it reads each time, those that the text of keys adds."""
    if access.structure is None:
        return 0.0
    items, size = (0.0, 0.0) if access.then is None else access.then[1:3]
    first = access.bytes - size - (access.read - items) * access.stated
    return (first + size - items * model.stated_bytes) * entity_read.times
