"""What each entity is asked for and what is written to it, pattern by pattern.

A pattern may ask for several things (an order *with* its items): each becomes a `EntityRead` of its entity, and the
entity reads of one pattern stay together in a `Pattern`. A pattern with optional conditions becomes one pattern for
each set of them that the caller may give.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from math import prod

from designer.core.design.changes import changed_attributes, mutable_attributes
from designer.core.design.document import Design, Entity
from designer.core.design.lacking import absence
from designer.core.messages import Message, say
from designer.core.patterns import Elsewhere
from designer.core.patterns.base import (
    Condition,
    Member,
    Operand,
    Order,
    Read,
    Scalar,
    With,
    Write,
)
from designer.core.plan import Constant, Expression
from designer.core.planner.model.cardinality import (
    RANGE_KEEPS,
    children_of,
    distinct_values,
    matching_items,
    presence,
    share_kept,
)
from designer.core.planner.model.reads_and_writes import (
    EntityRead,
    EntityWrite,
    PatternRead,
    Requirements,
    operand,
    with_absences,
)
from designer.core.planner.workload.expected import (
    divided_among,
    expecting,
    in_any_way,
    names_one,
    tested_by,
)

NAMED_IN_LIST = 10.0
"""Elements of the list that a caller gives to get items, unless the pattern says how many it expects."""
MOST_LEFT = 5
"""Values that remain where others are excluded, for which a key is asked one by one, at the most."""
ASKED_IN_LIST = 3.0
"""Elements of a list that other patterns ask for, unless each names an item or there are fewer values."""


def requirements(design: Design) -> Requirements:
    """Read the design's patterns into entity reads."""
    writes = tuple(
        entity_read
        for pattern in design.patterns
        if isinstance(pattern, Write)
        for entity_read in _writes(design, pattern)
    )
    pattern_reads: list[PatternRead] = []
    for pattern in design.patterns:
        if pattern.status == "declined":
            continue
        if isinstance(pattern, Read):
            pattern_reads += _pattern_reads(design, pattern)
        elif isinstance(pattern, Write) and pattern.collection:
            pattern_reads.append(_collection_to_delete(design, pattern))
    return Requirements(design, tuple(pattern_reads), writes, mutable_attributes(design))


def _collection_to_delete(design: Design, pattern: Write) -> PatternRead:
    """The read that finds what a delete of a whole collection deletes.

    It needs what leads to the items' guards and copies: the table's key is in every entry of an index.
    """
    entity = design.entity[pattern.changes[0].entity]
    where = _closed(pattern.collection)
    entity_read = _entity_read(design, entity, "rows", {}, where, (), (), None, entity.identifier)
    average = pattern.rate.average if pattern.rate else None
    peak = (pattern.rate.peak or average) if pattern.rate else None
    needs = frozenset((*entity.identifier, *_in_guards_and_copies(design, entity)))
    entity_read = replace(entity_read, deletes=True, needs=needs, wanted=None)
    return PatternRead(pattern, None, (entity_read,), average=average, peak=peak)


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


# Reads


def _pattern_reads(design: Design, pattern: Read) -> Iterator[PatternRead]:
    optional = [c for c in (*pattern.where, *pattern.keep) if c.optional]
    cases: list[tuple[Condition, ...]] = [
        case for size in range(len(optional), -1, -1) for case in combinations(optional, size)
    ]
    for case in cases:
        left_out = [condition for condition in optional if condition not in case]
        where = tuple(c for c in pattern.where if c not in left_out)
        keep = tuple(c for c in pattern.keep if c not in left_out)
        given = tuple(dict.fromkeys(p for c in case for p in c.parameters)) if optional else None
        pattern_read = _pattern_read(design, pattern, where, keep, given)
        if pattern.rate is not None:
            # Nobody states how the rate divides among the cases, so each has an equal share of it.
            peak = pattern.rate.peak or pattern.rate.average
            is_job = pattern.rate.is_of_a_job
            pattern_read = replace(
                pattern_read,
                entity_reads=tuple(
                    replace(one, is_job=is_job) for one in pattern_read.entity_reads
                ),
                average=pattern.rate.average / len(cases),
                peak=peak / len(cases),
            )
        yield pattern_read


