"""What an attribute's name says of its values. A guess, and shown as one."""

import re

Kind = tuple[str, str | None]
"""DynamoDB's type of an attribute and the design format's `format`."""

BY_LAST_WORD: dict[Kind, str] = {
    ("S", "ulid"): "id",
    ("S", "email"): "email mail",
    ("S", "url"): "url link website homepage",
    ("S", "datetime"): "at time timestamp datetime since until",
    ("S", "date"): "date day on birthday in out",
    ("S", "text"): "description body content text note notes comment biography bio message",
    ("S", "json"): "json payload answer response",
    ("N", "epoch"): "expires expiry ttl",
    ("N", "decimal"): (
        "price amount percent total cost balance fee tax discount salary latitude longitude lat lng lon"
    ),
    ("N", "version"): "version revision",
    ("N", "integer"): (
        "count quantity qty stock stars rating score points age year capacity floor rank position seats size"
    ),
    ("BOOL", None): "active enabled deleted archived verified",
    ("SS", None): "tags labels roles permissions topics",
    ("M", None): "settings preferences metadata properties options",
}
"""For each kind the last words of names that let one expect it: `arrivedAt`, `unit_price`."""

QUESTIONS = frozenset({"is", "has", "can", "was"})
"""First words of what is true or false: `isOpen`."""

ENDINGS = ("expires", "expire", "forget", "purge")
"""First words of when an item may be deleted: `purgeAt`."""

_KINDS = {word: kind for kind, words in BY_LAST_WORD.items() for word in words.split()}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def guessed_kind(name: str) -> Kind:
    """Type and format of an attribute of that name; text where the name says nothing."""
    words = [word.lower() for word in _WORD.findall(name)] or [""]
    if words[0] in QUESTIONS and len(words) > 1:
        return "BOOL", None
    if words[0] in ("number", "count") and words[1:2] == ["of"]:
        return "N", "integer"
    if words[-1] == "at" and words[:-1] in ([word] for word in ENDINGS):
        return "N", "epoch"
    return _KINDS.get(words[-1], ("S", None))
