"""Other designs that keep the same data: each is searched and priced like the one that was stated.

A variant is a transformation of the design with a way back: the plan of the transformed design, put into the words of
the one before it. One loop tries them in a fixed order, one by one, and keeps those that make the exact cost of the
search lower, or keep a partition cool. Where nothing that asks for what they change has a rate, things stay as
they are stated.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from designer.core.design.document import Design
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read, Write
from designer.core.plan import Style
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.model.score import Score
from designer.core.planner.rewrites.embed_child import embeddings
from designer.core.planner.rewrites.read_strategies import requirements_of as weighed_requirements
from designer.core.planner.rewrites.read_strategies import requirements_with
from designer.core.planner.rewrites.rewriting import Tried, rewrite_charge
from designer.core.planner.rewrites.rewritten import Rewritten, Variant, as_stated
from designer.core.planner.rewrites.sharded_counters import counters
from designer.core.planner.rewrites.split_item import splits
from designer.core.planner.solve.choice import choose

Kind = Callable[[Design, Style], Iterator[Variant]]
ROUNDS: tuple[tuple[Kind, ...], ...] = ((counters,), (embeddings, splits))
"""What can be tried, in order; each round lists what it tries of the design that the one before leaves."""


def requirements_of(
    design: Design,
    style: Style,
    apart: Collection[str] = (),
    given: Mapping[str, Candidates] | None = None,
) -> Requirements:
    """All that the planner must serve of a design in a style."""
    return requirements_for(rewritten(design, style, apart, given), given)


def requirements_for(
    found: Rewritten,
    given: Mapping[str, Candidates] | None = None,
    known: Requirements | None = None,
) -> Requirements:
    """All that the planner must serve, with the copies that items carry for it and the figures that writes keep.

    `given`: what some entities may have instead of what is listed for them. `known`: what the same design asks for
    without copies, where that is known.
    """
    return weighed_requirements(found.design, found.style, given or {}, known or found.asked)


def rewritten(
    design: Design,
    style: Style,
    apart: Collection[str] = (),
    given: Mapping[str, Candidates] | None = None,
) -> Rewritten:
    """The design with every variant that makes it cheaper, tried one by one.

    Entities in `apart` keep items of their own, and so do those whose keys are `given`.
    """
    stay = {*apart, *(given or {})}
    found = as_stated(design, style)
    if design.planner.items == "as-stated":
        return found
    for kinds in ROUNDS:
        stated = found.design
        for kind in kinds:
            for concerned, rivals in groupby(kind(stated, style), lambda variant: variant.concerns):
                design = found.design
                if concerned[0] in stay or not all(name in design.entity for name in concerned):
                    continue
                if any(design.pattern(n).rate for n in _touching(design, concerned[:1])):
                    found = _with_best(found, concerned, rivals)
    return found


def _with_best(
    found: Rewritten, concerned: tuple[str, ...], rivals: Iterator[Variant]
) -> Rewritten:
    """With the cheapest of the variants of the same entities, where that is cheaper than none."""
    design, style = found.design, found.style
    trials = [(v, other) for v in rivals if (other := v.rewritten(design)) is not None]
    if not trials:
        return found
    numbers = _touching(design, _component(design, style, concerned))
    others = frozenset(pattern.number for pattern in design.patterns) - numbers
    before = _score(design, style, others)
    scores = [_score(other, style, others) for _, other in trials]
    # What pins don't allow is mentioned only where they leave nothing else.
    blocking = [variant.blocking_pin(design) for variant, _ in trials]
    best = min(range(len(trials)), key=lambda at: (blocking[at] is not None, scores[at].key))
    (variant, other), after = trials[best], scores[best]
    is_simpler = len(other.entities) < len(design.entities)  # fewer kinds of items
    charge = Score() if is_simpler else Score(penalty=rewrite_charge(design))
    pays = variant.pays(before, after + charge)
    kept = pays and blocking[best] is None
    tried = Tried(kept, before.usd, after.usd, blocking[best] if pays else None)
    found = replace(found, decisions=(*found.decisions, variant.decision(design, tried)))
    return found.with_(variant, other) if kept else found


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
    _, choice = choose(requirements_with(design.model_copy(update={"patterns": kept})), style)
    return choice.score
