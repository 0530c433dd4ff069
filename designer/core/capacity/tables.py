"""What the tables of a plan must be able to take at once: capacity units for the peaks, and who pays by the hour."""

import math
from collections import defaultdict

from designer.core.capacity.written import by_table
from designer.core.design.document import Design
from designer.core.design.entities import Needs
from designer.core.dynamodb.limits import CAPACITY_IN_USE
from designer.core.patterns.base import Pattern
from designer.core.plan import WRITES, Operation, Plan, Table, Upkeep

Structure = tuple[str, str | None]
"""A table, or an index of it: (table, index or None)."""


def needs(design: Design, table: Table) -> tuple[Needs, ...]:
    """What each entity with items in the table asks of it."""
    names = dict.fromkeys(shape.entity for shape in table.items)
    return tuple(
        design.entity[name].needs or Needs() for name in names if name in design.entity
    ) or (Needs(),)


def is_provisioned(design: Design, table: Table) -> bool:
    """Whether everything in the table is to have provisioned capacity; else it is on demand."""
    return all((need.billing or design.billing) == "provisioned" for need in needs(design, table))


def peaks(design: Design, plan: Plan) -> dict[Structure, tuple[float, float]]:
    """Read and write units a second of each table and index when every pattern runs at its peak.

    What local indexes take is their table's.
    """
    local = {
        (table.name, index.name)
        for table in plan.tables
        for index in table.indexes
        if index.kind == "local"
    }
    totals: dict[Structure, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for pattern in design.patterns:
        if pattern.rate is None:
            continue
        peak = pattern.rate.average if pattern.rate.peak is None else pattern.rate.peak
        dearest: dict[tuple[Structure, bool], float] = defaultdict(float)
        # Of a pattern's cases (one for each set of optional conditions), the dearest counts.
        for operation in plan.operations_for(pattern.number):
            for place, units in _units(plan, operation, pattern).items():
                dearest[place] = max(dearest[place], units)
        for ((table, index), writes), units in dearest.items():
            own = None if (table, index) in local else index
            totals[table, own][writes] += peak * units
    for upkeep in plan.upkeep:
        for ((table, index), writes), units in _units(plan, upkeep, None).items():
            own = None if (table, index) in local else index
            totals[table, own][writes] += (upkeep.peak_per_second or 0) * units
    structures: list[Structure] = []
    for planned in plan.tables:
        names = [index.name for index in planned.indexes]
        structures += [(planned.name, None), *((planned.name, name) for name in names)]
    return {
        structure: (round(totals[structure][0], 6), round(totals[structure][1], 6))
        for structure in structures
        if structure not in local
    }


def capacity_units(peak: float) -> int:
    """Capacity units that serve a peak with room to spare: rounded up, and at least 1, as DynamoDB wants."""
    return max(1, math.ceil(round(peak / float(CAPACITY_IN_USE), 6)))


def peak_capacity(design: Design, plan: Plan) -> dict[Structure, tuple[int, int]]:
    """The capacity units, reads and writes, that the same takes when it is provisioned."""
    return {
        structure: (capacity_units(reads), capacity_units(writes))
        for structure, (reads, writes) in peaks(design, plan).items()
    }


def _units(
    plan: Plan, operation: Operation | Upkeep, pattern: Pattern | None
) -> dict[tuple[Structure, bool], float]:
    """Units that one run takes from each structure, reads and writes (True) apart."""
    units: dict[tuple[Structure, bool], float] = defaultdict(float)
    for step in operation.steps:
        if step.call not in WRITES:
            units[(step.table, step.index), False] += step.expects.units
            continue
        for table, share in by_table(plan, step, pattern).items():
            units[(table, None), True] += float(share) * step.expects.units
        for place, index_units in step.expects.index_units.items():
            table, _, index = place.partition("/")
            units[(table, index), True] += index_units
    return units
