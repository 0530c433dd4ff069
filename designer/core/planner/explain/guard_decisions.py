"""Why guard items exist, and what they cost."""

from collections.abc import Iterator
from fractions import Fraction

from designer.core.limits import (
    ITEM_OVERHEAD_BYTES,
)
from designer.core.plan import Decision
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import exact, money
from designer.core.planner.model.structures import Guarded
from designer.core.planner.model.wording import spoken
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.guards import (
    changed_guards,
    guard_bytes,
    guard_density,
    guard_writes,
)
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.prices import SECONDS_PER_MONTH
from designer.core.units import write_units


def guard_decisions(context: Context, name: str) -> Iterator[Decision]:
    model = context.model(name)
    for (entity, guarded), guard in context.layout.guards.items():
        if entity != name:
            continue
        per_month = _guarding(context, model, guarded)
        what = spoken(guarded or model.entity.identifier)
        is_kept_twice = any(s.kind == "copy" for s in context.choice.entities[name].projections)
        doubles = "" if is_kept_twice else " The transaction doubles the write units."
        value = "this value" if len(guarded) < 2 else "these values"
        yield Decision(
            about=f"guard {name}.{what}",
            choice=", ".join(f"{n} = {t}" for n, t in guard.key.items()),
            because=(
                f"{_never_shared(guarded, what)}, and DynamoDB keeps only keys unique. So the same transaction puts "
                f"a guard item with {value} as its key, on the condition that it does not exist yet."
                + doubles
            ),
            per_month=money(per_month),
        )


def _never_shared(guarded: Guarded, what: str) -> str:
    if len(guarded) < 2:
        return f"No two items may have the same {what}"
    return f"No two items with the same {spoken(guarded[:-1])} may have the same {guarded[-1]}"


def _guarding(context: Context, model: EntityModel, guarded: Guarded) -> Fraction:
    """What a guard costs: its own writes and bytes, and for the first one, the doubled write of the item."""
    choice, projections = (
        context.choice.entities[model.name],
        context.layout.projections[model.name],
    )
    size = model.own_bytes + keys_bytes(model, choice.base, projections)
    units = Fraction(0)
    for write in model.writes:
        changed = changed_guards(model, write, choice.guard)
        if guarded in changed:
            one = guard_writes(model, choice.base, guarded, write)
            if changed[0] == guarded and not write.transactional:
                one += write_units(size)
            units += one * exact(write.average or 0) * exact(write.times)
    stored = guard_bytes(model, choice.base, guarded) + ITEM_OVERHEAD_BYTES
    stored *= guard_density(model, guarded) * float(model.entity.items or 0)
    written = units * model.prices.write_unit * SECONDS_PER_MONTH
    return written + exact(round(stored)) * model.prices.byte_month
