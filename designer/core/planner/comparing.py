"""Two plans of one design side by side: money, indexes, and the requests of each pattern."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from designer.core.plan import Finding, Plan
from designer.core.planner.wording import numbered

CENT = 0.005
"""US dollars a month that make no difference."""
WARNED = frozenset({"hot-partition", "key-too-long", "too-many-indexes", "too-many-requests"})
"""Findings for which no saving makes up."""


def requests_of(plan: Plan) -> dict[int, float]:
    """For each pattern the requests that it takes at the most; 0 for what is not served, or answered elsewhere."""
    found: dict[int, float] = {}
    for operation in plan.operations:
        found[operation.pattern] = max(found.get(operation.pattern, 0.0), operation.requests)
    return found


def indexes_of(plan: Plan) -> int:
    """How many indexes all tables have together."""
    return sum(len(table.indexes) for table in plan.tables)


def warned_of(plan: Plan) -> tuple[Finding, ...]:
    """The partitions that run hot and the limits that are broken."""
    return tuple(one for one in plan.findings if one.rule in WARNED)


@dataclass(frozen=True)
class Difference:
    """What one plan has that another has not."""

    plan: Plan
    other: Plan

    @cached_property
    def usd(self) -> float:
        """US dollars a month that the plan costs more than the other."""
        return round(self.plan.cost.per_month - self.other.cost.per_month, 4)

    @cached_property
    def indexes(self) -> int:
        """Indexes that it has more."""
        return indexes_of(self.plan) - indexes_of(self.other)

    @cached_property
    def requests(self) -> tuple[tuple[int, float, float], ...]:
        """(pattern, requests in the other plan, requests in this one), where both answer it differently."""
        now, before = requests_of(self.plan), requests_of(self.other)
        return tuple(
            (number, before[number], now[number])
            for number in now
            if now[number] and before.get(number) and now[number] != before[number]
        )

    @cached_property
    def broken(self) -> tuple[int, ...]:
        """Patterns that only the other plan answers."""
        now, before = requests_of(self.plan), requests_of(self.other)
        return tuple(number for number in before if before[number] and not now.get(number))

    @cached_property
    def gained(self) -> tuple[int, ...]:
        """Patterns that only this plan answers."""
        return Difference(self.other, self.plan).broken

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What only this plan is warned of: partitions that run hot, limits that are broken."""
        before = {(one.rule, one.where) for one in warned_of(self.other)}
        return tuple(
            one.message for one in warned_of(self.plan) if (one.rule, one.where) not in before
        )

    def words(self) -> tuple[str, ...]:
        """The differences as a person would name them, and what only this plan is warned of."""
        warned = (f"it is warned of: {message.rstrip('.')}" for message in self.warnings)
        return (*self.figures(), *warned)

    def figures(self) -> Iterable[str]:
        """The differences in what can be counted: those of the whole plan, and of its patterns."""
        yield from self.sums()
        for number, before, now in self.requests:
            yield f"pattern {number} takes {now:g} request{'' if now == 1 else 's'} instead of {before:g}"
        for numbers, what in ((self.broken, "not served"), (self.gained, "served")):
            if numbers:
                verb = "is" if len(numbers) == 1 else "are"
                yield f"{numbered(numbers).lower()} {verb} {what}"

    def sums(self) -> Iterable[str]:
        """The differences of the whole plan: "costs $41.00 a month more", "has 1 index fewer"."""
        if abs(self.usd) >= CENT:
            yield f"costs ${abs(self.usd):,.2f} a month {'more' if self.usd > 0 else 'less'}"
        if self.indexes:
            count = abs(self.indexes)
            yield f"has {count} index{'' if count == 1 else 'es'} {'more' if self.indexes > 0 else 'fewer'}"
