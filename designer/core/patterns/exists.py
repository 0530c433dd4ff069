"""Ask whether an item exists."""

from typing import Literal

from designer.core.patterns.base import Read


class Exists(Read):
    """Test whether any item meets `where`."""

    label = "Exists"
    kind: Literal["exists"] = "exists"
    verbs = ("check", "is there")
    sentence = "checks for {a_one}"
    answer_kind = "exists"
