"""Get one item."""

from typing import Literal

from designer.core.patterns.base import Read


class Get(Read):
    """Get one item by its identifier or a unique attribute in `where`, with its related items."""

    label = "Get one"
    kind: Literal["get"] = "get"
    sentence = "gets one {one}"
    answer_kind = "one"
    by_identifier = True