def _pattern_read(
    design: Design,
    pattern: Read,
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    given: tuple[str, ...] | None,
) -> PatternRead:
    is_whole = len(where) + len(keep) == len(pattern.where) + len(pattern.keep)
    closed = _closed(where)
    roots = [
        _root_read(design, pattern, design.entity[name], closed, keep, is_whole)
        for name in pattern.entities
    ]
    if len(roots) > 1:
        parts = divided_among(design, pattern, roots, is_whole)
        why = _why_not_together(design, pattern)
        parts = tuple(replace(part, impossible=why) for part in parts) if why else parts
        return PatternRead(pattern, given, parts, union=True)
    entity_reads, parents, links = list(roots), {}, {}
    for along in pattern.with_:
        entity_read, side, pairs = _along(design, pattern, along, roots[0])
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
    return PatternRead(pattern, given, tuple(entity_reads), parents=parents, links=links)


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


def _root_read(
    design: Design,
    pattern: Read,
    entity: Entity,
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    is_whole: bool,
) -> EntityRead:
    cases = [where] if pattern.kind == "batch_get" else [where, *_by_what_is_left(entity, where)]
    return in_any_way(
        [
            _root_by_first(design, pattern, entity, conditions, keep, is_whole)
            for case in cases
            for conditions in _each_first(case, pattern.orders)
        ]
    )


def _by_what_is_left(
    entity: Entity, where: tuple[Condition, ...]
) -> Iterator[tuple[Condition, ...]]:
    """The conditions with the values that remain in place of those that are excluded, which a key may find.

    So for each attribute that every item has, whose values are stated, and of which a few remain.
    """
    for name in dict.fromkeys(one.attribute for one in where if _excludes(one)):
        attribute = entity.by_name.get(name)
        excluding = [one for one in where if one.attribute == name and _excludes(one)]
        if attribute is None or not attribute.values or attribute.present < 1:
            continue
        lost = {str(one.not_.value) for one in excluding if one.not_ is not None}
        left = tuple(value for value in attribute.values if str(value) not in lost)
        if 0 < len(left) <= MOST_LEFT:
            rest = tuple(one for one in where if one not in excluding)
            yield (*rest, Condition.model_validate({"attribute": name, "any_of": {"value": left}}))


def _excludes(condition: Condition) -> bool:
    """Whether a condition leaves out one value, which is always the same."""
    return condition.not_ is not None and condition.not_.value is not None


def _each_first(
    where: tuple[Condition, ...], order: tuple[Order, ...]
) -> Iterator[tuple[Condition, ...]]:
    """The conditions, once for each range and each list that a key may serve, which is the first of its sort then.

    In whatever order several of them are stated, the ways are the same, and come in the same order.
    """
    known = {condition.attribute for condition in where if condition.is_ is not None}
    ranges = [one for one in where if one.is_range]
    lists = [one for one in where if one.any_of is not None and one.attribute not in known]
    if len(ranges) < 2 and len(lists) < 2:
        yield where
        return
    first = order[0].attribute if order else None

    def place(one: Condition) -> tuple[bool, str, str]:
        return one.attribute != first, one.attribute, one.model_dump_json(exclude_defaults=True)

    rest = tuple(one for one in where if one not in ranges and one not in lists)
    for listed, ranged in product(_led_by_each(lists, place), _led_by_each(ranges, place)):
        yield (*rest, *listed, *ranged)


def _led_by_each(
    conditions: list[Condition], place: Callable[[Condition], tuple[bool, str, str]]
) -> list[tuple[Condition, ...]]:
    """Conditions in one order, and then with each of the others before the rest."""
    some = sorted(conditions, key=place)
    return [(one, *some[:at], *some[at + 1 :]) for at, one in enumerate(some)] or [()]


