"""An index where a filter over a small collection would do."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.dynamodb.limits import READ_UNIT_BYTES, SMALL_COLLECTION_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.edits.pins import without_pins
from designer.core.heat.shares import KeyShare
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_pattern,
    indexes,
    named,
    number_at,
    steps,
    template_of,
    with_pattern,
)
from designer.core.messages import say
from designer.core.patterns.base import Condition, Read
from designer.core.plan import Index, Shape, Table
from designer.core.plan.keys import written
from designer.core.words.figures import binary_size as size


class IndexForSmallCollection(Rule):
    id = "I105"
    severity = "advice"
    title = "Index for a small collection"
    about = "pattern"
    what = (
        "All items that an access pattern reads from an index in one run are in one item collection of the table, and "
        f"that collection holds {size(SMALL_COLLECTION_BYTES)} or less on average. Reading that whole "
        "collection would add no more than 5 % to the cost of the plan, or no more than “Extra cost allowed” if the "
        "settings state it."
    )
    why = (
        "An index costs writes and storage, counts towards the quota and makes the plan harder to understand. "
        f"One Query request can read {size(SMALL_COLLECTION_BYTES)}, and a filter returns only the items that the "
        "caller asked for."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html"
    )
    cure = (
        "Move the conditions that the index serves to “Returned only if”, so that a filter over the collection "
        "serves them."
    )
    offers = {
        "filter": (
            "Moves the conditions that the table's key cannot serve from “Found by” to “Returned only if”, and "
            "removes pins that keep the index. The result stays the same."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for index, table, found in _dispensable(design, plans):
            for small in found:
                yield Found(
                    at_pattern(small.number),
                    say(
                        "index-for-small-collection",
                        pattern=small.number,
                        index=named(table.name, index.name),
                        bytes=small.bytes,
                        usd=small.more,
                    ),
                    say("move-conditions-to-keep"),
                )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        for index, _, found in _dispensable(design, plans):
            if number in [small.number for small in found]:
                pins = tuple(p for p in design.planner.pins if index.name in (p.index, p.name))
                yield Fix(
                    "filter",
                    "Use a filter instead of the index",
                    partial(_filtered, found=found, pins=pins),
                )
                return


@dataclass(frozen=True)
class Small:
    """A pattern that could be answered from one small partition of the table."""

    number: int
    bytes: float
    """Of the partition's items of the entity, on average."""
    more: float
    """US dollars that reading them all costs a month."""
    rest: tuple[Condition, ...]
    """Conditions that the table's partition key does not answer."""


def _dispensable(design: Design, plans: Plans) -> Iterator[tuple[Index, Table, tuple[Small, ...]]]:
    """Indexes that small filters could stand for, with the patterns that read them."""
    for plan, table, index in indexes(plans):
        readers = {
            number
            for _, number, step in steps({plan.style: plan})
            if (step.table, step.index) == (table.name, index.name)
        }
        found = [_small(design, table, number) for number in sorted(readers)]
        small = tuple(one for one in found if one is not None)
        needed = any(step.index == index.name for upkeep in plan.upkeep for step in upkeep.steps)
        if not small or len(small) < len(readers) or needed:
            continue
        if sum(one.more for one in small) <= design.planner.tolerance * plan.cost.per_month:
            yield index, table, small


def _small(design: Design, table: Table, number: int) -> Small | None:
    pattern = design.pattern(number)
    if (
        not isinstance(pattern, Read)
        or pattern.by_identifier
        or pattern.answer_kind == "exists"
        or len(pattern.entities) > 1
        or pattern.with_
    ):
        return None
    (name,) = pattern.entities
    shape = next(
        (s for s in table.items if (s.shape, s.role) in ((name, "entity"), (name, "edge"))), None
    )
    template = template_of(shape, table.key.partition.name) if shape is not None else None
    if shape is None or template is None:
        return None
    leading = set(written(template))
    given = {c.attribute for c in pattern.where if c.is_ is not None and not c.optional}
    rest = tuple(condition for condition in pattern.where if condition.attribute not in leading)
    bytes_ = shape.bytes * shape.items / max(1.0, _collections(design, shape, template))
    if not leading <= given or not rest or bytes_ > SMALL_COLLECTION_BYTES:
        return None
    rate = pattern.rate.average if pattern.rate else 0.0
    units = ceil(bytes_ / READ_UNIT_BYTES) / 2
    usd = rate * units * float(prices_of(design.region).read_unit) * SECONDS_PER_MONTH
    return Small(number, bytes_, usd, rest)


def _collections(design: Design, shape: Shape, template: str) -> float:
    """How many partitions a shape's items lie in: no more than items, nor than parents where a parent's id leads."""
    leading = set(written(template))
    above = (
        design.entity[parent].items or shape.items
        for relationship in design.of_child.get(shape.entity, ())
        for parent, pairs in design.sides(relationship)
        if {own for own, _ in pairs} == leading
    )
    return min(KeyShare(design, shape, (template,)).values, shape.items, *above)


def _filtered(design: Design, found: tuple[Small, ...], pins: tuple[Pin, ...]) -> Design:
    """The patterns ask for a filter, and nothing asks for the index any more."""
    design = without_pins(design, pins)
    for small in found:
        read = design.pattern(small.number)
        assert isinstance(read, Read)
        where = tuple(condition for condition in read.where if condition not in small.rest)
        design = with_pattern(design, small.number, where=where, keep=(*read.keep, *small.rest))
    return design
