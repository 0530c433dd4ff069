"""The parts of a migration: the two plans, the steps in order, and what each deploys, writes and puts at risk."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import ClassVar, Literal

from designer.core.design.document import Design
from designer.core.migration.lineage import Lineage
from designer.core.plan import Expected, Operation, Plan, Shape, Table
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Deployed:
    """A plan that is in use, and the design that it answers."""

    design: Design
    plan: Plan


class Phase(Enum):
    """What a step is part of; phases come in this order."""

    CHECK = "Check first"
    DEPLOY = "Deploy what is new"
    WRITE_BOTH = "Write to both"
    BACKFILL = "Backfill"
    INDEXES = "Build the indexes"
    READS = "Switch reads"
    WRITES = "Switch writes"
    CLEAN_UP = "Clean up"


Risk = Literal["data", "availability", "note"]


@dataclass(frozen=True)
class Caution:
    """What is at stake in a step: data that is lost for good, or answers that are late or wrong."""

    risk: Risk
    says: str


@dataclass(frozen=True)
class Estimate:
    """What a step takes once, and what it adds to the monthly bill until the end; None where no count is stated."""

    items: float | None = None
    """Items that it touches."""
    read_units: Fraction = Fraction(0)
    write_units: Fraction = Fraction(0)
    usd: Fraction | None = None
    """Its requests, on demand."""
    usd_per_month: Fraction | None = None
    """What it stores besides, by the month."""


@dataclass(frozen=True)
class Value:
    """An attribute that a backfill sets, and where its value comes from."""

    attribute: str
    says: str
    """`USER#<userId>`, or where it comes from in words."""
    of: Literal["template", "renamed", "copied", "counted", "embedded", "elsewhere", "stated"]
    """Filled from the item itself, its attribute under an older name, an item that it refers to, its children, items
    that it now holds, another item of the same thing; or for the team to state."""


@dataclass(frozen=True)
class Backfill:
    """What is done to each existing item of an entity, in one place of the later plan."""

    verb: Literal["put", "update", "remove", "delete"]
    """Put an item where the earlier plan has none; set or remove attributes of one that stays; delete one."""
    entity: str
    """As the plan of the shape calls it."""
    table: str
    shape: str
    values: tuple[Value, ...] = ()
    """For an update: what it sets."""
    attributes: tuple[str, ...] = ()
    """For a removal: what it removes."""


Tables = Mapping[str, Table]
"""Tables by name, in the order of the plan."""


@dataclass(frozen=True)
class Step:
    """One step of a migration: nothing of the next is begun before it is done."""

    kind: str
    phase: Phase
    title: str
    does: tuple[str, ...] = ()
    """What is to be done, a sentence or more each."""
    cautions: tuple[Caution, ...] = ()
    estimate: Estimate = Estimate()
    sources: tuple[str, ...] = ()
    """Pages of AWS that say so."""
    listing: str = ""
    """A program text that belongs to it: a query of the database that is left."""
    table: str | None = None
    index: str | None = None
    patterns: tuple[int, ...] = ()
    """The access patterns that it is about."""
    backfills: tuple[Backfill, ...] = ()
    deploys: Callable[[Tables], Tables] | None = None
    """For a deployment: the tables after it, from those before."""
    means: Callable[[Tables], Tables] | None = None
    """For a new version of the application: what lies in the tables from then on. Nothing is deployed for it."""


@dataclass(frozen=True)
class Stage:
    """What is deployed after a step, as a design and a plan that every exporter takes."""

    design: Design
    plan: Plan


@dataclass(frozen=True)
class Placed:
    """A step in its place, with what it deploys; what works that out is left behind."""

    number: int
    step: Step
    stage: Stage | None
    """For a deployment: the template to deploy."""

    def __post_init__(self) -> None:
        """Only data is handed over, from one process to another too."""
        object.__setattr__(self, "step", replace(self.step, deploys=None, means=None))


@dataclass(frozen=True)
class ShapeChange:
    """A kind of item of the later plan, and what it was."""

    table: str
    shape: Shape
    before: Shape | None
    """Where the same item lies in the earlier plan under the same key."""
    origin: str | None
    """The entity as the earlier design calls it; None for one that is new, of which there are no items."""
    sets: tuple[Value, ...] = ()
    """For an item that stays: attributes that it lacks so far."""
    leaves: tuple[str, ...] = ()
    """For an item that stays: attributes that the later plan does not have."""

    @property
    def is_moved(self) -> bool:
        """There are such items, but not in this place."""
        return self.before is None and self.origin is not None


@dataclass(frozen=True)
class TableChange:
    """A table of the later plan."""

    table: Table
    planned: str
    """Its name in the later plan, which the deployed one need not have."""
    before: Table | None
    """The table that becomes it; None where it is made anew."""
    because: tuple[str, ...] = ()
    """Why the table of that name is not kept."""
    shapes: tuple[ShapeChange, ...] = ()
    leftovers: tuple[Shape, ...] = ()
    """For a table that is kept: kinds of items that the later plan does not have in it."""
    indexes: Mapping[str, str] = field(default_factory=dict)
    """For a table that is kept: how the indexes of the later plan are called in use."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """The same of key attributes that the plan adds."""


@dataclass(frozen=True)
class Change:
    """Two plans beside each other, the later one under the names that are in use: what every kind of step looks at."""

    before: Deployed
    after: Deployed
    """Its plan has the names under which it is deployed."""
    planned: Plan
    """The later plan with its own names."""
    tables: tuple[TableChange, ...]
    gone: tuple[Table, ...] = ()
    """Tables of the earlier plan that go in the end."""
    called: tuple[str, ...] = ()
    """Where the deployed names are others than the plan's, a sentence each."""

    @cached_property
    def lineage(self) -> Lineage:
        """What the parts of the later design were called."""
        return Lineage(self.before.design, self.after.design)

    def asks_otherwise(self, pattern: int) -> bool:
        """Whether the later plan's requests for a pattern are others than the earlier one's."""
        old, new = (
            [_requests(one) for one in each.plan.operations_for(pattern)]
            for each in (self.before, self.after)
        )
        return old != new

    def serves(self, pattern: int, *, every_case: bool = False) -> bool:
        """Whether the later plan serves a pattern, in some case or in every one."""
        return _serves(self.after.plan, pattern, every_case)

    def loses(self, pattern: int) -> bool:
        """Whether the later plan does not serve a pattern that the earlier one serves."""
        return _serves(self.before.plan, pattern) and not self.serves(pattern)

    def is_the_same(self, old: Shape, new: Shape) -> bool:
        """Whether a guard or a copy of the later plan is what one of the earlier plan was, under whatever name."""
        guards = {self.lineage.old_attribute(new.entity, name) for name in new.guards}
        return (
            new.role == old.role
            and self.lineage.old_entity(new.entity) == old.entity
            and guards == set(old.guards)
        )

    def becomes_unique(self, one: ShapeChange) -> bool:
        """Whether a shape is the guard of values that nothing kept unique before, alone or in a wider scope."""
        guarded = {self.lineage.old_attribute(one.shape.entity, name) for name in one.shape.guards}
        return (
            one.is_moved
            and bool(guarded)
            and not any(
                old.role == one.shape.role
                and old.entity == self.lineage.old_entity(one.shape.entity)
                and guarded.issuperset(old.guards)
                for table in self.before.plan.tables
                for old in table.items
            )
        )

    @property
    def kept(self) -> tuple[tuple[Table, TableChange], ...]:
        """The tables that stay: each as it was, and what becomes of it."""
        return tuple((one.before, one) for one in self.tables if one.before is not None)

    @property
    def made(self) -> tuple[TableChange, ...]:
        """The tables that are new."""
        return tuple(one for one in self.tables if one.before is None)


