"""Marks that put an item type between two others without moving these.

Sort keys are compared by their bytes, so between `1#A` and `2#ROOM` there is room for `1V#REVIEW`, and before that for
`1G#NIGHT`.
"""

LETTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The characters of marks, in the order of their bytes."""
_LONGEST = 40


def between(low: str, high: str, token: str) -> str | None:
    """The token with a mark before it that sorts after `low` and before `high`; None where there is no room.

    >>> between("1#A", "2#ROOM", "REVIEW#"), between("1#A", "1V#REVIEW#", "NIGHT#")
    ('1V#REVIEW#', '1G#NIGHT#')
    >>> between("A", "ROOM#", "NIGHT#")
    'J#NIGHT#'
    """
    for length in range(min(len(low), _LONGEST)):
        mark = low[:length]
        first = _above(low[length])
        last = high[length] if high.startswith(mark) and length < len(high) else None
        room = [letter for letter in LETTERS if letter >= first and (last is None or letter < last)]
        if not room or ("#" in mark[1:]):
            continue
        text = f"{mark}{room[len(room) // 2]}#{token}"
        if low < text < high and not text.startswith(low):
            return text
    return None


def _above(letter: str) -> str:
    return next((each for each in LETTERS if each > letter), "\uffff")
