"""Values that access patterns ask for always: where one lists FREE rooms, some example room is FREE."""

import operator
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import RANGE_OPERATORS, Condition, Read, Write
from designer.core.plan.keys import Value

Item = dict[str, Value]
Constants = tuple[tuple[Condition, Attribute], ...]


_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "from_": operator.ge,
    "after": operator.gt,
    "to": operator.le,
    "below": operator.lt,
    "begins_with": lambda value, start: str(value).startswith(str(start)),
}


def constants_of(design: Design) -> dict[str, list[Constants]]:
    """By the name of an entity, for each pattern the conditions on its own attributes that name a value, not a
    parameter.
    """
    found: dict[str, list[Constants]] = {}
    for name, conditions in _conditions(design):
        entity = design.entity.get(name)
        constants = () if entity is None else tuple(_constants(design, entity, conditions))
        if constants:
            found.setdefault(name, []).append(constants)
    return found


def _constants(
    design: Design, entity: Entity, conditions: tuple[Condition, ...]
) -> Iterator[tuple[Condition, Attribute]]:
    for condition in conditions:
        if (
            condition.attribute in entity.stored_names
            and condition.attribute not in entity.identifier
            and (entity.name, condition.attribute) not in design.referred
            and not any(condition.parameters)
        ):
            yield condition, entity.by_name[condition.attribute]


def _conditions(design: Design) -> Iterator[tuple[str, tuple[Condition, ...]]]:
    """Of each pattern, with the entity that they are about."""
    for pattern in design.patterns:
        if isinstance(pattern, Read):
            for entity in dict.fromkeys(pattern.entities):
                yield entity, pattern.conditions
            for along in pattern.with_:
                known = design.relationship.get(along.relationship)
                if known is not None:
                    for entity in dict.fromkeys((known.child, *known.parents)):
                        yield entity, along.keep
        elif isinstance(pattern, Write) and pattern.collection:
            yield pattern.changes[0].entity, pattern.collection
        elif isinstance(pattern, Write):
            yield from ((change.entity, change.if_) for change in pattern.changes)


def meet(
    constants: Constants,
    items: Sequence[Item],
    claimed: list[set[str]],
    is_own: Callable[[Attribute, int], bool],
) -> None:
    """See to it that one of the items meets all of some conditions.

    `claimed`: for each item the attributes that another pattern needs as they are. `is_own`: whether an item's value is
    an example of the team's own, which stays.
    """
    names = {attribute.name for _, attribute in constants}
    for number, item in enumerate(items):
        if all(meets(condition, item.get(a.name)) for condition, a in constants):
            claimed[number] |= names
            return
    for number, item in enumerate(items):
        unmet = [(c, a) for c, a in constants if not meets(c, item.get(a.name))]
        if any(
            a.name in claimed[number] or a.unique or a.unique_within or is_own(a, number)
            for _, a in unmet
        ):
            continue
        changed = {a.name: _fitting(condition, a) for condition, a in unmet}
        if all(meets(condition, changed[a.name]) for condition, a in unmet):
            item.update(changed)
            for name in [name for name, value in changed.items() if value is None]:
                del item[name]
            claimed[number] |= names
            return


def meets(condition: Condition, value: Value) -> bool:
    """Whether a value meets a condition; one that asks for a parameter is met by anything."""
    if condition.missing:
        return value is None
    if value is None:
        return False
    if condition.is_ is not None and condition.is_.value is not None:
        return bool(value == _like(value, condition.is_.value))
    if condition.not_ is not None and condition.not_.value is not None:
        return bool(value != _like(value, condition.not_.value))
    return not condition.is_range or _in_range(condition, value)


def _in_range(condition: Condition, value: Value) -> bool:
    for name in RANGE_OPERATORS:
        operand = getattr(condition, name)
        if operand is None or operand.value is None:
            continue
        bound = _like(value, operand.value)
        try:
            if not _TESTS[name](value, bound):
                return False
        except TypeError:  # a text beside a number
            return False
    return True


def _fitting(condition: Condition, attribute: Attribute) -> Value:
    """A value that meets a condition, None where it should be missing or nothing is known that does."""
    if condition.is_ is not None:
        return _typed(attribute, condition.is_.value)
    if condition.not_ is not None:
        others = (value for value in attribute.values or () if value != condition.not_.value)
        return _typed(attribute, next(others, None))
    for name in ("from_", "to", "begins_with", "after", "below"):
        operand = getattr(condition, name)
        if operand is not None and operand.value is not None:
            value = _typed(attribute, operand.value)
            if isinstance(value, Decimal):
                return value + {"after": 1, "below": -1}.get(name, 0)
            return f"{value}z" if name == "after" and isinstance(value, str) else value
    return None


def _typed(attribute: Attribute, value: bool | float | str | None) -> Value:
    if value is None or isinstance(value, bool) or attribute.type != "N":
        return value
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None


def _like(value: Value, constant: bool | float | str) -> Value:
    """A constant as a value of the same type."""
    if isinstance(value, Decimal) and not isinstance(constant, bool):
        try:
            return Decimal(str(constant))
        except InvalidOperation:
            return constant
    return constant