def _serves(plan: Plan, pattern: int, every_case: bool = False) -> bool:
    served = [one.answer != "not served" for one in plan.operations_for(pattern)]
    return bool(served) and (all if every_case else any)(served)


def _requests(operation: Operation) -> tuple[object, ...]:
    """What an operation sends and how it answers, without what it costs."""
    steps = [step.model_copy(update={"expects": Expected()}) for step in operation.steps]
    return operation.given, operation.answer, operation.parameters, steps, operation.result


class Kind:
    """A kind of step. To add one, write a module in `kinds` with a subclass, and name it in the orderer."""

    slug: ClassVar[str]

    def steps(self, change: Change) -> tuple[Step, ...]:
        """The steps of this kind that a change takes, in their order; none where it takes none."""
        raise NotImplementedError


@dataclass(frozen=True)
class Migration:
    """The way from one deployed plan to another."""

    change: Change
    start: Stage
    """What is deployed before the first step."""
    steps: tuple[Placed, ...]

    @property
    def phases(self) -> tuple[tuple[Phase, tuple[Placed, ...]], ...]:
        """The steps by their phases."""
        found: dict[Phase, list[Placed]] = {}
        for placed in self.steps:
            found.setdefault(placed.step.phase, []).append(placed)
        return tuple((phase, tuple(steps)) for phase, steps in found.items())

    @property
    def usd(self) -> Fraction:
        """What all steps take once, as far as counts are stated."""
        return sum((one.step.estimate.usd or Fraction(0) for one in self.steps), Fraction(0))
