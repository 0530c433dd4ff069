"""What words mean in a design: entities in any number and spelling, attributes, and their values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from designer.core.design.entities import Entity
from designer.core.words.spoken import plural, words

MOST_WORDS = 6
"""Words that one name may be spread over: `check in` is checkIn."""


@dataclass(frozen=True)
class Found:
    """What some words name, and how many they are."""

    name: str
    count: int
    is_many: bool = False


def _folded(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def entity_at(tokens: Sequence[str], entities: Iterable[Entity]) -> Found | None:
    """The entity that the first of some words name: `Bookings`, `film actors`, `room's`; the longest name wins."""
    known: dict[str, tuple[str, bool]] = {}
    for entity in entities:
        for many in _plurals(entity.name):
            known.setdefault(many, (entity.name, True))
    for entity in entities:
        known[_folded(entity.name)] = (entity.name, False)
    for count in range(min(MOST_WORDS, len(tokens)), 0, -1):
        text = _folded(re.sub(r"(?:'|\u2019)s?$", "", " ".join(tokens[:count])))
        if text in known:
            name, is_many = known[text]
            return Found(name, count, is_many)
    return None


def _plurals(name: str) -> set[str]:
    last = (words(name) or [name.lower()])[-1]
    stem = _folded(name).removesuffix(last)
    return {stem + plural(last), _folded(name) + "s", _folded(name) + "es"}


def attribute_at(tokens: Sequence[str], entity: Entity) -> Found | None:
    """The attribute that the first of some words name: `checkIn`, `check in`, `check-in`; the longest name wins.

    `id` is the identifier, if that is one attribute and none has this name.
    """
    known = {_folded(each.name): each.name for each in entity.attributes}
    exact = {each.name for each in entity.attributes}
    if tokens and tokens[0] in exact:
        return Found(tokens[0], 1)
    for count in range(min(MOST_WORDS, len(tokens)), 0, -1):
        name = known.get(_folded(" ".join(tokens[:count])))
        if name is not None and "," not in tokens[:count]:
            return Found(name, count)
    if tokens and tokens[0].lower() == "id" and len(entity.identifier) == 1:
        return Found(entity.identifier[0], 1)
    return None


def value_of(word: str, entity: Entity) -> tuple[str, str] | None:
    """The attribute that a word is a value of, and that value as it is written: `free` of state FREE|HELD."""
    for attribute in entity.attributes:
        for value in attribute.values or ():
            if value.lower() == word.lower():
                return attribute.name, value
    return None
