"""How the units of a write divide among the items that it writes."""

from collections.abc import Mapping

from designer.core.capacity.units import write_units
from designer.core.patterns.base import Pattern, Write
from designer.core.plan import Member, Plan, Step
from designer.core.rational import Fraction


def by_member(plan: Plan, step: Step, pattern: Pattern | None) -> list[tuple[Member, Fraction]]:
    """Each member of a write with its share of the step's units: its items on average, each by what it weighs.

    `pattern`: the one that writes; None for upkeep.
    """
    weights = [
        write_units(plan.shape(member.shape).bytes) * times_of(member, pattern)
        for member in step.members
    ]
    whole = sum(weights, Fraction(0))
    return [
        (member, weight / whole if whole else Fraction(0))
        for member, weight in zip(step.members, weights, strict=True)
    ]


def by_table(plan: Plan, step: Step, pattern: Pattern | None) -> Mapping[str, Fraction]:
    """The share of a write's units that each table takes."""
    found: dict[str, Fraction] = {}
    for member, share in by_member(plan, step, pattern):
        found[member.table] = found.get(member.table, Fraction(0)) + share
    return found if any(found.values()) else {step.table: Fraction(1)}


def times_of(member: Member, pattern: Pattern | None) -> Fraction:
    """How many items a member writes on average."""
    each = member.for_each
    if each is not None and each.numbers is not None:
        return Fraction(each.numbers)
    if each is not None and each.values is not None and isinstance(pattern, Write):
        for change in pattern.changes:
            if change.times and (change.each or change.entity) == each.values:
                return Fraction(repr(float(change.times.average)))
    return Fraction(1)
