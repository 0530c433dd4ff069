"""An index key that changes more often than it is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from designer.core.design.changes import changed_attributes, mutable_attributes
from designer.core.design.document import Design
from designer.core.dynamodb.limits import READ_UNIT_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.edits.patterns import change_pattern
from designer.core.edits.pins import without_pins
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_attribute,
    attribute_at,
    entity_of,
    indexes,
    named,
    rated_steps,
    steps,
    template_of,
)
from designer.core.messages import Message, say
from designer.core.patterns.base import Pattern, Read, Write
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.plan import Index, Plan, Table
from designer.core.plan.keys import Form, is_condition, parse

BUSY = 10
"""Write units a second on an index, on average, from which it is worth a thought."""
CHEAPER = 2
"""How many times as much as reading the whole table instead its changes cost, before that is offered."""


class BusyChangingIndexKey(Rule):
    id = "I104"
    severity = "advice"
    title = "Frequently changing index key"
    about = "attribute"
    what = (
        f"The key of an index contains an attribute that changes. On average, its changes take {BUSY} or more "
        "write units a second on the index, and they cost more than all reads from the index."
    )
    why = (
        "A change to a key attribute costs two writes on the index: one deletes the old entry, and one puts the "
        "new entry. The writes to the table and to all other indexes are charged as well."
    )
    source = (
        ""
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes"
    )
    cure = (
        "If only jobs that run no more than about once an hour read the index, let them read the whole table instead, "
        "with a parallel Scan or from an export to S3. If every reader sorts by the attribute, and an approximate "
        "order is enough, set it less often. Otherwise query by an attribute that changes less often, index "
        "only the items that you need, or read a small collection with a filter. If the price is acceptable, ignore "
        "the finding and give that as the reason."
    )
    offers = {
        "scan": (
            "Marks the access patterns that read the index as batch jobs, which read the whole table, and removes pins "
            "that keep the index. Available if nothing else reads the index, and if the changes to it cost more than "
            f"{'twice' if CHEAPER == 2 else f'{CHEAPER} times'} as much as the Scans. The bill does not "
            "include these Scans."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for busy in _busy(design, plans):
            yield Found(
                at_attribute(busy.entity, busy.moving[0]),
                say(
                    "busy-changing-index-key",
                    attributes=tuple(f"{busy.entity}.{name}" for name in busy.moving),
                    usd=busy.paid,
                    index=named(busy.table.name, busy.index.name),
                    reads_usd=busy.earned,
                ),
                _remedy(design, busy),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        entity, name = attribute_at(where)
        here = [
            busy
            for busy in _busy(design, plans)
            if busy.entity == entity and busy.moving[0] == name
        ]
        if here and all(_pays(design, busy) for busy in here):
            numbers = {number for busy in here for number in busy.readers}
            names = {busy.index.name for busy in here}
            yield Fix(
                "scan",
                "Let batch jobs read the whole table",
                lambda now: _scanning(now, numbers, names),
            )


@dataclass(frozen=True)
class _Busy:
    """An index whose keys cost more to change than it serves."""

    plan: Plan
    table: Table
    index: Index
    entity: str
    moving: list[str]
    """The attributes of the entity in the index's key that change."""
    paid: float
    """US dollars a month for changes to the key."""
    earned: float
    """US dollars a month for all reads from the index."""

    @property
    def readers(self) -> set[int]:
        """The numbers of the access patterns that read the index."""
        return {
            number
            for _, number, step in steps({self.plan.style: self.plan})
            if (step.table, step.index) == (self.table.name, self.index.name)
        }


def _busy(design: Design, plans: Plans) -> Iterator[_Busy]:
    price = prices_of(design.region)
    mutable = mutable_attributes(design)
    for plan in plans.values():
        traffic = _traffic(design, plan)
        for table, index, entity, moving in _moving(design, plan, mutable):
            place = traffic.get(f"{table.name}/{index.name}", _Traffic())
            changing = {
                number for number in place.writes if _changes(design, number, entity, moving)
            }
            writes = sum(place.writes[number] for number in changing)
            paid = writes * float(price.write_unit) * SECONDS_PER_MONTH
            earned = place.reads * float(price.read_unit) * SECONDS_PER_MONTH
            if writes >= BUSY and paid > earned:
                yield _Busy(plan, table, index, entity, moving, paid, earned)


def _remedy(design: Design, busy: _Busy) -> Message:
    if _pays(design, busy):
        return say("scan-instead-of-index", usd=_scans(design, busy))
    readers = [design.pattern(number) for number in sorted(busy.readers)]
    sorting = [one.number for one in readers if _sorted_by(one) & set(busy.moving)]
    if sorting and len(sorting) == len(readers):
        names = dict.fromkeys(n for one in readers for n in busy.moving if n in _sorted_by(one))
        attributes = tuple(f"{busy.entity}.{name}" for name in names)
        return say("set-less-often-or-accept", patterns=tuple(sorting), attributes=attributes)
    return say("query-steadier-or-narrow")