def _root_by_first(
    design: Design,
    pattern: Read,
    entity: Entity,
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    is_whole: bool,
) -> EntityRead:
    """`is_whole`: whether the case has all conditions of its pattern."""
    entity_read = _entity_read(
        design, entity, "rows", {}, where, keep, pattern.orders, pattern.limit, pattern.attributes
    )
    known = set(entity_read.equals)
    single = pattern.kind in ("get", "exists") and names_one(entity, known - {entity_read.list_of})
    expects = pattern.expects
    if entity_read.list_of:
        entity_read = replace(
            entity_read, list_length=_list_length(design, pattern, entity, entity_read, where)
        )
    if pattern.kind == "exists":
        entity_read = replace(entity_read, limit=1)
    if single or pattern.kind == "batch_get":
        entity_read = replace(entity_read, matched=1.0, kept=1.0)
    elif expects is not None and len(pattern.entities) == 1:
        entity_read = expecting(design, entity_read, expects, is_whole)
    if pattern.aggregate is not None:
        figure = pattern.aggregate.of
        source = entity.by_name[figure].source
        figure = figure if source is None else source[1]
        entity_read = replace(
            entity_read,
            wanted=(figure,),
            needs=frozenset({figure}) | tested_by(entity_read.filters),
            is_figure=True,
        )
    elif pattern.kind in ("count", "exists"):
        entity_read = replace(
            entity_read,
            wanted=(),
            needs=tested_by(entity_read.filters),
            count=pattern.kind == "count",
            is_figure=pattern.kind == "count",
        )
    return replace(entity_read, consistency=pattern.consistency, one=single)


def _list_length(
    design: Design,
    pattern: Read,
    entity: Entity,
    entity_read: EntityRead,
    where: tuple[Condition, ...],
) -> float:
    """How many values are given for the attribute that is asked for by a list: as stated, expected, or usual."""
    assert entity_read.list_of is not None
    counted = next(
        c.any_of.length for c in where if c.any_of and c.attribute == entity_read.list_of
    )
    if counted is not None:
        return counted
    by_name = pattern.kind == "batch_get" or names_one(entity, set(entity_read.equals))
    if by_name and pattern.expects:
        return pattern.expects
    values = distinct_values(design, entity, entity.by_name[entity_read.list_of])
    return NAMED_IN_LIST if pattern.kind == "batch_get" else min(ASKED_IN_LIST, values)


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
    if root.list_of is not None:
        known = {theirs: f"{{s1.{mine}}}" for theirs, mine in pairs}
    entity_read = _entity_read(
        design,
        entity,
        along.relationship,
        known,
        (),
        along.keep,
        along.orders,
        along.limit,
        along.attributes,
    )
    matched = 1.0 if to_parent else children_of(design, relationship, root.entity)
    if entity_read.needs is not None:
        joined = {theirs for theirs, _ in pairs} - set(known)
        entity_read = replace(
            entity_read, needs=entity_read.needs | {theirs for theirs, _ in pairs} | joined
        )
    wanted = entity_read.wanted
    if wanted is not None:
        wanted = tuple(dict.fromkeys((*wanted, *(theirs for theirs, _ in pairs))))
    many_rows = not root.one
    return (
        replace(
            entity_read,
            consistency=pattern.consistency,
            one=to_parent,
            matched=matched,
            wanted=wanted,
            times=max(root.returned, 0.0) if many_rows else 1.0,
        ),
        side,
        pairs,
    )


