"""What one change of a pattern becomes, for those who put operations together."""

from dataclasses import dataclass, field

from designer.core.messages import Message
from designer.core.plan import Member, Repeat, Step
from designer.core.planner.pricing.write_costs import WriteCost


@dataclass
class Written:
    """What one change of a pattern becomes."""

    steps: list[Step] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    cost: WriteCost | None = None
    impossible: Message | None = None
    """Why it cannot be written."""
    each: Repeat | None = None
    """The rows that were found, where each is written by itself."""
    until_none: bool = False
    """It is done again until nothing is found."""
    most: float | None = None
    """Items that it deletes at the most, of those that a step finds; None where it is no delete of a collection."""