def _sorted_by(pattern: Pattern) -> set[str]:
    """What a read returns items in the order of, its own or those that come along."""
    if not isinstance(pattern, Read):
        return set()
    return {order.attribute for part in (pattern, *pattern.with_) for order in part.orders}


def _pays(design: Design, busy: _Busy) -> bool:
    """Whether only jobs, for which nobody waits, read the index, and reading the whole table each time costs less."""
    followed = any(
        (step.table, step.index) == (busy.table.name, busy.index.name)
        for upkeep in busy.plan.upkeep
        for step in upkeep.steps
    )
    jobs = [_is_job(design.pattern(number)) for number in busy.readers]
    return bool(jobs) and all(jobs) and not followed and busy.paid > CHEAPER * _scans(design, busy)


def _is_job(pattern: Pattern) -> bool:
    return isinstance(pattern, Read) and pattern.rate is not None and pattern.rate.is_of_a_job


def _scans(design: Design, busy: _Busy) -> float:
    """US dollars a month for a Scan of the table each time that one of the readers runs, at half a unit for 4 KB."""
    rates = (design.pattern(number).rate for number in busy.readers)
    size = sum(shape.items * shape.bytes for shape in busy.table.items if shape.inside is None)
    units = size / READ_UNIT_BYTES / 2
    often = sum(rate.average for rate in rates if rate is not None)
    return often * units * float(prices_of(design.region).read_unit) * SECONDS_PER_MONTH


def _scanning(design: Design, numbers: set[int], names: set[str]) -> Design:
    """The design whose readers of some indexes read whole tables, and in which nothing asks for these indexes."""
    pins = tuple(
        pin
        for pin in design.planner.pins
        if pin.pattern in numbers or pin.index in names or pin.name in names
    )
    design = without_pins(design, pins)
    for number in sorted(numbers):
        read = design.pattern(number)
        assert isinstance(read, Read)
        same = {field: getattr(read, field) for field in Pattern.model_fields if field != "kind"}
        (first, *more) = read.entities
        job = Elsewhere(**same, returns=(first, *more) if more else first, because="batch job")
        design = change_pattern(design, number, job)
    return design


@dataclass
class _Traffic:
    """Units a second on an index, on average."""

    reads: float = 0.0
    writes: dict[int, float] = field(default_factory=dict)
    """By the number of the pattern that makes them."""


def _traffic(design: Design, plan: Plan) -> dict[str, _Traffic]:
    """By `table/index` what is read from it and written to it."""
    found: dict[str, _Traffic] = {}
    for number, rate, step in rated_steps(design, plan):
        if step.index is not None:
            found.setdefault(f"{step.table}/{step.index}", _Traffic()).reads += (
                rate * step.expects.units
            )
        for place, units in step.expects.index_units.items():
            writes = found.setdefault(place, _Traffic()).writes
            writes[number] = writes.get(number, 0.0) + rate * units
    return found


def _moving(
    design: Design, plan: Plan, mutable: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Table, Index, str, list[str]]]:
    """Entities in indexes, each with the attributes of its key there that change.

    What has one value only marks the items that the index is narrowed to.
    """
    for _, table, index in indexes({plan.style: plan}):
        for shape in table.items:
            entity = entity_of(design, shape)
            held = [template_of(shape, part.name) for part in (*index.partition, *index.sort)]
            if entity is not None and None not in held:
                within = dict.fromkeys(name for text in held for name in _varying(text or ""))
                marks = {one.name for one in entity.attributes if len(one.values or ()) == 1}
                moving = [name for name in within if name in mutable[entity.name] - marks]
                if moving:
                    yield table, index, entity.name, moving


def _varying(template: str) -> Iterator[str]:
    """What a key's text differs by. Of one state only, it says which items the index has: it is narrowed to them."""
    for part in parse(template):
        is_narrow = isinstance(part, Form) and (
            is_condition(part) or (part.form in ("only", "absent") and len(part.texts) == 1)
        )
        if not isinstance(part, str) and not is_narrow:
            yield part.name


def _changes(design: Design, number: int, entity: str, moving: list[str]) -> bool:
    """Whether a pattern updates one of some attributes of an entity."""
    pattern = design.pattern(number)
    return isinstance(pattern, Write) and any(
        (change.entity, change.verb) == (entity, "update")
        and changed_attributes(design.entity[entity], change) & set(moving)
        for change in pattern.changes
    )
