"""Request units a second on each table and index: from a plan's operations and the rates of their patterns."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from designer.core.capacity.written import by_table
from designer.core.cost.options import Changes, Rate, exact
from designer.core.design.document import Design
from designer.core.patterns.base import Pattern
from designer.core.plan import WRITES, Operation, Plan, Step, Upkeep
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Place:
    """A table, or one of its indexes."""

    table: str
    index: str | None = None


@dataclass(frozen=True)
class Use:
    """What one operation, or the upkeep after a change, takes each time, and how often it runs."""

    patterns: tuple[int, ...]
    upkeep: str
    """After what it runs, for upkeep; else empty."""
    keeps: str
    """What it keeps up to date, for upkeep; else empty."""
    reads: Mapping[Place, Fraction]
    """Read request units each time; all its steps'."""
    writes: Mapping[Place, Fraction]
    rate: Rate


def rate_of(design: Design, number: int, changes: Changes) -> Rate | None:
    """How often a pattern is asked; None when nobody says."""
    if number in changes.rates:
        return changes.rates[number]
    rate = design.pattern(number).rate
    if rate is None:
        return None
    average = exact(rate.average)
    return Rate(average, exact(rate.peak) if rate.peak else average)


def uses(design: Design, plan: Plan, changes: Changes) -> Iterator[Use]:
    """Everything that runs and has a rate.

    Nobody states how a rate divides among the cases of a pattern's optional conditions: each has an equal share.
    """
    cases = Counter(operation.pattern for operation in plan.operations)
    for operation in plan.operations:
        rate = rate_of(design, operation.pattern, changes)
        if rate is None or not is_served(operation):
            continue
        each = Rate(*(figure / cases[operation.pattern] for figure in rate))
        pattern = design.pattern(operation.pattern)
        yield _use((operation.pattern,), operation, plan, each, pattern)
    for upkeep in plan.upkeep:
        rate = rate_of_upkeep(design, upkeep, changes)
        if rate is not None:
            yield _use(upkeep.patterns, upkeep, plan, rate)


def without_rate(design: Design, plan: Plan, changes: Changes) -> tuple[int, ...]:
    """The patterns that the plan serves and that no bill counts, for want of a rate."""
    numbers = {operation.pattern for operation in plan.operations if is_served(operation)}
    return tuple(n for n in sorted(numbers) if rate_of(design, n, changes) is None)


def is_served(operation: Operation) -> bool:
    return operation.answer not in ("elsewhere", "not served")


def rate_of_upkeep(design: Design, upkeep: Upkeep, changes: Changes) -> Rate | None:
    """Changes as often as planned; as much oftener as the patterns that make them are asked."""
    if upkeep.per_second is None:
        return None
    planned = Rate(exact(upkeep.per_second), exact(upkeep.peak_per_second or upkeep.per_second))
    if not changes.rates.keys() & set(upkeep.patterns):
        return planned
    before, now = (_sum(design, upkeep.patterns, each) for each in (Changes(), changes))
    return Rate(
        *(
            figure * new / old if old else new
            for figure, old, new in zip(planned, before, now, strict=True)
        )
    )


def _sum(design: Design, patterns: Iterable[int], changes: Changes) -> Rate:
    rates = [rate for n in patterns if (rate := rate_of(design, n, changes)) is not None]
    return Rate(
        sum((rate.average for rate in rates), Fraction(0)),
        sum((rate.peak for rate in rates), Fraction(0)),
    )


def _use(
    patterns: tuple[int, ...],
    of: Operation | Upkeep,
    plan: Plan,
    rate: Rate,
    pattern: Pattern | None = None,
) -> Use:
    """`pattern`: the one that runs; None for upkeep."""
    reads: dict[Place, Fraction] = {}
    writes: dict[Place, Fraction] = {}
    for step in of.steps:
        if step.call not in WRITES:
            _add(reads, Place(step.table, step.index), exact(step.expects.units))
            continue
        for table, share in by_table(plan, step, pattern).items():
            _add(writes, Place(table), exact(step.expects.units) * share)
        for name, units in step.expects.index_units.items():
            table, _, index = name.rpartition("/")
            _add(writes, Place(table, index), exact(units))
    return Use(
        patterns,
        of.event if isinstance(of, Upkeep) else "",
        of.keeps if isinstance(of, Upkeep) else "",
        _in_all(reads, exact(of.read_units), of.steps),
        _in_all(writes, exact(of.write_units), of.steps),
        rate,
    )


def _add(to: dict[Place, Fraction], place: Place, units: Fraction) -> None:
    to[place] = to.get(place, Fraction(0)) + units


def _in_all(
    found: dict[Place, Fraction], total: Fraction, steps: tuple[Step, ...]
) -> dict[Place, Fraction]:
    """The units of the steps, rounded each for itself, as shares of what the plan states of all together."""
    in_steps = sum(found.values(), Fraction(0))
    if not total:
        return {}
    if not in_steps:
        return {Place(steps[0].table, steps[0].index): total}
    return {place: units * total / in_steps for place, units in found.items()}
