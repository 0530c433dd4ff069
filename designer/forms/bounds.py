"""The least and the most of a number in a Django form, and what is said to one outside."""

from typing import Any

from designer.core.messages import say, text


def within(least: float, most: float) -> dict[str, Any]:
    """What a field of such a number takes. Django's own words leave out the other bound and the thousands' commas."""
    outside = text(say("outside-bounds", least=least, most=most))
    return {
        "min_value": least,
        "max_value": most,
        "error_messages": {"min_value": outside, "max_value": outside},
    }
