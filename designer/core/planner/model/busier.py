"""How hot a value runs that a pattern gives to several attributes at once, or takes from what refers to an item.

Passages say that 30 % of them are of the busiest gate. So much of what they bring to their gates falls on this one,
whatever is said of gates: of an update in their transaction, of the number of passages, of the gates that come along.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from designer.core.design.changes import left_out
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Member, Pattern, Read, Write
from designer.core.planner.model.falling import identifying_times, times_of_now
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.shares import Busier, busiest_shares

ROW = "{s1."
"""Begins what is taken from the rows of a read."""


def said_of_busiest(entity: Entity, name: str) -> float:
    """Share of the traffic on the busiest value of an attribute, as far as the attribute itself says it; else 0."""
    attribute = entity.by_name.get(name)
    if attribute is None or attribute.source is not None:
        return 0.0
    usual = 1 / attribute.distinct if attribute.distinct is not None else 0.0
    return busiest_shares(entity, (name,)).get(name, usual)


def busiest_of_parameters(design: Design, pattern: Pattern) -> dict[str, float]:
    """For each parameter of a pattern, the share on its busiest value that any attribute says that it fills.

    Nothing where it fills those of one item alone, which say it themselves.
    """
    found: dict[str, float] = {}
    for entity, name, parameter in _filled(design, pattern):
        said = max(found.get(parameter, 0.0), said_of_busiest(design.entity[entity], name))
        found[parameter] = said
    for name in _of_now(design, pattern):
        found[name] = 1.0
    return found


def _of_now(design: Design, pattern: Pattern) -> Iterator[str]:
    """The parameters of a pattern that give the time of now to an item which it names: all its traffic has that.

    None where the team itself says how hot the pattern's hottest key is.
    """
    if isinstance(pattern, Write) and pattern.hottest is None:
        for change in pattern.changes:
            yield from times_of_now(design.entity[change.entity], change)


def busier_of_change(design: Design, pattern: Write, change: Member) -> Busier:
    """The attributes of an item that others say to be busier, which get the same values by the same pattern."""
    if len(pattern.changes) == 1 and not any(_of_now(design, pattern)):
        return ()
    shares = busiest_of_parameters(design, pattern)
    entity = design.entity[change.entity]
    times = change.times.average if change.times and pattern.is_transaction else 1.0
    return _busier(
        entity,
        (
            (name, of_items(entity, name, shares[parameter], times))
            for name, parameter in _filled_by(entity, change)
        ),
    )


def busier_of_write(design: Design, write: EntityWrite) -> Busier:
    """The same of what is written to an entity, also of parents on which children's writes keep figures."""
    entity, said = design.entity[write.entity], list[tuple[str, float]]()
    times = (
        write.change.times.average if write.change.times and write.pattern.is_transaction else 1.0
    )
    if write.upkeep is None and write.follows is None:
        said += busier_of_change(design, write.pattern, write.change)
    for keeping in write.keeps:
        child = design.entity[keeping.figure.child]
        said += (
            (theirs, of_items(entity, theirs, said_of_busiest(child, own), times))
            for theirs, own in keeping.figure.per
        )
        if write.by_stream or write.pattern.hottest is None:
            times_of_parent = identifying_times(entity)  # what comes in now is of the parent of now
            said += ((n, 1.0) for n, _ in keeping.figure.per if n in times_of_parent)
    return _busier(entity, said)


def with_busier(
    design: Design, pattern: Read, reads: tuple[EntityRead, ...]
) -> tuple[EntityRead, ...]:
    """What a pattern reads, each with the attributes that others say to be busier: the rows, or what comes along."""
    if len(reads) == 1:
        return reads
    shares, root = busiest_of_parameters(design, pattern), reads[0]

    def said(entity_read: EntityRead) -> Iterator[tuple[str, float]]:
        entity = design.entity[entity_read.entity]
        for name, value in entity_read.equals.items():
            if not isinstance(value, str) or name in entity_read.lists:
                continue
            if not value.startswith(ROW):
                yield name, shares.get(value[1:-1], 0.0)
            elif entity_read.one:
                share = said_of_busiest(design.entity[root.entity], value[len(ROW) : -1])
                yield name, among_rows(entity, name, share, root.returned, entity_read.times)

    return tuple(
        replace(one, busier=busier)
        if (busier := _busier(design.entity[one.entity], said(one)))
        else one
        for one in reads
    )


def among_rows(entity: Entity, name: str, share: float, rows: float, parents: float) -> float:
    """Of the parents of some rows, each of which is got once, the share that is the busiest one."""
    if entity.identifier != (name,) or not parents:
        return share
    return (share * rows if rows <= 1 else 1 - float((1 - share) ** rows)) / parents


def of_items(entity: Entity, name: str, share: float, times: float) -> float:
    """Of the items that one transaction writes, each of which it writes once, the share that is the busiest one."""
    return min(share, 1 / times) if entity.identifier == (name,) and times > 1 else share


def _busier(entity: Entity, said: Iterable[tuple[str, float]]) -> Busier:
    found: dict[str, float] = {}
    for name, share in said:
        if share > max(found.get(name, 0.0), said_of_busiest(entity, name)):
            found[name] = share
    return tuple(found.items())


def _filled(design: Design, pattern: Pattern) -> Iterator[tuple[str, str, str]]:
    """Entities and their attributes with the parameters that a pattern fills them by."""
    if isinstance(pattern, Write) and not pattern.collection:
        for change in pattern.changes:
            for name, parameter in _filled_by(design.entity[change.entity], change):
                yield change.entity, name, parameter
    if not isinstance(pattern, Read):
        return
    asked = dict(_asked_by(pattern.where))
    for entity in pattern.entities:
        yield from ((entity, name, parameter) for name, parameter in asked.items())
    for along in pattern.with_:
        relationship = design.relationship[along.relationship]
        for mine, theirs in design.references(relationship, relationship.parent):
            if relationship.child in pattern.entities and mine in asked:
                yield relationship.parent, theirs, asked[mine]
            elif relationship.parent in pattern.entities and theirs in asked:
                yield relationship.child, mine, asked[theirs]


def _filled_by(entity: Entity, change: Member) -> Iterator[tuple[str, str]]:
    if change.writes_whole:
        without = left_out(entity, change) | change.set.keys()
        names = tuple(one.name for one in entity.stored if one.name not in without)
    else:
        names = (*(change.by or entity.identifier), *change.given)
    yield from zip(names, names, strict=True)
    yield from ((name, side.param) for name, side in change.set.items() if side.param is not None)
    yield from _asked_by(change.required)


def _asked_by(conditions: Iterable[Condition]) -> Iterator[tuple[str, str]]:
    for one in conditions:
        if one.is_ is not None and one.is_.param is not None:
            yield one.attribute, one.is_.param
