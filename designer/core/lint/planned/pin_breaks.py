"""A pin with which a pattern is not served."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.unpinning import unpinned


class PinBreaks(Topic):
    id = "pin-breaks"
    severity = "error"
    title = "Pin breaks an access pattern"
    about = "pins"
    what = "Because of a pin, the plan does not serve an access pattern that it could serve without the pin."
    why = (
        "A pin takes precedence over the access patterns. If it leaves no way to serve one, the plan follows the pin "
        "and does not serve the access pattern."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Change the pin or the access pattern."
    offers = {
        "unpin": "Removes the pin.",
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return unpinned(design, where)
