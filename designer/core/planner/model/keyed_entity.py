"""What an access structure of an entity holds: which items, spread how, under which key attributes."""

from dataclasses import dataclass

from designer.core.capacity.sizes import text_bytes
from designer.core.design.attributes import KEY_TYPES
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.hot_entity import HotEntity
from designer.core.planner.model.membership import Membership
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.structures import Structure
from designer.core.words.lacking import lacking


@dataclass(frozen=True, eq=False)
class KeyedEntity(HotEntity, Membership):
    """An entity with what its access structures hold."""

    def can_be_kept(self, structure: Structure) -> bool:
        """Whether writes can keep the key right: ADD cannot rewrite a counter inside a composed key."""
        return all(
            self.is_native(structure, part) or not self.counters & set(part)
            for part in self.parts(structure)
        )

    @cached
    def most_collection_bytes(self, base: Structure, keys: float) -> float:
        """Bytes of the largest item collection under a base key, at the most that is stated."""
        names = frozenset(base.partition)
        items = self.items * self.hottest_share(base)
        periods = [
            name
            for name in base.partition
            if self.attribute(name).source is not None
            and self.attribute(name).busiest is None
            and not is_shard(name)
        ]
        for name in periods:  # each hour and day has its own, though one after the other
            items /= self.distinct(name)
        largest = None if periods else self.largest(names)
        items = max(items, (largest or 0.0) / self.shards(base))
        most = self.most_items(names)
        return min(items, items if most is None else most) * (self.own_bytes + keys)

    def is_keyed_by(self, structure: Structure, name: str) -> bool:
        """Whether an attribute takes part in a structure's key, as it is or in what is worked out from it."""
        return name in structure.attributes or name in self.made_of(structure)

    @cached
    def shard_source(self, structure: Structure) -> str | None:
        """The attribute of the identifier by which items with one partition key are best spread; None for one item."""
        free = [name for name in self.entity.identifier if name not in structure.partition]
        return max(free, key=self.distinct, default=None)

    @cached
    def made_of(self, structure: Structure) -> frozenset[str]:
        """The stored attributes that a structure's key is worked out from: to know them is to know it."""
        return frozenset(self.stored_name(name) for name in structure.attributes)

    @cached
    def density(self, structure: Structure) -> float:
        """Share of the items that are in an index."""
        names = dict.fromkeys((*structure.attributes, *(name for name, _ in structure.only)))
        return self._share_there(structure, names)

    def share_with(self, structure: Structure, part: tuple[str, ...]) -> float:
        """Share of the items that have a key attribute composed of a part: also of those that lack the other one."""
        return self._share_there(
            structure, dict.fromkeys((*part, *self.waits_for(structure, part)))
        )

    def shares_with(
        self, structure: Structure, part: tuple[str, ...], write: EntityWrite
    ) -> tuple[float, float]:
        """Share of a write's items that have such a key attribute, before and after it."""
        names = tuple(dict.fromkeys((*part, *self.waits_for(structure, part))))
        return self.shares_by(structure, names, write)

    @cached
    def waits_for(self, structure: Structure, part: tuple[str, ...]) -> tuple[str, ...]:
        """The attributes that a composed key part waits for, so that it is absent with the other part.

        None where a write would have to read them first for that: the other part alone keeps the item out. It does
        where keys are the items' own attributes, too. What no part says keeps items out only where one waits for it,
        so a write reads first for that where it has to.
        """
        limited = (name for name, _ in structure.only)
        hidden = tuple(name for name in limited if name not in structure.attributes)
        if structure.own:
            return hidden
        others = tuple(name for name in self.sparse_by(structure) if name not in part)
        if not self._reads_for(structure, (*part, *others)):
            return others
        composed = (one for one in self.parts(structure) if not self.is_native(structure, one))
        if hidden and all(self._reads_for(structure, (*one, *hidden)) for one in composed):
            return hidden
        return ()

    def _reads_for(self, structure: Structure, names: tuple[str, ...]) -> bool:
        """Whether some update that changes one of some attributes would have to read others of them first."""
        wanted = set(map(self.stored_name, names)) - set(self.entity.identifier)
        for write in self.writes:
            if write.verb == "update" and wanted & write.changed:
                if self.becomes_absent(structure, names, write):
                    continue  # removed, whatever it was made of
                if self.stays_the_same(structure, names, write):
                    continue
                given = {*write.known, *write.change.written} - set(write.change.add)
                if wanted - given:
                    return True
        return False

    def keeps_others_out(self, structure: Structure) -> bool:
        """Whether items with other values than a sparse index is limited to lack one of its keys, whoever wrote them.

        A key that has the limited attribute in it does; else one that waits for it.
        """
        parts = self.parts(structure)
        waiting = [{*part, *self.waits_for(structure, part)} for part in parts]
        return all(any(name in names for names in waiting) for name, _ in structure.only)

    def is_native(self, structure: Structure, part: tuple[str, ...]) -> bool:
        """Whether a key attribute is one of the item's own, under its own name."""
        if not self._could_be_native(structure, part):
            return False
        return not structure.only or part != self._composed_to_wait(structure)

    @cached
    def _composed_to_wait(self, structure: Structure) -> tuple[str, ...] | None:
        """The key attribute of a sparse index that is composed, though it is one attribute's value, because something
        has to wait for what no key says: one that writes need not read for, and of these the shortest.
        """
        hidden = tuple(name for name, _ in structure.only if name not in structure.attributes)
        if not hidden or structure.own:
            return None
        parts = self.parts(structure)
        if not all(self._could_be_native(structure, part) for part in parts):
            return None

        def bother(part: tuple[str, ...]) -> tuple[bool, float]:
            reads = self._reads_for(structure, (*part, *hidden))
            return reads, sum(text_bytes(self.attribute(name)) for name in part)

        return min(parts, key=bother)

    def _could_be_native(self, structure: Structure, part: tuple[str, ...]) -> bool:
        """Whether a key attribute can be one of the item's own."""
        if len(part) != 1 or not self._may_be_native(structure, part):
            return False
        attribute = self.attribute(part[0])
        return (
            (self.style == "multi" or (structure.own and part[0] in structure.sort))
            and attribute.type in KEY_TYPES
            and attribute.derived is None
            and part[0] not in dict(structure.only)
            and part[0] not in structure.inverse
        )

    def _may_be_native(self, structure: Structure, part: tuple[str, ...]) -> bool:
        """Whether no pin gives a key attribute another name, or more text than the attribute's own."""
        if self.pins is None or structure.own:
            return True
        text, name = self.pins.text(structure, part), self.pins.name_of(structure, part)
        return (
            (text is None or text.lone == part[0])
            and name in (None, part[0])
            and not self.pins.generic
        )

    @cached
    def split(
        self, structure: Structure
    ) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
        """(partition key, sort key): for each of its key attributes, the attributes that are composed in it."""
        sort = self.sorted_by(structure)
        if not structure.own:
            has_sort = bool(sort) or self.style == "single" or self.pinned_text(structure, ())
            return (structure.partition,), (sort,) if has_sort else ()
        alone = structure.partition if self.style == "multi" and structure.partition else None
        partition = (structure.partition,) if alone is None else tuple((name,) for name in alone)
        return partition, tuple((name,) for name in sort)

    def parts(self, structure: Structure) -> tuple[tuple[str, ...], ...]:
        """The key attributes that a structure has of its own: a local index has its table's partition key."""
        partition, sort = self.split(structure)
        return sort if structure.kind == "local" else (*partition, *sort)

    @cached
    def sorted_by(self, structure: Structure) -> tuple[str, ...]:
        """The attributes in a composed sort key.

        In single-table style the identifier follows what is sorted by, where a partition holds several items, but for
        bare keys.
        """
        if self.style != "single" or structure.own or structure.bare:
            return structure.sort
        if self.pinned_text(structure, structure.sort) is not None:
            return structure.sort
        one_item = set(self.entity.identifier) <= set(structure.partition)
        if not structure.sort and (one_item or self.entity.names_one(structure.partition)):
            return ()
        rest = [name for name in self.entity.identifier if name not in structure.attributes]
        return (*structure.sort, *rest)

    @cached
    def surely_has(self, structure: Structure) -> frozenset[str]:
        """The optional attributes that every item in an index has: those of its key, and those that limit it."""
        return frozenset(
            self.stored_name(name) for name in self.sparse_by(structure) if lacking(name) is None
        )

    @cached
    def surely_lacks(self, structure: Structure) -> frozenset[str]:
        """The attributes that no item in an index has."""
        return frozenset(filter(None, map(lacking, self.sparse_by(structure))))
