"""Get one item."""

from typing import Literal

from designer.core.patterns.base import Read


class Get(Read):
    """The one item that `where` names, by its identifier or a unique attribute, with what comes along."""

    label = "Get one"
    kind: Literal["get"] = "get"
