"""A pin that the plan does not follow."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.unpinning import unpinned


class PinNotObeyed(Topic):
    id = "pin-not-obeyed"
    severity = "error"
    title = "Pin not followed"
    about = "pins"
    what = "The plan does not follow a pin. The finding states the reason."
    why = (
        "A pin is a decision of the team. If a plan silently ignored it, the team could approve the plan by "
        "mistake."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Change or remove the pin."
    offers = {
        "unpin": "Removes the pin.",
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return unpinned(design, where)
