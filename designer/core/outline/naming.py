"""What words mean in a design: entities in any number and spelling, attributes, and their values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from designer.core.design.document import Design
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


class Named:
    """What words may name in a design, made once for all sentences about it: a sentence then takes as long as it has
    words, however much the design has.
    """

    def __init__(self, design: Design) -> None:
        self._design = design
        self._along: dict[str, dict[str, str]] = {}
        self._of: dict[str, _Attributes] = {}

    @cached_property
    def _known(self) -> dict[str, tuple[str, bool]]:
        """Each entity in each spelling, and whether that is many of it."""
        known: dict[str, tuple[str, bool]] = {}
        for entity in self._design.entities:
            for many in plurals_of(entity.name):
                known.setdefault(many, (entity.name, True))
        for entity in self._design.entities:
            known[_folded(entity.name)] = (entity.name, False)
        return known

    def entity_at(self, tokens: Sequence[str]) -> Found | None:
        """The entity that the first of some words name: `Bookings`, `film actors`, `room's`; the longest name wins."""
        for count in range(min(MOST_WORDS, len(tokens)), 0, -1):
            text = _folded(re.sub(r"(?:'|\u2019)s?$", "", " ".join(tokens[:count])))
            if text in self._known:
                name, is_many = self._known[text]
                return Found(name, count, is_many)
        return None

    def attribute_at(self, tokens: Sequence[str], entity: Entity) -> Found | None:
        """The attribute that the first of some words name: `checkIn`, `check in`, `check-in`; the longest name wins.

        `id` is the identifier, if that is one attribute and none has this name.
        """
        known = self._attributes(entity).by_folded
        if tokens and tokens[0] in entity.by_name:
            return Found(tokens[0], 1)
        for count in range(min(MOST_WORDS, len(tokens)), 0, -1):
            name = known.get(_folded(" ".join(tokens[:count])))
            if name is not None and "," not in tokens[:count]:
                return Found(name, count)
        if tokens and tokens[0].lower() == "id" and len(entity.identifier) == 1:
            return Found(entity.identifier[0], 1)
        return None

    def value_of(self, word: str, entity: Entity) -> tuple[str, str] | None:
        """The attribute that a word is a value of, and that value as it is written: `free` of state FREE|HELD."""
        return self._attributes(entity).by_value.get(word.lower())

    def flag_of(self, word: str, entity: Entity) -> str | None:
        """The attribute that is yes or no and called so: `open` of isOpen."""
        return self._attributes(entity).flags.get(word.lower())

    def along(self, entity: Entity, other: str) -> str | None:
        """The first relationship that brings items of another entity along with those of one."""
        name = entity.name
        if name not in self._along:
            found = self._along[name] = {}
            for each in self._design.relationships:
                if name in (each.child, *each.parents):
                    found.setdefault(each.brings(name), each.name)
        return self._along[name].get(other)

    def _attributes(self, entity: Entity) -> "_Attributes":
        kept = self._of.get(entity.name)
        if kept is None or kept.entity is not entity:
            kept = self._of[entity.name] = _Attributes(entity)
        return kept


class _Attributes:
    """The attributes of an entity in small letters, and their values."""

    def __init__(self, entity: Entity) -> None:
        self.entity = entity

    @cached_property
    def by_folded(self) -> dict[str, str]:
        return {_folded(each.name): each.name for each in self.entity.attributes}

    @cached_property
    def by_value(self) -> dict[str, tuple[str, str]]:
        found: dict[str, tuple[str, str]] = {}
        for attribute in self.entity.attributes:
            for value in attribute.values or ():
                found.setdefault(value.lower(), (attribute.name, value))
        return found

    @cached_property
    def flags(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for attribute in self.entity.attributes:
            if attribute.type == "BOOL":
                name = attribute.name.lower()
                found.setdefault(name.removeprefix("is").removeprefix("_"), attribute.name)
                found.setdefault(name, attribute.name)
        return found


def plurals_of(name: str) -> set[str]:
    last = (words(name) or [name.lower()])[-1]
    stem = _folded(name).removesuffix(last)
    return {stem + plural(last), _folded(name) + "s", _folded(name) + "es"}
