"""One entity read: its conditions, what it returns, and how many items meet it."""

from collections.abc import Mapping
from math import prod

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Order
from designer.core.plan import Expression
from designer.core.planner.model.cardinality import is_kind, share_tested, uneven_values
from designer.core.planner.model.listing import Listing, OtherList, matching_each
from designer.core.planner.model.reads_and_writes import EntityRead, operand
from designer.core.planner.model.shares import (
    presence,
    says_its_own_shares,
    share_kept,
    share_kept_by_all,
    times_in_list,
)
from designer.core.planner.workload.expected import tested_by
from designer.core.words.lacking import absence

NO_LIST = OtherList("", (), (), 1.0)
"""Stands for the list of a read without any."""
SAME = 1e-9
"""Figures closer than this part of them are the same."""


def entity_read_of(
    design: Design,
    entity: Entity,
    part: str,
    known: dict[str, Expression],
    where: tuple[Condition, ...],
    keep: tuple[Condition, ...],
    order: tuple[Order, ...],
    limit: int | None,
    attributes: tuple[str, ...] | None,
    lists: int = 1,
) -> EntityRead:
    """What is asked, where a key may serve the first range of `where`, and the first list or so many `lists`."""
    equals, exists, ranges, filters = dict(known), [], [], list(keep)
    listed: dict[str, OtherList] = {}
    said: dict[str, float] = {}
    for condition in where:
        name = condition.attribute
        if condition.is_ is not None and condition.attribute not in equals:
            equals[condition.attribute] = operand(condition.is_)
        elif condition.listed is not None and len(listed) < lists and name not in equals:
            equals[name] = f"{{{condition.list_name}}}"
            always = condition.listed.value or ()
            unlike = times_in_list(design, entity, name, always) if always else ()
            listed[name] = OtherList(name, always, unlike, float(len(always)) or 1.0)
        elif mark := mark_of(entity, condition):
            name = mark
            exists.append(mark)
        elif condition.is_range:
            ranges.append(condition)
            continue
        else:
            filters.append(condition)
            continue
        if condition.share is not None:
            said[name] = condition.share
    exists += sorted(
        _needed_to_sort(entity, equals, order) - {one.attribute for one in (*where, *keep)}
    )
    # A key serves one range; the others filter.
    chosen, filters = (ranges[0] if ranges else None), [*filters, *ranges[1:]]
    sorted_by = tuple(
        item for item in order if item.attribute not in equals or item.attribute in listed
    )
    first, *others = listed.values() or (NO_LIST,)
    list_of, always = first.of or None, first.always
    asked = Listing(equals, list_of, always, 1.0, said, tuple(others))
    matched = matching_each(design, entity, asked)
    matched *= presence(entity, exists, said)
    there = {*equals, *exists}
    range_share = share_kept_by_all(design, entity, (chosen,), there) if chosen else 1.0
    tested = there | {chosen.attribute} if chosen else there
    kept = range_share * share_kept_by_all(design, entity, filters, tested)
    kept *= _more_often_there(design, entity, equals, tuple(filters), said)
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
        unlike=first.unlike,
        other_lists=tuple(others),
        range=chosen,
        exists=tuple(exists),
        filters=tuple(filters),
        said=said,
        order=sorted_by,
        limit=limit,
        needs=needs,
        wanted=wanted,
        matched=matched,
        uneven=uneven_values(design, entity, equals, dict.fromkeys(listed), said, filters)
        if limit is not None
        else (),
        kept=kept,
        range_share=range_share,
    )


def _more_often_there(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    filters: tuple[Condition, ...],
    said: Mapping[str, float],
) -> float:
    """How many times as often as by chance what is found has the values that filters test, one or several.

    Of several, each is as common as one, unless the design says how common they are.
    """
    tests = [
        one
        for one in filters
        if one.share is None
        and one.attribute in entity.by_name.keys() - equals.keys()
        and (one.is_ is not None or _lists_what_is_alike(entity, one))
    ]
    by_chance = prod(share_kept(design, entity, one) for one in tests)
    tested = {one.attribute: _tested(one) for one in tests}
    if not tested or not by_chance:
        return 1.0
    many = prod(one.listed.count or 1.0 for one in tests if one.listed is not None)
    times = min(1.0, many * share_tested(design, entity, equals, tested, said)) / by_chance
    return times if times > 1 + SAME else 1.0


def _lists_what_is_alike(entity: Entity, test: Condition) -> bool:
    """Whether it tests for some of many values that a caller gives, none of which is known to be commoner."""
    attribute = entity.by_name[test.attribute]
    is_counted = test.listed is not None and test.listed.count is not None
    return is_counted and not is_kind(attribute) and not says_its_own_shares(attribute)


def _tested(test: Condition) -> Expression:
    return operand(test.is_) if test.is_ is not None else f"{{{test.list_name}}}"


def _needed_to_sort(
    entity: Entity, equals: Mapping[str, Expression], order: tuple[Order, ...]
) -> set[str]:
    """The attributes of the order that some items lack: these are not in the answer.

    Where what is asked for may be missing too, both may come together: a patient in a ward has a bed.
    """
    if any(entity.by_name[name].present < 1 for name in equals):
        return set()
    return {item.attribute for item in order if entity.by_name[item.attribute].present < 1}


def mark_of(entity: Entity, condition: Condition) -> str | None:
    """What must be there, or by `absence` must not, so that a sparse index can hold the items; None for other tests.

    It can hold items that lack an attribute if some do, and some do not.
    """
    if condition.exists or not condition.missing:
        return condition.attribute if condition.exists else None
    attribute = entity.by_name[condition.attribute]
    return absence(condition.attribute) if attribute.present < 1 and not attribute.source else None


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