def _entity_read(
    design: Design,
    entity: Entity,
    part: str,
    known: dict[str, Expression],
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    order: tuple[Order, ...],
    limit: int | None,
    attributes: tuple[str, ...] | None,
) -> EntityRead:
    """What is asked, where a key may serve the first range and the first list of `where`."""
    equals, list_of, exists, ranges, filters = dict(known), None, [], [], list(keep)
    always: tuple[Scalar, ...] = ()
    for condition in where:
        if condition.is_ is not None and condition.attribute not in equals:
            equals[condition.attribute] = operand(condition.is_)
        elif condition.any_of is not None and list_of is None and condition.attribute not in equals:
            equals[condition.attribute] = f"{{{condition.list_name}}}"
            list_of, always = condition.attribute, condition.any_of.value or ()
        elif condition.exists:
            exists.append(condition.attribute)
        elif _may_be_found_by_absence(entity, condition):
            exists.append(absence(condition.attribute))
        elif condition.is_range:
            ranges.append(condition)
        else:
            filters.append(condition)
    # A key serves one range; the others filter.
    chosen, filters = (ranges[0] if ranges else None), [*filters, *ranges[1:]]
    sorted_by = tuple(
        item for item in order if item.attribute not in equals or item.attribute == list_of
    )
    each = [{**equals, list_of: Constant(value=one)} for one in always] if list_of else []
    matched = sum(matching_items(design, entity, one) for one in each or [equals])
    matched *= presence(entity, exists) / len(each or [equals])
    for condition in where:
        if condition.share is not None and _may_be_found_by_absence(entity, condition):
            matched *= condition.share / (1 - entity.by_name[condition.attribute].present)
    kept = 1.0
    for condition in (*([chosen] if chosen else []), *filters):
        kept *= share_kept(design, entity, condition)
    needs = None
    wanted = None
    if attributes is not None:
        wanted = tuple(dict.fromkeys(attributes))
        needs = frozenset(attributes) | tested_by(tuple(filters))
    return EntityRead(
        entity=entity.name,
        part=part,
        equals=equals,
        starts=_starts(entity, equals),
        list_of=list_of,
        always=always,
        range=chosen,
        exists=tuple(exists),
        filters=tuple(filters),
        order=sorted_by,
        limit=limit,
        needs=needs,
        wanted=wanted,
        matched=matched,
        kept=kept,
        range_share=share_kept(design, entity, chosen) if chosen else 1.0,
    )


def _may_be_found_by_absence(entity: Entity, condition: Condition) -> bool:
    """Whether items that lack an attribute can be kept in a sparse index: some do, and some do not."""
    attribute = entity.by_name[condition.attribute]
    return bool(condition.missing) and attribute.present < 1 and attribute.source is None


_LONGEST_FIRST = ("hour", "date", "month", "year")


def _starts(entity: Entity, equals: Mapping[str, Expression]) -> dict[str, tuple[str, ...]]:
    """For each time of which known attributes are derived, these.

    Only where a format says how the time is written: of other text, a longer value may begin as a shorter one does.
    """
    found: dict[str, tuple[str, ...]] = {}
    sources = {name: source for name in equals if (source := entity.by_name[name].source)}
    for name in sorted(sources, key=lambda name: _LONGEST_FIRST.index(sources[name][0])):
        time = sources[name][1]
        if entity.by_name[time].format in ("date", "datetime"):
            found[time] = (*found.get(time, ()), name)
    return found


# Writes


def _writes(design: Design, pattern: Write) -> Iterator[EntityWrite]:
    if pattern.status == "declined":
        return
    average = pattern.rate.average if pattern.rate else None
    peak = (pattern.rate.peak or pattern.rate.average) if pattern.rate else None
    transactional = pattern.is_transaction
    for at, change in enumerate(pattern.changes):
        entity = design.entity[change.entity]
        times = change.times.average if change.times else 1.0
        if pattern.collection:
            equals = {c.attribute: operand(c.is_) for c in pattern.collection if c.is_ is not None}
            times = matching_items(design, entity, equals)
        yield EntityWrite(
            pattern,
            at,
            change,
            entity.name,
            average,
            peak,
            times,
            transactional,
            known_attributes(entity, change),
            with_absences(changed_attributes(entity, change)),
        )


def known_attributes(entity: Entity, change: Member) -> frozenset[str]:
    """The attributes whose present value a write is given."""
    if change.verb in ("create", "upsert"):
        return frozenset(a.name for a in entity.attributes)
    known = set(change.by or entity.identifier) | set(change.given)
    equal = {c.attribute for c in change.required if c.is_ is not None}
    return frozenset(known | equal)


def elsewhere(design: Design) -> tuple[Elsewhere, ...]:
    """The patterns that DynamoDB should not answer."""
    return tuple(pattern for pattern in design.patterns if isinstance(pattern, Elsewhere))
