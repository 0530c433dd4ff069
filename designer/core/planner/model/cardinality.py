"""How many items and values there are, worked out from what the design states.

The same fact gives the same figure however it is said: by a relationship or by references, of a parent or of what
that refers to in turn. docs/design-format.md ("Figures") states the rules.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod

from designer.core.design.attributes import GENERATED_FORMATS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Held, Relationship
from designer.core.patterns.base import Condition
from designer.core.plan import Constant, Expression
from designer.core.planner.model.distinct import (
    ITEMS,
    distinct_values,
    is_open_text,
    known_values,
)
from designer.core.planner.model.shares import (
    NOTHING_SAID,
    in_list,
    presence,
    says_its_own_shares,
    share_asked,
    share_kept,
    shares_asked,
    shares_given,
    shares_of_lists,
    times_average,
)
from designer.core.planner.model.told_apart import most_told_apart

CHILDREN = 10.0
"""Of one parent, where nothing says how many."""


def children_of(
    design: Design, relationship: Relationship, parent: str, side: int | None = None
) -> float:
    """Average children (for N:M: edges) of one item of `parent`; `side` where both sides are that entity."""
    if side is None:
        side = relationship.many.index(parent) if isinstance(relationship.many, tuple) else 0
    stated = _stated(relationship, side)
    if stated is not None:
        return stated
    held = frozenset(name for name, _ in design.sides(relationship)[side][1])
    return _items_of_each(design, design.entity[relationship.child], parent, held) or CHILDREN


def _stated(relationship: Relationship, side: int) -> float | None:
    """Children of one parent, where the relationship says so."""
    if relationship.cardinality == "1:1":
        return 1.0
    return relationship.averages[side] if relationship.averages else relationship.average


def _items_of_each(
    design: Design, entity: Entity, parent: str, held: Iterable[str]
) -> float | None:
    """Items that refer to one item of another entity, by how many there are of both; `held`: the attributes that do."""
    of = design.entity[parent].items
    if not entity.items or not of:
        return None
    return entity.items * presence(entity, held) / of


def children_known(design: Design, relationship: Relationship, parent: str) -> bool:
    """Whether the design says how many children a parent has, by the relationship or by how many there are of both."""
    side = relationship.many.index(parent) if isinstance(relationship.many, tuple) else 0
    if _stated(relationship, side) is not None:
        return True
    held = frozenset(name for name, _ in design.sides(relationship)[side][1])
    child = design.entity[relationship.child]
    return _items_of_each(design, child, parent, held) is not None


@dataclass(frozen=True)
class Uneven:
    """The values of one attribute that is asked for, where more items have some of them than others."""

    attribute: str
    times: tuple[tuple[float, float], ...]
    """How often some of the values are asked for, and how many times as many items as on average have them."""
    each: tuple[tuple[float, float], ...] = ()
    """Of lists, `times` is of all their values together, and this of each by itself."""

    @property
    def of_each(self) -> "Uneven":
        """Of a list, how its values differ by themselves."""
        return replace(self, times=self.each) if self.each else self


MOST_APART = 1000
"""Combinations of values of several attributes that are looked at one by one, at the most."""


@lru_cache(maxsize=4096)
def times_of_all(uneven: tuple[Uneven, ...]) -> tuple[tuple[float, float], ...]:
    """How often values of several attributes are asked for together, and how many times as many items have them all.

    Of too many values, those of the attributes that come first; nothing where there are none.
    """
    found: tuple[tuple[float, float], ...] = ()
    for one in uneven:
        if len(found or "1") * len(one.times) > MOST_APART:
            break
        found = tuple(
            (often * also, times * more)
            for often, times in found or ((1.0, 1.0),)
            for also, more in one.times
        )
    return found


def cut_of_each(uneven: tuple[Uneven, ...], items: float, most: float) -> float:
    """Items on average where there are so many on average, of which no more than `most` are taken of each value."""
    each = times_of_all(uneven) or ((1.0, 1.0),)
    return sum(often * min(items * times, most) for often, times in each)


def uneven_values(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    lists: Mapping[str, float | None],
    said: Mapping[str, float] = NOTHING_SAID,
    filters: Iterable[Condition] = (),
) -> tuple[Uneven, ...]:
    """The attributes whose values differ in how many items have them.

    None where the values do not occur together by chance, so that nothing says how many items have them together.
    `lists`: the attributes that are asked for by lists, with how many of its values a caller gives, None where these
    are always the same. `filters`: they may test values that a caller gives, too.
    """
    every, equals = equals, {name: value for name, value in equals.items() if name not in lists}
    by_chance, shares = found_by_chance(design, entity, equals, said)
    if entity.names_one(frozenset(equals)) or by_chance < 1:
        return ()
    most = most_told_apart(design, entity, equals)
    if most is not None and by_chance > most:
        return ()  # each has as many as there can be
    asked = [
        name
        for name in shares
        if name not in said and not isinstance(equals.get(name, ""), Constant)
    ]
    uneven = {name: shares_asked(design, entity, name) for name in asked}
    tested = {one.attribute: share_kept(design, entity, one) for one in filters}
    if by_chance * prod(tested.values()) >= 1:
        uneven |= {
            one.attribute: of for one in filters if (of := shares_given(design, entity, one))
        }
    found = tuple(Uneven(name, times_average(of)) for name, of in uneven.items() if of)
    listed = (_uneven_list(design, entity, every, name, said, lists[name]) for name in lists)
    return (*found, *(one for one in listed if one is not None))


def _uneven_list(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    list_of: str,
    said: Mapping[str, float],
    length: float | None,
) -> Uneven | None:
    """The same of a list that callers give."""
    if length is None or list_of in said or entity.names_one(equals.keys()):
        return None
    by_chance, shares = found_by_chance(design, entity, equals, said)
    asked = shares_asked(design, entity, list_of)
    if by_chance < 1 or list_of not in shares or not asked:
        return None
    each = tuple(
        (often / share * there, share)
        for (often, share), there in zip(asked, in_list(asked, length), strict=True)
    )
    together = shares_of_lists(asked, length) or ((1.0, 1.0),)
    return Uneven(list_of, times_average(together), times_average(each))


def matching_items(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    said: Mapping[str, float] = NOTHING_SAID,
) -> float:
    """Items that have the given values, on average, for one element of a list.

    `said`: the shares of the items that conditions themselves state. Nothing else says how many have these values.
    """
    if entity.names_one(frozenset(equals)):
        return 1.0
    most = most_told_apart(design, entity, equals)
    found = _matching_items(design, entity, equals, said)
    return found if most is None else min(found, most)


def _matching_items(
    design: Design, entity: Entity, equals: Mapping[str, Expression], said: Mapping[str, float]
) -> float:
    """The same of what the shares of the values leave, however many items the identifier tells apart."""
    by_chance, shares = found_by_chance(design, entity, equals, said)
    if by_chance >= 1 or len(shares) < 2:
        return by_chance
    identifying = {
        name for name in shares if not name or _identifies(design, entity, entity.by_name[name])
    }
    there = _there_where_asked(design, entity, equals, said, shares)
    return max(by_chance, _with_finest(entity, shares, identifying), there)


def _there_where_asked(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    said: Mapping[str, float],
    shares: Mapping[str, float],
) -> float:
    """Items that have the given values where nobody asks for what does not exist: one at least has all of them.

    Fewer if a parent has fewer on average: it is asked for without any. Kinds, and what a pattern always asks for, may
    be asked for where nothing has them: of what is there, they leave their share, as far as that is stated.
    """
    fixed = {
        name for name, value in equals.items() if _says_its_share(design, entity, name, value, said)
    }
    sources = {source[1] for name in fixed if (source := entity.by_name[name].source)}
    given = {name: share for name, share in shares.items() if name not in fixed | sources}
    every = float(entity.items or ITEMS)
    found = max(min(1.0, every * min(given.values(), default=1.0)), every * prod(given.values()))
    return found * prod(share for name, share in shares.items() if name not in given)


def _says_its_share(
    design: Design, entity: Entity, name: str, value: Expression, said: Mapping[str, float]
) -> bool:
    """Whether the design says what share of the items has a value, whether or not something has it with others."""
    attribute = entity.by_name[name]
    if name in said or is_kind(attribute):
        return True
    return isinstance(value, Constant) and known_values(design, entity, attribute) is not None


def share_tested(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    tested: Mapping[str, Expression],
    said: Mapping[str, float] = NOTHING_SAID,
) -> float:
    """The share of the items with some values that have others, too, by which they are tested after the reading.

    Here, too, somebody asks for what exists. That one value belongs to another is not taken for granted: then a test
    would drop nothing.
    """
    every = matching_items(design, entity, equals, said)
    fixed = {
        name: value
        for name, value in tested.items()
        if _says_its_share(design, entity, name, value, NOTHING_SAID)
    }
    given = {name: value for name, value in tested.items() if name not in fixed}
    found = every * prod(shares_of_values(design, entity, given).values())
    found = max(found, _of_parents_named(design, entity, equals, given, said))
    share = max(found, min(1.0, every)) / every if every and given else 1.0
    return share * prod(shares_of_values(design, entity, fixed).values())


def _of_parents_named(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    tested: Mapping[str, Expression],
    said: Mapping[str, float],
) -> float:
    """Items of a parent that values identify only together with what is tested; 0 for none."""
    every, most = {**equals, **tested}, 0.0
    for held in design.held[entity.name]:
        named = {name for part in held.parts for name in part & every.keys()}
        is_whole = all(part & every.keys() for part in held.parts)
        if is_whole and named & equals.keys() and named & tested.keys():
            rows = _items_holding(design, entity, held, frozenset(named))
            rest = {name: value for name, value in every.items() if name not in named}
            most = max(
                most, (rows or 0.0) * prod(shares_of_values(design, entity, rest, said).values())
            )
    return most


def may_be_together(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    said: Mapping[str, float] = NOTHING_SAID,
) -> float | None:
    """How many items may have the given values, where by chance not even one has; None where there is nothing to guess.

    A text may belong to something, too: a folder lies in one workspace, though people of one name do not. Of several
    parents, one may follow from another, and nothing says so.
    """
    if entity.names_one(frozenset(equals)):
        return None
    by_chance, shares = found_by_chance(design, entity, equals, said)
    if by_chance >= 1 and _are_apart(design, entity, frozenset(equals) - said.keys()):
        return by_chance
    if by_chance >= 1 or len(shares) < 2:
        return None
    belonging = {
        name
        for name in shares
        if not name
        or _identifies(design, entity, entity.by_name[name])
        or is_open_text(entity.by_name[name])
    }
    found = _with_finest(entity, shares, belonging)
    return max(found, _there_where_asked(design, entity, equals, said, shares))


def _with_finest(entity: Entity, shares: Mapping[str, float], belonging: Collection[str]) -> float:
    """Items where all values together leave less than one by chance: so they are not together by chance.

    Of those that may belong to one another the finest does: all deals of an owner are of one tenant. Times, numbers and
    kinds belong to nothing.
    """
    finest = min(belonging, key=lambda name: (shares[name], name), default=None)
    counted = [share for name, share in shares.items() if name == finest or name not in belonging]
    return round(float(entity.items or ITEMS) * prod(counted), 6)


def _identifies(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether the values of an attribute identify something by themselves, in whatever entity."""
    target, original = design.origin(entity, attribute)
    is_name = original is not attribute and target.identifier == (original.name,)
    return is_name or attribute.format in GENERATED_FORMATS or attribute.format == "email"


