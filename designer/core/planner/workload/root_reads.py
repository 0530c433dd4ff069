"""The ways to read what an access pattern starts from."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from designer.core.design.attributes import FLAGS
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Order, Read
from designer.core.patterns.document import Scalar
from designer.core.plan import Crossing
from designer.core.plan.keys import plain_text
from designer.core.planner.model.crossed import Crossed
from designer.core.planner.model.distinct import distinct_values
from designer.core.planner.model.listing import apart_in_list, matching_each
from designer.core.planner.model.marks import is_too_long
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import presence, share_asked, share_kept
from designer.core.planner.workload.entity_reads import entity_read_of
from designer.core.planner.workload.expected import (
    expecting,
    in_any_way,
    listed_among,
    names_one,
    tested_by,
)

NAMED_IN_LIST = 10.0
"""Elements of the list that a caller gives to get items, unless the pattern says how many it expects."""
MOST_LEFT = 5
"""Values that remain where others are excluded, for which a key is asked one by one, at the most."""
MOST_LISTS = 3
"""Lists that a key may serve together, at the most."""
MOST_FIXED = 1000
"""Combinations of the values of fixed lists for which a key is asked one by one, at the most."""
ASKED_IN_LIST = 3.0
"""Elements of a list that other patterns ask for, unless each names an item or there are fewer values."""


def root_read(
    design: Design,
    pattern: Read,
    entity: Entity,
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    is_whole: bool,
) -> EntityRead:
    """The read of the entity that a pattern starts from, in each way that its conditions allow."""
    cases = [where] if pattern.lists_identifiers else [where, *_by_what_is_left(entity, where)]
    ways = [
        _root_by_first(design, pattern, entity, conditions, keep, is_whole)
        for case in cases
        for conditions in each_first(case, pattern.sought[0])
    ]
    ways += [
        _root_by_first(design, pattern, entity, conditions, keep, is_whole, lists)
        for case in cases
        for conditions, lists in _by_all_lists(design, pattern, entity, case)
    ]
    found, tested = _lists_tested(entity, pattern, where)
    ways += [
        _root_by_first(design, pattern, entity, conditions, (*keep, *tested), is_whole)
        for conditions in (each_first(found, pattern.sought[0]) if tested else ())
    ]
    return in_any_way(ways)


def _lists_tested(
    entity: Entity, pattern: Read, where: tuple[Condition, ...]
) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """The conditions that are left to find items by, and lists of a part of the identifier that are tested instead.

    One Query of a small collection is simpler than one for each value, and needs no key of its own. Where nothing else
    is known, a key has to have the list. No transaction contains a Query.
    """
    tested = tuple(
        one
        for one in where
        if one.any_of is not None and not one.optional and one.attribute in entity.identifier
    )
    rest = tuple(one for one in where if one not in tested)
    may_be = bool(tested) and any(one.is_ is not None for one in rest)
    may_be = may_be and pattern.consistency != "transactional" and pattern.crossing is None
    return (rest, tested) if may_be else (where, ())


def _by_what_is_left(
    entity: Entity, where: tuple[Condition, ...]
) -> Iterator[tuple[Condition, ...]]:
    """The conditions with the values that remain in place of those that are excluded, which a key may find.

    So for each attribute that every item has, of which few values remain: stated ones, or of true and false the other.
    """
    for name in dict.fromkeys(one.attribute for one in where if _excludes(one)):
        attribute = entity.by_name.get(name)
        excluding = [one for one in where if one.attribute == name and _excludes(one)]
        rest = tuple(one for one in where if one not in excluding)
        if attribute is None or attribute.present < 1:
            continue
        lost = {plain_text(one.not_.value) for one in excluding if one.not_ is not None}
        flags = FLAGS if attribute.type == "BOOL" else ()
        left = tuple(value for value in attribute.values or flags if str(value) not in lost)
        if flags and len(left) == 1:
            found: dict[str, Any] = {"attribute": name, "is": {"value": left == FLAGS[:1]}}
        elif 0 < len(left) <= MOST_LEFT:
            found = {"attribute": name, "any_of": {"value": left}}
        else:
            continue
        stated = [one.share for one in excluding if one.share is not None]
        if len(stated) == len(excluding):
            # What is excluded is different each time.
            found["share"] = max(0.0, 1 - sum(1 - share for share in stated))
        yield (*rest, Condition.model_validate(found))


def _excludes(condition: Condition) -> bool:
    """Whether a condition leaves out one value, which is always the same."""
    return condition.not_ is not None and condition.not_.value is not None


def each_first(
    where: tuple[Condition, ...], order: tuple[Order, ...]
) -> Iterator[tuple[Condition, ...]]:
    """The conditions, once for each range and each list that a key may serve, which is the first of its sort then.

    In whatever order several of them are stated, the ways are the same, and come in the same order.
    """
    known = {condition.attribute for condition in where if condition.is_ is not None}
    ranges = [one for one in where if one.is_range]
    lists = [one for one in where if one.listed is not None and one.attribute not in known]
    if len(ranges) < 2 and len(lists) < 2:
        yield where
        return
    first = order[0].attribute if order else None

    def place(one: Condition) -> tuple[bool, str, str]:
        return one.attribute != first, one.attribute, one.model_dump_json(exclude_defaults=True)

    rest = tuple(one for one in where if one not in ranges and one not in lists)
    for listed, ranged in product(_led_by_each(lists, place), _led_by_each(ranges, place)):
        yield (*rest, *listed, *ranged)


def _by_all_lists(
    design: Design, pattern: Read, entity: Entity, where: tuple[Condition, ...]
) -> Iterator[tuple[tuple[Condition, ...], int]]:
    """The conditions with all lists, of which a key may serve several, and how many there are: fixed ones come first.

    What is crossed is compared by one list, and of very many fixed values no key has all combinations. Of many lists,
    those count of which the fewest items have a value; the others are tested.
    """
    known = {condition.attribute for condition in where if condition.is_ is not None}
    found = {one.attribute: one for one in where if one.listed and one.attribute not in known}
    rarest = sorted(
        found.values(), key=lambda one: (share_kept(design, entity, one), one.attribute)
    )[:MOST_LISTS]
    lists = sorted(rarest, key=lambda one: (not _fixed_values(one), one.attribute))
    fixed = prod(len(_fixed_values(one)) or 1 for one in lists)
    if len(lists) < 2 or pattern.crossing is not None or fixed > MOST_FIXED:
        return
    rest = tuple(one for one in where if one not in lists and one.listed is None)
    tested = tuple(one for one in where if one not in lists and one.listed is not None)
    for conditions in each_first(rest, pattern.sought[0]):
        yield (*lists, *tested, *conditions), len(lists)


def _fixed_values(condition: Condition) -> tuple[Scalar, ...]:
    """The values of a list that is always the same; nothing where a caller gives them."""
    return (condition.listed.value or ()) if condition.listed is not None else ()


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
    lists: int = 1,
) -> EntityRead:
    """`is_whole`: whether the case has all conditions of its pattern; `lists`: how many of them a key may serve."""
    sought = _sought(entity, pattern)
    entity_read = entity_read_of(
        design, entity, "rows", {}, where, keep, *sought, pattern.attributes, lists
    )
    known = set(entity_read.equals)
    is_of_one = pattern.answer_kind in ("one", "exists")
    single = is_of_one and names_one(entity, known - entity_read.lists.keys())
    expects = pattern.expects
    if entity_read.list_of:
        asked = next(c for c in where if c.listed and c.attribute == entity_read.list_of)
        entity_read = _with_lengths(design, entity, where, entity_read)
        by_name = pattern.lists_identifiers or names_one(entity, known)
        others = entity_read.combinations
        length = _list_length(design, pattern, entity, asked, by_name, others)
        entity_read = _of_each(design, entity, entity_read, length)
        entity_read = replace(entity_read, uneven=entity_read.uneven_in(design, entity))
    if pattern.answer_kind == "exists":
        entity_read = replace(entity_read, limit=1)
    if single or (pattern.lists_identifiers and names_one(entity, known)):
        entity_read = replace(entity_read, matched=1.0, kept=1.0)
    elif pattern.lists_identifiers:
        asked = next(c for c in pattern.where if c.any_of and not c.optional)
        length = _list_length(design, pattern, entity, asked, True)
        entity_read = listed_among(entity_read, length)
    elif (
        expects is not None
        and len(pattern.entities) == 1
        and pattern.crossing is None
        and not pattern.after_limit
    ):
        entity_read = expecting(design, pattern, entity_read, expects, is_whole)
    if pattern.crossing is not None:
        # Each of the expected rows has an item for each value, and all of these are read.
        least = (expects or 0.0) * _length_of(design, entity, pattern.crossing)
        if least > entity_read.rows:
            entity_read = expecting(design, pattern, entity_read, least, is_whole)
        entity_read = _crossed(design, pattern, entity, entity_read, pattern.crossing)
    elif pattern.aggregate is not None:
        figure = pattern.aggregate.of
        source = entity.by_name[figure].source
        figure = figure if source is None else source[1]
        entity_read = replace(
            entity_read,
            wanted=(figure,),
            needs=frozenset({figure}) | tested_by(entity_read.filters),
            is_figure=True,
        )
    elif not pattern.returns_items:
        entity_read = replace(
            entity_read,
            wanted=(),
            needs=tested_by(entity_read.filters),
            count=pattern.answer_kind == "count",
            is_figure=pattern.answer_kind == "count",
        )
    return replace(entity_read, consistency=pattern.consistency, one=single)


def _sought(entity: Entity, pattern: Read) -> tuple[tuple[Order, ...], int | None]:
    """The order in which a pattern wants items, and how many of these; a text that may outgrow a key is in no order."""
    orders, limit = pattern.sought
    figure = pattern.aggregate
    is_long = figure is not None and is_too_long(entity.by_name[figure.of])
    return ((), None) if is_long else (orders, limit)


def _crossed(
    design: Design,
    pattern: Read,
    entity: Entity,
    entity_read: EntityRead,
    crossing: Condition,
) -> EntityRead:
    """An entity read whose rows the application crosses: everything is read, and the limit comes afterwards."""
    same, name = pattern.attributes or (), crossing.attribute
    named = dict.fromkeys((*same, name))
    how = Crossing(attribute=name, values=crossing.list_name, same=same)
    found = pattern.expects
    if found is None:
        found = _in_all(design, entity, entity_read, same, crossing)
    return replace(
        entity_read,
        limit=None,
        wanted=tuple(named),
        needs=frozenset(named) | tested_by(entity_read.filters),
        is_figure=True,
        crossed=Crossed(how, pattern.limit, found),
    )


def _in_all(
    design: Design,
    entity: Entity,
    entity_read: EntityRead,
    same: tuple[str, ...],
    crossing: Condition,
) -> float:
    """Groups that have each of the values, where these have nothing to do with each other."""
    each = share_asked(design, entity, entity.by_name[crossing.attribute], "")
    length = _length_of(design, entity, crossing)
    of_one = entity_read.rows / entity_read.list_length
    if entity_read.list_of != crossing.attribute:
        of_one = entity_read.rows / length
    there = prod(float(distinct_values(design, entity, entity.by_name[n])) for n in same)
    groups = max(1.0, min(there, of_one / each if each else of_one))
    return float(groups * min(1.0, of_one / groups) ** length)


def read_to_delete(design: Design, entity: Entity, where: tuple[Condition, ...]) -> EntityRead:
    """The read of all items that a delete of a collection finds, and of the identifiers of each."""
    found = entity_read_of(design, entity, "rows", {}, where, (), (), None, entity.identifier)
    if found.list_of is None:
        return found
    asked = next(one for one in where if one.listed and one.attribute == found.list_of)
    assert asked.listed is not None
    length = asked.listed.length
    if length is None:
        by_name = names_one(entity, set(found.equals))
        length = NAMED_IN_LIST if by_name else _length_of(design, entity, asked)
    return _of_each(design, entity, found, length)


def _of_each(design: Design, entity: Entity, entity_read: EntityRead, length: float) -> EntityRead:
    """A read by a list of so many values, each of which adds its part of the items."""
    apart = apart_in_list(design, entity, entity_read.listing(length))
    return replace(entity_read, list_length=length, matched=entity_read.matched * apart)


def _with_lengths(
    design: Design, entity: Entity, where: tuple[Condition, ...], entity_read: EntityRead
) -> EntityRead:
    """A read by several lists, with how many values each of them has but the first."""
    asked = {one.attribute: one for one in where if one.listed is not None}
    lists = tuple(
        replace(one, length=_length_of(design, entity, asked[one.of]))
        for one in entity_read.other_lists
    )
    if not lists:
        return entity_read
    entity_read = replace(entity_read, list_length=1.0, other_lists=lists)
    matched = matching_each(design, entity, entity_read.listing(1.0))
    return replace(
        entity_read, matched=matched * presence(entity, entity_read.exists, entity_read.said)
    )


def _list_length(
    design: Design,
    pattern: Read,
    entity: Entity,
    asked: Condition,
    by_name: bool,
    others: float = 1.0,
) -> float:
    """How many values a condition's list has: as stated, expected, or usual. `by_name`: each names an item at most, or
    does so with one value of each of the `others`."""
    assert asked.listed is not None
    if asked.listed.length is not None:
        return asked.listed.length
    if by_name and pattern.expects:
        return max(1.0, pattern.expects / others)
    return NAMED_IN_LIST if pattern.lists_identifiers else _length_of(design, entity, asked)


def _length_of(design: Design, entity: Entity, asked: Condition) -> float:
    """How many values a condition's list has, as stated or as usual: nobody gives all of a few fixed values."""
    assert asked.listed is not None
    attribute, stated = entity.by_name[asked.attribute], asked.listed.length
    if stated is not None:
        return stated
    values = distinct_values(design, entity, attribute)
    if attribute.values and asked.any_of is not None:
        values = max(1.0, values - 1)
    return min(ASKED_IN_LIST, values)
