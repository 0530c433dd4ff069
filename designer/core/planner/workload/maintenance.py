"""What it takes to keep copies right.

A write of a child that says which parent it has reads the copied values from the parent's item first. A change of
the parent is followed by an update of each child: they are asked for by their reference, and written. Both are
entity reads like the patterns' own, so keys and indexes are chosen with their price.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from designer.core.design.document import Design
from designer.core.design.kept import Figure
from designer.core.patterns.base import Member, Operand
from designer.core.plan import Constant, Expression
from designer.core.planner.model.busier import said_of_busiest
from designer.core.planner.model.cardinality import children_of
from designer.core.planner.model.copies import Copied
from designer.core.planner.model.reads_and_writes import (
    MISSING,
    EntityRead,
    EntityWrite,
    PatternRead,
    Requirements,
    operand,
    with_absences,
)
from designer.core.rational import Fraction

Pairs = tuple[tuple[str, str], ...]
"""The parent's attribute and the child's, for each that joins them."""
UNKNOWN = "unknown"
"""Stands for a number that the same transaction adds to."""


def with_upkeep(needed: Requirements, copies: tuple[Copied, ...]) -> Requirements:
    """The requirements with all that the copies ask for; copies of copies come after those they are copied from."""
    if not copies:
        return needed
    writes = [_refreshing(write, copies) for write in needed.writes]
    mutable = {name: set(names) for name, names in needed.mutable.items()}
    pattern_reads = list(needed.pattern_reads)
    for copied in copies:
        causes = causes_of(writes, copied)
        for write in writes:
            if copied in write.refreshes:
                if set(copied.watched) - set(new_values(writes, write, copied, needed.figures)):
                    pattern_reads.append(_parent_asked_for(needed.design, writes, copied, write))
                mutable[copied.entity] |= copied.names if write.verb == "update" else set()
        mutable[copied.entity] |= {
            name for name, attribute in copied.attributes if attribute in mutable[copied.parent]
        }
        if causes:
            asked, write = _children_updated(needed, copied, causes)
            pattern_reads.append(asked)
            writes.append(write)
            mutable[copied.entity] |= copied.names
    frozen = {name: frozenset(names) for name, names in mutable.items()}
    return replace(
        needed,
        pattern_reads=tuple(pattern_reads),
        writes=tuple(writes),
        mutable=frozen,
        copies=copies,
    )


def _refreshing(write: EntityWrite, copies: tuple[Copied, ...]) -> EntityWrite:
    """A write with the copies that it must take anew: all of a new item's, or those of a new parent's."""
    whole = write.writes_whole
    refreshes = tuple(
        copied
        for copied in copies
        if copied.entity == write.entity
        and (whole or (write.verb == "update" and copied.references & write.changed))
    )
    names = frozenset().union(*(copied.names for copied in refreshes))
    if not refreshes or whole:
        return replace(write, refreshes=refreshes)
    changed = write.changed | with_absences(names)
    return replace(write, refreshes=refreshes, changed=changed, known=write.known | names)


def causes_of(writes: Iterable[EntityWrite], copied: Copied) -> list[EntityWrite]:
    """The writes of the parent that can change what its children carry."""
    watched = set(copied.watched)
    return [
        write
        for write in writes
        if write.entity == copied.parent
        and (
            write.may_replace
            or write.verb == "delete"
            or (write.verb == "update" and write.changed & watched)
        )
    ]


def patterns_causing(writes: tuple[EntityWrite, ...], copied: Copied) -> tuple[int, ...]:
    """The numbers of the patterns after which the copies have to be brought up to date."""
    found: set[int] = set()
    for write in causes_of(writes, copied):
        own = (write.pattern.number,)
        found.update(own if write.upkeep is None else patterns_causing(writes, write.upkeep))
    return tuple(sorted(found))


def references_of(write: EntityWrite, per: Pairs) -> dict[str, Expression | None]:
    """What a write makes of a child's reference to its parent; None where that has to be read first."""
    change = write.change
    whole = write.writes_whole
    given = set(change.by or ()) | write.known
    found: dict[str, Expression | None] = {}
    for _, own in per:
        if own in change.set:
            found[own] = operand(change.set[own])
        elif own in change.remove or own in write.left_out:
            found[own] = MISSING
        else:
            found[own] = f"{{{own}}}" if whole or own in given else None
    return found


def new_values(
    writes: Iterable[EntityWrite],
    write: EntityWrite,
    copied: Copied,
    figures: tuple[Figure, ...],
) -> dict[str, Expression]:
    """The parent's values that the write's own transaction makes, or that no parent is left to have."""
    references = references_of(write, copied.per)
    if MISSING in references.values():
        return dict.fromkeys(copied.watched, MISSING)
    writes = tuple(writes)
    for other in writes:
        same = other.pattern.number == write.pattern.number and other.entity == copied.parent
        if not same or other is write or other.is_upkeep:
            continue
        if is_parent(other, write, references, copied.per):
            made = {name: _made(writes, other, name, figures) for name in copied.watched}
            return {name: value for name, value in made.items() if value is not None}
    return {}


def step_of_parent(copied: Copied, suffix: object) -> str:
    """The name of the step that reads the parent's values for a change."""
    return f"parent_{copied.relationship}{suffix}"


def is_parent(
    other: EntityWrite,
    write: EntityWrite,
    references: dict[str, Expression | None],
    per: Pairs,
) -> bool:
    """Whether another change of the transaction is about the item that the child refers to."""
    rows = other.change.each or other.entity
    if other.change.times is not None and rows != (write.change.each or write.entity):
        return False
    named = {
        theirs: operand(other.change.set[theirs]) if theirs in other.change.set else f"{{{theirs}}}"
        for theirs, _ in per
    }
    by_identifier = not other.change.by or set(other.change.by) == set(named)
    return by_identifier and all(named[theirs] == references[own] for theirs, own in per)


