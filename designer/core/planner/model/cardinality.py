"""How many items and values there are, worked out from what the design states.

The same fact gives the same figure however it is said: by a relationship or by references, of a parent or of what
that refers to in turn. docs/design-format.md ("Figures") states the rules.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import isclose, prod

from designer.core.design.attributes import GENERATED_FORMATS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Held, Relationship
from designer.core.patterns.base import Condition, Operand
from designer.core.patterns.document import Scalar
from designer.core.plan import Constant, Expression
from designer.core.plan.keys import plain_text
from designer.core.words.lacking import lacking

ITEMS = 1000.0
"""Of an entity that does not say how many there are."""
CHILDREN = 10.0
"""Of one parent, where nothing says how many."""
RANGE_KEEPS = 0.5
"""A range keeps half of the items unless its share is stated."""
FILTER_KEEPS = 0.5
CHARACTERS = 64.0
"""That a place in a short text can have: letters, digits and a few signs."""
SHORT = 4
"""Bytes of a text that is too short to have many values."""
PERIODS_IN_A_MONTH = {"year": 1 / 12, "month": 1.0, "date": 30.0, "hour": 720.0}
"""Of the time that an entity's items have come in, as far as its growth says."""
MONTHS = 120.0
"""That dates lie in, where nothing says how many: a date has no value for each item, however many items there are."""


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


def most_items(design: Design, entity: Entity, given: Iterable[str]) -> float | None:
    """Items with one set of values at the most; None where nothing states it."""
    known = frozenset(given)
    if entity.names_one(known):
        return 1.0
    found = [
        prod(most for most in stated if most is not None)
        for held in design.held[entity.name]
        if held.by and all(part <= known for part in held.parts)
        for stated in [[_stated_most(relationship, side) for relationship, side in held.by]]
        if None not in stated
    ]
    beside = _most_told_apart(design, entity, known)
    return min((*found, *beside), default=None)


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


def busiest_items(
    design: Design, entity: Entity, given: Mapping[str, Expression], leading: Iterable[str]
) -> float | None:
    """Items that have the given values, of the busiest value of `leading`; None where nothing states a busiest one.

    The busiest value has its stated share of the items (`busiest`, or the largest of `shares`), and the other values
    given are as common under it as anywhere, but no rarer than usual. A relationship's `most` bounds it.
    """
    stated = busiest_shares(entity, leading)
    if not stated:
        return None
    others = {name: value for name, value in given.items() if name not in stated}
    found = float(entity.items or ITEMS) * prod(stated.values())
    found *= prod(_shares_asked(design, entity, others).values())
    found = max(found, matching_items(design, entity, given))
    most = most_items(design, entity, given)
    return found if most is None else min(found, most)


def busiest_shares(entity: Entity, names: Iterable[str]) -> dict[str, float]:
    """Share of the items, and of the traffic, on the busiest value of each attribute that states one."""
    shares: dict[str, float] = {}
    for name in names:
        attribute = entity.by_name.get(name)
        if attribute is not None and attribute.busiest is not None:
            shares[name] = attribute.busiest
        elif attribute is not None and attribute.shares:
            shares[name] = max(attribute.shares)
    return shares


def _stated_most(relationship: Relationship, side: int) -> float | None:
    if relationship.cardinality == "1:1":
        return 1.0
    return relationship.mosts[side] if relationship.mosts else relationship.most


def _items_of_each(
    design: Design, entity: Entity, parent: str, held: Iterable[str]
) -> float | None:
    """Items that refer to one item of another entity, by how many there are of both; `held`: the attributes that do."""
    of = design.entity[parent].items
    if not entity.items or not of:
        return None
    return entity.items * presence(entity, held) / of


def presence(entity: Entity, names: Iterable[str]) -> float:
    """Share of the items that have all of some attributes, or lack them, where each is there by chance."""
    found = 1.0
    for name in sorted(names):
        lacks = lacking(name)
        found *= (
            entity.by_name[name].present if lacks is None else 1 - entity.by_name[lacks].present
        )
    return found


def children_known(design: Design, relationship: Relationship, parent: str) -> bool:
    """Whether the design says how many children a parent has, by the relationship or by how many there are of both."""
    side = relationship.many.index(parent) if isinstance(relationship.many, tuple) else 0
    if _stated(relationship, side) is not None:
        return True
    held = frozenset(name for name, _ in design.sides(relationship)[side][1])
    child = design.entity[relationship.child]
    return _items_of_each(design, child, parent, held) is not None


