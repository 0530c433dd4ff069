"""The plan as a whole."""

from typing import Any, Literal

from designer.core.plan.base import Part, Style
from designer.core.plan.operations import Operation, Upkeep
from designer.core.plan.reasons import Assumed, Certificate, Decision, Finding
from designer.core.plan.tables import Shape, Table

FORMAT = 1


class Cost(Part):
    """US dollars a month of 30 days at average rates."""

    per_month: float
    reads_per_month: float = 0.0
    writes_per_month: float = 0.0
    storage_per_month: float = 0.0
    currency: Literal["USD"] = "USD"
    bound: float
    """A lower bound: no plan over the same candidates costs less."""
    gap: float
    """The share by which the cost exceeds the bound."""
    cheapest: float | None = None
    """The cost of the cheapest plan over these candidates, if the simplest plan was chosen instead."""
    peak_per_month: float = 0.0
    """The cost if every pattern ran at its peak for the whole month."""
    without_patterns: tuple[int, ...] = ()
    """Numbers of the patterns that the cost leaves out because they have no rate."""


class PlannedDesign(Part):
    """The design that the plan was made for."""

    name: str
    meaning: str
    """`sha256:` and the hash of the design's meaning."""


class Plan(Part):
    """A complete plan."""

    keywright_plan: Literal[1] = 1
    design: PlannedDesign
    style: Style
    planner: str
    type_attribute: str | None = "Type"
    """The attribute that holds an item's shape, in every table with several shapes."""
    cost: Cost
    tables: tuple[Table, ...] = ()
    operations: tuple[Operation, ...] = ()
    upkeep: tuple[Upkeep, ...] = ()
    """The updates after a change, in the order in which they run: copies of copies come last."""
    decisions: tuple[Decision, ...] = ()
    certificate: Certificate | None = None
    findings: tuple[Finding, ...] = ()
    assumed: tuple[Assumed, ...] = ()
    """The figures that the plan assumes. Those that could change its cost most come first."""

    def table(self, name: str) -> Table:
        """The table of a name; KeyError when there is none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)

    def shape(self, name: str) -> Shape:
        """The shape of a name; KeyError when there is none."""
        for table in self.tables:
            for found in table.items:
                if found.shape == name:
                    return found
        raise KeyError(name)

    def embedded_in(self, shape: str) -> tuple[Shape, ...]:
        """The shapes whose items are embedded in items of a shape."""
        return tuple(self.shape(name) for name in self.shape(shape).holds.values())

    def operations_for(self, pattern: int) -> tuple[Operation, ...]:
        """The operations of a pattern: one for each case of its optional conditions."""
        return tuple(operation for operation in self.operations if operation.pattern == pattern)

    def as_json(self) -> dict[str, Any]:
        """The document as plain data, in stable order, without fields that have their defaults."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True) | {
            "keywright_plan": self.keywright_plan
        }
