"""A design with the variants that were taken, and how its plan is mapped back to the stated design."""

from dataclasses import dataclass, replace
from typing import Protocol

from designer.core.capacity.referred import with_referred_sizes
from designer.core.design.document import Design
from designer.core.messages import Message
from designer.core.plan import Decision, Plan, Style
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.model.score import Score
from designer.core.planner.operations.context import Stated
from designer.core.planner.rewrites.read_strategies import requirements_with, with_worth
from designer.core.planner.rewrites.rewriting import Tried, cheaper
from designer.core.planner.solve.search import Search
from designer.core.rational import Fraction


class Variant(Protocol):
    """A transformation of a design."""

    @property
    def concerns(self) -> tuple[str, ...]:
        """The entities it changes; the first is the one whose patterns decide whether it is tried."""
        ...

    def blocking_pin(self, design: Design) -> Message | None:
        """What a pin says that the design transformed can't obey; None where there is no such pin."""
        return None

    def rewritten(self, design: Design) -> Design | None:
        """The design transformed; None where a pattern stands in the way."""
        ...

    def pays(self, before: Score, after: Score) -> bool:
        """Whether the design transformed is taken: how good the best choice is without it and with it."""
        return cheaper(before, after)

    def mapped_back(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the transformed design, in the words of the one before. `stated`: its models and patterns."""
        ...

    def decision(self, design: Design, tried: Tried) -> Decision:
        """Why it was kept or not, with both prices."""
        ...


@dataclass(frozen=True)
class Taken:
    """A variant that was kept, and the design before it."""

    variant: Variant
    before: Design


@dataclass(frozen=True)
class Rewritten:
    """A design as it is planned, and as it was stated."""

    stated: Design
    style: Style
    design: Design
    """With the variants that pay."""
    taken: tuple[Taken, ...] = ()
    """These variants, in the order in which they were taken."""
    decisions: tuple[Decision, ...] = ()
    """Of all that were tried, why each was taken or not."""
    cheapest: Choice | None = None
    """What costs least, where the simplest is aimed at instead."""
    bound: Fraction | None = None
    """US dollars a month that no bill goes below, whatever is aimed at; None where nobody asked."""
    searched: tuple[Search, Choice] | None = None
    """The choice for the design as it is planned, with its search, where both are known already."""
    asked: Requirements | None = None
    """What the design asks for before any variant and without copies, where that is known."""

    @property
    def first(self) -> Design:
        """The design before any variant, with its worth and the sizes of its references."""
        return self.taken[0].before if self.taken else self.design

    def with_(self, variant: Variant, design: Design) -> "Rewritten":
        """With one more variant, which makes this design."""
        return replace(self, design=design, taken=(*self.taken, Taken(variant, self.design)))


def as_stated(design: Design, style: Style) -> Rewritten:
    """A design that is planned as it is."""
    worthy, asked = with_worth(with_referred_sizes(design))
    return Rewritten(design, style, worthy, asked=asked)


def mapped_back(plan: Plan, rewritten: Rewritten) -> Plan:
    """The plan of a design with variants, as one of the design that was stated."""
    for taken in reversed(rewritten.taken):
        stated = Stated(Search(requirements_with(taken.before), rewritten.style))
        plan = taken.variant.mapped_back(plan, stated)
    decisions = (*rewritten.decisions, *plan.decisions)
    return plan.model_copy(update={"decisions": decisions}) if plan.decisions else plan
