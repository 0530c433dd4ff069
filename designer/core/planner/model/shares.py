"""Which share of an entity's items has a value, or meets a condition."""

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from math import isclose, log, prod

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Operand
from designer.core.patterns.document import Scalar
from designer.core.plan import Constant, Expression
from designer.core.plan.keys import plain_text
from designer.core.planner.model.distinct import distinct_values, says_its_values
from designer.core.words.lacking import lacking

RANGE_KEEPS = 0.5
"""A range keeps half of the items that have its attribute, unless its share is stated."""
FILTER_KEEPS = 0.5
LOWEST_SHARE = 0.01
HIGHEST_SHARE = 0.9
"""Between these a share is plausible of which nothing is known: of the items that can meet the condition."""
NOTHING_SAID: Mapping[str, float] = {}
"""No condition states a share of the items itself."""
Busier = tuple[tuple[str, float], ...]
"""Attributes with the share of the traffic on their busiest value, as others say it that have the same values."""
LISTS = 1000
"""Lists of callers that are told apart by how many values of each share they have, at the most."""
LONGEST = 100
"""Values of the longest lists that are told apart; longer ones count as alike, whose number of values has no end."""
STEPS = 4
"""Lists count as alike if their shares of the items are in one of so many steps, in each of which they grow e-fold."""


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


def presence(
    entity: Entity, names: Iterable[str], said: Mapping[str, float] = NOTHING_SAID
) -> float:
    """Share of the items that have all of some attributes, or lack them, where each is there by chance.

    `said`: the shares that conditions themselves state.
    """
    found = 1.0
    for name in sorted(names):
        lacks = lacking(name)
        usual = entity.by_name[name].present if lacks is None else 1 - entity.by_name[lacks].present
        found *= said.get(name, usual)
    return found


def share_kept(design: Design, entity: Entity, condition: Condition) -> float:
    """The share of items that meet a condition."""
    if condition.share is not None:
        return condition.share
    attribute = entity.by_name.get(condition.attribute)
    if attribute is None:
        return FILTER_KEEPS
    present = entity.by_name[stored_name(entity, condition.attribute)].present
    if condition.exists:
        return present
    if condition.missing:
        return 1 - present
    if condition.is_ is not None:
        return share_asked(design, entity, attribute, _compared(condition.is_))
    if condition.not_ is not None:
        return 1 - share_asked(design, entity, attribute, _compared(condition.not_))
    if condition.listed is not None and condition.listed.value is not None:
        asked = (Constant(value=value) for value in condition.listed.value)
        return min(1.0, sum(share_asked(design, entity, attribute, value) for value in asked))
    if condition.listed is not None and condition.listed.count is not None:
        return share_listed(design, entity, attribute, condition.listed.count)
    usual = RANGE_KEEPS if condition.is_range else FILTER_KEEPS
    return usual * present if condition.needs_a_value else usual


def share_kept_by_all(
    design: Design, entity: Entity, conditions: Iterable[Condition], there: Iterable[str] = ()
) -> float:
    """The share of items that meet several conditions, of which those on one attribute need it to be there only once.

    `there`: the attributes that these items have in any case.
    """
    found, seen = 1.0, {stored_name(entity, name) for name in there}
    for condition in conditions:
        share = share_kept(design, entity, condition)
        if condition.needs_a_value and condition.attribute in entity.by_name:
            name = stored_name(entity, condition.attribute)
            present = entity.by_name[name].present
            share = min(1.0, share / present) if name in seen and present else share
            seen.add(name)
        found *= share
    return found


def stored_name(entity: Entity, name: str) -> str:
    """An attribute's name; of one that is derived, the name of what it is derived from."""
    attribute = entity.by_name.get(name)
    return name if attribute is None or attribute.source is None else attribute.source[1]


def stated_share(design: Design, entity: Entity, condition: Condition) -> float | None:
    """The share of an entity's items that meet a condition; None where nothing says it, and a usual one is taken."""
    counted = condition.listed is not None and condition.listed.length is not None
    compares = condition.is_ is not None or condition.not_ is not None or counted
    if condition.share is None and not (condition.exists or condition.missing):
        attribute = entity.by_name.get(condition.attribute)
        if attribute is None or not compares or not says_its_shares(design, entity, attribute):
            return None
    return share_kept(design, entity, condition)


