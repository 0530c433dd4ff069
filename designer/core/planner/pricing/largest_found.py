"""How many items the Queries of a read find at the worst: of the largest collections that are stated."""

from collections.abc import Mapping
from math import prod

from designer.core.plan import Constant, Expression
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.listing import OtherList
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import Shares, largest_in_list, share_asked, shares_asked
from designer.core.planner.model.structures import Access, Structure
from designer.core.planner.pricing.asked_lists import asked_apart, lists_in_key, values_asked
from designer.core.planner.pricing.sparse_entries import range_share_of_present

TOLD_APART = 1000
"""Combinations of values of several lists that are told apart by how many items have them, at the most."""


def asked_by_key(entity_read: EntityRead, access: Access, structure: Structure) -> frozenset[str]:
    """The attributes that a query asks for by the key."""
    fixed = (*structure.partition, *structure.sort[: access.bound], access.prefix)
    return frozenset(name for name in entity_read.equals if name in fixed)


def found_by_each(
    model: EntityModel, entity_read: EntityRead, access: Access, structure: Structure
) -> tuple[float, ...]:
    """Items that a query finds at the worst.

    Of a list that is always the same, those of each of its values; of one that a caller gives, of its commonest.
    """
    queries = asked_apart(model, entity_read, access) or ((entity_read, access),)
    return tuple(_found_at_worst(model, *query, structure) for query in queries)


def _found_at_worst(
    model: EntityModel, entity_read: EntityRead, access: Access, structure: Structure
) -> float:
    """The same of one value."""
    names = asked_by_key(entity_read, access, structure)
    is_ranged = access.ranged and not access.period and entity_read.range_share > 0
    share = range_share_of_present(model, entity_read) if is_ranged else 1.0
    return most_found(model, entity_read, structure, names, access.found / share)


@cached
def most_found(
    model: EntityModel,
    entity_read: EntityRead,
    structure: Structure,
    names: frozenset[str],
    usual: float,
) -> float:
    """Items with one set of values of some attributes at the most."""
    constants = _constants(entity_read, names)
    said = _said(entity_read, names)
    besides = _share_besides(model, entity_read, structure, names)
    largest = model.largest(names, constants, besides, said)
    asked = {name: (value,) for name, value in constants}
    there = _items_in(model, entity_read, structure, asked)
    return max(usual, min(largest or 0.0, there))


def found_of_all(
    model: EntityModel, entity_read: EntityRead, access: Access, structure: Structure
) -> float:
    """Items that the queries for all values of lists find together at the worst: no item has two of one list."""
    lists = lists_in_key(model, entity_read, access)
    names = asked_by_key(entity_read, access, structure)
    others = names.difference(lists)
    constants = _constants(entity_read, others)
    asked: dict[str, tuple[Expression, ...]] = {name: (value,) for name, value in constants}
    share, part = _share_besides(model, entity_read, structure, names.union(lists)), 1.0
    for name, listed in lists.items():
        if listed.always:
            asked[name] = tuple(Constant(value=value) for value in listed.always)
            attribute = model.attribute(name)
            shares = (
                share_asked(model.design, model.entity, attribute, one) for one in asked[name]
            )
            share *= min(1.0, entity_read.said.get(name, sum(shares)))
        elif top := _largest_values(model, entity_read, listed):
            part *= min(1.0, sum(of * many for of, many in top))
    share, there = share * part, _items_in(model, entity_read, structure, asked) * part
    said = _said(entity_read, others)
    largest = model.largest(others, constants, share, said) if others else None
    usual = access.found * values_asked(model, entity_read, access)
    return max(usual, there if largest is None else min(largest, there))


def _largest_values(model: EntityModel, entity_read: EntityRead, listed: OtherList) -> Shares:
    """The largest values that fit into a list that a caller gives: the share of the items of each, and how many have
    it. Nothing where all are alike, a condition says what share the list has, or the design how many each may have."""
    if listed.always or listed.of in entity_read.said:
        return ()
    given = frozenset(entity_read.equals)
    if model.most_items(given) != model.most_items(given - {listed.of}):
        return ()
    shares = shares_asked(model.design, model.entity, listed.of)
    return largest_in_list(shares, listed.length)


def largest_together(model: EntityModel, entity_read: EntityRead, access: Access) -> Shares:
    """The same of the combinations of all lists in a key. Nothing where a list is always the same, or all are alike.

    Of very many combinations those of the lists that come last count as alike.
    """
    lists = lists_in_key(model, entity_read, access).values()
    tops = {one.of: _largest_values(model, entity_read, one) for one in lists}
    if any(one.always for one in lists) or not any(tops.values()):
        return ()
    found: Shares = ((1.0, 1.0),)
    for one in lists:
        top = tops[one.of]
        if not top or len(found) * len(top) > TOLD_APART:
            top = ((1.0, one.length),)
        found = tuple((of * more, many * also) for of, many in found for more, also in top)
    return found


def _constants(
    entity_read: EntityRead, names: frozenset[str]
) -> tuple[tuple[str, Expression], ...]:
    """Of some attributes that are asked for, those of which the value is always the same, with it."""
    asked = sorted(names & entity_read.constants)
    return tuple((name, entity_read.equals[name]) for name in asked)


def _said(entity_read: EntityRead, names: frozenset[str]) -> tuple[tuple[str, float], ...]:
    """The shares of the items that conditions state of some attributes."""
    said = entity_read.said_of_each
    return tuple((name, said[name]) for name in sorted(names & said.keys()))


def _share_besides(
    model: EntityModel, entity_read: EntityRead, structure: Structure, names: frozenset[str]
) -> float:
    """Share of the items that have what decides whether an item is in an index, but for some attributes."""
    said = {
        name: share
        for name, share in _said_of_fixed(entity_read).items()
        if name not in names and name in model.sparse_by(structure)
    }
    return model.share_besides(structure, names.union(said)) * prod(said.values())


def _said_of_fixed(entity_read: EntityRead) -> dict[str, float]:
    """The shares that conditions state, but of what a caller gives, which may be a commoner value."""
    free = entity_read.equals.keys() - entity_read.constants
    free -= {name for name, one in entity_read.lists.items() if one.always}
    return {name: share for name, share in entity_read.said.items() if name not in free}


def _items_in(
    model: EntityModel,
    entity_read: EntityRead,
    structure: Structure,
    asked: Mapping[str, tuple[Expression, ...]],
) -> float:
    """Items that a structure holds, as the design says; with one of some values, where these are `asked` for.

    Where nothing says how many items have a value, all may have it.
    """
    said = _said_of_fixed(entity_read)
    limited: dict[str, tuple[Expression, ...]] = {
        name: tuple(Constant(value=one) for one in only) for name, only in structure.only
    }
    limited.update(asked)
    names = dict.fromkeys((*model.sparse_by(structure), *limited))
    return model.items * prod(
        said[name] if name in said else _share_at_most(model, name, limited.get(name))
        for name in names
    )


def _share_at_most(model: EntityModel, name: str, values: tuple[Expression, ...] | None) -> float:
    """Share of the items that have an attribute at the most; with one of some values, where there are any."""
    attribute = model.attribute(name)
    if values is None or not attribute.shares:
        return model.presence(name)
    shares = (share_asked(model.design, model.entity, attribute, value) for value in values)
    return min(model.presence(name), sum(shares))
