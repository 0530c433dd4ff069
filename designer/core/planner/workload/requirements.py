"""What each entity is asked for and what is written to it, pattern by pattern.

A pattern may ask for several things (an order *with* its items): each becomes an `EntityRead` of its entity, and the
entity reads of one pattern stay together in a `PatternRead`. A pattern with optional conditions becomes one
`PatternRead` for each set of them that the caller may give.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import prod

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.changes import mutable_attributes
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.messages import Message, say
from designer.core.patterns import Elsewhere
from designer.core.patterns.base import Condition, Operand, Read, With, Write
from designer.core.planner.model.busier import with_busier
from designer.core.planner.model.cardinality import children_of
from designer.core.planner.model.reads_and_writes import (
    EntityRead,
    EntityWrite,
    PatternRead,
    Requirements,
)
from designer.core.planner.model.shares import RANGE_KEEPS, share_kept
from designer.core.planner.workload.different_parents import different_parents
from designer.core.planner.workload.entity_reads import entity_read_of, mark_of
from designer.core.planner.workload.entity_writes import writes_of
from designer.core.planner.workload.expected import (
    divided_among,
    in_any_way,
    tested_within_limit,
)
from designer.core.planner.workload.ranges_at_ends import with_ranges_at_ends
from designer.core.planner.workload.root_reads import each_first, read_to_delete, root_read
from designer.core.planner.workload.transactions import within_transaction


def requirements(design: Design) -> Requirements:
    """Read the design's patterns into entity reads."""
    writes: list[EntityWrite] = []
    pattern_reads: list[PatternRead] = []
    for pattern in design.patterns:
        if pattern.status == "declined":
            continue
        if isinstance(pattern, Read):
            pattern_reads += _pattern_reads(design, pattern)
        elif isinstance(pattern, Write) and pattern.collection:
            finds = _collection_to_delete(design, pattern)
            pattern_reads.append(finds)
            writes += writes_of(design, pattern, finds.entity_reads[0])
        elif isinstance(pattern, Write):
            writes += writes_of(design, pattern)
    reads = with_ranges_at_ends(design, tuple(pattern_reads))
    return Requirements(design, reads, tuple(writes), mutable_attributes(design))


def _collection_to_delete(design: Design, pattern: Write) -> PatternRead:
    """The read that finds what a delete of a whole collection deletes.

    It needs what leads to the items' guards and copies: the table's key is in every entry of an index.
    """
    entity = design.entity[pattern.changes[0].entity]
    entity_read = read_to_delete(design, entity, _closed(pattern.collection))
    average = pattern.rate.average if pattern.rate else None
    peak = (pattern.rate.peak or average) if pattern.rate else None
    needs = frozenset((*entity.identifier, *_in_guards_and_copies(design, entity)))
    entity_read = replace(entity_read, deletes=True, needs=needs, wanted=None)
    return PatternRead(pattern, None, (entity_read,), average=average, peak=peak)


def items_deleted(design: Design, pattern: Write) -> float:
    """Items that a delete of a whole collection deletes on average, as far as their own attributes say."""
    entity = design.entity[pattern.changes[0].entity]
    own = tuple(one for one in pattern.collection if one.attribute in entity.by_name)
    return read_to_delete(design, entity, _closed(own)).rows


def _in_guards_and_copies(design: Design, entity: Entity) -> Iterator[str]:
    """The attributes in keys of guards, and of the copies that strongly consistent reads or N:M edges may need."""
    yield from (name for unique in entity.uniques for name in unique.names)
    reads = [pattern for pattern in design.patterns if isinstance(pattern, Read)]
    is_edge = any(relationship.through == entity.name for relationship in design.relationships)
    if not is_edge and all(one.consistency == "eventual" for one in reads):
        return
    yield from (attribute.name for attribute in entity.attributes if attribute.refers_to)
    for relationship in design.relationships:
        if relationship.child == entity.name:
            yield from (own for _, pairs in design.sides(relationship) for own, _ in pairs)
    for one in reads:
        orders = [*one.orders, *(order for along in one.with_ for order in along.orders)]
        asked = [*(c.attribute for c in one.where), *(order.attribute for order in orders)]
        for found in map(entity.by_name.get, asked):
            if found is not None:
                yield found.source[1] if found.source else found.name


