"""Identifiers as their formats write them: UUIDs, ULIDs and KSUIDs, and how they are shortened where they are read.

They end with the number of what they identify, `...0002`, so that a person can follow one from key to key.
"""

import hashlib
import re
import uuid
from datetime import datetime

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KSUID_EPOCH = 1_400_000_000
"""Seconds before which no KSUID was made (github.com/segmentio/ksuid)."""

_TAIL = 4
_MADE = re.compile(
    r"(?P<uuid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
    r"|(?P<ulid>[0-7][0-9A-HJKMNP-TV-Z]{25})"
    r"|(?P<ksuid>(?=\D*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[0-9A-Za-z]{27})"
)
_HEADS = {"uuid": 4, "ulid": 7, "ksuid": 6}
"""Characters kept at the beginning: of a ULID those that tell half an hour from the next, of a KSUID a day."""


def made(form: str, about: str, number: int, moment: datetime) -> str:
    """An identifier of a format (uuid, ulid, ksuid) for the thing of that number, counted from 1.

    The same every time. `about` is the kind of thing: another kind gets other identifiers. `moment` is when a ULID or
    KSUID says it was made.
    """
    digest = hashlib.sha256(f"{about} {number}".encode()).digest()
    tail = f"{number:0{_TAIL}}"[-_TAIL:]
    if form == "uuid":
        return str(uuid.UUID(bytes=digest[:16], version=4))[:-_TAIL] + tail
    chance = int.from_bytes(digest[:16], "big")
    if form == "ulid":
        milliseconds = int(moment.timestamp() * 1000)
        return in_base(milliseconds, 10, CROCKFORD) + in_base(chance, 12, CROCKFORD) + tail
    seconds = int(moment.timestamp()) - _KSUID_EPOCH
    return in_base((seconds << 128) + chance, 27, BASE62)[:-_TAIL] + tail


def in_base(number: int, width: int, letters: str) -> str:
    """The last digits of a number, the greatest first, with letters as digits."""
    text = ""
    for _ in range(width):
        number, letter = divmod(number, len(letters))
        text = letters[letter] + text
    return text


def brief(text: str) -> str:
    """A UUID, ULID or KSUID by its beginning and its end; any other text as it is.

    >>> brief("7d444840-9dc0-41d1-b245-5ffdce740002")
    '7d44\u20260002'
    >>> brief("an oak table")
    'an oak table'
    """
    found = _MADE.fullmatch(text)
    if found is None or found.lastgroup is None:
        return text
    return f"{text[: _HEADS[found.lastgroup]]}\u2026{text[-_TAIL:]}"
