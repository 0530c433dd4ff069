"""Why guard items exist, and what they cost."""

from collections.abc import Iterator

from designer.core.capacity.units import write_units
from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.messages import say
from designer.core.plan import Decision
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import exact, money
from designer.core.planner.model.structures import Guarded
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.guards import (
    changed_guards,
    guard_bytes,
    guard_density,
    guard_writes,
)
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.rational import Fraction
from designer.core.words.english import spoken


def guard_decisions(context: Context, name: str) -> Iterator[Decision]:
    model = context.model(name)
    for (entity, guarded), guard in context.layout.guards.items():
        if entity != name:
            continue
        attributes = guarded or model.entity.identifier
        reasons = [say("guard-keeps-unique", attributes=attributes)]
        if len(guarded) > 1:
            *scope, unique = guarded
            reasons = [say("guard-keeps-unique-in-scope", scope=tuple(scope), attribute=unique)]
        if not any(s.kind == "copy" for s in context.choice.entities[name].projections):
            reasons.append(say("guard-doubles-writes"))
        yield Decision(
            about=f"guard {name}.{spoken(attributes)}",
            chosen=say("key", key=tuple(guard.key.items())),
            reasons=tuple(reasons),
            per_month=money(_guarding(context, model, guarded)),
        )


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
