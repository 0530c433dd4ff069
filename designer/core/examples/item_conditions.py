"""Whether an example item meets a condition of a plan."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from designer.core.examples.stored_items import filled, sort_value
from designer.core.plan import Constant, Expression, ItemCondition, keys
from designer.core.plan.keys import Lookup, Value


def value_of(expression: Expression, lookup: Lookup) -> Value:
    """The value of an expression: a constant, or a filled template."""
    if isinstance(expression, Constant):
        number = isinstance(expression.value, (int, float)) and not isinstance(
            expression.value, bool
        )
        return Decimal(str(expression.value)) if number else expression.value
    return filled(expression, lookup)


def as_stored(value: Value) -> Value:
    """A constant as items hold it: numbers as decimals."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Decimal(str(value)) if is_number else value


def meets(condition: ItemCondition, item: Mapping[str, Value], lookup: Lookup) -> bool:
    """Whether an item meets a condition. One on a missing attribute is false, except `not`,
    `below_or_missing` and `above_or_missing`.
    """
    value = keys.value(condition.attribute, item.get)
    if condition.exists is not None:
        return (value is not None) == condition.exists
    if condition.not_ is not None:
        return value is None or not _same(value, value_of(condition.not_, lookup))
    if condition.below_or_missing is not None:
        return value is None or _compares(value, value_of(condition.below_or_missing, lookup)) == -1
    if condition.above_or_missing is not None:
        return value is None or _compares(value, value_of(condition.above_or_missing, lookup)) == 1
    if condition.same_as is not None:
        return True
    if value is None:
        return False
    return all(_tests(condition, value, lookup))


def _tests(condition: ItemCondition, value: Value, lookup: Lookup) -> Iterator[bool]:
    if condition.is_ is not None:
        yield _same(value, value_of(condition.is_, lookup))
    if condition.any_of is not None:
        yield any(_same(value, element) for element in lookup(condition.any_of) or ())
    for bound, holds in (
        (condition.from_, (0, 1)),
        (condition.after, (1,)),
        (condition.to, (-1, 0)),
        (condition.below, (-1,)),
    ):
        if bound is not None:
            yield _compares(value, value_of(bound, lookup)) in holds
    if condition.begins_with is not None:
        prefix = value_of(condition.begins_with, lookup)
        yield isinstance(value, str) and isinstance(prefix, str) and value.startswith(prefix)
    if condition.contains is not None:
        part = value_of(condition.contains, lookup)
        yield part is not None and part in value


def _same(one: Value, other: Value) -> bool:
    return other is not None and sort_value(one) == sort_value(other)


def _compares(one: Value, other: Value) -> int | None:
    """-1, 0 or 1; None for a missing value and for values of two types, which are in no order."""
    if other is None:
        return None
    a, b = sort_value(one), sort_value(other)
    return (a[1] > b[1]) - (a[1] < b[1]) if a[0] == b[0] else None
