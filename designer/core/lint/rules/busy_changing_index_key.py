"""An index key that changes more often than it is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from designer.core.design.changes import changed_attributes, mutable_attributes
from designer.core.design.document import Design
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    at_attribute,
    entity_of,
    indexes,
    named,
    rated_steps,
    template_of,
)
from designer.core.messages import say
from designer.core.patterns.base import Write
from designer.core.plan import Index, Plan, Table
from designer.core.plan.keys import Form, is_condition, parse

BUSY = 10
"""Write units a second on an index, on average, from which it is worth a thought."""


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
        "Query by an attribute that changes less often, index only the items that you need, or read a "
        "small collection with a filter. If the price is acceptable, ignore the finding and give that as the reason."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
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
                    yield Found(
                        at_attribute(entity, moving[0]),
                        say(
                            "busy-changing-index-key",
                            attributes=tuple(f"{entity}.{name}" for name in moving),
                            usd=paid,
                            index=named(table.name, index.name),
                            reads_usd=earned,
                        ),
                        say("query-steadier-or-narrow"),
                    )


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
