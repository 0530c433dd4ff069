"""Exact rational numbers: sums of prices and units that do not depend on their order.

Planning makes millions of them, so they come from a compiled module with the interface of the standard library's
`fractions`, whose types describe it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction
else:
    from quicktions import Fraction

__all__ = ["Fraction"]
