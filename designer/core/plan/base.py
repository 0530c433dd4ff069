"""The styles, and what every part of a plan is made of."""

from typing import Literal

from pydantic import ConfigDict

from designer.core.frozen import Frozen
from designer.core.patterns.document import Scalar

Style = Literal["single", "multi", "grouped"]
STYLES: tuple[Style, ...] = ("single", "multi")
"""The two that every design is shown in, side by side."""
ALL_STYLES: tuple[Style, ...] = (*STYLES, "grouped")
"""With `grouped`, the style between the two: a shared table for each group of entities that belong together."""


class Part(Frozen):
    """A part of the plan document."""

    model_config = ConfigDict(populate_by_name=True)


class Constant(Part):
    """A constant with its type."""

    value: Scalar


Expression = str | Constant
"""A key template, or a typed constant."""
Sum = Expression | tuple[Expression, ...]
"""A number, or several whose sum is taken; missing ones are left out."""
