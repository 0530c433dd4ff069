"""Whether constants are values of attributes, and can be compared and written as they are."""

from decimal import Decimal
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.text import shorten
from designer.core.design.wording import nearest
from designer.core.dynamodb.limits import LARGEST_NUMBER

SETS = {"SS": "S", "NS": "N", "BS": "B"}


def fits(attribute: Attribute, value: Any) -> str | None:
    """Why a constant is no value of an attribute; None when it is one, or when a scalar cannot
    show it."""
    shown = f"`{shorten(value)}`"
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if attribute.type == "S" and not isinstance(value, str):
        return f"{shown} is not text, and `{attribute.name}` has type S; put it in quotes"
    if attribute.type == "N" and not is_number:
        return f"{shown} is not a number, and `{attribute.name}` has type N"
    if attribute.type == "N" and not abs(value) < LARGEST_NUMBER:  # nor is what is not a number
        return f"{shown} is more than DynamoDB can store; write a number below 1e126"
    if attribute.type == "BOOL" and not isinstance(value, bool):
        return f"{shown} is neither true nor false, and `{attribute.name}` has type BOOL"
    if attribute.values is not None and attribute.type == "S" and value not in attribute.values:
        return (
            f"{shown} is not one of the values of "
            f"`{attribute.name}`{nearest(str(value), attribute.values)}"
        )
    return None


def beyond(attribute: Attribute, value: Any) -> str | None:
    """Why a constant that fits is not a number of the attribute's range; None when it is one."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if attribute.type != "N" or not is_number:
        return None
    for bound, side in ((attribute.minimum, "below"), (attribute.maximum, "above")):
        if bound is not None and (value < bound if side == "below" else value > bound):
            end = "minimum" if side == "below" else "maximum"
            return f"`{shorten(value)}` is {side} the {end} of `{attribute.name}`, {bound}"
    return None


def unwritable(attributes: list[Attribute], value: Any) -> str | None:
    """Why keys, which write a number with a fixed width, cannot hold a constant that fits; None when they can."""
    for attribute in attributes:
        digits, scale = attribute.padding
        scaled = abs(Decimal(str(value))).scaleb(scale) if attribute.type == "N" else Decimal(0)
        if scaled != scaled.to_integral_value() or scaled >= 10**digits:
            return (
                f"keys hold `{attribute.name}` with {digits} digits, {scale} of them after the decimal point, which "
                f"is too few for `{shorten(value)}`; state the `digits` and the `scale` of the attribute, or put the "
                "condition under `keep`"
            )
    return None
