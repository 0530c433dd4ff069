"""How numbers of a design are written, and the digits they need."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

_LARGEST_EXPONENT = 125
"""Of a number that DynamoDB keeps."""


def as_text(value: Any) -> Any:
    """A number as people write it, anything else as it is.

    >>> as_text(5), as_text(2.50), as_text("5"), as_text(True)
    ('5', '2.5', '5', True)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    number = Decimal(str(value))
    if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT:
        return value
    return f"{number.normalize():f}"


def digits_before_the_point(numbers: Iterable[float]) -> int:
    """As many as the longest of them has."""
    return max(len(str(abs(int(number)))) for number in numbers)


def decimals(number: float) -> int:
    """Digits after the decimal point with which a number is written."""
    exponent = Decimal(str(number)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
