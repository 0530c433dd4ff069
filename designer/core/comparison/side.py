"""One style of a comparison, with its figures: those of the Cost, Heat and Alternatives pages."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from designer.core.cost.account import Account
from designer.core.cost.bill import Bill, PatternLine
from designer.core.cost.growth import Point, growth
from designer.core.cost.options import Changes, as_planned
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS, STYLE_WORDS
from designer.core.heat.keys import KeyHeat, PlanHeat, plan_heat
from designer.core.plan import Operation, Plan, Style, Table
from designer.core.plan.pinning import OWN
from designer.core.planner.explain.comparing import copies_of, indexes_of, requests_of, warned_of
from designer.core.planner.what_if.alternatives import per_second
from designer.core.rational import Fraction
from designer.core.sentences.templates import without_condition
from designer.core.words import figures

YEAR = 12
"""Months."""
HOT = "hot-partition"
"""The planner's warning of a key that runs hot."""


@dataclass(frozen=True)
class Side:
    """A design in one style. What is asked of it is worked out once."""

    design: Design
    plan: Plan

    @property
    def style(self) -> Style:
        return self.plan.style

    @property
    def label(self) -> str:
        return STYLE_LABELS[self.style]

    def is_same_plan(self, other: "Side") -> bool:
        """Whether another style comes to the same tables and requests."""
        one, other_plan = self.plan, other.plan
        return one.tables == other_plan.tables and one.operations == other_plan.operations

    @property
    def words(self) -> str:
        """The style as a sentence names it: `the single-table style`."""
        return f"the {STYLE_WORDS[self.style]}"

    @property
    def per_month(self) -> float:
        """US dollars for requests and storage: what the plan was chosen by."""
        return self.plan.cost.per_month

    @property
    def usd(self) -> Fraction:
        """All US dollars of a month, as the design is paid for."""
        return self.bill.usd

    @property
    def usd_in_a_year(self) -> Fraction:
        """The same when a year's items have come."""
        return next(point.usd for point in self.growth if point.month == YEAR)

    @property
    def indexes(self) -> int:
        return indexes_of(self.plan)

    @property
    def copies(self) -> int:
        """Whole copies of items, which stand where an index could."""
        return copies_of(self.plan)

    @cached_property
    def per_second(self) -> float:
        """Requests that all patterns with a rate and the consumers of streams make, on average."""
        return per_second(self.design, self.plan)

    @cached_property
    def requests(self) -> dict[int, float]:
        """For each pattern the requests that it takes at the most; 0 for what is not served, or answered elsewhere."""
        return requests_of(self.plan)

    @property
    def unserved(self) -> tuple[int, ...]:
        """Patterns that are not served, in some case at least."""
        numbers = (one.pattern for one in self.plan.operations if one.answer == "not served")
        return tuple(dict.fromkeys(numbers))

    @cached_property
    def failings(self) -> tuple[str, ...]:
        """What no saving makes up for: keys that run hot, limits that are broken. As sentences."""
        return (*self.hot, *self.violations)

    @cached_property
    def hot(self) -> tuple[str, ...]:
        """Of the failings the keys that run hot."""
        return tuple(
            map(_hot, (key for key in self.heat.keys if key.level == "hot"))
        ) or self._warned(lambda rule: rule == HOT)

    @property
    def violations(self) -> tuple[str, ...]:
        """Of the failings the limits that are broken."""
        return self._warned(lambda rule: rule != HOT)

    def _warned(self, is_meant: Callable[[str], bool]) -> tuple[str, ...]:
        return tuple(one.message for one in warned_of(self.plan) if is_meant(one.rule))

    @property
    def hottest(self) -> KeyHeat | None:
        return self.heat.hottest

    @cached_property
    def bill(self) -> Bill:
        return self._account.bill(as_planned(self.design), Changes())

    @cached_property
    def paid(self) -> dict[int, PatternLine]:
        """What each pattern with a rate pays."""
        return {line.patterns[0]: line for line in self.bill.patterns if not line.upkeep}

    @cached_property
    def operations(self) -> dict[int, tuple[Operation, ...]]:
        """For each pattern its operations."""
        found: dict[int, list[Operation]] = {}
        for operation in self.plan.operations:
            found.setdefault(operation.pattern, []).append(operation)
        return {number: tuple(operations) for number, operations in found.items()}

    @cached_property
    def heated(self) -> dict[int, KeyHeat]:
        """For each pattern, of the keys that it reads or writes, the one nearest to a limit."""
        found: dict[int, KeyHeat] = {}
        for key in sorted(self.heat.keys, key=lambda key: -key.used):
            for load in key.loads:
                if load.pattern is not None:
                    found.setdefault(load.pattern, key)
        return found

    @cached_property
    def growth(self) -> tuple[Point, ...]:
        return growth(self._account, as_planned(self.design), Changes())

    @cached_property
    def heat(self) -> PlanHeat:
        return plan_heat(self.design, self.plan)

    @cached_property
    def _account(self) -> Account:
        return Account(self.design, self.plan)

    @cached_property
    def together(self) -> dict[str, tuple[str, ...]]:
        """By table the entities that it is for, in the design's order. What lies inside another's item counts."""
        return {table.name: tuple(_entities(self.design, table)) for table in self.plan.tables}

    @cached_property
    def followed(self) -> dict[str, tuple[str, ...]]:
        """By table the entities whose changes a consumer of the plan's own follows."""
        found: dict[str, dict[str, None]] = {}
        for upkeep in self.plan.upkeep:
            entity = self.plan.shape(upkeep.entity).entity
            found.setdefault(upkeep.table, {})[entity] = None
        return {table: tuple(entities) for table, entities in found.items()}

    @property
    def sharing(self) -> tuple[tuple[str, ...], ...]:
        """The entities of each table that is for several."""
        return tuple(entities for entities in self.together.values() if len(entities) > 1)

    def takes(self, numbers: Iterable[int]) -> float:
        """The requests of some patterns, each asked once."""
        return round(sum(self.requests.get(number, 0.0) for number in numbers), 6)


def _entities(design: Design, table: Table) -> Iterable[str]:
    roles = {*OWN, "embedded", "split"}
    held = {shape.entity for shape in table.items if shape.role in roles}
    return (entity.name for entity in design.entities if entity.name in held)


def _hot(key: KeyHeat) -> str:
    used = figures.share(float(key.used))
    return f"The busiest value of `{without_condition(key.key)}` in {key.name} takes {used} of what a partition serves."
