"""The indexes of a shared table where some have names already.

An index keeps its name while the items in it have the keys they had and it holds what it held, though that may be more
than is needed now, for no more money than fewer indexes are worth. What is new goes into one of these only where it
changes nothing of it; else into an index of its own, under a name that none ever had.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from designer.core.design.names import AttributeNames, NamedIndex, NamedKey, StyleNames
from designer.core.planner.layout.index_slots import (
    Prices,
    Slot,
    index_slots,
    key_names,
    own_keys,
    pinned_contents,
    pinned_name,
    tied,
)
from designer.core.planner.layout.kept_names import Fit, Places, fits
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.pins import fits as fits_pin
from designer.core.planner.model.structures import Projection, Structure
from designer.core.planner.solve.choice import NEXT_TO_NOTHING
from designer.core.planner.solve.search import Search
from designer.core.rational import Fraction

Written = Mapping[tuple[str, Structure], tuple[NamedKey, tuple[str, ...]]]
"""For each index key of an entity how it is written, and the tokens that its sort key may have."""


@dataclass(frozen=True)
class NamedSlot:
    """What is in an index, what it holds, and what is known of its names."""

    slot: Slot
    projection: Projection
    kept: NamedIndex | None = None
    """The index that it is, where it has a name already."""
    attributes: AttributeNames | None = None
    """How its key's attributes are called, where these have names already."""
    keys: Places = field(default_factory=dict)
    """What is known of its items' keys, by entity."""


def named_slots(
    search: Search, choice: Choice, names: StyleNames, written: Written
) -> list[NamedSlot]:
    """The indexes of a shared table: those that have names already first."""
    if not any(not index.local for index in names.indexes):
        return [NamedSlot(slot, projection) for slot, projection in index_slots(search, choice)]
    together = tied(search, choice)
    if not together:
        return []
    keeping = _Keeping(search, choice, names, written, Prices(search, choice, together))
    keeping.fill()
    kept = [keeping.named(at) for at in keeping.filled]
    placed = {unit for units in keeping.filled.values() for unit in units}
    rest = [items for unit, items in enumerate(together) if unit not in placed]
    new = [keeping.new(*one) for one in (index_slots(search, choice, rest) if rest else ())]
    if len(kept) + len(new) <= search.design.planner.max_gsis:
        return [*kept, *new]
    afresh = index_slots(search, choice)
    if len(afresh) >= len(kept) + len(new):
        return [*kept, *new]
    return [keeping.same(slot, projection) for slot, projection in afresh]


def new_labels(names: StyleNames, taken: Sequence[str], wanted: int) -> list[str]:
    """What new indexes are called by their place: by numbers that no index of the table ever had."""
    parts = {part for index in names.indexes for part in _attribute_names(index.keys)}
    known = {index.name for index in names.indexes} | {part[:-2] for part in parts} | {*taken}
    free = (label for number in count(1) if (label := f"GSI{number}") not in known)
    return [next(free) for _ in range(wanted)]


def _attribute_names(keys: AttributeNames) -> tuple[str, ...]:
    return (*keys.partition, *keys.sort)


