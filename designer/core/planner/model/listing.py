"""What is asked by lists of values: the items that each of them adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import prod

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.document import Scalar
from designer.core.plan import Constant, Expression
from designer.core.planner.model.cardinality import found_by_chance, matching_items
from designer.core.planner.model.shares import share_asked, share_listed


@dataclass(frozen=True)
class OtherList:
    """A further list of values: each of them is asked for with each value of the first list."""

    of: str
    """The attribute with the list."""
    always: tuple[Scalar, ...]
    """The values, where they are always the same."""
    unlike: tuple[float, ...]
    """How many times as many items as on average have each of these values; empty where all have as many."""
    length: float


@dataclass(frozen=True)
class Listing:
    """What is asked by a list of values of one attribute, and by other values."""

    equals: Mapping[str, Expression]
    of: str | None
    """The attribute with the list; None for no list."""
    always: tuple[Scalar, ...]
    """The values, where they are always the same."""
    length: float
    said: Mapping[str, float] = field(default_factory=dict)
    """The shares that conditions state; of a list, the share of the items that have any of its values."""
    others: tuple[OtherList, ...] = ()
    """Further lists, each of whose values is asked for with each of the first."""


def matching_each(design: Design, entity: Entity, asked: Listing) -> float:
    """Items that have the given values, on average, for one element of the list; of several, one of each."""
    if asked.others:
        found = matching_each(design, entity, _by_the_first(design, entity, asked))
        return found * prod(_apart(design, entity, asked, one) for one in asked.others)
    if (
        asked.of is not None
        and asked.of in asked.said
        and not entity.names_one(asked.equals.keys())
    ):
        others = {name: value for name, value in asked.equals.items() if name != asked.of}
        found = matching_items(design, entity, others, asked.said) * asked.said[asked.of]
        return found / (len(asked.always) or asked.length)
    if asked.of is None or not asked.always:
        found = matching_items(design, entity, asked.equals, asked.said)
        return found * apart_in_list(design, entity, asked)
    each = ({**asked.equals, asked.of: Constant(value=one)} for one in asked.always)
    return sum(matching_items(design, entity, one, asked.said) for one in each) / len(asked.always)


def apart_in_list(design: Design, entity: Entity, asked: Listing) -> float:
    """The part of its items that each element of a list adds: no item is found twice.

    A common value is asked for more often, but stands in a list once, so the more values a list has, the rarer they
    are, and all elements together find no more items than there are. A fixed list says its shares
    itself.
    """
    if asked.of is None or asked.always or entity.names_one(asked.equals.keys()):
        return 1.0
    if asked.of in asked.said:
        return 1 / asked.length
    attribute, apart = entity.by_name[asked.of], 1.0
    if asked.of in found_by_chance(design, entity, asked.equals, asked.said)[1]:
        every = asked.length * share_asked(design, entity, attribute, "")
        apart = share_listed(design, entity, attribute, asked.length) / every if every else 1.0
    others = {name: value for name, value in asked.equals.items() if name != asked.of}
    together = matching_items(design, entity, others, asked.said) * attribute.present
    found = matching_items(design, entity, asked.equals, asked.said) * asked.length
    return min(1.0, apart, together / found) if found else 1.0


def _by_the_first(design: Design, entity: Entity, asked: Listing) -> Listing:
    """What is asked by the first of several lists, and by one value of each other."""
    said = {one.of: _share_of_each(design, entity, asked, one) for one in asked.others}
    stated = {name: share for name, share in said.items() if share is not None}
    return replace(asked, others=(), said={**asked.said, **stated})


def _share_of_each(
    design: Design, entity: Entity, asked: Listing, other: OtherList
) -> float | None:
    """The share of the items that have one value of a list, as far as the list or its condition says it."""
    if other.of in asked.said:
        return asked.said[other.of] / (len(other.always) or other.length)
    attribute = entity.by_name[other.of]
    each = [share_asked(design, entity, attribute, Constant(value=one)) for one in other.always]
    return sum(each) / len(each) if each else None


def _apart(design: Design, entity: Entity, asked: Listing, other: OtherList) -> float:
    """The part of its items that each element of a further list adds, as far as the values are there by chance."""
    is_one = entity.names_one(asked.equals.keys())
    if is_one or other.always or other.of in asked.said:
        return 1.0
    if other.of not in found_by_chance(design, entity, asked.equals, asked.said)[1]:
        return 1.0
    every = other.length * share_asked(design, entity, entity.by_name[other.of], "")
    return share_listed(design, entity, entity.by_name[other.of], other.length) / every
