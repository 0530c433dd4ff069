"""Parents that come along: from copies that their children carry, or by a read of their own, by price (rule 16).

Each relationship is tried in turn with copies, and keeps them where the whole choice is cheaper so. Where the copies'
upkeep alone would cost more than all the reads they save, there is nothing to try.
"""

import hashlib
from dataclasses import replace
from fractions import Fraction

from designer.core.design.document import Design
from designer.core.patterns.base import Read, With, Write
from designer.core.plan import Style
from designer.core.planner.choice import choose
from designer.core.planner.copies import may_be_brought, with_copies
from designer.core.planner.keeping import with_figures
from designer.core.planner.memory import Memory
from designer.core.planner.requirements import Requirements, Weighed, requirements
from designer.core.planner.structures import exact
from designer.core.planner.upkeep import with_upkeep
from designer.core.prices import SECONDS_PER_MONTH, prices_of
from designer.core.sizes import entity_bytes
from designer.core.units import read_units

WEIGHED: Memory[tuple[Weighed, ...]] = Memory()
"""What was weighed before, by design and style."""


def demands_of(design: Design, style: Style) -> Requirements:
    """All that the planner must serve, with the copies that items carry for it and the figures that writes keep."""
    asking = _who_brings(design)
    if not asking:
        return demands_with(design, frozenset())
    key = (hashlib.sha256(design.model_dump_json().encode()).digest(), style)
    weighed = WEIGHED.get(key)
    if weighed is None:
        weighed = _weigh(design, style, asking)
        WEIGHED.put(key, weighed)
    along = frozenset(one.relationship for one in weighed if one.is_copied)
    return replace(demands_with(design, along), weighed=weighed)


def demands_with(design: Design, along: frozenset[str] = frozenset()) -> Requirements:
    """All that the planner must serve, where parents come along from copies by some relationships."""
    carrying = with_copies(design, along)
    needed = with_upkeep(with_figures(requirements(carrying.design)), carrying.copies)
    return replace(needed, brought=carrying.brought)


def _who_brings(design: Design) -> dict[str, tuple[int, ...]]:
    """For each relationship by which a parent could come along from copies, the patterns that ask for it."""
    found: dict[str, tuple[int, ...]] = {}
    for pattern in design.patterns:
        if isinstance(pattern, Read) and pattern.status != "declined":
            for along in pattern.with_:
                if may_be_brought(design, pattern, along) and _can_be_weighed(design, along):
                    name = along.relationship
                    found[name] = (*found.get(name, ()), pattern.number)
    return found


def _can_be_weighed(design: Design, along: With) -> bool:
    """Whether the design says what a copy costs: how often children are written, and what is copied changes."""
    relationship = design.relationship[along.relationship]
    parent = design.entity[relationship.parent]
    copied = set(along.attributes or ())
    is_written = False
    changed: set[str] = set()
    for pattern in design.patterns:
        if not isinstance(pattern, Write) or pattern.status == "declined":
            continue
        for change in pattern.changes:
            whole = change.verb in ("create", "upsert")
            touched = {*change.set, *change.remove, *change.add, *change.greatest}
            makes = whole and change.entity == relationship.child
            is_written |= makes
            changes = change.entity == parent.name and bool(
                touched & copied or change.verb == "upsert"
            )
            changed |= touched if changes else set()
            if (makes or changes) and pattern.rate is None:
                return False
    return is_written and all(
        name in changed or not parent.by_name[name].mutable for name in copied
    )


def _weigh(design: Design, style: Style, asking: dict[str, tuple[int, ...]]) -> tuple[Weighed, ...]:
    along: frozenset[str] = frozenset()
    apart = demands_with(design, along)
    _, best = choose(apart, style)
    found = []
    for name, patterns in asking.items():
        copied = demands_with(design, along | {name})
        if _is_clear(design, name, demands_with(design, along), copied):
            found.append(Weighed(name, patterns, False, None, None))
            continue
        _, tried = choose(copied, style)
        is_copied = tried.score < best.score
        found.append(Weighed(name, patterns, is_copied, tried.score.usd, best.score.usd))
        if is_copied:
            along, best = along | {name}, tried
    return tuple(found)


def _is_clear(design: Design, name: str, apart: Requirements, copied: Requirements) -> bool:
    """Whether keeping the copies costs more than all that they can save: the reads of the parents, at their dearest."""
    prices = prices_of(design.region)
    parent = design.entity[design.relationship[name].parent]
    one = read_units(entity_bytes(parent) + 1024)
    saved = kept = Fraction(0)
    for question in apart.questions:
        for demand in question.demands:
            if demand.part == name and question.copied is None and demand.entity == parent.name:
                if question.average is None:
                    return False
                saved += exact(question.average) * exact(demand.times) * one * prices.read_unit
    before = {(q.number, q.change, q.copied and q.copied.relationship) for q in apart.questions}
    for question in copied.questions:
        new = (question.number, question.change, question.copied and question.copied.relationship)
        if question.copied is not None and question.change is not None and new not in before:
            times = exact(question.demands[0].times)
            kept += exact(question.average or 0) * times * prices.read_unit
    followed = {write.upkeep.relationship for write in apart.writes if write.upkeep is not None}
    for write in copied.writes:
        if write.upkeep is not None and write.upkeep.relationship not in followed:
            kept += exact(write.average or 0) * exact(write.times) * prices.write_unit
    return kept * SECONDS_PER_MONTH >= saved * SECONDS_PER_MONTH
