"""How many items the largest collection has that the design states, worked out from its most and its busiest values.

The same fact gives the same figure, said as the most of a relationship or as the busiest value of its attribute.
"""

from collections.abc import Iterable, Mapping
from math import prod

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Held, Relationship
from designer.core.plan import Constant, Expression
from designer.core.planner.model.cardinality import is_kind, matching_items, shares_of_values
from designer.core.planner.model.distinct import ITEMS
from designer.core.planner.model.shares import (
    NOTHING_SAID,
    busiest_shares,
    says_its_shares,
    share_asked,
)
from designer.core.planner.model.told_apart import most_told_apart


def most_items(design: Design, entity: Entity, given: Iterable[str]) -> float | None:
    """Items with one set of values at the most; None where nothing states it."""
    known = frozenset(given)
    if entity.names_one(known):
        return 1.0
    found = [
        most
        for held in design.held[entity.name]
        if all(part <= known for part in held.parts) and (most := _most_of_each(held)) is not None
    ]
    beside = _most_told_apart(design, entity, known)
    return min((*found, *beside), default=None)


def most_with(
    design: Design,
    entity: Entity,
    given: Mapping[str, Expression],
    share: float = 1.0,
    said: Mapping[str, float] = NOTHING_SAID,
) -> float | None:
    """Items that have the given values at the most; None where nothing states it.

    Constants and kinds are as common in the largest collection as anywhere, as in that of the busiest value: a caller
    may give the commonest kind. They are no rarer than usual. Any other value that a caller gives, all may have, but no
    more than have its busiest one.
    `share`: what else leaves of the items; `said`: as for `matching_items`.
    """
    most = most_items(design, entity, given)
    if most is None:
        return None
    shares = {
        name: _share_known(design, entity, name, value, said) for name, value in given.items()
    }
    known = {name: each for name, each in shares.items() if each is not None}
    others = given.keys() - known.keys()
    bounds = _most_there(entity, others)
    if (of_others := most_items(design, entity, others)) is not None:
        bounds.append(of_others)
    usual = matching_items(design, entity, given, said)
    most = min(most, max(usual, min(bounds) * prod(known.values())))
    return most * share


def most_among(design: Design, entity: Entity, given: Iterable[str]) -> float | None:
    """Items of one parent at the most that all have one set of values, and others may too; None where nothing says it.

    A channel is known by its workspace and its number. Whatever is found by one of them alone has the largest channel.
    """
    known = frozenset(given)
    found = [
        most
        for held in design.held[entity.name]
        if known < frozenset().union(*held.parts)
        and not all(part & known for part in held.parts)
        and (most := _most_of_each(held)) is not None
    ]
    return min(max(found), *_most_there(entity, known)) if known and found else None


def busiest_items(
    design: Design,
    entity: Entity,
    given: Mapping[str, Expression],
    leading: Iterable[str],
    share: float = 1.0,
    said: Mapping[str, float] = NOTHING_SAID,
) -> float | None:
    """Items that have the given values, of the busiest value of `leading`; None where nothing states a busiest one.

    The busiest value has its stated share (`busiest`, or the largest of `shares`) of the items that have the attribute,
    and the other values given are as common under it as anywhere, but no rarer than usual. A relationship's `most`
    bounds it. `share`: what else leaves of the items, such as an index that does not hold all of them. `said`: as for
    `matching_items`. No more than the identifier tells apart.
    """
    stated = _busiest_of_all(entity, leading)
    if not stated:
        return None
    others = {name: value for name, value in given.items() if name not in stated}
    found = float(entity.items or ITEMS) * prod(stated.values())
    found *= prod(shares_of_values(design, entity, others, said).values())
    found = max(found, matching_items(design, entity, given, said)) * share
    bounds = (most_items(design, entity, given), most_told_apart(design, entity, given))
    return min([found, *(one for one in bounds if one is not None)])


def _most_there(entity: Entity, given: Iterable[str]) -> list[float]:
    """All items, and those of the busiest value of each attribute that states one: no more have any of its values."""
    every = float(entity.items or ITEMS)
    return [every, *(every * share for share in _busiest_of_all(entity, given).values())]


def _busiest_of_all(entity: Entity, names: Iterable[str]) -> dict[str, float]:
    """Share of all items, also of those that lack the attribute, with the busiest value of each that states one."""
    shares = busiest_shares(entity, names)
    return {name: share * entity.by_name[name].present for name, share in shares.items()}


def _most_of_each(held: Held) -> float | None:
    """Items of one parent at the most, as its relationships say; None where one of them does not."""
    stated = [_stated_most(relationship, side) for relationship, side in held.by]
    known = [most for most in stated if most is not None]
    return prod(known) if stated and len(known) == len(stated) else None


def _stated_most(relationship: Relationship, side: int) -> float | None:
    if relationship.cardinality == "1:1":
        return 1.0
    return relationship.mosts[side] if relationship.mosts else relationship.most


def _most_told_apart(design: Design, entity: Entity, known: frozenset[str]) -> list[float]:
    """Items at the most that the identifier of another item tells apart, beside what is known: nights of a room.

    Of a hotel and a date there are no more nights than the hotel has rooms.
    """
    found = []
    for held in design.held[entity.name]:
        apart = frozenset().union(*held.parts)
        if apart <= known or not set(entity.identifier) <= known | apart:
            continue
        other = design.entity[held.of]
        given = [
            name for name, part in zip(other.identifier, held.parts, strict=True) if part & known
        ]
        most = most_items(design, other, given) if given else None
        if most is not None:
            found.append(most)
    return found


def _share_known(
    design: Design, entity: Entity, name: str, value: Expression, said: Mapping[str, float]
) -> float | None:
    """Share of the items at the most with a constant or a kind; None where nothing says it."""
    attribute = entity.by_name[name]
    if not isinstance(value, Constant):
        if not is_kind(attribute) or not attribute.listed:
            return None
        return max(attribute.shares or (1 / len(attribute.listed),)) * attribute.present
    if name in said:
        return said[name]
    if not says_its_shares(design, entity, attribute):
        return None
    return share_asked(design, entity, attribute, value)
