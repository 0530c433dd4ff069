"""Values for what is unique within a scope: taken in it already, or free in it and taken in another."""

from collections.abc import Iterator, Mapping, Sequence

from designer.core.answers import Item, Value, canonical
from designer.core.design.entities import Entity
from designer.core.design.uniqueness import Uniqueness

TAKEN = "taken"
ELSEWHERE = "elsewhere"
"""The value is another item's, in another scope: that is allowed."""


def twists(entity: Entity) -> Iterator[str]:
    """What a write of new values can have to do with what is unique."""
    if entity.uniques:
        yield TAKEN
    if any(unique.within for unique in entity.uniques):
        yield ELSEWHERE


def like_another(
    entity: Entity, others: Sequence[Item], turn: int, settled: Mapping[str, Value]
) -> dict[str, Value]:
    """Scopes and values that one of the other items has, as far as what is settled leaves room for them."""
    found: dict[str, Value] = {}
    for unique in _scoped(entity):
        known = {**settled, **found}
        having = [
            item
            for item in others
            if all(
                name in item and (name not in known or _same(item, known, name))
                for name in unique.names
            )
        ]
        if having:
            one = having[turn % len(having)]
            found |= {name: one[name] for name in unique.names if name not in known}
    return found


def as_elsewhere(
    entity: Entity, others: Sequence[Item], turn: int, settled: Mapping[str, Value]
) -> dict[str, Value]:
    """Values that other items have in other scopes only; the scope too, where it is not settled."""
    found: dict[str, Value] = {}
    for unique in _scoped(entity):
        known = {**settled, **found}
        there = [item for item in others if all(name in item for name in unique.names)]
        scopes = [
            i for i in there if all(n not in known or _same(i, known, n) for n in unique.within)
        ]
        if not scopes and any(name not in known for name in unique.within):
            continue
        scope = {name: known.get(name) for name in unique.within}
        if scopes:
            scope = {name: scopes[turn % len(scopes)][name] for name in unique.within}
        here = {
            canonical(item[unique.attribute])
            for item in there
            if all(_same(item, scope, name) for name in unique.within)
        }
        values = [i[unique.attribute] for i in there if canonical(i[unique.attribute]) not in here]
        if values:
            found |= {**scope, unique.attribute: values[turn % len(values)]}
    return found


def _scoped(entity: Entity) -> tuple[Uniqueness, ...]:
    return tuple(unique for unique in entity.uniques if unique.within)


def _same(one: Mapping[str, Value], other: Mapping[str, Value], name: str) -> bool:
    return bool(canonical(one.get(name)) == canonical(other.get(name)))
