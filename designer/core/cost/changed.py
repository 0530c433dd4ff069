"""A design and its plan as they would be with other rates and counts, for what is worked out from them besides."""

from designer.core.cost.options import Changes
from designer.core.cost.usage import rate_of_upkeep
from designer.core.design.document import Design
from designer.core.patterns.figures import Rate
from designer.core.plan import Plan


def changed(design: Design, plan: Plan, changes: Changes) -> tuple[Design, Plan]:
    """The same keys and operations; nothing is planned anew."""
    patterns = tuple(
        pattern.model_copy(
            update={"rate": Rate(average=float(rate.average), peak=float(rate.peak))}
        )
        if (rate := changes.rates.get(pattern.number)) is not None
        else pattern
        for pattern in design.patterns
    )
    entities = tuple(
        entity.model_copy(update={"items": changes.items[entity.name]})
        if entity.name in changes.items
        else entity
        for entity in design.entities
    )
    upkeep = []
    for each in plan.upkeep:
        rate = rate_of_upkeep(design, each, changes)
        now = (
            {}
            if rate is None
            else {"per_second": float(rate.average), "peak_per_second": float(rate.peak)}
        )
        upkeep.append(each.model_copy(update=now))
    return (
        design.model_copy(update={"patterns": patterns, "entities": entities}),
        plan.model_copy(update={"upkeep": tuple(upkeep)}),
    )
