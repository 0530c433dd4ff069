"""Keys that are hot by their writes, pinned over shards."""

from collections.abc import Iterator
from functools import reduce

from designer.core.design.document import Design
from designer.core.design.settings import Pin, PinnedKey
from designer.core.edits.pins import add_pin, replace_pins
from designer.core.edits.replacing import replaced
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.heat.remedies import sharded
from designer.core.lint.base import Fix, Plans, spoken
from designer.core.plan import Plan
from designer.core.plan.pinning import pin_of


def spread_over_shards(design: Design, plans: Plans, where: str) -> Iterator[Fix]:
    """The pins that spread the hot keys of an entity, in each plan that has some which shards would cool."""
    entity = where.removeprefix("entities.")
    pins: dict[tuple[Pin | None, Pin], KeyHeat] = {}
    for plan in plans.values():
        for key in plan_heat(design, plan).keys:
            partition = sharded(key) if _can_be_spread(design, plan, key, entity) else None
            if partition is not None:
                before, pin = _pins(design, plan, key, entity, partition)
                if pin is not None:
                    pins.setdefault((before, pin), key)
    if pins:
        said = [
            f"{key.name} over {key.needs_shards} shards by {key.spread_by}" for key in pins.values()
        ]
        yield Fix(
            "spread",
            f"Spread {spoken(list(dict.fromkeys(said)))}",
            lambda now: reduce(_pinned, pins, now),
        )


def _can_be_spread(design: Design, plan: Plan, key: KeyHeat, entity: str) -> bool:
    """Whether a key is a hot one of an entity, by whose items it can be spread.

    A local index has the partitions of its table: what reads it strongly would find a shard only.
    """
    local = [index for index in plan.table(key.table).indexes if index.kind == "local"]
    return (
        key.level == "hot"
        and entity in key.entities
        and key.spread_by in design.entity[entity].identifier
        and not local
    )


def _pins(
    design: Design, plan: Plan, key: KeyHeat, entity: str, partition: str
) -> tuple[Pin | None, Pin | None]:
    """The pin of an entity's key as it is, if there is one, and as it has to be."""
    for pin in design.planner.pins:
        if (pin.entity, pin.index) == (entity, key.index) and pin.style in (None, plan.style):
            keyed = replaced(pin.key or PinnedKey(), partition=partition)
            return pin, replaced(pin, key=keyed)
    about = f"key {entity}" if key.index is None else f"index {key.table}/{key.index} {entity}"
    found = pin_of(plan, about)
    if found is None or found.key is None:
        return None, None
    return None, replaced(found, key=replaced(found.key, partition=partition))


def _pinned(design: Design, pins: tuple[Pin | None, Pin]) -> Design:
    before, pin = pins
    return add_pin(design, pin) if before is None else replace_pins(design, {before: pin})
