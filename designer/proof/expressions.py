"""Conditions of a plan as DynamoDB expressions, and the same judged by the caller."""

import operator
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from designer.core.answers import Item, Value, equal, number, sort_key
from designer.core.plan import Constant, Expression, ItemCondition, KeyCondition, keys
from designer.core.plan.condition_expressions import as_expressions
from designer.proof.values import Wire, to_wire

Lookup = Callable[[str], Value]


def value_of(expression: Expression, lookup: Lookup) -> Value:
    """The value of a template or a constant; None when it is missing."""
    if isinstance(expression, Constant):
        return number(expression.value)
    return keys.render(expression, lookup)


class Words:
    """The names and values of one request's expressions, each under a placeholder."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: Wire = {}

    def name(self, attribute: str) -> str:
        """The placeholder of an attribute."""
        return self._names.setdefault(attribute, f"#n{len(self._names)}")

    def path(self, names: Sequence[str]) -> str:
        """The placeholders of an attribute inside others."""
        return ".".join(self.name(name) for name in names)

    def value(self, value: Value) -> str:
        """The placeholder of a value."""
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = to_wire(value)
        return placeholder

    def arguments(self) -> dict[str, Any]:
        """What the request takes along for the expressions."""
        arguments: dict[str, Any] = {}
        if self._names:
            arguments["ExpressionAttributeNames"] = {p: name for name, p in self._names.items()}
        if self._values:
            arguments["ExpressionAttributeValues"] = dict(self._values)
        return arguments


COMPARISONS = {"is_": "=", "from_": ">=", "after": ">", "to": "<=", "below": "<"}
RANGE_BOUNDS = ("from_", "after", "to", "below")
MOST_IN_LIST = 100
"""Operands of one IN (Amazon DynamoDB developer guide, comparison operators)."""


def key_condition(conditions: Sequence[KeyCondition], lookup: Lookup, words: Words) -> str | None:
    """The key condition of a Query; None when nothing can meet it.

    That is when a value is missing or empty, or a range ends before it begins: the engine would
    refuse the request.
    """
    said = []
    for condition in conditions:
        name = words.name(condition.attribute)
        if condition.between is not None:
            low, high = (value_of(bound, lookup) for bound in condition.between)
            if low is None or high is None or sort_key(low) > sort_key(high):
                return None
            said.append(f"{name} BETWEEN {words.value(low)} AND {words.value(high)}")
            continue
        for field, sign in (("equals", "="), *COMPARISONS.items(), ("begins_with", "")):
            expression = getattr(condition, field, None)
            if expression is None:
                continue
            value = value_of(expression, lookup)
            if value is None or value in ("", b""):
                return None
            placeholder = words.value(value)
            said.append(
                f"{name} {sign} {placeholder}" if sign else f"begins_with({name}, {placeholder})"
            )
    return " AND ".join(said)


def condition_expression(
    conditions: Sequence[ItemCondition],
    lookup: Lookup,
    read_before: Callable[[str, str], Value],
    words: Words,
    within: Sequence[str] = (),
) -> str:
    """Conditions on an item's attributes; `read_before` gives what a step read of an attribute.

    `within` is the path of the embedded item they are about.
    """
    return " AND ".join(
        text
        for condition in conditions
        for text in _texts(condition, lookup, read_before, words, within)
    )


def _texts(
    condition: ItemCondition,
    lookup: Lookup,
    read_before: Callable[[str, str], Value],
    words: Words,
    within: Sequence[str],
) -> Iterator[str]:
    name = words.path((*within, keys.stored(condition.attribute)))
    absent = f"attribute_not_exists({name})"
    never = f"(attribute_exists({name}) AND {absent})"

    def test(field: str, *values: Value) -> str:
        text = as_expressions(condition.attribute, values[0])[field]
        return text.format(name=name, value=", ".join(map(words.value, values)))

    def said(field: str, unless: str = "") -> str:
        value = value_of(getattr(condition, field), lookup)
        if value is None:
            return never
        return f"({unless} OR {test(field, value)})" if unless else test(field, value)

    for field in (*COMPARISONS, "begins_with", "contains"):
        if getattr(condition, field) is not None:
            yield said(field)
    if condition.not_ is not None and value_of(condition.not_, lookup) is not None:
        yield said("not_", unless=absent)
    for field in ("below_or_missing", "above_or_missing"):
        if getattr(condition, field) is not None:
            yield said(field, unless=absent)
    if condition.any_of is not None:
        values = list(lookup(condition.any_of) or ())
        most = MOST_IN_LIST if keys.leading(condition.attribute) is None else 1
        each = [test("any_of", *values[at : at + most]) for at in range(0, len(values), most)]
        yield f"({' OR '.join(each)})" if each else never
    if condition.exists is not None:
        yield f"attribute_exists({name})" if condition.exists else absent
    if condition.same_as is not None:
        value = read_before(condition.same_as, condition.attribute)
        yield absent if value is None else f"{name} = {words.value(value)}"


def expressions_of(condition: KeyCondition) -> Iterator[Expression]:
    """Every expression that a key condition compares with."""
    for field in ("equals", "begins_with", *RANGE_BOUNDS):
        expression = getattr(condition, field)
        if expression is not None:
            yield expression
    yield from condition.between or ()


def tested_with(condition: ItemCondition) -> Iterator[Expression]:
    """Every expression that a condition on an item compares with."""
    for field in _TESTS:
        expression = getattr(condition, field)
        if expression is not None:
            yield expression


def holds(condition: ItemCondition, item: Item, lookup: Lookup) -> bool:
    """Whether an item that was read meets a condition that the caller applies."""
    value = keys.value(condition.attribute, item.get)
    if condition.exists is not None and condition.exists != (value is not None):
        return False
    if condition.any_of is not None and not _among(value, lookup(condition.any_of)):
        return False
    return all(
        test(value, value_of(expression, lookup))
        for field, test in _TESTS.items()
        if (expression := getattr(condition, field)) is not None
    )


def _order(test: Callable[[Value, Value], bool]) -> Callable[[Value, Value], bool]:
    """A test of order, which values without one do not pass."""

    def ordered(one: Value, other: Value) -> bool:
        kinds = (str, Decimal, bytes)
        alike = any(isinstance(one, kind) and isinstance(other, kind) for kind in kinds)
        return alike and test(sort_key(one), sort_key(other))

    return ordered


def _text(one: Value, other: Value) -> bool:
    return any(isinstance(one, kind) and isinstance(other, kind) for kind in (str, bytes))


def _among(value: Value, others: Value) -> bool:
    return isinstance(others, (list, tuple, set, frozenset)) and any(
        equal(value, other) for other in others
    )


_TESTS: dict[str, Callable[[Value, Value], bool]] = {
    "is_": lambda one, other: equal(one, other),
    "not_": lambda one, other: not equal(one, other),
    "from_": _order(operator.ge),
    "after": _order(operator.gt),
    "to": _order(operator.le),
    "below": _order(operator.lt),
    "below_or_missing": lambda one, other: one is None or _order(operator.lt)(one, other),
    "above_or_missing": lambda one, other: one is None or _order(operator.gt)(one, other),
    "begins_with": lambda one, other: _text(one, other) and one[: len(other)] == other,
    "contains": lambda one, other: other in one if _text(one, other) else _among(other, one),
}
