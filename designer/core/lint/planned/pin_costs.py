"""A pin with which the plan costs more."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.unpinning import unpinned


class PinCosts(Topic):
    id = "pin-costs"
    severity = "advice"
    title = "Pin increases the cost"
    about = "pins"
    what = "With a pin, the plan costs more or needs more requests for an access pattern than without it."
    why = "Reviewers of the design should know the price of each manual decision."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Keep the pin if it is worth its price. Otherwise, remove it, so that the planner chooses freely."
    offers = {
        "unpin": "Removes the pin.",
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return unpinned(design, where)
