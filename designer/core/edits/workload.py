"""A finished design for another workload: how many users, how active they are, and how much history is kept."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.edits.replacing import checked, replaced
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.core.patterns import AnyPattern
from designer.core.rational import Fraction
from designer.core.words.spoken import spoken_many

MOST_USERS = 1_000_000_000
MOST_REQUESTS = 1_000_000
MOST_MONTHS = 600


@dataclass(frozen=True)
class Workload:
    """What a design is stated for, by the entity that most others belong to."""

    entity: str
    users: int
    """How many items of that entity there are: users, devices, projects."""
    requests: float | None
    """Runs a second on average, all access patterns together; None where no rate is stated."""
    months: float | None
    """How much there is of what grows, in months of its growth; None where nothing of that entity's grows."""

    @property
    def called(self) -> str:
        """`Users`, `Devices`."""
        return spoken_many(self.entity).capitalize()


def workload_of(design: Design) -> Workload | None:
    """What a design states of its workload; None where no entity with a stated number of items owns others."""
    main = _main(design)
    if main is None or not main.items:
        return None
    rates = [pattern.rate.average for pattern in design.patterns if pattern.rate is not None]
    grown = [
        round(each.items / each.growth_per_month, 1)
        for each in _growing(design, main)
        if each.items and each.growth_per_month
    ]
    requests = _rounded(sum(rates)) or None
    return Workload(main.name, main.items, requests, max(grown, default=None))


def for_workload(design: Design, asked: Workload) -> Design:
    """The design with the items, growth and rates of another workload.

    Rates and growth follow the requests; what belongs to a user follows the users; what grows, the months. A number
    that is asked as it is stated changes nothing. DesignError where a number is beyond all sense.
    """
    stated = workload_of(design)
    if stated is None:
        return design
    _check(asked)
    busy = _ratio(asked.requests, stated.requests)
    items = dict(_items(design, stated, asked, busy))
    entities = tuple(_entity(each, items.get(each.name), busy) for each in design.entities)
    relationships = tuple(_relationship(each, items) for each in design.relationships)
    patterns = tuple(_pattern(each, busy) for each in design.patterns)
    new = replaced(design, entities=entities, relationships=relationships, patterns=patterns)
    return checked(design, new)


def _check(asked: Workload) -> None:
    bounds = (
        (say("bounds-of-users", called=asked.called.lower()), asked.users, MOST_USERS),
        (say("bounds-of-requests"), asked.requests, MOST_REQUESTS),
        (say("bounds-of-months"), asked.months, MOST_MONTHS),
    )
    for what, number, most in bounds:
        if number is not None and not 0 < number <= most:
            raise DesignError("workload", say("above-0-and-at-most", what=what, most=most))


def _main(design: Design) -> Entity | None:
    """The entity that belongs to nobody and that most others belong to, directly or not."""
    children = {each.child for each in design.relationships}
    owners = Counter(
        {
            each.name: len(_below(design, each.name))
            for each in design.entities
            if each.name not in children and each.items
        }
    )
    found = owners.most_common(1)
    return design.entity[found[0][0]] if found and found[0][1] else None


def _below(design: Design, name: str) -> frozenset[str]:
    """The entities that belong to one, directly or not."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        above = waiting.pop()
        for each in design.relationships:
            if above in each.parents and each.child not in found and each.child != name:
                found.add(each.child)
                waiting.append(each.child)
    return frozenset(found)


def _growing(design: Design, main: Entity) -> tuple[Entity, ...]:
    below = _below(design, main.name)
    return tuple(each for each in design.entities if each.name in below and each.growth_per_month)


def _ratio(asked: float | None, stated: float | None) -> Fraction:
    if asked is None or not stated:
        return Fraction(1)
    return Fraction(asked) / Fraction(stated)


def _items(
    design: Design, stated: Workload, asked: Workload, busy: Fraction
) -> Iterator[tuple[str, Fraction]]:
    """By what each number of items is multiplied."""
    many = Fraction(asked.users, stated.users)
    yield stated.entity, many
    kept = _ratio(asked.months, stated.months)
    growing = {each.name for each in _growing(design, design.entity[stated.entity])}
    for name in _below(design, stated.entity):
        yield name, busy * kept if name in growing else many


def _entity(entity: Entity, by: Fraction | None, busy: Fraction) -> Entity:
    fields: dict[str, Any] = {}
    if by is not None and entity.items:
        fields["items"] = max(1, round(entity.items * by))
    if entity.growth_per_month:
        fields["growth_per_month"] = max(1, round(entity.growth_per_month * busy))
    return replaced(entity, **fields)


def _relationship(one: Relationship, items: dict[str, Fraction]) -> Relationship:
    """Children of a parent, where there are more or fewer of one than of the other."""
    by = items.get(one.child, Fraction(1)) / items.get(one.parent, Fraction(1))
    if one.cardinality != "1:N" or one.average is None or by == 1:
        return one
    average = _times(one.average, by)
    most = None if one.most is None else max(round(one.most * by), math.ceil(average), 1)
    return replaced(one, average=average, most=most)


def _pattern(pattern: AnyPattern, busy: Fraction) -> AnyPattern:
    rate = pattern.rate
    if rate is None or busy == 1:
        return pattern
    average, peak = (
        _times(rate.average, busy),
        None if rate.peak is None else _times(rate.peak, busy),
    )
    return replaced(pattern, rate=replaced(rate, average=average, peak=peak))


def _times(number: float, by: Fraction) -> float:
    return _rounded(float(Fraction(number) * by))


def _rounded(number: float) -> float:
    """Four digits: nobody knows a workload better."""
    return float(f"{number:.4g}")
