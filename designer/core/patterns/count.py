"""Count items."""

from typing import Literal

from designer.core.patterns.base import Read


class Count(Read):
    """Count the items that meet `where`."""

    label = "Count"
    kind: Literal["count"] = "count"
    verbs = ("count", "how many", "number of")
    sentence = "counts {many}"
    answer_kind = "count"
