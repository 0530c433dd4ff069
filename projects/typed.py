"""What visitors type into addresses and forms."""

DIGITS = 9
"""Of the longest number that is looked at: nothing is counted further here, and every database has such numbers."""


def number(text: str) -> int | None:
    """A whole number; None when the text is none, or one that nothing has."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None
