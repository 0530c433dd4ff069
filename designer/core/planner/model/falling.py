"""Where in a partition key writes fall: which of its values gets most of what all of them put, change and take away.

What moves an item from one value to another deletes an entry under the old value and puts one under the new: each
value gets what enters it and what leaves it, and no value gets both from one write.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod

from designer.core.design.attributes import Attribute
from designer.core.design.entities import Entity
from designer.core.patterns.base import Member, Write
from designer.core.plan.keys import plain_text
from designer.core.planner.model.distinct import is_of_each
from designer.core.planner.model.score import exact
from designer.core.rational import Fraction

Values = Mapping[str, str]
"""Attributes of a key with the one value that each has there, as text."""
NONE = Fraction(0)
DATES = frozenset({"date"})
TIMES = frozenset({"date", "datetime", "epoch"})
"""Formats of times."""
MOST_TOGETHER = 1000
"""Combinations of values that are looked at one by one, at the most."""


@dataclass(frozen=True)
class Load:
    """A part of what a write puts on the values of a key."""

    units: Fraction = NONE
    at: Values = field(default_factory=dict)
    """Values that are known: it falls nowhere else."""
    but: Values = field(default_factory=dict)
    """Values that it surely does not have."""


@dataclass(frozen=True)
class Fall:
    """One write on the values of a key."""

    share: Callable[[frozenset[str]], Fraction]
    """The share of it on the hottest value, where some attributes have one value."""
    shards: int
    """Over which each value is spread."""
    stays: Load = Load()
    """What it writes where it is."""
    put: Load = Load()
    taken: Load = Load()
    moves: bool = False
    """Whether what it puts surely has another value than what it takes away."""

    @property
    def known(self) -> Iterator[tuple[str, str]]:
        """The values that are known of any part of it."""
        return (one for load in (self.stays, self.put, self.taken) for one in load.at.items())


@dataclass(frozen=True)
class Falls:
    """The writes on the values of one key."""

    falls: tuple[Fall, ...]
    attribute: Callable[[str], Attribute | None]
    """An attribute by its name; None for one that the entity does not have."""
    only: Mapping[str, tuple[str, ...]]
    """The values that the key has at all, of an index that is limited to some."""

    def on_hottest(self) -> tuple[Fraction, ...]:
        """What each write puts on the value that gets most of them all."""
        found = (tuple(self._on(fall, at) for fall in self.falls) for at in self._values())
        return max(found, key=lambda each: sum(each, NONE))

    def _values(self) -> Iterator[Values]:
        """The values that may be the hottest: all that are listed of an attribute of which some write knows a value."""
        known: dict[str, dict[str, None]] = {}
        for fall in self.falls:
            for name, text in fall.known:
                known.setdefault(name, {})[text] = None
        for name, texts in known.items():
            texts.update(dict.fromkeys(self._shares(name)))
        if prod(map(len, known.values())) > MOST_TOGETHER:
            known = {}
        return (dict(zip(known, each, strict=True)) for each in product(*known.values()))

    def _on(self, fall: Fall, at: Values) -> Fraction:
        put, taken = self._of(fall, fall.put, at), self._of(fall, fall.taken, at)
        moved = put + taken
        if fall.moves:
            moved = min(moved, max(fall.put.units, fall.taken.units) / fall.shards)
        return self._of(fall, fall.stays, at) + moved

    def _of(self, fall: Fall, load: Load, at: Values) -> Fraction:
        """What of a load falls on some values."""
        if not load.units:
            return NONE
        least, known = Fraction(1), set(load.at)
        for name, text in at.items():
            if name in load.at:
                if load.at[name] != text:
                    return NONE
                continue
            share = self._share(name, text, load.but.get(name))
            if share is not None:
                least = min(least, share)
                known.add(name)
        return load.units * min(least / fall.shards, fall.share(frozenset(known)))

    def _share(self, name: str, text: str, excluded: str | None) -> Fraction | None:
        """The share of what has not the excluded value that has another one; None for the commonest, or what may be."""
        if text == excluded:
            return NONE
        shares = self._shares(name)
        if text not in shares:
            return None
        if excluded is None:
            return None if shares[text] == max(shares.values()) else shares[text]
        left = sum(shares.values(), NONE) - shares.get(excluded, NONE)
        return shares[text] / left if left > 0 else None

    def _shares(self, name: str) -> Mapping[str, Fraction]:
        """The share of the items of the key that has each of the values that are listed."""
        attribute = self.attribute(name)
        if attribute is None or not attribute.listed:
            return {}
        listed = attribute.listed
        each = attribute.shares or (1 / len(listed),) * len(listed)
        there = dict(zip(listed, map(exact, each), strict=True))
        if name in self.only:
            there = {text: there[text] for text in self.only[name] if text in there}
        whole = sum(there.values(), NONE)
        return {text: share / whole for text, share in there.items()} if whole else {}


def moved_between(
    old: Values, new: Values, changed: frozenset[str], partition: frozenset[str]
) -> tuple[bool, Values, Values]:
    """Whether what a write moves surely gets another value; what it then did not have before, and has not afterwards.

    `old`, `new`: the values that are known before and afterwards; `changed`: what it changes of the whole key.
    """
    is_told = any(old[name] != new[name] for name in partition & old.keys() & new.keys())
    if not changed or not changed <= partition:
        return is_told, {}, {}
    if len(changed) > 1:
        return True, {}, {}
    (name,) = changed
    not_before = {name: new[name]} if name in new and name not in old else {}
    not_after = {name: old[name]} if name in old and name not in new else {}
    return True, not_before, not_after


def names_one_item(entity: Entity, change: Member) -> bool:
    """Whether a change is of one item that may be there, so that what is said of the hottest key says it of this item.

    What replaces an item, if it is there, names another one each time where the time or a made-up identifier tells
    the items apart.
    """
    if change.times is not None:
        return False
    if change.may_replace:
        return not any(is_of_each(entity, entity.by_name[name]) for name in entity.identifier)
    return change.verb in ("update", "delete")


def times_of_now(entity: Entity, change: Member) -> frozenset[str]:
    """The times in an identifier that an update most likely names as of now, so that it goes to the same item again.

    What adds to something counts what happens now. Any update of the item of a date is of today's, but for one that
    an item takes only once.
    """
    if change.verb != "update" or change.times is not None or change.by:
        return frozenset()
    adds = bool(change.add or change.greatest or change.append or change.include)
    formats = TIMES if adds else DATES
    return frozenset() if not adds and _is_once(change) else identifying_times(entity, formats)


def identifying_times(entity: Entity, formats: frozenset[str] = TIMES) -> frozenset[str]:
    """The times in an identifier of which nobody says how hot the busiest is."""
    parts = (entity.by_name[name] for name in entity.identifier)
    return frozenset(
        one.name
        for one in parts
        if one.format in formats and one.busiest is None and not one.listed
    )


def _is_once(change: Member) -> bool:
    """Whether an item no longer meets the conditions of a change after it."""
    for test in change.required:
        name, side = test.attribute, change.set.get(test.attribute)
        if (test.missing and side is not None) or (test.exists and name in change.remove):
            return True
        values = [one.value for one in (side, test.is_) if one is not None]
        if len(values) == 2 and None not in values and values[0] != values[1]:
            return True
    return False


def found_with(pattern: Write, change: Member) -> dict[str, str]:
    """The values that an item surely has before a change of it, as texts, from what the write asks for."""
    asked = (*change.required, *(pattern.collection if change.verb == "delete" else ()))
    return {
        one.attribute: plain_text(one.is_.value)
        for one in asked
        if one.is_ is not None and one.is_.value is not None
    }


def left_with(pattern: Write, change: Member) -> dict[str, str]:
    """The values that it surely has afterwards: those that are set, and what it had before and does not change."""
    kept = {} if change.writes_whole else found_with(pattern, change)
    found = {name: text for name, text in kept.items() if name not in change.written}
    sides = change.set.items()
    return found | {name: plain_text(side.value) for name, side in sides if side.value is not None}