def share_always_kept(
    design: Design, entity: Entity, tests: Iterable[Condition], but: Container[str]
) -> float:
    """The share of an entity's items that pass tests for what is always the same, as far as the design says it.

    Not of what some attributes are compared with, nor of a range. What is copied may be in all items of a parent.
    """
    found: dict[str, float] = {}
    for test in tests:
        attribute = entity.by_name.get(test.attribute)
        is_fixed = not any(test.parameters) and not test.is_range and test.contains is None
        if attribute is None or test.attribute in but or not is_fixed:
            continue
        is_own = design.origin(entity, attribute)[1] is attribute
        says = is_own and (test.exists or test.missing or attribute.shares)
        if says or test.share is not None:
            share = share_kept(design, entity, test)
            found[test.attribute] = min(share, found.get(test.attribute, 1.0))
    return prod(found.values())


def says_its_shares(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether it follows from the design what share of the items has a value of an attribute."""
    is_copied = design.origin(entity, attribute)[1] is not attribute
    return says_its_own_shares(attribute) or attribute.unique or is_copied


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


def shares_given(design: Design, entity: Entity, condition: Condition) -> Shares:
    """The same of what a caller gives in a condition: of lists, the share of all their values together."""
    listed = condition.listed
    if condition.share is not None:
        return ()
    if condition.is_ is not None and condition.is_.param is not None:
        return shares_asked(design, entity, condition.attribute)
    if listed is not None and listed.value is None and listed.count is not None:
        return shares_of_lists(shares_asked(design, entity, condition.attribute), listed.count)
    return ()


def share_listed(design: Design, entity: Entity, attribute: Attribute, length: float) -> float:
    """The share of an entity's items that have one of so many different values of an attribute, which callers choose.

    On average over what is asked for.
    """
    shares = shares_asked(design, entity, attribute.name)
    if not shares:
        every = length * share_asked(design, entity, attribute, "")
        return min(attribute.present, every)
    return attribute.present * _found_in_list(shares, length)


@lru_cache(maxsize=4096)
def _lists(shares: Shares, length: float) -> tuple[tuple[float, tuple[float, ...]], ...]:
    """How often a list of so many different values has how many of those with each share.

    One value after the other comes into the list: each as often as it occurs, but none that is there already. Of a
    length that is no whole number, the last one comes as often as its fraction says.
    """
    if length > LONGEST:
        return ((1.0, _usual_list(shares, length)),)
    found = {(0,) * len(shares): 1.0}
    while length > 0:
        longer: dict[tuple[int, ...], float] = {}
        for had, often in found.items():
            left = [
                max(0.0, every - many * share)
                for many, (every, share) in zip(had, shares, strict=True)
            ]
            if length < 1:
                longer[had] = longer.get(had, 0.0) + often * (1 - length)
            for at, one in enumerate(left):
                if one > 0:
                    drawn = (*had[:at], had[at] + 1, *had[at + 1 :])
                    chance = often * min(1.0, length) * one / sum(left)
                    longer[drawn] = longer.get(drawn, 0.0) + chance
        found, length = longer, round(length - 1, 9)
    return tuple((often, had) for had, often in found.items())


def _usual_list(shares: Shares, length: float) -> tuple[float, ...]:
    """How many values of each share a long list has on average: drawn in as many steps as the longest that is told
    apart has values."""
    had, step = [0.0] * len(shares), length / LONGEST
    for _ in range(LONGEST):
        left = [
            max(0.0, every - many * share) for many, (every, share) in zip(had, shares, strict=True)
        ]
        if not any(left):
            break
        drawn = [step * one / sum(left) for one in left]
        had = [
            min(many + more, every / share)
            for many, more, (every, share) in zip(had, drawn, shares, strict=True)
        ]
    return tuple(had)


def _alike(shares: Shares, length: float) -> Shares:
    """Values of the same share counted together, the commonest first; where these make too many lists that differ,
    also those of nearly the same."""
    often: dict[float, float] = {}
    for every, share in shares:
        often[share] = often.get(share, 0.0) + every
    alike = sorted(((every, share) for share, every in often.items()), key=lambda one: -one[1])
    while len(alike) > 2:
        counts = sorted(1 + min(every / share, length) for every, share in alike)
        if prod(counts[:-1]) <= LISTS:  # these say how many of the last there are
            break
        at = min(range(1, len(alike)), key=lambda at: alike[at - 1][1] / alike[at][1])
        (one, share), (other, less) = alike[at - 1 : at + 1]
        alike[at - 1 : at + 1] = [(one + other, (one + other) / (one / share + other / less))]
    return tuple(alike)


@lru_cache(maxsize=4096)
def in_list(shares: Shares, length: float) -> tuple[float, ...]:
    """How often each of the values is among so many different ones that are asked for together."""
    values = [often / share for often, share in shares]
    if length >= sum(values) * (1 - 1e-9):
        return (1.0,) * len(shares)
    alike = _alike(shares, length)
    lists = _lists(alike, length)
    there = [
        min(1.0, sum(chance * had[at] for chance, had in lists) * share / every)
        for at, (every, share) in enumerate(alike)
    ]
    return tuple(
        min(zip(alike, there, strict=True), key=lambda one: abs(log(one[0][1] / share)))[1]
        for _, share in shares
    )


@lru_cache(maxsize=4096)
def shares_of_lists(shares: Shares, length: float) -> Shares:
    """How often so many different values together are asked for, and the share of the items that have any of them.

    Nothing if all such lists are alike. Those that have about as many are counted together.
    """
    if length >= sum(often / share for often, share in shares) * (1 - 1e-9):
        return ()
    alike = _alike(shares, length)
    found: dict[int, tuple[float, float]] = {}
    for chance, had in _lists(alike, length):
        share = sum(many * one for many, (_, one) in zip(had, alike, strict=True))
        about = round(log(share) * STEPS) if share else 0
        often, items = found.get(about, (0.0, 0.0))
        found[about] = often + chance, items + chance * share
    lists = tuple((often, items / often) for often, items in found.values() if often)
    return lists if len(lists) > 1 else ()


def _found_in_list(shares: Shares, length: float) -> float:
    listed = in_list(shares, max(0.0, length))
    return sum(often * there for (often, _), there in zip(shares, listed, strict=True))


def busiest_in_list(design: Design, entity: Entity, name: str, length: float) -> float:
    """How often the busiest value of an attribute is among so many different ones that are asked for together."""
    shares = shares_asked(design, entity, name)
    if not shares:
        return min(1.0, length / distinct_values(design, entity, entity.by_name[name]))
    return max(zip((share for _, share in shares), in_list(shares, length), strict=True))[1]


def largest_in_list(shares: Shares, length: float) -> Shares:
    """The largest values that fit into a list of so many: the share of the items of each, and how many have it."""
    found, left = [], length
    for often, share in sorted(shares, key=lambda one: -one[1]):
        many = min(left, often / share)
        if many > 0:
            found.append((share, many))
        left -= many
    return tuple(found)


def times_in_list(
    design: Design, entity: Entity, name: str, values: Iterable[Scalar]
) -> tuple[float, ...]:
    """How many times as many items as on average have each value of a list; nothing if all have as many."""
    attribute = entity.by_name[name]
    each = (Constant(value=value) for value in values)
    shares = [share_asked(design, entity, attribute, value) for value in each]
    average = sum(shares) / len(shares) if shares else 0.0
    if not average or all(isclose(share, average) for share in shares):
        return ()
    return tuple(share / average for share in shares)


def average_share(shares: Shares) -> float:
    """The share of the items that have the value which is asked for."""
    return sum(often * share for often, share in shares) / sum(often for often, _ in shares)


def times_average(shares: Shares) -> Shares:
    """How often values are asked for, and how many times as many items as on average have each."""
    every, average = sum(often for often, _ in shares), average_share(shares)
    return tuple((often / every, share / average) for often, share in shares)


def says_how_hot(attribute: Attribute) -> bool:
    """Whether the design says how hot an attribute's busiest value is; all that comes in at one time has one date."""
    return attribute.source is not None or says_its_own_shares(attribute)


def says_its_own_shares(attribute: Attribute) -> bool:
    return says_its_values(attribute) or attribute.busiest is not None


def values_met(attribute: Attribute, ways: Iterable[Iterable[Condition]]) -> frozenset[str] | None:
    """The values of an attribute that items may have which meet all conditions of one of several ways.

    None where they may have any. An item that lacks the attribute has none.
    """
    found: set[str] = set()
    for conditions in ways:
        mine = [
            _values_met(attribute, one) for one in conditions if one.attribute == attribute.name
        ]
        limited = [values for values in mine if values is not None]
        if not limited:
            return None
        found |= frozenset.intersection(*limited)
    return frozenset(found)


def _values_met(attribute: Attribute, condition: Condition) -> frozenset[str] | None:
    if condition.missing:
        return frozenset()
    if condition.is_ is not None and condition.is_.value is not None:
        return frozenset((plain_text(condition.is_.value),))
    if condition.any_of is not None and condition.any_of.value:
        return frozenset(map(plain_text, condition.any_of.value))
    excluded = condition.not_ and condition.not_.value
    if excluded is not None and attribute.values:
        return frozenset(attribute.values) - {plain_text(excluded)}
    return None
