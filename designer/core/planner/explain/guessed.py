"""A figure that was not stated, and what an entity read finds with another value of it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from math import inf

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.plan import Assumption
from designer.core.planner.explain.repricing import Found
from designer.core.planner.model.cardinality import matching_items
from designer.core.planner.model.distinct import ITEMS
from designer.core.planner.model.listing import Listing, apart_in_list
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import HIGHEST_SHARE, LOWEST_SHARE
from designer.core.planner.model.structures import Access
from designer.core.planner.workload.expected import listed_among

FACTOR = 10.0
"""A number of which nothing is known may be so many times smaller or larger."""


@dataclass(frozen=True)
class Guess:
    """A figure that was not stated."""

    what: Assumption
    where: str
    of: str
    value: float
    most: float = inf
    """Of which there cannot be more."""
    least: float | None = None
    """The lowest plausible value, where it is another than by the factor."""
    is_between: bool = False
    """Whether it lies between 1 and the most, however far these are from it; or from itself, where it is less."""

    @property
    def low(self) -> float:
        if self.what == "share":
            return LOWEST_SHARE * min(1.0, self.most)
        if self.is_between:
            return min(1.0, self.value)
        low = self.value / FACTOR if self.least is None else self.least
        return max(1.0, self._whole(low))

    @property
    def high(self) -> float:
        if self.what == "share":
            return HIGHEST_SHARE * min(1.0, self.most)
        if self.is_between:
            return self.most
        return min(self._whole(self.value * FACTOR), self.most)

    def _whole(self, value: float) -> float:
        """A number of things, where it is not an average."""
        return value if self.what == "children" else float(round(value))


def otherwise(
    design: Design, guess: Guess, value: float, entity_read: EntityRead, access: Access
) -> Found:
    """An entity read by its access path, with another value of a figure: see `Finds`."""
    entity_read = replace(entity_read, others=())
    entity = design.entity[entity_read.entity]
    if guess.what == "list" and guess.of not in entity_read.lists:
        return listed_among(entity_read, entity_read.rows * value / guess.value), None
    if guess.what == "list":  # what is expected comes from however many values
        each = guess.value / value
        if entity_read.expected is None:
            before, after = (
                apart_in_list(design, entity, _by_list(entity_read, guess.of, length))
                for length in (guess.value, value)
            )
            each = after / before if before else 1.0
        found = replace(
            _with_length(entity_read, guess.of, value), matched=entity_read.matched * each
        )
        if entity_read.uneven:
            found = replace(found, uneven=found.uneven_in(design, entity))
        return found, None
    if guess.what == "together":
        return replace(entity_read, matched=value), None
    factor = value / guess.value if guess.value else 1.0
    if guess.what != "share":
        keyed = 1.0
        if guess.what == "items" and entity_read.equals:
            factor = times_items(design, entity, entity_read, factor)
        if guess.what == "values":
            fixed = _fixed(entity_read, access)
            keyed = _times_values(design, entity, entity_read, guess, value, fixed)
            factor = _times_values(
                design, entity, entity_read, guess, value, entity_read.equals.keys()
            )
        elif _fixes(design, entity_read, access, guess):
            keyed = factor
        matched = replace(entity_read, matched=entity_read.matched * factor)
        if guess.what == "values" and entity_read.uneven:
            other = _with_values(design, entity, entity_read, guess, value)
            matched = replace(matched, uneven=entity_read.uneven_in(design, other))
        return matched, keyed
    found = replace(entity_read, kept=min(1.0, entity_read.kept * factor))
    if entity_read.range is not None and entity_read.range.attribute == guess.of:
        share = min(1.0, entity_read.range_share * factor)
        return replace(found, range_share=share), None
    return found, None


def _by_list(entity_read: EntityRead, name: str, length: float) -> Listing:
    """What is asked by one of its lists, with so many values."""
    always, said = entity_read.lists[name].always, entity_read.said
    return Listing(entity_read.equals, name, always, length, said)


def _with_length(entity_read: EntityRead, name: str, length: float) -> EntityRead:
    """An entity read of which a list has so many values."""
    if name == entity_read.list_of:
        return replace(entity_read, list_length=length)
    others = tuple(
        replace(one, length=length) if one.of == name else one for one in entity_read.other_lists
    )
    return replace(entity_read, other_lists=others)


def times_items(design: Design, entity: Entity, entity_read: EntityRead, times: float) -> float:
    """How many times as many items an entity read finds if there are so many times as many in all."""
    few, many = (
        matching_items(
            design,
            entity.model_copy(update={"items": items}),
            entity_read.equals,
            entity_read.said_of_each,
        )
        for items in (round(ITEMS), round(ITEMS * times))
    )
    return many / few if few else 1.0


def _times_values(
    design: Design,
    entity: Entity,
    entity_read: EntityRead,
    guess: Guess,
    value: float,
    names: Collection[str],
) -> float:
    """How many times as many items have the known values of some attributes if one of them has so many values."""
    equals = {name: entity_read.equals[name] for name in entity_read.equals if name in names}
    other = _with_values(design, entity, entity_read, guess, value)
    few, many = (
        matching_items(design, one, equals, entity_read.said_of_each) for one in (entity, other)
    )
    return many / few if few else 1.0


def _with_values(
    design: Design, entity: Entity, entity_read: EntityRead, guess: Guess, value: float
) -> Entity:
    """An entity of which known attributes have so many values."""
    named = _named(design, entity, entity_read, guess)
    attributes = tuple(
        one.model_copy(update={"distinct": max(1, round(value))}) if one.name in named else one
        for one in entity.attributes
    )
    return entity.model_copy(update={"attributes": attributes})


def _named(design: Design, entity: Entity, entity_read: EntityRead, guess: Guess) -> frozenset[str]:
    """The known attributes of an entity read of which a guess says how many values they have."""
    asked = entity_read.equals.keys() - entity_read.said.keys()
    known = (entity.by_name[name] for name in sorted(asked) if name in entity.by_name)
    found = set()
    for attribute in known:
        of, original = design.origin(entity, attribute)
        if f"{of.name}.{original.name}" == guess.of:
            found.add(attribute.name)
    return frozenset(found)


def _fixes(design: Design, entity_read: EntityRead, access: Access, guess: Guess) -> bool:
    """Whether the key by which items are found fixes what a guess is about: else it finds as many as before."""
    structure = access.structure
    if structure is None or guess.what == "items":
        return True
    fixed = _fixed(entity_read, access)
    relationship = design.relationship.get(guess.of)
    # Children that are stored in their parent have no relationship any more, and children's children another.
    if relationship is None or relationship.child != entity_read.entity:
        return True
    return any(all(own in fixed for own, _ in per) for _, per in design.sides(relationship))


def _fixed(entity_read: EntityRead, access: Access) -> frozenset[str]:
    """The attributes of which a key fixes the value: all that are known, where a guard leads to the item."""
    structure = access.structure
    if structure is None:
        return frozenset(entity_read.equals)
    return frozenset((*structure.partition, *structure.sort[: access.bound], access.prefix))
