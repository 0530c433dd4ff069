"""Parameters by which an item meets one of the ways that a write's conditions leave, and none of the others."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from designer.core.answers import Facts, Item, Parameters, Value, equal, number
from designer.core.design.attributes import Attribute
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition, Member
from designer.proof import samples

WAY = "way "
"""What the twists begin with that meet one way: `way 1`."""

Beside = Callable[[Attribute, Value, str | None], Value]
"""A value a little below or above another."""

_MEETS = {"after": "below", "below": "above"}
"""Where a bound must be for a value to be within it; at the value where the value itself is."""
_FAILS = {"from_": "above", "to": "below"}


def twists(member: Member) -> Sequence[str]:
    """One for each way that is not the only one."""
    has_others = member.or_ or (member.may_replace and member.if_)
    return [f"{WAY}{at}" for at in range(len(member.ways))] if has_others else []


def way_of(twist: str | None) -> int | None:
    """Which way a twist is about."""
    return int(twist.removeprefix(WAY)) if twist is not None and twist.startswith(WAY) else None


def fitting(member: Member, items: Sequence[Item], at: int, facts: Facts) -> list[Item]:
    """The items that can meet one way, those before the rest that no other lets through whatever is given."""
    mine, others = member.ways[at], [way for n, way in enumerate(member.ways) if n != at]

    def can_meet(item: Item, way: tuple[Condition, ...]) -> bool:
        return all(
            condition.attribute in item
            if any(condition.parameters)
            else facts.meets(member.entity, item, (condition,), {})
            for condition in way
        )

    def passes_anyway(item: Item) -> bool:
        return any(can_meet(item, way) for way in others if not _parameters(way))

    return sorted((one for one in items if can_meet(one, mine)), key=passes_anyway)


def give(
    member: Member, at: int, entity: Entity, item: Item, beside: Beside, to: Callable[..., None]
) -> None:
    """Give the parameters of all ways such that the item meets that one, and no other where that can be."""
    order = [member.ways[at], *(way for n, way in enumerate(member.ways) if n != at)]
    for turn, way in enumerate(order):
        for condition in way:
            attribute = entity.by_name[condition.attribute]
            value = item.get(condition.attribute, samples.nth(attribute, 1))
            for field, parameter in _compared(condition):
                if turn == 0:
                    chosen = _met(field, attribute, value, beside)
                else:
                    chosen = _failed(field, attribute, value, beside)
                to(parameter, chosen)


def met(facts: Facts, members: Sequence[Member], parameters: Parameters) -> tuple[Any, ...]:
    """Which ways the items meet that members with several are about; None where there is no such item."""
    found: list[tuple[bool, ...] | None] = []
    for member in members:
        if not twists(member) or member.times is not None:
            continue
        named = member.by or facts.design.entity[member.entity].identifier
        key = {name: parameters.get(_given_as(member, name)) for name in named}
        items = facts.where(member.entity, key)
        ways = member.ways if items else ()
        found.append(
            tuple(facts.meets(member.entity, items[0], way, parameters) for way in ways)
            if items
            else None
        )
    return tuple(found)


def _given_as(member: Member, name: str) -> str:
    """The parameter that says what identifies the item."""
    operand = member.set.get(name) if member.may_replace else None
    return operand.param if operand is not None and operand.param else name


def _parameters(way: tuple[Condition, ...]) -> list[str]:
    return [name for condition in way for name in condition.parameters]


def _compared(condition: Condition) -> Sequence[tuple[str, str]]:
    fields = ("is_", "any_of", "from_", "after", "to", "below", "begins_with", "contains", "not_")
    sides = ((field, getattr(condition, field)) for field in fields)
    return [(field, side.param) for field, side in sides if side is not None and side.param]


def _met(field: str, attribute: Attribute, value: Value, beside: Beside) -> Value:
    if field == "any_of":
        return [value]
    if field == "not_":
        return samples.unknown(attribute)
    if field == "contains" and not isinstance(value, (str, bytes)):
        return next(iter(value), None)
    return beside(attribute, value, _MEETS.get(field))


def _failed(field: str, attribute: Attribute, value: Value, beside: Beside) -> Value:
    if field == "any_of":
        return []
    if field in ("after", "below", "not_"):
        return value
    if field in _FAILS:
        return beside(attribute, value, _FAILS[field])
    return samples.unknown(attribute)


# Items


def shaped(entity: Entity, item: Mapping[str, Value], member: Member, at: int) -> Item:
    """The item with what one way takes, and without what lets it through by another, whatever a caller gives."""
    made = dict(item)
    for condition in member.ways[at]:
        _set(made, entity.by_name[condition.attribute], condition, True)
    fixed = {condition.attribute for condition in member.ways[at]}
    for turn, way in enumerate(member.ways):
        free = [c for c in way if c.attribute not in fixed and not any(c.parameters)]
        if turn != at and free:
            _set(made, entity.by_name[free[0].attribute], free[0], False)
            fixed.add(free[0].attribute)
    return made


def _set(made: dict[str, Value], attribute: Attribute, condition: Condition, holds: bool) -> None:
    """Give an attribute a value of which a condition holds, or does not, as far as a constant says."""
    name = attribute.name
    is_there = bool(condition.missing) != holds
    equals, differs = condition.is_, condition.not_
    constant = equals or differs
    if condition.missing or condition.exists:
        pass
    elif constant is not None and constant.value is not None:
        value = number(constant.value)
        is_same = (constant is equals) == holds
        others = (one for one in samples.worst(attribute) if not equal(one, value))
        made[name] = value if is_same else next(others, value)
        return
    if is_there:
        made.setdefault(name, samples.nth(attribute, 1))
    elif attribute.present < 1 or condition.missing:
        made.pop(name, None)
