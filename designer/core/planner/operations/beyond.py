"""What an access pattern takes too much of.

Its bytes and pages are those that the design states, without what the text of keys adds: that is another text in each
style, and how keys are written decides nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from designer.core.dynamodb.limits import FEW_PAGES, MANY_REQUESTS, PAGE_BYTES, PARTITION_READS
from designer.core.patterns.base import Read
from designer.core.plan import Beyond, Step
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.along import rows_at_worst
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.at_worst import at_worst, keeps_most
from designer.core.planner.pricing.pages import as_stated, asks_on_and_on
from designer.core.planner.pricing.shared_reads import (
    Part,
    more_of_whole,
    shared_as_stated,
)
from designer.core.planner.pricing.structures import hottest_reads


@dataclass(frozen=True)
class Asked:
    """The steps of a read, and what each asks."""

    steps: list[Step]
    alone: Mapping[str, tuple[str, int, Access]]
    """The parts that have steps of their own, by the id of each: entity reads, and the ways that these take."""
    shared: Mapping[str, SharedQuery]
    """The Queries that answer several entity reads, by the step of each."""


def beyond(context: Context, q: int, asked: Asked) -> tuple[Beyond, ...]:
    """What an access pattern takes too much of: at the worst, or each time."""
    pattern_read = context.search.requirements.pattern_reads[q]
    is_hot = False
    for at, entity_read in enumerate(pattern_read.entity_reads):
        access = context.choice.entities[entity_read.entity].access.get((q, at))
        if access is None:
            continue
        model, way = context.model(entity_read.entity), entity_read.ways[access.way]
        hottest = hottest_reads(model, way, access, pattern_read.peak, pattern_read.pattern.hottest)
        is_hot = is_hot or (access.call != "get" and hottest > PARTITION_READS)
    is_long = not _is_job(pattern_read) and _is_long(context, q, asked)
    found: dict[Beyond, bool] = {
        "pages": bool(_short(context, q, asked)),
        "partition": is_hot,
        "largest": not is_long and bool(much_larger(context, q, asked)),
        "answer": is_long,
    }
    return tuple(why for why, is_so in found.items() if is_so)


def _is_long(context: Context, q: int, asked: Asked) -> bool:
    """Whether it takes more than a few pages each time."""
    in_all = sum(step.expects.bytes for step in asked.steps)
    if in_all <= FEW_PAGES * PAGE_BYTES:
        return False
    for id, group in asked.shared.items():
        parts = context.search.shared_query_parts(group, context.choice.entities)
        is_until = any(step.id == id and step.until for step in asked.steps)
        in_all -= shared_as_stated(parts, is_until)[1]
    for at, entity_read in enumerate(context.search.requirements.pattern_reads[q].entity_reads):
        access = context.choice.entities[entity_read.entity].access.get((q, at))
        if access is not None:
            way = entity_read.ways[access.way]
            in_all -= _bytes_of_keys(context.model(entity_read.entity), way, access)
    return in_all > FEW_PAGES * PAGE_BYTES


def _is_job(pattern_read: PatternRead) -> bool:
    return all(entity_read.is_job for entity_read in pattern_read.entity_reads)


def _short(context: Context, q: int, asked: Asked) -> set[str]:
    """The parts that may return little of what they read at the worst, each judged by itself."""
    pattern_read = context.search.requirements.pattern_reads[q]
    found: set[str] = set()
    for at, entity_read in enumerate(pattern_read.entity_reads):
        access = context.choice.entities[entity_read.entity].access.get((q, at))
        if access is None:
            continue
        model, way = context.model(entity_read.entity), entity_read.ways[access.way]
        worst = at_worst(model, way, access, None)
        if worst is None:
            continue
        on_and_on = asks_on_and_on(model, way, access) and not keeps_most(model, way, access)
        if worst.is_short or on_and_on:
            found.add(way.part)
    for step in asked.steps:
        if step.id in asked.shared:
            parts = context.search.shared_query_parts(
                asked.shared[step.id], context.choice.entities
            )
            found |= {part.entity_read.part for part in parts if part.is_short}
            found |= _on_and_on(step, parts)
    return found


def _on_and_on(step: Step, parts: Sequence[Part]) -> set[str]:
    """The parts of a shared Query that may find nothing on far too many pages, however small these are."""
    if step.pages != "until" or step.expects.worst is None:
        return set()
    requests = step.expects.worst.requests * shared_as_stated(parts, is_limited=True)[0].worst
    most = {part.entity_read.part: part.most for part in parts}
    missing = {
        part.entity_read.part
        for part in parts
        if part.may_miss and not part.entity_read.is_job and most[part.entity_read.part]
    }
    pages = requests * sum(most[name] for name in missing) / max(1.0, sum(most.values()))
    return missing if round(pages, 6) > MANY_REQUESTS else set()


def much_larger(context: Context, q: int, asked: Asked) -> dict[str, float]:
    """The parts without a limit, and the pages that each takes at the worst beyond those on average.

    Empty where these are few together. What a limit cuts is left out, however much of it is tested, and so is a part
    that may return little.
    """
    pattern_read = context.search.requirements.pattern_reads[q]
    pattern = pattern_read.pattern
    if not isinstance(pattern, Read) or not pattern.returns_items or _is_job(pattern_read):
        return {}
    worst = (step.expects.worst or step.expects for step in asked.steps)
    if sum(one.requests for one in worst) <= FEW_PAGES:
        return {}
    found: dict[str, float] = {}
    for step in asked.steps:
        if step.id in asked.shared:
            parts = context.search.shared_query_parts(
                asked.shared[step.id], context.choice.entities
            )
            more = more_of_whole(parts, bool(step.until))
        else:
            more = _more_of_step(context, q, step, *asked.alone[step.id][1:])
        for name, pages in more.items():
            found[name] = found.get(name, 0.0) + pages
    short = _short(context, q, asked)
    found = {name: pages for name, pages in found.items() if pages > 0 and name not in short}
    return found if round(sum(found.values()), 6) > FEW_PAGES else {}


def bytes_of_parts(context: Context, asked: Asked) -> dict[str, float]:
    """Bytes that the parts of an answer take each time."""
    found: dict[str, float] = {}
    for step in asked.steps:
        if step.id in asked.shared:
            parts = context.search.shared_query_parts(
                asked.shared[step.id], context.choice.entities
            )
            limited = next((one for one in parts if step.until and one.is_cut), None)
            left = step.expects.bytes
            for part in parts:
                if part is not limited:
                    found[part.entity_read.part] = size = part.access.found * part.size
                    left -= size
            if limited is not None:
                found[limited.entity_read.part] = left
        else:
            name = asked.alone[step.id][0]
            found[name] = found.get(name, 0.0) + step.expects.bytes
    return found


def _more_of_step(
    context: Context, q: int, step: Step, at: int, access: Access
) -> dict[str, float]:
    """Pages that a step takes at the worst beyond those on average, by the part that has no limit.

    What is asked for each row is asked more often because of the rows. The requests that get a hundred items each need
    not wait for one another: many count as a few pages.
    """
    if step.expects.worst is None:
        return {}
    pattern_read = context.search.requirements.pattern_reads[q]
    rows, entity_read = pattern_read.entity_reads[0], pattern_read.entity_reads[at]
    way = entity_read.ways[access.way]
    usual, worst = step.expects.requests, step.expects.worst.requests
    if step.call == "Query":
        restated = as_stated(context.model(way.entity), way, access)
        usual, worst = usual * restated.usual, worst * restated.worst
    of_rows = 0.0
    if at and way.is_dependent and way.one:
        of_rows = worst - usual
    elif at and way.is_dependent:
        more_often = max(1.0, rows_at_worst(context, q) / way.times) if way.times else 1.0
        of_rows = max(0.0, min(worst, usual * more_often) - usual)
    found = {way.part: worst - usual - of_rows} if way.is_uncut else {}
    if rows.is_uncut and of_rows:
        found[rows.part] = of_rows
    weight = FEW_PAGES / MANY_REQUESTS if step.call == "BatchGetItem" else 1.0
    return {name: weight * pages for name, pages in found.items()}


def _bytes_of_keys(model: EntityModel, entity_read: EntityRead, access: Access) -> float:
    """Of the bytes that it reads each time, those that the text of keys adds."""
    if access.structure is None:
        return 0.0
    items, size = (0.0, 0.0) if access.then is None else access.then[1:3]
    first = access.bytes - size - (access.read - items) * access.stated
    return (first + size - items * model.stated_bytes) * entity_read.times
