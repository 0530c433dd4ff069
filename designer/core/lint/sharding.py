"""Keys that are hot by their writes, pinned over shards."""

from collections.abc import Iterator
from functools import partial

from designer.core.design.document import Design, Pin, PinnedKey
from designer.core.edits.pins import add_pin, replace_pins
from designer.core.edits.replacing import replaced
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.heat.remedies import sharded
from designer.core.lint.base import Fix, Plans
from designer.core.pinning import pin_of
from designer.core.plan import Plan


def spread_over_shards(design: Design, plans: Plans, where: str) -> Iterator[Fix]:
    """For each hot key of an entity that shards would cool, the pin that spreads it."""
    entity = where.removeprefix("entities.")
    seen: set[tuple[Pin | None, Pin]] = set()
    for plan in plans.values():
        for key in plan_heat(design, plan).keys:
            partition = sharded(key)
            if key.level != "hot" or partition is None or entity not in key.entities:
                continue
            if key.spread_by not in design.entity[entity].identifier:
                continue
            before, pin = _pins(design, plan, key, entity, partition)
            if pin is not None and (before, pin) not in seen:
                seen.add((before, pin))
                yield Fix(
                    f"spread-{len(seen)}",
                    f"Spread {key.name} over {key.needs_shards} shards by {key.spread_by}",
                    partial(_pinned, before=before, pin=pin),
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


def _pinned(design: Design, before: Pin | None, pin: Pin) -> Design:
    return add_pin(design, pin) if before is None else replace_pins(design, {before: pin})
