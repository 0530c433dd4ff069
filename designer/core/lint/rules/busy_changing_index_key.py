"""An index key that changes more often than it is asked."""

from collections.abc import Iterator

from designer.core.design.changes import changed_attributes, mutable_attributes
from designer.core.design.document import Design
from designer.core.figures import money
from designer.core.keys import names
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    at_attribute,
    changes,
    entity_of,
    indexes,
    rated_steps,
    spoken,
    template_of,
)
from designer.core.plan import Index, Plan, Table
from designer.core.prices import SECONDS_PER_MONTH, prices_of

BUSY = 10
"""Write units a second on an index, on average, from which it is worth a thought."""


class BusyChangingIndexKey(Rule):
    id = "I104"
    severity = "advice"
    title = "Changing attribute in a busy index key"
    about = "attribute"
    what = (
        f"The key of an index has an attribute that changes; its changes take {BUSY} or more write units a second on "
        "the index, on average, and cost more than all that is read from it."
    )
    why = (
        "A changed key is two writes on the index: one deletes the old entry, one puts the new. The table's own write "
        "comes on top, and so does what every other index takes."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes"
    cure = (
        "Ask by something that changes less, narrow the index to the state that is asked for, or ask a small "
        "collection with a filter. Where the price is right, ignore the finding and say so."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        price = prices_of(design.region)
        for plan, table, index in indexes(plans):
            for entity, moving in _moving(design, table, index):
                writes = _moves(design, plan, f"{table.name}/{index.name}", entity, moving)
                paid = writes * float(price.write_unit) * SECONDS_PER_MONTH
                earned = _reads(design, plan, table, index)
                earned *= float(price.read_unit) * SECONDS_PER_MONTH
                if writes >= BUSY and paid > earned:
                    yield Found(
                        at_attribute(entity, moving[0]),
                        f"Changes of {spoken(moving)} of {entity} cost {money(paid)} a month in the index {index.name} "
                        f"of {table.name}, and what is read from it {money(earned)}.",
                        "Ask by something that changes less, or narrow the index to the state that is asked for.",
                    )


def _moving(design: Design, table: Table, index: Index) -> Iterator[tuple[str, list[str]]]:
    """Entities in an index, each with the attributes of its key there that change."""
    mutable = mutable_attributes(design)
    for shape in table.items:
        entity = entity_of(design, shape)
        held = [template_of(shape, part.name) for part in (*index.partition, *index.sort)]
        if entity is not None and None not in held:
            within = dict.fromkeys(name for text in held for name in names(text or ""))
            moving = [name for name in within if name in mutable[entity.name]]
            if moving:
                yield entity.name, moving


def _moves(design: Design, plan: Plan, place: str, entity: str, moving: list[str]) -> float:
    """Write units a second on an index by the updates that change its key."""
    updates = {
        pattern.number
        for pattern, change in changes(design)
        if (change.entity, change.verb) == (entity, "update")
        and changed_attributes(design.entity[entity], change) & set(moving)
    }
    return sum(
        rate * step.expects.index_units.get(place, 0.0)
        for number, rate, step in rated_steps(design, plan)
        if number in updates
    )


def _reads(design: Design, plan: Plan, table: Table, index: Index) -> float:
    """Read units a second that are asked of an index."""
    return sum(
        rate * step.expects.units
        for _, rate, step in rated_steps(design, plan)
        if (step.table, step.index) == (table.name, index.name)
    )
