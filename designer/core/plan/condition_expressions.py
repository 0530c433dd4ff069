"""How DynamoDB is asked what a plan's condition says of an item."""

from collections.abc import Mapping

from designer.core.plan import keys

_TESTS = {
    "is_": "{name} = {value}",
    "from_": "{name} >= {value}",
    "after": "{name} > {value}",
    "to": "{name} <= {value}",
    "below": "{name} < {value}",
    "begins_with": "begins_with({name}, {value})",
    "contains": "contains({name}, {value})",
    "not_": "{name} <> {value}",
    "any_of": "{name} IN ({value})",
    "below_or_missing": "{name} < {value}",
    "above_or_missing": "{name} > {value}",
}

# No item has the leading part of a time by itself. A time sorts as its leading part does, but above it.
_OF_LEADING = {
    "is_": "begins_with({name}, {value})",
    "from_": "{name} >= {value}",
    "after": "({name} > {value} AND NOT begins_with({name}, {value}))",
    "to": "({name} < {value} OR begins_with({name}, {value}))",
    "below": "{name} < {value}",
    "begins_with": "begins_with({name}, {value})",
    "not_": "NOT begins_with({name}, {value})",
    "any_of": "begins_with({name}, {value})",
}


def as_expressions(attribute: str, value: keys.Value = None) -> Mapping[str, str]:
    """For each test of a plan's condition on an attribute the expression of `name` and `value`, if there is one.

    `any_of` of a leading part is asked of each value by itself. A text that is shorter than the part (which no time is)
    can only be the whole of another: where the value is known, that is what it is compared with.

    >>> as_expressions("day")["to"], as_expressions("date(readAt)")["to"]
    ('{name} <= {value}', '({name} < {value} OR begins_with({name}, {value}))')
    """
    part = keys.leading(attribute)
    is_short = part is not None and value is not None and len(value) < keys.PERIODS[part.form]
    return _TESTS if part is None or is_short else _OF_LEADING
