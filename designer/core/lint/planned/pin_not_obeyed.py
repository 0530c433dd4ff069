"""A pin that the plan does not follow."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.unpinning import unpinned


class PinNotObeyed(Topic):
    id = "pin-not-obeyed"
    severity = "error"
    title = "Pin that is not followed"
    about = "pins"
    what = "The plan does not do what a pin asks, and says why."
    why = "A pin is a decision of the team. A plan that quietly ignored it would be approved by mistake."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Change the pin, or remove it."
    offers = {
        "unpin": "Removes the pin.",
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return unpinned(design, where)
