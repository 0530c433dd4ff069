"""How keys speak of what an item lacks: an index can hold just the items without an attribute."""

import re


def absence(name: str) -> str:
    """What the planner calls it that an item lacks an attribute.

    >>> absence("assignee"), lacking("absent(assignee)"), lacking("assignee")
    ('absent(assignee)', 'assignee', None)
    """
    return f"absent({name})"


def lacking(name: str) -> str | None:
    """The attribute that items lack which have what is called so; None where it is no such name."""
    return name[len("absent(") : -1] if name.startswith("absent(") else None


def absence_text(name: str) -> str:
    """What stands in a key for the lack of an attribute.

    >>> absence_text("assigneeId")
    'NO_ASSIGNEE_ID'
    """
    return "NO_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()
