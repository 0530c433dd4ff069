"""A pin with which the plan costs more."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.unpinning import unpinned


class PinCosts(Topic):
    id = "pin-costs"
    severity = "advice"
    title = "Pin that costs"
    about = "pins"
    what = "With a pin the plan costs more, or answers an access pattern in more requests, than without."
    why = "Whoever reviews the design should know the price of what was decided by hand."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Keep the pin if it is worth that; without it, the planner chooses freely."
    offers = {
        "unpin": "Removes the pin.",
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return unpinned(design, where)