def _made(
    writes: tuple[EntityWrite, ...], other: EntityWrite, name: str, figures: tuple[Figure, ...]
) -> Expression | None:
    """What a write of a transaction makes of an attribute; None where it leaves it as it is."""
    change = other.change
    if other.verb == "delete" or name in change.remove:
        return MISSING
    if name in change.set:
        return operand(change.set[name])
    if name in change.greatest:
        return f"{{{change.greatest[name]}}}"
    is_counted = name in change.add or any(name in named for named in change.of_elements)
    if is_counted or any(name == keeping.figure.name for keeping in other.keeps):
        return UNKNOWN
    for copied in other.refreshes:
        for copy, attribute in copied.attributes:
            if copy == name:
                step = step_of_parent(copied, other.at + 1)
                values = new_values(writes, other, copied, figures)
                return values.get(attribute, f"{{{step}.{attribute}}}")
    for figure in figures if other.verb == "create" else ():
        if (figure.entity, figure.name) == (other.entity, name):
            return Constant(value=0) if figure.is_added else MISSING
    if name in other.left_out:
        return MISSING
    return f"{{{name}}}" if other.writes_whole else None


def names_one_parent(
    design: Design, writes: Iterable[EntityWrite], write: EntityWrite, per: Pairs
) -> bool:
    """Whether all items that a change writes refer to one: it is not repeated, or what they refer by is given once.

    A name that a change of the transaction without rows uses is the whole transaction's.
    """
    if write.change.times is None:
        return True
    if not write.transactional:
        return False
    once: set[object] = set()
    for other in writes:
        change = other.change
        is_given = other.pattern.number == write.pattern.number and not other.is_upkeep
        if not is_given or other.follows is not None or change.times is not None:
            continue
        named = change.by or design.entity[other.entity].identifier
        if other.writes_whole:
            named = tuple(name for name in named if name not in change.set)
        once |= {f"{{{name}}}" for name in named}
        once |= {operand(side) for side in change.set.values() if side.param is not None}
    made = references_of(write, per).values()
    return all(isinstance(one, Constant) or one in once for one in made)


def _parent_asked_for(
    design: Design, writes: Iterable[EntityWrite], copied: Copied, write: EntityWrite
) -> PatternRead:
    """The strong read of the parent's values before a child is written."""
    is_one = names_one_parent(design, writes, write, copied.per)
    child = design.entity[copied.entity]
    needs = frozenset(copied.watched)
    entity_read = EntityRead(
        entity=copied.parent,
        part="parent",
        equals={theirs: f"{{{own}}}" for theirs, own in copied.per},
        needs=needs,
        wanted=copied.watched,
        consistency="strong",
        one=True,
        times=1.0 if is_one else write.times,
        busier=tuple((theirs, said_of_busiest(child, own)) for theirs, own in copied.per),
    )
    return PatternRead(
        write.pattern,
        None,
        (entity_read,),
        average=write.average,
        peak=write.peak,
        copied=copied,
        change=write.at,
    )


def _children_updated(
    needed: Requirements, copied: Copied, causes: list[EntityWrite]
) -> tuple[PatternRead, EntityWrite]:
    """The read of the children after a change of their parent, and the update of each."""
    relationship = needed.design.relationship[copied.relationship]
    child = needed.design.entity[copied.entity]
    fan_out = children_of(needed.design, relationship, copied.parent)
    average = _in_all((cause.average, cause.times) for cause in causes)
    peak = _in_all((cause.peak, cause.times) for cause in causes)
    known = _key_components(needed, copied) | copied.references | set(child.identifier)
    entity_read = EntityRead(
        entity=copied.entity,
        part="children",
        equals={own: f"{{{theirs}}}" for theirs, own in copied.per},
        needs=frozenset(known),
        wanted=tuple(sorted(known)),
        matched=fan_out,
    )
    pattern = causes[0].pattern
    asked = PatternRead(pattern, None, (entity_read,), average=average, peak=peak, copied=copied)
    change = Member(
        update=copied.entity,
        set={name: Operand(param=name) for name in sorted(copied.names)},
    )
    derived = {a.name for a in child.attributes if a.source and a.source[1] in copied.names}
    write = EntityWrite(
        pattern,
        0,
        change,
        copied.entity,
        average,
        peak,
        fan_out,
        False,
        frozenset(known),
        copied.names | derived,
        upkeep=copied,
    )
    return asked, write


def _in_all(rates: Iterator[tuple[float | None, float]]) -> float | None:
    """Items changed a second, all causes together; None when none has a rate."""
    known = [
        Fraction(repr(float(rate))) * Fraction(repr(float(times)))
        for rate, times in rates
        if rate is not None
    ]
    return float(sum(known)) if known else None


def _key_components(needed: Requirements, copied: Copied) -> set[str]:
    """What may stand in a key beside a copy: where some pattern asks for one, all that the child is asked by."""
    asked: set[str] = set()
    for pattern_read in needed.pattern_reads:
        for entity_read in pattern_read.entity_reads:
            if entity_read.entity == copied.entity:
                asked |= entity_read.keyed
    if not asked & copied.names:
        return set()
    child = needed.design.entity[copied.entity]
    sources = (child.by_name[name].source for name in asked)
    return {
        source[1] if source else name for name, source in zip(asked, sources, strict=True)
    } - copied.names