def _pattern_reads(design: Design, pattern: Read) -> Iterator[PatternRead]:
    optional = [c for c in pattern.conditions if c.optional]
    cases: list[tuple[Condition, ...]] = [
        case for size in range(len(optional), -1, -1) for case in combinations(optional, size)
    ]
    for case in cases:
        left_out = [condition for condition in optional if condition not in case]
        where = tuple(c for c in pattern.where if c not in left_out)
        keep = tuple(c for c in pattern.keep if c not in left_out)
        then_keep = tuple(c for c in pattern.after_limit if c not in left_out)
        given = tuple(dict.fromkeys(p for c in case for p in c.parameters)) if optional else None
        pattern_read = _pattern_read(design, pattern, where, keep, then_keep, given)
        if pattern.rate is not None:
            # Nobody states how the rate divides among the cases, so each has an equal share of it.
            peak = pattern.rate.peak or pattern.rate.average
            reads = pattern_read.entity_reads
            if pattern.rate.is_of_a_job:
                reads = tuple(replace(one, is_job=True) for one in reads)
            pattern_read = replace(
                pattern_read,
                entity_reads=reads,
                average=pattern.rate.average / len(cases),
                peak=peak / len(cases),
            )
        yield pattern_read


def _pattern_read(
    design: Design,
    pattern: Read,
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    then_keep: tuple[Condition, ...],
    given: tuple[str, ...] | None,
) -> PatternRead:
    is_whole = len(where) + len(keep) == len(pattern.where) + len(pattern.keep)
    closed = _closed(where)
    roots = [
        root_read(design, pattern, design.entity[name], closed, keep, is_whole)
        for name in pattern.entities
    ]
    if then_keep:
        roots = [tested_within_limit(design, pattern, root, then_keep) for root in roots]
    if len(roots) > 1:
        parts = divided_among(design, pattern, roots, is_whole)
        why = _why_not_together(design, pattern)
        parts = tuple(replace(part, impossible=why) for part in parts) if why else parts
        parts = with_busier(design, pattern, within_transaction(design, list(parts)))
        return PatternRead(pattern, given, parts, union=True)
    entity_reads, parents, links = list(roots), {}, {}
    for along in pattern.with_:
        entity_read, side, pairs = _along(design, pattern, along, roots[0])
        if entity_read.list_of is not None or entity_read.consistency == "transactional":
            first = [one for one in entity_reads if not one.is_dependent]
            sizes = (one.combinations * entity_bytes(design.entity[one.entity]) for one in first)
            before = sum(one.combinations for one in first)
            entity_read = replace(entity_read, before=before, before_bytes=sum(sizes))
        entity_reads.append(entity_read)
        parents[along.relationship], links[along.relationship] = side, pairs
        missing = {mine for _, mine in pairs} - (
            entity_reads[0].needs or {mine for _, mine in pairs}
        )
        if missing:
            # The rows must carry what their companions are joined by.
            needs = (entity_reads[0].needs or frozenset()) | missing
            wanted = (*(entity_reads[0].wanted or ()), *sorted(missing))
            entity_reads[0] = replace(entity_reads[0], needs=needs, wanted=wanted)
    parts = with_busier(design, pattern, within_transaction(design, entity_reads))
    return PatternRead(pattern, given, parts, parents=parents, links=links)


def _why_not_together(design: Design, pattern: Read) -> Message | None:
    """Why rows of several entities have no common order, or no one greatest or least; None where they have."""
    result = pattern.aggregate
    named = (order.attribute for order in pattern.orders)
    figures = (result.greatest, result.least) if result is not None else ()
    for name in (*named, *filter(None, figures)):
        known = {one: design.entity[one].by_name.get(name) for one in pattern.entities}
        derived = {one: found.derived if found else None for one, found in known.items()}
        if len(set(derived.values())) > 1:
            meanings = tuple(
                say("attribute-of-entity", attribute=meaning or name, entity=one)
                for one, meaning in derived.items()
            )
            return say("no-common-order", attribute=name, meanings=meanings)
    return None


