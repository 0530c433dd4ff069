"""Other designs that keep the same data: each is searched and priced like the one that was stated.

A variant is a transformation of the design with a way back: the plan of the transformed design, put into the words of
the one before it. One loop tries them in a fixed order, one by one, and keeps those that make the exact cost of the
search lower, or keep a partition cool. Where nothing that asks for the part in question has a rate, things stay as
they are stated.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Protocol

from designer.core.design.document import Design
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read, Write
from designer.core.plan import Decision, Plan, Style
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.structures import Score
from designer.core.planner.operations.reads import Stated
from designer.core.planner.rewrites.embed_child import embeddings
from designer.core.planner.rewrites.natural_key import identities
from designer.core.planner.rewrites.read_strategies import demands_of as weighed_demands
from designer.core.planner.rewrites.read_strategies import demands_with, with_worth
from designer.core.planner.rewrites.rewriting import Tried, rewrite_charge
from designer.core.planner.rewrites.sharded_counters import counters
from designer.core.planner.rewrites.split_item import splits
from designer.core.planner.solve.choice import Search, choose
from designer.core.planner.workload.requirements import Requirements


class Variant(Protocol):
    """A transformation of a design."""

    @property
    def concerns(self) -> tuple[str, ...]:
        """The entities it changes; the first is the one whose patterns decide whether it is tried."""
        ...

    def kept_by(self, design: Design) -> str:
        """What a pin says that the design transformed can't obey; empty where there is no such pin."""
        ...

    def folded(self, design: Design) -> Design | None:
        """The design transformed; None where a pattern stands in the way."""
        ...

    def pays(self, before: Score, after: Score) -> bool:
        """Whether the design transformed is taken: how good the best choice is without it and with it."""
        ...

    def unfolded(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the transformed design, in the words of the one before."""
        ...

    def decision(self, design: Design, tried: Tried) -> Decision:
        """Why it was kept or not, with both prices."""
        ...


Kind = Callable[[Design, Style], Iterator[Variant]]
ROUNDS: tuple[tuple[Kind, ...], ...] = ((identities,), (counters,), (embeddings, splits))
"""What can be tried, in order; each round lists what it tries of the design that the one before leaves."""


@dataclass(frozen=True)
class Taken:
    """A variant that was kept, and the design before it."""

    variant: Variant
    before: Design


@dataclass(frozen=True)
class Varied:
    """A design with the variants that pay."""

    design: Design
    taken: tuple[Taken, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def told(self, plan: Plan, style: Style) -> Plan:
        """The plan of this design as one of the design that was stated."""
        for taken in reversed(self.taken):
            search = Search(demands_with(taken.before), style)
            stated = Stated(search)
            plan = taken.variant.unfolded(plan, stated)
        decisions = (*self.decisions, *plan.decisions)
        return plan.model_copy(update={"decisions": decisions}) if plan.decisions else plan


def demands_of(
    design: Design,
    style: Style,
    apart: Collection[str] = (),
    given: Mapping[str, Candidates] | None = None,
) -> Requirements:
    """All that the planner must serve, with the copies that items carry for it and the figures that writes keep.

    The design is that of the variants that pay; entities in `apart` keep items of their own, and so do those whose
    keys are given.
    """
    given = given or {}
    design = with_worth(design)
    found = varied(design, style, {*apart, *given})
    demands = weighed_demands(found.design, style, given)
    return replace(demands, told=partial(found.told, style=style))


def varied(design: Design, style: Style, apart: Collection[str] = ()) -> Varied:
    """The design with every variant that makes it cheaper, tried one by one."""
    if design.planner.items == "as-stated":
        return Varied(design)
    found = Varied(design)
    for kinds in ROUNDS:
        stated = found.design
        for kind in kinds:
            for concerned, rivals in groupby(kind(stated, style), lambda variant: variant.concerns):
                design = found.design
                if concerned[0] in apart or not all(name in design.entity for name in concerned):
                    continue
                if any(design.pattern(n).rate for n in _touching(design, concerned[:1])):
                    found = _with_best(found, style, concerned, rivals)
    return found


def _with_best(
    found: Varied, style: Style, concerned: tuple[str, ...], rivals: Iterator[Variant]
) -> Varied:
    """With the cheapest of the variants of the same entities, where that is cheaper than none."""
    design = found.design
    trials = [(v, folded) for v in rivals if (folded := v.folded(design)) is not None]
    if not trials:
        return found
    numbers = _touching(design, _component(design, style, concerned))
    others = frozenset(pattern.number for pattern in design.patterns) - numbers
    before = _score(design, style, others)
    scores = [_score(folded, style, others) for _, folded in trials]
    # What pins don't allow is only told of where they leave nothing else.
    held = [variant.kept_by(design) for variant, _ in trials]
    best = min(range(len(trials)), key=lambda at: (held[at] != "", scores[at].key))
    (variant, folded), after = trials[best], scores[best]
    pays = variant.pays(before, after + Score(toll=rewrite_charge(design)))
    kept = pays and not held[best]
    tried = Tried(kept, before.usd, after.usd, held[best] if pays else "")
    decisions = (*found.decisions, variant.decision(design, tried))
    if not kept:
        return replace(found, decisions=decisions)
    return Varied(folded, (*found.taken, Taken(variant, design)), decisions)


def _component(design: Design, style: Style, names: tuple[str, ...]) -> frozenset[str]:
    """The entities whose keys may be chosen together with those of the names."""
    found = set(names)
    asked = [_touched(design, p) for p in design.patterns if isinstance(p, Read)]
    while style != "multi":
        more = {name for each in asked if each & found for name in each} - found
        if not more:
            break
        found |= more
    return frozenset(found)


def _touched(design: Design, pattern: AnyPattern) -> set[str]:
    """The entities that a pattern reads or writes."""
    if isinstance(pattern, Read):
        along = [design.relationship[part.relationship] for part in pattern.with_]
        return {*pattern.entities, *(name for r in along for name in (r.child, r.parent))}
    return {change.entity for change in pattern.changes} if isinstance(pattern, Write) else set()


def _touching(design: Design, names: Collection[str]) -> frozenset[int]:
    """The patterns that read or write one of the entities."""
    wanted = set(names)
    return frozenset(p.number for p in design.patterns if _touched(design, p) & wanted)


def _score(design: Design, style: Style, without: frozenset[int]) -> Score:
    """What the best plan costs of all patterns but some, and of all that is stored."""
    kept = tuple(pattern for pattern in design.patterns if pattern.number not in without)
    _, choice = choose(demands_with(design.model_copy(update={"patterns": kept})), style)
    return choice.score
