"""An entity with all that pricing its keys takes: last, the bytes of keys, and of what is read through them."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.core.capacity.sizes import (
    attribute_bytes,
    attribute_value_bytes,
    carried_bytes,
    text_bytes,
)
from designer.core.plan.keys import DELIMITER
from designer.core.planner.model import key_text as keytext
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.keyed_entity import KeyedEntity
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.structures import Pieces, Projection, Structure
from designer.core.planner.model.worth import PREFIX_BYTES

BeforeAndAfter = tuple[float, float]
"""Bytes of an item before a write, and after it."""


@dataclass(frozen=True, eq=False)
class EntityModel(KeyedEntity):
    """An entity with all that pricing its keys takes."""

    @cached
    def key_bytes(self, structure: Structure) -> float:
        """Bytes that a structure's key attributes add to an item that has all of them, names included."""
        return sum(size for _, size in self._key_sizes(structure))

    @cached
    def added_bytes(self, structure: Structure) -> float:
        """The same for the average item, which need not be in an index to have one of its key attributes."""
        return sum(
            size * self.share_with(structure, part) for part, size in self._key_sizes(structure)
        )

    @cached
    def more_keys(self, structure: Structure, write: EntityWrite) -> BeforeAndAfter:
        """What a structure's keys add to a write's item, beyond what they add to the average item."""
        before = after = 0.0
        for part, size in self._key_sizes(structure):
            usual = self.share_with(structure, part)
            found, left = self.shares_with(structure, part, write)
            before, after = before + size * (found - usual), after + size * (left - usual)
        return before, after

    @cached
    def more_attributes(self, write: EntityWrite) -> dict[str, BeforeAndAfter]:
        """The bytes that a write's item has more than the average one, by each attribute that is the reason.

        Of an optional attribute nothing is known but how many items have it, where neither the write nor its conditions
        say more.
        """
        found = {}
        for one in self.entity.stored:
            if one.present < 1 or one.name in self.later or one.name in write.change.remove:
                shares = self.share_by(one.name, write)
                before, after = ((share - one.present) * carried_bytes(one) for share in shares)
                if before or after:
                    found[one.name] = before, after
        return found

    @cached
    def more_in_entry(
        self, base: Structure, structure: Structure, projection: Projection, write: EntityWrite
    ) -> BeforeAndAfter:
        """The same of an entry that the write puts, deletes or changes, without what other indexes' keys add."""
        decided = self.surely_has(structure) | self.surely_lacks(structure)
        more = [
            sizes
            for name, sizes in self.more_attributes(write).items()
            if name not in decided and (projection is None or name in projection)
        ]
        return sum(before for before, _ in more), sum(after for _, after in more)

    def _key_sizes(self, structure: Structure) -> Iterator[tuple[tuple[str, ...], float]]:
        """The key attributes that a structure adds to an item, and the bytes of each."""
        for part, at, name in self._composed(structure):
            yield part, len(name) + self._text_bytes(structure, part, at)

    def _composed(self, structure: Structure) -> Iterator[tuple[tuple[str, ...], int, str]]:
        """The key attributes that a structure adds to an item: what is in each, 1 of a sort key, and its name."""
        partition, sort = self.split(structure)
        parts = [(part, 1) for part in sort]
        if structure.kind != "local":
            parts = [*((part, 0) for part in partition), *parts]
        for part, at in parts:
            if not self.is_native(structure, part):
                yield part, at, self._key_name(structure, part, at)

    @cached
    def spelled(self, base: Structure, structure: Structure) -> frozenset[str]:
        """The parts of the identifier that an index need not hold, since its entries' keys spell them."""
        return frozenset(
            name
            for of in (base, structure)
            for at, parts in enumerate(self.split(of))
            for part in parts
            if not self.is_native(of, part)
            for name in keytext.spelled(self, of, self._pieces(of, part, at))
        )

    @cached
    def padding(self, structure: Structure) -> float:
        """Bytes that a structure's keys count for besides those that they have; less than 0 where they count for fewer.

        How keys are written decides nothing: the length of their prefixes, and the zeros before a number. Where the
        lowest cost is asked for, they count as they are: `counted_padding`.
        """
        return sum(
            self._padding_of(kind, value)
            for part, at, _ in self._composed(structure)
            for kind, value in self._pieces(structure, part, at)
        )

    def counted_padding(self, structure: Structure) -> float:
        """The same with what the planner aims at."""
        return self.padding(structure) if self.worth else 0.0

    def _padding_of(self, kind: str, value: str) -> float:
        """The same of one piece of a key's text."""
        if kind == "text":
            is_prefix = bool(value.strip(DELIMITER))
            return float(PREFIX_BYTES - len(value.encode())) if is_prefix else 0.0
        attribute = self.attribute(value)
        is_number = attribute.type == "N"
        return attribute_value_bytes(attribute) - text_bytes(attribute) if is_number else 0.0

    def _key_name(self, structure: Structure, part: tuple[str, ...], at: int) -> str:
        """How a composed key attribute is called, where no other has that name. `at`: 1 of a sort key."""
        pinned = None if self.pins is None else self.pins.name_of(structure, part)
        if pinned is not None:
            return pinned
        if self.style == "multi" and not (self.pins is not None and self.pins.generic):
            return keytext.own_name(self, structure, part)
        natural = self.style == "single" and self.design.planner.key_names.single == "natural"
        return keytext.shared_names("GSI1" if structure.is_index else "", natural)[at]

    def _text_bytes(self, structure: Structure, part: tuple[str, ...], at: int) -> float:
        """Average bytes of a composed key attribute's text."""
        limited = dict(structure.only)
        return sum(
            len(value.encode())
            if kind == "text"
            else text_bytes(self.attribute(value), limited.get(value))
            for kind, value in self._pieces(structure, part, at)
        )

    def _pieces(self, structure: Structure, part: tuple[str, ...], at: int) -> Pieces:
        """What a composed key attribute's text is made of. `at`: 1 of a sort key."""
        if self.style == "multi":
            return keytext.own_text(self, structure, part)
        if at == 0:
            return keytext.shared_partition(self, structure)
        return keytext.shared_sort(self, structure, keytext.sort_token(self, structure))

    def bytes_there(self, structure: Structure, name: str) -> float:
        """Average bytes that one of the entity's attributes adds to an item in an index."""
        attribute = self.attribute(name)
        if name in self.surely_lacks(structure):
            return 0.0
        is_there = name in self.surely_has(structure)
        return carried_bytes(attribute) if is_there else attribute_bytes(attribute)

    @cached
    def fuller_by(self, structure: Structure) -> float:
        """Bytes that the items in an index have more than the average item: the attributes of its key, and the key."""
        key = (1 - self.density(structure)) * self.key_bytes(structure)
        return self._attributes_fuller_by(structure) + key

    def _attributes_fuller_by(self, structure: Structure) -> float:
        return sum(
            self.bytes_there(structure, name) - attribute_bytes(self.attribute(name))
            for name in sorted(self.surely_has(structure) | self.surely_lacks(structure))
        )

    @cached
    def stated_entry_bytes(
        self, base: Structure, structure: Structure, projection: Projection
    ) -> float:
        """Bytes of the attributes of an item read from a structure, as stated, without what the text of keys adds.

        How much a read drops is judged by them: a key is written in another way in each style, and an item has more
        keys where others need an index.
        """
        if not structure.is_index:
            return self.stated_bytes
        if projection is None:
            return self.stated_bytes + self._attributes_fuller_by(structure)
        named = {*projection, *self.entity.identifier, *base.attributes, *structure.attributes}
        return sum(
            self.bytes_there(structure, name)
            for name in sorted(named & self.entity.by_name.keys())
            if not self.attribute(name).derived
        )

    @cached
    def entry_bytes(
        self, base: Structure, structure: Structure, projection: Projection, keys: float
    ) -> float:
        """Bytes of an item read from a structure. `keys`: what all key attributes add to the average item.

        Only items with all attributes of an index's key are in it: each entry has these attributes and the whole key.
        Of other optional attributes, and of other indexes' keys, it holds the average.
        """
        if structure.kind == "copy":
            return self.own_bytes + self.key_bytes(structure)  # it is in no index
        if structure.kind == "base":
            return self.own_bytes + keys
        if projection is None:
            return self.own_bytes + keys + self.fuller_by(structure)
        native = {
            name
            for of in (structure, base)
            for part in self.parts(of)
            if self.is_native(of, part)
            for name in part
        }
        # A shared list may name attributes that only other entities have.
        named = {name for name in projection if name in self.entity.by_name} | native
        own = sum(
            self.bytes_there(structure, name)
            for name in sorted(named)
            if not self.attribute(name).derived
        )
        if base.nowhere:
            # Another base key may spell a part of the identifier, which saves its name at the most.
            parts = (named & set(self.entity.identifier)) - native
            own -= sum(len(name.encode()) for name in parts)
        # What holds nothing but keys does not hold the type.
        typed = self._type_bytes if projection - native else 0
        return own + typed + self.key_bytes(structure) + self.key_bytes(base)
