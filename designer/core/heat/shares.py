"""The share of a key's traffic that its hottest value takes, from what the team says of the attributes in it."""

from collections.abc import Iterator, Mapping

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.plan import Shape
from designer.core.plan.keys import PERIODS, Form, Part, Reference, parse
from designer.core.planner.model.distinct import ITEMS, distinct_values
from designer.core.planner.model.score import exact
from designer.core.planner.model.shares import Busier, says_how_hot
from designer.core.rational import Fraction

EACH_NUMBER = "each.number"
"""What stands in the key of a counter's items: 0 in the first, 1 in the next."""


class KeyShare:
    """A partition key of a shape, and how its traffic falls on its hottest value.

    The templates are those of the items, one for each attribute of the key. A composed key is at most as hot as its
    coolest part; what is written at one time has the same hour and day, so these cool nothing; shards divide the rest.
    """

    def __init__(self, design: Design, shape: Shape, templates: tuple[str, ...]) -> None:
        self.design = design
        self.shape = shape
        self.entity: Entity | None = design.entity.get(shape.entity)
        self.parts: tuple[Part, ...] = tuple(part for one in templates for part in parse(one))

    @property
    def shards(self) -> int:
        """How many partition key values one value of the rest is spread over."""
        return self.shards_of()

    def shards_of(self, of_one: bool = False) -> int:
        """The same; `of_one`: what goes to one item, which lies in one shard, if its counters do not."""
        found = [1]
        for part in filter(is_shard, self.parts):
            if of_one and isinstance(part, Form):
                continue
            found.append(part.numbers[0] if isinstance(part, Form) else self.shape.shards or 1)
        return max(found)

    @property
    def values(self) -> float:
        """How many values the rest of it has: every combination, but no more than items; of a guard as many as there
        are of it."""
        if self.shape.role == "guard" and len(self.shape.guards) > 1:
            return max(1.0, float(self.shape.items))
        found = 1.0
        for part in self._varying():
            entity, attribute = self._attribute(part)
            if entity is not None and attribute is not None:
                found *= distinct_values(self.design, entity, attribute)
        if self.shape.role in ("entity", "edge", "copy"):
            # Each value has an item at least.
            found = min(found, max(1.0, float(self.shape.items or ITEMS)))
        return found

    @property
    def names(self) -> frozenset[str]:
        """The attributes whose values vary in it; those that a sparse index is limited to are the same for all."""
        return frozenset(part.name for part in self._varying())

    @property
    def spread_by(self) -> str | None:
        """The attribute by which items with one value of the key are best spread; None where that is one item."""
        if self.entity is None or self.shape.role not in ("entity", "edge"):
            return None
        free = [name for name in self.entity.identifier if name not in self.names]
        return max(free, key=self._distinct, default=None)

    def _distinct(self, name: str) -> float:
        assert self.entity is not None
        return distinct_values(self.design, self.entity, self.entity.by_name[name])

    def of_hottest(
        self,
        stated: float | None = None,
        is_new: bool = False,
        constants: frozenset[str] = frozenset(),
        asked: frozenset[str] = frozenset(),
        of_one: bool = False,
        busier: Busier = (),
    ) -> Fraction:
        """Share of a pattern's traffic on the hottest value.

        `stated`: what the team says of the pattern's hottest key. It says nothing of keys that are the same for all,
        nor of those that only one new item has. A key that is not all that is `asked` for may be another: it is as hot
        as its attributes say, too. `constants`: attributes to which the pattern gives one value. `of_one`: whether
        it names one item, which is the hottest then, and in one shard. `busier`: attributes that others with the same
        values say to be busier, so that an item, and each key that it has, is as hot as this says.
        """
        names = self.names - constants
        identifier = self.entity.identifier if self.entity else ()
        if is_new and names.issuperset(identifier):
            busier, stated = (), None
        told = {name: exact(share) for name, share in busier}
        own = min((exact(1), *self._shares(constants, told))) / self.shards
        if of_one and told:
            each = (self._share(self.entity, name, told) for name in identifier)
            of_item = min(share for share in (exact(1), *each) if share is not None)
            own = max(own, of_item / self.shards_of(of_one=True))
        if stated is None or not names:
            return own
        most = exact(stated) / self.shards_of(of_one)
        found = [self._attribute(part)[1] for part in self._varying()]
        varying = [one for one in found if one is None or one.name not in constants]
        is_asked = {one.name for one in varying if one is not None} == asked - constants
        if is_asked or not all(
            one is not None and (one.name in told or says_how_hot(one)) for one in varying
        ):
            return most
        return max(most, own)

    def origins(self) -> tuple[str, ...]:
        """The key with each attribute by where its values come from: keys that say the same have the same values."""
        said = []
        for part in self.parts:
            if isinstance(part, str):
                said.append(part)
                continue
            entity, attribute = self._attribute(part)
            name = part.name
            if entity is not None and attribute is not None:
                owner, original = self.design.origin(entity, attribute)
                name = f"{owner.name}.{original.name}"
            numbers = part.numbers if isinstance(part, Form) else ()
            said.append(f"{{{getattr(part, 'form', '')} {numbers} {name}}}")
        return tuple(said)

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of a name, where the key has it."""
        parts = (part for part in self.parts if not isinstance(part, str) and part.name == name)
        return next((self._attribute(part)[1] for part in parts), None)

    def _varying(self) -> Iterator[Reference | Form]:
        for part in self.parts:
            if isinstance(part, str) or is_shard(part):
                continue
            if isinstance(part, Form) and part.form in ("only", "when", "absent"):
                continue
            yield part

    def _shares(
        self, constants: frozenset[str], told: Mapping[str, Fraction]
    ) -> Iterator[Fraction]:
        for part in self._varying():
            entity, attribute = self._attribute(part)
            if attribute is None or attribute.name in constants:
                continue
            share = self._share(entity, attribute.name, told if entity is self.entity else {})
            if share is not None:
                yield share

    def _share(
        self, entity: Entity | None, name: str, told: Mapping[str, Fraction]
    ) -> Fraction | None:
        attribute = entity.by_name.get(name) if entity is not None else None
        if entity is None or attribute is None or attribute.source is not None:
            return None
        usual = attribute.busiest or max(attribute.shares or (0.0,))
        usual = usual or 1 / distinct_values(self.design, entity, attribute)
        return max(exact(usual), told.get(name, Fraction(0)))

    def _attribute(self, part: Reference | Form) -> tuple[Entity | None, Attribute | None]:
        """The attribute that a part writes; for a leading part of a time the derived one; for a copy its original."""
        entity = self.entity
        if entity is None:
            return None, None
        if isinstance(part, Form) and part.form in PERIODS:
            derived = f"{part.form}({part.name})"
            return entity, next((a for a in entity.attributes if a.derived == derived), None)
        stored = self.shape.attributes.get(part.name)
        if stored is not None and stored.from_ is not None:
            entity = self.design.entity[stored.from_.entity]
            return entity, entity.by_name.get(stored.from_.attribute)
        return entity, entity.by_name.get(part.name)


def is_shard(part: Part) -> bool:
    """Whether a part of a key tells shards apart."""
    if isinstance(part, Reference):
        return part.name == EACH_NUMBER
    return isinstance(part, Form) and part.form == "shard"