def is_kind(attribute: Attribute) -> bool:
    """Whether the values are a few known ones, which people ask for whether or not something has them."""
    return bool(attribute.listed) or attribute.type == "BOOL" or attribute.format == "enum"


def belongs_to(design: Design, entity: Entity, name: str, keyed: Collection[str]) -> bool:
    """Whether a value says no more than another that is known: who gives a channel's own number gives its workspace.

    Both are parts of what identifies one parent, and of the other one there are as many values as parents.
    """
    known = frozenset(keyed)
    for held in design.held[entity.name]:
        parent = design.entity[held.of]
        own = zip(parent.identifier, held.parts, strict=True)
        telling = [
            part
            for one, part in own
            if part & known
            and distinct_values(design, parent, parent.by_name[one]) >= (parent.items or ITEMS)
        ]
        if any(name in part for part in held.parts) and any(name not in part for part in telling):
            return True
    return False


def found_by_chance(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    said: Mapping[str, float] = NOTHING_SAID,
) -> tuple[float, dict[str, float]]:
    """Items that have the given values if these occur together by chance, and the share of the items that each leaves.

    Under "" that of the parent with the fewest items, where some of the values identify parents.
    """
    given = frozenset(equals) - said.keys()
    parents = _parents_given(design, entity, given)
    joined = {name for _, held in parents for part in held.parts for name in part & given}
    apart = {name: value for name, value in equals.items() if name not in joined}
    shares = shares_of_values(design, entity, apart, said)
    every = float(entity.items or ITEMS)
    if not parents:
        return every * prod(shares.values()), shares
    rows = parents[0][0]
    return rows * prod(shares.values()), {"": rows / every, **shares}


