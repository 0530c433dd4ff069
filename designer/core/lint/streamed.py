"""What is found of figures that a stream keeps."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, Topic
from designer.core.lint.keeping import kept_at_once


class KeptByStream(Topic):
    """A finding about a figure that a stream keeps: to keep it at once solves it."""

    about = "attribute"
    offers = {
        "at-once": (
            "Updates the aggregates over that relationship's children in the transaction that writes the "
            "children. Available if each write states the values that it changes."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return kept_at_once(design, where)
