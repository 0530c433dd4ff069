"""A pattern that DynamoDB should not answer."""

from typing import Literal, get_args

from designer.core.patterns.base import Pattern
from designer.core.patterns.document import Name

Reason = Literal["full-text search", "geo", "analytics", "aggregate", "archive", "batch job"]
REASONS: tuple[Reason, ...] = get_args(Reason)


class Elsewhere(Pattern):
    """Served without keys, for a stated reason: by another service, or by a job that reads the whole table. The plan
    names the alternative instead of a bad key.
    """

    label = "Served without keys"
    is_read = True
    unordered = ("returns",)
    kind: Literal["elsewhere"] = "elsewhere"
    returns: Name | tuple[Name, ...] = ()
    because: Reason
