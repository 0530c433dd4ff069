"""What a team pins of an entity in one style, and what an entity may have instead of what is listed for it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from designer.core.design.document import Design
from designer.core.design.pins import KeyText, pin_flaws
from designer.core.design.settings import Pin, PinnedNames
from designer.core.planner.model.structures import Pieces, Projection, Structure

Projected = Literal["keys-only", "include", "all"] | frozenset[str]
"""What an index holds besides keys: nothing, what its patterns need, everything, or these names."""


@dataclass(frozen=True)
class Candidates:
    """What one entity may have, instead of what the planner lists for it.

    For pricing a given design: its base key, and all its indexes and copies with what each holds (None: what its
    patterns need). All of them are built, and no others.
    """

    bases: tuple[Structure, ...] | None = None
    indexes: Mapping[Structure, Projected | None] | None = None


NO_NAMES = PinnedNames()


@dataclass(frozen=True)
class KeyPin:
    """The texts and names of a key's two attributes, as far as they are pinned."""

    partition: KeyText | None = None
    sort: KeyText | None = None
    names: PinnedNames = NO_NAMES


@dataclass(frozen=True)
class IndexPin:
    """An index that has to be there."""

    structure: Structure
    called: str = ""
    """How pins speak of it."""
    name: str = ""
    """How the plan calls it."""
    projection: Projected | None = None
    key: KeyPin = KeyPin()


@dataclass(frozen=True)
class EntityPins:
    """All that is pinned of one entity in one style."""

    bases: tuple[Structure, ...] | None = None
    only_indexes: bool = False
    """No other indexes than the pinned ones."""
    base: KeyPin = KeyPin()
    indexes: tuple[IndexPin, ...] = ()
    table: str = ""
    """The name of its table."""
    generic: bool = False
    """Keys of a table of its own have generic names too."""
    beside: tuple[Pieces, ...] = ()
    """How the partition keys of others in its table are pinned, with what their attributes refer to in the end."""

    distinct_from: tuple[str, ...] = ()
    """Entities whose items may be in its collections, so that its sort key must begin with its own name."""

    @cached_property
    def of_structure(self) -> dict[Structure, IndexPin]:
        return {pin.structure: pin for pin in self.indexes}

    def key(self, structure: Structure) -> KeyPin:
        """What is pinned of a structure's key."""
        if structure.kind == "base":
            return self.base
        pin = self.of_structure.get(structure)
        return KeyPin() if pin is None else pin.key

    def text(self, structure: Structure, part: tuple[str, ...]) -> KeyText | None:
        """The pinned text of one part of a structure's key."""
        key = self.key(structure)
        for text in (key.partition, key.sort):
            if text is not None and set(text.attributes) == set(part):
                return text
        return None

    def name_of(self, structure: Structure, part: tuple[str, ...]) -> str | None:
        """The pinned name of one attribute of a structure's key."""
        names = self.key(structure).names
        return names.partition if part == structure.partition else names.sort

    def index_name(self, structure: Structure) -> str | None:
        """How an index is pinned to be called, whatever it answers."""
        pin = self.of_structure.get(structure)
        return None if pin is None else pin.name

    def held(self, structure: Structure) -> Projected | None:
        """What an index has to hold; None where that is open."""
        pin = self.of_structure.get(structure)
        return None if pin is None else pin.projection

    @cached_property
    def required(self) -> dict[Structure, Projection]:
        """The structures that are there anyway, with the least that each holds."""
        return {pin.structure: least_held(pin.projection) for pin in self.indexes}


NO_PINS = EntityPins()


def fits(pinned: Projected | None, held: Projection) -> bool:
    """Whether what an index holds is what it is pinned to hold."""
    if pinned == "all":
        return held is None
    if pinned == "keys-only":
        return held == frozenset()
    return pinned is None or (held is not None and pinned in ("include", held))


def least_held(projected: Projected | None) -> Projection:
    """The least that an index holds which is pinned to hold this."""
    if projected == "all":
        return None
    return projected if isinstance(projected, frozenset) else frozenset()


def obeyed(design: Design, style: str) -> Iterator[tuple[int, Pin]]:
    """(place, pin) of those that hold for a style and that a plan can obey."""
    if not design.planner.pins:
        return
    wrong = {path[2] for path, _ in pin_flaws(design)}
    for at, pin in enumerate(design.planner.pins):
        if at not in wrong and pin.style in (None, style):
            yield at, pin


def all_or_pinned(listed: Iterable[Structure], pins: EntityPins) -> tuple[Structure, ...]:
    """The index candidates: those that are listed and those that are pinned, or the pinned ones alone."""
    mine = tuple(pin.structure for pin in pins.indexes)
    return mine if pins.only_indexes else tuple(dict.fromkeys((*listed, *mine)))


def with_required(
    forced: tuple[tuple[Structure, Projection], ...], pins: EntityPins
) -> tuple[tuple[Structure, Projection], ...]:
    """The structures that are there anyway: those of a joined pattern, and the pinned ones."""
    held = dict(pins.required)
    for structure, projection in forced:
        least = held.get(structure, frozenset())
        held[structure] = None if least is None or projection is None else least | projection
    return tuple(sorted(held.items(), key=lambda item: item[0].label))