def share_kept(design: Design, entity: Entity, condition: Condition) -> float:
    """The share of items that meet a condition."""
    if condition.share is not None:
        return condition.share
    attribute = entity.by_name.get(condition.attribute)
    if attribute is None:
        return FILTER_KEEPS
    if condition.exists:
        return attribute.present
    if condition.missing:
        return 1 - attribute.present
    if condition.is_ is not None:
        return share_asked(design, entity, attribute, _compared(condition.is_))
    if condition.not_ is not None:
        return 1 - share_asked(design, entity, attribute, _compared(condition.not_))
    if condition.listed is not None and condition.listed.value is not None:
        asked = (Constant(value=value) for value in condition.listed.value)
        return min(1.0, sum(share_asked(design, entity, attribute, value) for value in asked))
    if condition.listed is not None and condition.listed.count is not None:
        return min(1.0, condition.listed.count * share_asked(design, entity, attribute, ""))
    return RANGE_KEEPS if condition.is_range else FILTER_KEEPS


def stated_share(design: Design, entity: Entity, condition: Condition) -> float | None:
    """The share of an entity's items that meet a condition; None where nothing says it, and a usual one is taken."""
    counted = condition.listed is not None and condition.listed.length is not None
    compares = condition.is_ is not None or condition.not_ is not None or counted
    if condition.share is None and not (condition.exists or condition.missing):
        attribute = entity.by_name.get(condition.attribute)
        if attribute is None or not compares or not says_its_shares(design, entity, attribute):
            return None
    return share_kept(design, entity, condition)


