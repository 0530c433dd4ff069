"""Names for a missing attribute, so that an index can hold only the items without it."""

import re


def absence(name: str) -> str:
    """The planner's name for the absence of an attribute.

    >>> absence("assignee"), lacking("absent(assignee)"), lacking("assignee")
    ('absent(assignee)', 'assignee', None)
    """
    return f"absent({name})"


def lacking(name: str) -> str | None:
    """The attribute whose absence a name stands for; None if it stands for an attribute."""
    return name[len("absent(") : -1] if name.startswith("absent(") else None


def absence_text(name: str) -> str:
    """The text that a key holds for an item without the attribute.

    >>> absence_text("assigneeId")
    'NO_ASSIGNEE_ID'
    """
    return "NO_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()