def _parents_given(
    design: Design, entity: Entity, given: frozenset[str]
) -> list[tuple[float, Held]]:
    """The parents that some attributes identify, each with its number of items, those with the fewest first."""
    parents = [
        (found, held)
        for held in design.held[entity.name]
        if all(part & given for part in held.parts)
        and (found := _items_holding(design, entity, held, given)) is not None
    ]
    return sorted(parents, key=lambda one: one[0])


def _are_apart(design: Design, entity: Entity, given: frozenset[str]) -> bool:
    """Whether some attributes identify parents that do not follow from the one with the fewest items.

    An order says whose it is, but a traveller does not say with which ship, nor one of two players the other.
    """
    parents = [held for _, held in _parents_given(design, entity, given)]
    if any(len(part & given) > 1 for held in parents for part in held.parts):
        return True
    if len(parents) < 2:
        return False
    told, left = {parents[0].of}, [parents[0].of]
    while left:
        above = {held.of for held in design.held[left.pop()]} - told
        told |= above
        left += sorted(above)
    known = given & frozenset().union(*parents[0].parts)
    return any(
        held.of not in told
        and not all(
            name in known or belongs_to(design, entity, name, known)
            for part in held.parts
            for name in part & given
        )
        for held in parents[1:]
    )


def shares_of_values(
    design: Design,
    entity: Entity,
    equals: Mapping[str, Expression],
    said: Mapping[str, float] = NOTHING_SAID,
) -> dict[str, float]:
    """The share of the items that each value leaves; what is derived of one time counts once.

    It is not there by chance: who gives the hour gives the date.
    """
    shares: dict[str, float] = {}
    for name, value in equals.items():
        attribute = entity.by_name[name]
        of = attribute.source[1] if attribute.source is not None else name
        share = said[name] if name in said else share_asked(design, entity, attribute, value)
        shares[of] = min(shares.get(of, 1.0), share)
    return shares


def _items_holding(
    design: Design, entity: Entity, held: Held, given: frozenset[str]
) -> float | None:
    """Items that hold one identifier; None where its attribute says itself how they divide, or nothing says."""
    stated = [_stated(relationship, side) for relationship, side in held.by]
    averages = [average for average in stated if average is not None]
    if held.by and len(averages) == len(stated):
        return prod(averages)
    names = frozenset().union(*held.parts) & given
    if len(held.parts) == 1 and any(says_its_own_shares(entity.by_name[name]) for name in names):
        return None
    found = _items_of_each(design, entity, held.of, [min(part & given) for part in held.parts])
    if found is None and held.by:
        found = prod(CHILDREN if average is None else average for average in stated)
    return found