def says_its_shares(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether it follows from the design what share of the items has a value of an attribute."""
    is_copied = design.origin(entity, attribute)[1] is not attribute
    return _says_its_shares(attribute) or attribute.unique or is_copied


def _compared(side: Operand) -> Expression:
    return Constant(value=side.value) if side.value is not None else ""


def share_asked(design: Design, entity: Entity, attribute: Attribute, value: Expression) -> float:
    """The share of an entity's items that carry a value: a constant, or one that is asked for as often as it occurs."""
    if attribute.listed:
        shares = attribute.shares or (1 / len(attribute.listed),) * len(attribute.listed)
        if not isinstance(value, Constant):
            return sum(part * part for part in shares) * attribute.present
        text = value.value if attribute.type == "S" else plain_text(value.value)
        if text in attribute.listed:
            return shares[attribute.listed.index(text)] * attribute.present
    distinct = distinct_values(design, entity, attribute)
    busiest = attribute.busiest
    if busiest is None or isinstance(value, Constant) or distinct <= 1:
        return attribute.present / distinct
    # The others share alike in what the busiest value leaves.
    return attribute.present * (busiest**2 + (1 - busiest) ** 2 / (distinct - 1))


Shares = tuple[tuple[float, float], ...]
"""How often values are asked for, and the share of the items of each."""


def shares_asked(design: Design, entity: Entity, name: str) -> Shares:
    """How often an attribute's values are asked for, and the share of the items of each; nothing if all are alike.

    On average this is `share_asked`, but for the items that lack the attribute.
    """
    attribute = entity.by_name.get(name)
    if attribute is None:
        return ()
    if attribute.listed:
        shares = tuple(share for share in attribute.shares or () if share)
        return tuple((share, share) for share in shares) if len(set(shares)) > 1 else ()
    busiest, distinct = attribute.busiest, distinct_values(design, entity, attribute)
    if busiest is None or distinct <= 1 or isclose(busiest, 1 / distinct):
        return ()
    return (busiest, busiest), (1 - busiest, (1 - busiest) / (distinct - 1))


@dataclass(frozen=True)
class Uneven:
    """The values of one attribute that is asked for, where more items have some of them than others."""

    attribute: str
    times: tuple[tuple[float, float], ...]
    """How often some of the values are asked for, and how many times as many items as on average have them."""

    def cut(self, items: float, most: float) -> float:
        """Items on average where there are so many on average, of which no more than `most` are taken of each value."""
        return sum(often * min(items * times, most) for often, times in self.times)


def uneven_values(
    design: Design, entity: Entity, equals: Mapping[str, Expression]
) -> Uneven | None:
    """The one attribute whose values differ in how many items have them; None where none does, or several do.

    Nor where the values do not occur together by chance, so that nothing says how many items have them together.
    """
    by_chance, shares = _by_chance(design, entity, equals)
    if entity.names_one(frozenset(equals)) or by_chance < 1:
        return None
    asked = [name for name in shares if not isinstance(equals.get(name, ""), Constant)]
    uneven = {name: of for name in asked if (of := shares_asked(design, entity, name))}
    if len(uneven) != 1:
        return None
    ((name, of),) = uneven.items()
    return Uneven(name, times_average(of))


def average_share(shares: Shares) -> float:
    """The share of the items that have the value which is asked for."""
    return sum(often * share for often, share in shares) / sum(often for often, _ in shares)


def times_average(shares: Shares) -> Shares:
    """How often values are asked for, and how many times as many items as on average have each."""
    every, average = sum(often for often, _ in shares), average_share(shares)
    return tuple((often / every, share / average) for often, share in shares)


def distinct_values(design: Design, entity: Entity, attribute: Attribute) -> float:
    """How many values of an attribute are in use."""
    known = known_values(design, entity, attribute)
    if known is not None:
        return known
    target, original = design.origin(entity, attribute)
    if original is attribute:
        return _usual_values(design, entity, attribute)
    # What refers to something has no more values than that, which are guessed there.
    most = distinct_values(design, target, original)
    return max(1.0, min(most, float(entity.items or ITEMS) * attribute.present))


def known_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """How many values of an attribute are in use, as stated or as follows from it; None where nothing says so."""
    known = _own_values(design, entity, attribute)
    known = known if known is not None else _left_by_others(design, entity, attribute)
    span = attribute.span
    if span is None or attribute.distinct is not None:
        return known
    if known is None:
        return span if span <= _usual_values(design, entity, attribute) else None
    return min(known, span)


def _own_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """The same without what the rest of the identifier leaves, and before a stated range bounds it."""
    if attribute.distinct is not None:
        return float(attribute.distinct)
    if attribute.values:
        return float(len(attribute.values))
    items = float(entity.items or ITEMS)
    if attribute.unique or entity.identifier == (attribute.name,):
        return max(items, 1.0)
    target, original = design.origin(entity, attribute)
    if original is not attribute:
        most = known_values(design, target, original)
        return None if most is None else max(1.0, min(most, items * attribute.present))
    if attribute.source is not None and entity.growth_per_month:
        months = items / entity.growth_per_month
        return max(1.0, min(months * PERIODS_IN_A_MONTH[attribute.source[0]], items))
    if attribute.type == "BOOL":
        return 2.0
    if attribute.format in ("datetime", "epoch") or _is_made_for_each(entity, attribute):
        return max(items, 1.0)
    return None


def _is_made_for_each(entity: Entity, attribute: Attribute) -> bool:
    """Whether each item gets a value of its own: elsewhere what is generated is the identifier of something else."""
    return attribute.format in GENERATED_FORMATS and entity.identifier[-1] == attribute.name


def _left_by_others(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """Values of a part of an identifier: as many as it takes to tell the items apart that the other parts do not."""
    if attribute.name not in entity.identifier or not entity.items:
        return None
    if _names_items(design, entity, attribute):
        return None
    others = [
        _own_values(design, entity, entity.by_name[name])
        for name in entity.identifier
        if name != attribute.name
    ]
    known = [values for values in others if values is not None]
    if not known or len(known) < len(others) or prod(known) >= entity.items:
        return None
    return entity.items / prod(known)


def _names_items(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether a part of an identifier is taken to tell all items apart by itself, as others refer to it alone."""
    return (entity.name, attribute.name) in design.referred_to_alone and _is_open_text(attribute)


def _usual_values(design: Design, entity: Entity, attribute: Attribute) -> float:
    """How many values an attribute is taken to have where nothing says so."""
    items = float(entity.items or ITEMS)
    if attribute.format == "email" or _names_items(design, entity, attribute):
        return max(items, 1.0)
    period = attribute.format if attribute.source is None else attribute.source[0]
    if period in PERIODS_IN_A_MONTH:
        return max(1.0, min(items / 10, MONTHS * PERIODS_IN_A_MONTH[period]))
    if attribute.format == "enum":
        return max(1.0, min(10.0, items))
    return max(1.0, min(_values_by_name(design, entity, attribute) or items / 10, items))


def _values_by_name(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """Values that a text is taken to have by its name, where another entity has one of the same name; or by its length.

    A site is mostly the same site wherever it is written, and a text of two characters has few values.
    """
    if not _is_open_text(attribute):
        return None
    found = [
        values
        for other in design.entities
        if other is not entity
        and (same := other.by_name.get(attribute.name)) is not None
        and same.type == attribute.type
        and (same.distinct or same.values or same.name in other.identifier)
        and (values := known_values(design, other, same)) is not None
    ]
    if found:
        return max(found)
    if attribute.bytes is not None and attribute.bytes <= SHORT:
        return min(float(entity.items or ITEMS) / 10, float(CHARACTERS**attribute.bytes))
    return None


def matching_items(design: Design, entity: Entity, equals: Mapping[str, Expression]) -> float:
    """Items that have the given values, on average, for one element of a list."""
    if entity.names_one(frozenset(equals)):
        return 1.0
    by_chance, shares = _by_chance(design, entity, equals)
    if by_chance >= 1 or len(shares) < 2:
        return by_chance
    identifying = {
        name for name in shares if not name or _identifies(design, entity, entity.by_name[name])
    }
    return max(by_chance, _with_finest(entity, shares, identifying))


def may_be_together(
    design: Design, entity: Entity, equals: Mapping[str, Expression]
) -> float | None:
    """How many items may have the given values, where by chance not even one has; None where there is nothing to guess.

    A text may belong to something, too: a folder lies in one workspace, though people of one name do not.
    """
    if entity.names_one(frozenset(equals)):
        return None
    by_chance, shares = _by_chance(design, entity, equals)
    if by_chance >= 1 or len(shares) < 2:
        return None
    belonging = {
        name
        for name in shares
        if not name
        or _identifies(design, entity, entity.by_name[name])
        or _is_open_text(entity.by_name[name])
    }
    return _with_finest(entity, shares, belonging)


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


def _is_open_text(attribute: Attribute) -> bool:
    """Whether an attribute holds text of which nobody lists the values, and no time."""
    is_text = attribute.type == "S" and attribute.format in (None, "text", "url")
    return is_text and attribute.values is None and attribute.source is None


def _by_chance(
    design: Design, entity: Entity, equals: Mapping[str, Expression]
) -> tuple[float, dict[str, float]]:
    """Items that have the given values if these occur together by chance, and the share of the items that each leaves.

    Under "" that of the parent with the fewest items, where some of the values identify parents.
    """
    given = frozenset(equals)
    rows: float | None = None
    joined: set[str] = set()
    for held in design.held[entity.name]:
        if all(part & given for part in held.parts):
            found = _items_holding(design, entity, held, given)
            if found is not None:
                rows = found if rows is None else min(rows, found)
                joined.update(*(part & given for part in held.parts))
    apart = {name: value for name, value in equals.items() if name not in joined}
    shares = _shares_asked(design, entity, apart)
    every = float(entity.items or ITEMS)
    if rows is None:
        return every * prod(shares.values()), shares
    return rows * prod(shares.values()), {"": rows / every, **shares}


@dataclass(frozen=True)
class Listing:
    """What is asked by a list of values of one attribute, and by other values."""

    equals: Mapping[str, Expression]
    of: str | None
    """The attribute with the list; None for no list."""
    always: tuple[Scalar, ...]
    """The values, where they are always the same."""
    length: float


def matching_each(design: Design, entity: Entity, asked: Listing) -> float:
    """Items that have the given values, on average, for one element of the list."""
    if asked.of is None or not asked.always:
        found = matching_items(design, entity, asked.equals)
        return found * apart_in_list(design, entity, asked)
    each = ({**asked.equals, asked.of: Constant(value=one)} for one in asked.always)
    return sum(matching_items(design, entity, one) for one in each) / len(asked.always)


def apart_in_list(design: Design, entity: Entity, asked: Listing) -> float:
    """The part of its items that each element of a list adds: no item is found twice.

    A common value is asked for more often, but stands in a list once, so all elements together find no more items
    than there are. A list that is always the same says its shares itself.
    """
    if asked.of is None or asked.always or entity.names_one(asked.equals.keys()):
        return 1.0
    others = {name: value for name, value in asked.equals.items() if name != asked.of}
    together = matching_items(design, entity, others) * entity.by_name[asked.of].present
    found = matching_items(design, entity, asked.equals) * asked.length
    return min(1.0, together / found) if found else 1.0


def _shares_asked(
    design: Design, entity: Entity, equals: Mapping[str, Expression]
) -> dict[str, float]:
    """The share of the items that each value leaves; what is derived of one time counts once.

    It is not there by chance: who gives the hour gives the date.
    """
    shares: dict[str, float] = {}
    for name, value in equals.items():
        attribute = entity.by_name[name]
        of = attribute.source[1] if attribute.source is not None else name
        share = share_asked(design, entity, attribute, value)
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
    if len(held.parts) == 1 and any(_says_its_shares(entity.by_name[name]) for name in names):
        return None
    found = _items_of_each(design, entity, held.of, [min(part & given) for part in held.parts])
    if found is None and held.by:
        found = prod(CHILDREN if average is None else average for average in stated)
    return found


def _says_its_values(attribute: Attribute) -> bool:
    return attribute.distinct is not None or bool(attribute.listed)


def _says_its_shares(attribute: Attribute) -> bool:
    return _says_its_values(attribute) or attribute.busiest is not None