def _closed(where: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Conditions, of which one that says from where an attribute is and one that says to where are one closed range."""
    for name in dict.fromkeys(one.attribute for one in where):
        ends = sorted(
            (one for one in where if one.attribute == name), key=Condition.model_dump_json
        )
        lower = [one for one in ends if _from_where(one) and not _to_where(one)]
        upper = [one for one in ends if _to_where(one) and not _from_where(one)]
        if lower and upper:
            low, high = lower[0], upper[0]
            both = {"to": high.to, "below": high.below, "share": _share_of_both(low, high)}
            rest = (one for one in where if one not in (low, high))
            where = (*rest, low.model_copy(update=both))
    return where


def _from_where(condition: Condition) -> Operand | None:
    return condition.from_ or condition.after


def _to_where(condition: Condition) -> Operand | None:
    return condition.to or condition.below


def _share_of_both(one: Condition, other: Condition) -> float | None:
    """The share that both ends of a range keep: as much as two conditions do, where both are stated.

    Where one is, no more than that, nor than any range is taken to keep.
    """
    stated = [end.share for end in (one, other) if end.share is not None]
    return min(prod(stated), RANGE_KEEPS) if len(stated) == 1 else prod(stated) if stated else None


def _along(
    design: Design, pattern: Read, along: With, root: EntityRead
) -> tuple[EntityRead, str, tuple[tuple[str, str], ...]]:
    relationship = design.relationship[along.relationship]
    to_parent = relationship.child == root.entity and relationship.parent != root.entity
    if to_parent:
        entity, side = design.entity[relationship.parent], "one"
        pairs = tuple(
            (theirs, mine) for mine, theirs in design.references(relationship, relationship.parent)
        )
    else:
        entity, side = design.entity[relationship.child], "many"
        pairs = design.references(relationship, root.entity)
    known = {theirs: root.equals.get(mine, f"{{s1.{mine}}}") for theirs, mine in pairs}
    # With identifiers that the caller lists, what has the same ones is got at once.
    listed = next((theirs for theirs, mine in pairs if mine == root.list_of), None)
    is_named = (
        pattern.lists_identifiers
        and listed is not None
        and not (root.filters or along.keep)
        and root.equals.keys() >= {mine for _, mine in pairs}
        and entity.names_one(set(known))
    )
    if listed is not None and not is_named:
        known[listed] = f"{{s1.{root.list_of}}}"
    children = 1.0 if to_parent else children_of(design, relationship, root.entity)

    def read(where: tuple[Condition, ...], keep: tuple[Condition, ...]) -> EntityRead:
        found = entity_read_of(
            design,
            entity,
            along.relationship,
            known,
            where,
            keep,
            along.orders,
            along.limit,
            along.attributes,
        )
        found_by = tuple(one for one in where if not one.is_range)
        kept = prod(share_kept(design, entity, one) for one in found_by)
        tested = frozenset(mark_of(entity, one) or one.attribute for one in found_by)
        return replace(found, matched=children * kept, tested=tested)

    # Of children a key may find what is tested, as `with` has no other way to say that.
    keep = along.keep if to_parent else _closed(along.keep)
    ranges = () if to_parent else tuple(one for one in keep if one.is_range)
    same = () if to_parent else tuple(one for one in keep if one.is_ or mark_of(entity, one))
    rest = tuple(one for one in keep if one not in (*ranges, *same))
    entity_read = in_any_way(
        [
            read((*found, *some), (*rest, *(one for one in same if one not in found)))
            for found in dict.fromkeys(((), same))
            for some in each_first(ranges, along.orders)
        ]
    )
    if entity_read.needs is not None:
        joined = {theirs for theirs, _ in pairs} - set(known)
        entity_read = replace(
            entity_read, needs=entity_read.needs | {theirs for theirs, _ in pairs} | joined
        )
    wanted = entity_read.wanted
    if wanted is not None:
        wanted = tuple(dict.fromkeys((*wanted, *(theirs for theirs, _ in pairs))))
    if is_named:
        entity_read = replace(
            entity_read,
            list_of=listed,
            always=root.always,
            list_length=root.list_length,
            matched=1.0,
            kept=1.0,
        )
    usual, most = None, None
    if to_parent:
        usual, most = different_parents(design, root, entity, dict(pairs))
    # What the caller gives is asked for once, whatever rows there are.
    times = root.returned if entity_read.is_dependent and not root.one else 1.0
    return (
        replace(
            entity_read,
            consistency=pattern.consistency,
            one=to_parent,
            wanted=wanted,
            times=times if usual is None else min(times, usual),
            different=most,
        ),
        side,
        pairs,
    )


def elsewhere(design: Design) -> tuple[Elsewhere, ...]:
    """The patterns that DynamoDB should not answer."""
    return tuple(pattern for pattern in design.patterns if isinstance(pattern, Elsewhere))
