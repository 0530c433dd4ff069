"""The figures of a step that reads, where what it reads is as large as the design says at the most.

They say what it may take, and decide no verdict: whether it is served on average only, the number of items decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import BATCH_GET_BYTES, BATCH_GET_ITEMS, PAGE_BYTES
from designer.core.patterns.base import Consistency
from designer.core.plan import Expected, ResultPart, Step, Worst
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import expected_at_most
from designer.core.planner.operations.read_steps import part_steps
from designer.core.planner.pricing.at_worst import item_bytes
from designer.core.planner.pricing.largest_items import largest_entry_bytes, largest_of


@dataclass(frozen=True)
class Sizes:
    """How large the items of one entity are that a step reads: bytes of one."""

    usual: float
    largest: float
    items: float | None = None
    """How many there are at the worst, where a Query reads others too; None: all that the step reads."""
    again: int = 0
    """Requests that find nothing."""


Larger = Mapping[str, tuple[Sizes, ...]]
"""The sizes by the step that reads them."""


Found = Sequence[tuple[Sizes, float]]
"""Sizes, and how many of these items there are at the worst."""


Figures = Expected | Worst


def sizes_of(
    context: Context, entity_read: EntityRead, access: Access, steps: list[Step]
) -> Larger:
    """The sizes of what the steps of one entity read find: an item's first, and that of a second read."""
    entity = entity_read.entity
    model, base = context.model(entity), context.choice.entities[entity].base

    def sizes(usual: float, structure: Structure, held: Projection, again: bool) -> Sizes:
        largest = _largest(context, model, structure, held)
        return Sizes(usual, max(usual, largest), again=int(again))

    if access.structure is None:  # what guards hold stays small
        whole = sizes(steps[-1].expects.bytes, base, None, False)
        return {steps[-1].id: (whole,)} if len(steps) > 1 else {}
    again = access.call != "get" and entity_read.is_asked_until_none(access.structure)
    first = sizes(item_bytes(access), access.structure, access.projection, again)
    found = {steps[0].id: (first,)}
    if access.then is not None:
        _, items, size, _ = access.then
        found[steps[-1].id] = (sizes(size / items if items else 0.0, base, None, False),)
    return found


def sizes_of_shared_query(context: Context, group: SharedQuery, step: Step) -> Larger:
    """The sizes of what one Query finds for several entity reads."""
    found = []
    for part in context.search.shared_query_parts(group, context.choice.entities):
        structure, items = part.access.structure, part.most
        assert structure is not None
        if part.entity_read.part in step.until and not part.is_tested and step.limit:
            items = min(items, float(step.limit))
        held = context.layout.projections[part.model.name].get(structure)
        largest = _largest(context, part.model, structure, held)
        found.append(Sizes(part.size, max(part.size, largest), items))
    return {step.id: tuple(found)}


def _largest(context: Context, model: EntityModel, structure: Structure, held: Projection) -> float:
    base = context.choice.entities[model.name].base
    projections = context.layout.projections[model.name]
    return largest_entry_bytes(model, base, structure, held, projections)


def with_largest(step: Step, larger: Larger) -> Step:
    """A step with what it takes at the worst where a few of its items are the largest."""
    sizes = larger.get(step.id, ())
    worst = step.expects.worst or step.expects
    each = [(one, worst.read if one.items is None else one.items) for one in sizes]
    if all(one.largest <= one.usual or not many for one, many in each):
        return step
    took = _queried if step.call == "Query" else _got
    requests, units = took(step, worst, each)
    most = expected_at_most(step.expects, requests, worst.read, max(worst.units, units))
    return step.model_copy(update={"expects": most})


def _bytes_in_all(each: Found) -> float:
    return sum(many * one.usual for one, many in each) + _more_bytes(each)


def _more_bytes(each: Found) -> float:
    """Bytes that the largest of them have more than as many of the average."""
    return sum(largest_of(many) * (one.largest - one.usual) for one, many in each)


def _queried(step: Step, worst: Figures, each: Found) -> tuple[float, float]:
    """Requests and units of Queries: each ends with its items, or goes on after a full page.

    Several limits hold for both figures, and the lowest one counts: that of all bytes together, and those of the bytes
    that come to the pages of the average items.
    """
    in_all, more, runs = _bytes_in_all(each), _more_bytes(each), worst.requests
    if step.for_each is None:
        runs = ceil(round(worst.read / step.limit, 6)) if step.limit else 1
        runs += sum(one.again for one, _ in each)
    requests = runs + in_all // PAGE_BYTES
    room = PAGE_BYTES - (in_all - more) / max(1.0, worst.requests)
    if room > 0:
        requests = min(requests, worst.requests + more // room)
    # An item that does not fit into its page adds one at most, and then one for each full page.
    many_larger = sum(largest_of(many) for _, many in each)
    requests = min(requests, worst.requests + many_larger + more // PAGE_BYTES)
    requests = max(worst.requests, requests)
    # Each page is rounded up by itself.
    step_of, pages = read_units(0, _consistency(step)), ceil(requests)
    units = read_units(in_all, _consistency(step)) + (pages - 1) * step_of
    added = read_units(more, _consistency(step)) + (min(pages, many_larger) - 1) * step_of
    return requests, min(float(units), worst.units + float(added))


def _got(step: Step, worst: Figures, each: Found) -> tuple[float, float]:
    """Requests and units of items that are got by their keys, each of which is rounded up by itself."""
    requests, consistency = worst.requests, _consistency(step)
    if step.call == "BatchGetItem":
        by_items = ceil(round(worst.read / BATCH_GET_ITEMS, 6))
        # What would exceed the limit comes with the next request.
        full = BATCH_GET_BYTES - max(one.largest for one, _ in each)
        fit = 0 if step.goes_with else by_items  # the request of another step has room for them
        requests = max(requests, fit + _bytes_in_all(each) // full)
    units = worst.units
    for one, many in each:
        more = read_units(one.largest, consistency) - read_units(one.usual, consistency)
        units += float(more) * largest_of(many)
    return requests, units


def _consistency(step: Step) -> Consistency:
    if step.call == "TransactGetItems":
        return "transactional"
    return "strong" if step.consistent else "eventual"


def largest_part_steps(
    context: Context, pattern_read: PatternRead, access: Access
) -> tuple[list[Step], ResultPart]:
    """The steps that find what a write needs, with these figures, and what they return."""
    steps, part = part_steps(context, pattern_read, 0, access, 1)
    way = pattern_read.entity_reads[0].ways[access.way]
    sizes = sizes_of(context, way, access, steps)
    return [with_largest(step, sizes) for step in steps], part