@dataclass
class _Keeping:
    """Which structures stay in the indexes that they were in."""

    search: Search
    choice: Choice
    names: StyleNames
    written: Written
    prices: Prices
    filled: dict[int, list[int]] = field(default_factory=dict)
    """By the place of a recorded index, what is in it."""
    keys: dict[int, Places] = field(default_factory=dict)
    """What is known of the keys of those that were in it."""

    def fill(self) -> None:
        """Put what was in an index into it, then what fits in beside that."""
        stay: dict[int, list[tuple[int, Fit]]] = {}
        for unit in range(len(self.prices.together)):
            found = self._stays(unit, {at: [u for u, _ in here] for at, here in stay.items()})
            if found is not None:
                at, fit = found
                stay.setdefault(at, []).append((unit, fit))
        for at in sorted(stay):
            units = [unit for unit, _ in stay[at]]
            if self._extra(at, units) <= self._allowed:
                self.filled[at] = units
                self.keys[at] = {name: key for _, fit in stay[at] for name, key in fit.keys.items()}
        moved = {unit for here in stay.values() for unit, _ in here}
        for unit in range(len(self.prices.together)):
            if unit not in moved:
                self._beside(unit)

    def _stays(self, unit: int, filled: Mapping[int, list[int]]) -> tuple[int, Fit] | None:
        """The recorded index that a unit was in, if it can stay there; where there are several, the narrowest."""
        best: tuple[int, int, Fit] | None = None
        for fit in fits(self.names, {name: self.written[name, s] for name, s in self._items(unit)}):
            at = self.names.indexes.index(fit.index)
            if not self._may_be_in(unit, at, filled.get(at, [])):
                continue
            more = len(self._holds(at) or ()) if self._holds(at) is not None else 10**6
            more += 10**7 * (not fit.index.of.keys() >= fit.keys.keys())
            if best is None or more < best[0]:
                best = more, at, fit
        return None if best is None else best[1:]

    def _beside(self, unit: int) -> None:
        """Put something new into an index that has a name already, where it changes nothing of that."""
        best: tuple[Fraction, int] | None = None
        for at, units in self.filled.items():
            index = self.names.indexes[at]
            known = {*index.of, *index.was}
            if any(name in known for name, _ in self._items(unit)):
                continue  # it was there under another key
            if self._may_be_in(unit, at, units):
                extra = self._extra(at, [*units, unit])
                if extra <= self._allowed and (best is None or extra < best[0]):
                    best = extra, at
        if best is not None:
            self.filled[best[1]].append(unit)

    def _may_be_in(self, unit: int, at: int, units: Sequence[int]) -> bool:
        index, items = self.names.indexes[at], self._items(unit)
        if not self.prices.apart[unit].isdisjoint(units):
            return False
        own = own_keys(items)
        if (own or index.keys.sort) != index.keys.sort or (
            own is None and len(index.keys.sort) > 1
        ):
            return False
        if pinned_name(self.search, self.choice, items) not in (None, index.name):
            return False
        pinned = key_names(self.search, self.choice, items)
        parts = (pinned.partition, index.keys.partition), (pinned.sort, index.keys.sort)
        if any(name is not None and (name,) != there for name, there in parts):
            return False
        holds = self._holds(at)
        if not all(
            fits_pin(held, holds) for held in pinned_contents(self.search, self.choice, items)
        ):
            return False
        return holds is None or (
            self._needed(items) - {*index.keys.sort} <= holds and holds <= self._stored
        )

    def _needed(self, items: Slot) -> frozenset[str]:
        """Names that an index must hold for some structures; what needs whole items needs all that these have."""
        models, entities = self.search.models, self.choice.entities
        held = ((name, entities[name].projections[structure]) for name, structure in items)
        return frozenset().union(
            *(models[name].entity.stored_names if one is None else one for name, one in held)
        )

    @property
    def _stored(self) -> frozenset[str]:
        models = self.search.models
        return frozenset().union(*(models[n].entity.stored_names for n in self.choice.entities))

    def _items(self, unit: int) -> Slot:
        return self.prices.together[unit]

    def _holds(self, at: int) -> Projection:
        holds = self.names.indexes[at].holds
        return None if holds == "all" else frozenset(holds)

    def _held(self, at: int, units: Sequence[int]) -> Projection:
        """What the index holds, with the key attributes that the list of it leaves out."""
        holds = self._holds(at)
        return None if holds is None else holds | self._needed(self.prices.slot(units))

    def _extra(self, at: int, units: Sequence[int]) -> Fraction:
        """US dollars a month for holding more than is needed."""
        held = self._held(at, units)
        paid = sum((self.prices.of(unit, held) for unit in units), Fraction(0))
        return paid - self.prices.shared(*units)

    @property
    def _allowed(self) -> Fraction:
        return max(NEXT_TO_NOTHING, self.choice.allowed)

    def named(self, at: int) -> NamedSlot:
        """A recorded index with what is in it now."""
        units, index = sorted(self.filled[at]), self.names.indexes[at]
        held = self._held(at, units)
        return NamedSlot(self.prices.slot(units), held, index, index.keys, self.keys[at])

    def new(self, slot: Slot, projection: Projection) -> NamedSlot:
        """An index without a name; its attributes may have theirs, where only a pin gives it another name."""
        if pinned_name(self.search, self.choice, slot) is None:
            return NamedSlot(slot, projection)
        written = {name: self.written[name, structure] for name, structure in slot}
        used = [self.names.indexes[at] for at in self.filled]
        fit = next((fit for fit in fits(self.names, written) if fit.index not in used), None)
        if fit is None:
            return NamedSlot(slot, projection)
        return NamedSlot(slot, projection, None, fit.index.keys, fit.keys)

    def same(self, slot: Slot, projection: Projection) -> NamedSlot:
        """An index with the name it had, where nothing of it is another now."""
        written = {name: self.written[name, structure] for name, structure in slot}
        for fit in fits(self.names, written):
            at = self.names.indexes.index(fit.index)
            listed = projection and projection - {*fit.index.keys.sort}
            if listed == self._holds(at) and fit.index.of.keys() == written.keys():
                return NamedSlot(slot, projection, fit.index, fit.index.keys, fit.keys)
        return NamedSlot(slot, projection)
