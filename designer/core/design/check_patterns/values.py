"""Whether constants are values of attributes, and can be compared and written as they are."""

from decimal import Decimal
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.text import shorten
from designer.core.design.wording import or_nearest
from designer.core.dynamodb.limits import LARGEST_NUMBER
from designer.core.messages import Message, say

SETS = {"SS": "S", "NS": "N", "BS": "B"}


def fits(attribute: Attribute, value: Any) -> Message | None:
    """Why a constant is no value of an attribute; None when it is one, or when a scalar cannot
    show it."""
    shown = shorten(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if attribute.type == "S" and not isinstance(value, str):
        return say("not-text", value=shown, name=attribute.name)
    if attribute.type == "N" and not is_number:
        return say("value-not-number", value=shown, name=attribute.name)
    if attribute.type == "N" and not abs(value) < LARGEST_NUMBER:  # nor is what is not a number
        return say("number-too-large", value=shown)
    if attribute.type == "BOOL" and not isinstance(value, bool):
        return say("not-boolean", value=shown, name=attribute.name)
    if attribute.values is not None and attribute.type == "S" and value not in attribute.values:
        problem = say("not-among-values", value=shown, name=attribute.name)
        return or_nearest(problem, str(value), attribute.values)
    return None


def beyond(attribute: Attribute, value: Any) -> Message | None:
    """Why a constant that fits is not a number of the attribute's range; None when it is one."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if attribute.type != "N" or not is_number:
        return None
    for bound, side in ((attribute.minimum, "below"), (attribute.maximum, "above")):
        if bound is not None and (value < bound if side == "below" else value > bound):
            return say(
                "below-minimum" if side == "below" else "above-maximum",
                value=shorten(value),
                name=attribute.name,
                bound=bound,
            )
    return None


def unwritable(attributes: list[Attribute], value: Any) -> Message | None:
    """Why keys, which write a number with a fixed width, cannot hold a constant that fits; None when they can."""
    for attribute in attributes:
        digits, scale = attribute.padding
        scaled = abs(Decimal(str(value))).scaleb(scale) if attribute.type == "N" else Decimal(0)
        if scaled != scaled.to_integral_value() or scaled >= 10**digits:
            return say(
                "too-few-digits",
                name=attribute.name,
                digits=digits,
                scale=scale,
                value=shorten(value),
            )
    return None
