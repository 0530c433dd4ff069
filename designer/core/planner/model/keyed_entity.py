"""What an access structure of an entity holds: which items, spread how, under which key attributes."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from designer.core.capacity.sizes import text_bytes
from designer.core.design.attributes import KEY_TYPES
from designer.core.plan import Constant
from designer.core.plan.keys import plain_text
from designer.core.planner.model.entity_facts import EntityFacts, cached
from designer.core.planner.model.later import set_once
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.set_again import share_set_again
from designer.core.planner.model.set_together import Brought, share_set_together
from designer.core.planner.model.shard_attributes import Shard, Spread, is_shard
from designer.core.planner.model.shares import says_how_hot, share_asked, share_met
from designer.core.planner.model.structures import Structure
from designer.core.words.lacking import lacking


@dataclass(frozen=True, eq=False)
class KeyedEntity(EntityFacts):
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

    @cached
    def hottest_share(self, structure: Structure, constants: frozenset[str] = frozenset()) -> float:
        """Share of its items and traffic on the hottest value of a structure's partition key.

        A composed key is as hot as its coolest part. Whatever comes in at one time has the same hour and day, and
        what a sparse index is limited to is the same for all, as are the `constants` of a pattern; shards divide
        the rest.
        """
        shares = [1.0]
        for name in structure.partition:
            attribute = self.attribute(name)
            if name in constants or name in dict(structure.only) or isinstance(attribute, Spread):
                continue
            if attribute.busiest is not None:
                shares.append(attribute.busiest)
            elif attribute.shares:
                shares.append(max(attribute.shares))
            elif attribute.source is None:
                shares.append(1 / self.distinct(name))
        return min(shares) / self.shards(structure)

    def share_of_hottest(
        self,
        structure: Structure,
        stated: float | None,
        is_new: bool = False,
        constants: frozenset[str] = frozenset(),
        asked: frozenset[str] = frozenset(),
        of_one: bool = False,
    ) -> float:
        """Share of a pattern's traffic on the hottest partition of a structure.

        `stated` is what the team says of the pattern's hottest key; it says nothing of keys that are the same
        for all, nor of those that only one new item has. A key that is not all that is `asked` for may be another than
        the team thinks of: it is as hot as its attributes say, too. `constants`: attributes to which the pattern gives
        one value. `of_one`: whether it names one item, which is the hottest then, and in one shard.
        """
        if stated is None:
            return self.hottest_share(structure, constants)
        names = {name for name in structure.partition if not is_shard(name)}
        names -= {*constants, *(name for name, _ in structure.only)}
        if not names or (is_new and set(self.entity.identifier) <= names):
            return self.hottest_share(structure, constants)
        own = 0.0
        if names != asked - constants and all(map(says_how_hot, map(self.attribute, names))):
            own = self.hottest_share(structure, constants)
        return max(stated / self.shards(structure, of_one), own)

    def shards(self, structure: Structure, of_one: bool = False) -> int:
        """How many partitions items with the same values of a key are spread over; `of_one`: what goes to one item."""
        parts = map(self.attribute, structure.partition)
        spread = (part for part in parts if isinstance(part, Spread))
        counts = (part.count for part in spread if not (of_one and isinstance(part, Shard)))
        return max(counts, default=1)

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

    def share_given(self, structure: Structure, part: tuple[str, ...], write: EntityWrite) -> float:
        """Share of a write's items that have such a key attribute after it."""
        limited = dict(structure.only)
        names = dict.fromkeys((*part, *self.waits_for(structure, part)))
        return prod(self._membership_by(write, name, limited.get(name))[1] for name in names)

    def _share_there(self, structure: Structure, names: Iterable[str]) -> float:
        """Share of the items that have some attributes, with the values that an index is limited to."""
        limited, names = dict(structure.only), tuple(names)
        shares = {name: self.share_of(name, limited.get(name)) for name in names}
        shares |= {name: share for name, (_, share) in self._set_together(structure, names).items()}
        return prod(shares.values())

    @cached
    def _set_together(
        self, structure: Structure, names: tuple[str, ...]
    ) -> dict[str, tuple[str, float]]:
        """The optional attributes that updates set with others: with which, and how many of those items have them."""
        limited = dict(structure.only)
        sparse = [name for name in names if name in limited or self.presence(name) < 1]
        sparse.sort(key=lambda name: self.share_of(name, limited.get(name)))
        found: dict[str, tuple[str, float]] = {}
        for at, other in enumerate(sparse):
            if at == 0 or other in limited or lacking(other) is not None:
                continue
            each = [(self._share_brought(one, limited.get(one), other), one) for one in sparse[:at]]
            share, one = max(each, key=lambda pair: pair[0])
            found[other] = one, share + (1 - share) * self.share_of(other, None)
        return found

    @cached
    def _share_brought(self, name: str, values: tuple[str, ...] | None, other: str) -> float:
        """Of the items that come to have an attribute, the share that gets another one by the same write."""
        return share_set_together(
            Brought(
                write,
                *self._membership_by(write, name, values),
                self._share_made(write, other, None),
            )
            for write in self.writes
        )

    def share_of(self, name: str, values: tuple[str, ...] | None) -> float:
        """Share of the items that have an attribute; with one of some values, where there are any."""
        attribute = self.attribute(name)
        if values is None:
            return attribute.present
        each = (Constant(value=value) for value in values)
        return sum(share_asked(self.design, self.entity, attribute, one) for one in each)

    @cached
    def sparse_by(self, structure: Structure) -> tuple[str, ...]:
        """The attributes that decide whether an item is in an index."""
        if not structure.is_index:
            return ()
        limited = dict(structure.only)
        names = dict.fromkeys((*structure.attributes, *limited))
        return tuple(name for name in names if name in limited or self.presence(name) < 1)

    @cached
    def share_besides(self, structure: Structure, names: frozenset[str]) -> float:
        """Share of the items that have what decides whether an item is in an index, but for some attributes."""
        others = (name for name in self.sparse_by(structure) if name not in names)
        return self._share_there(structure, others)

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

    @cached
    def membership(self, structure: Structure, write: EntityWrite) -> tuple[float, float]:
        """Share of the items that a write finds in a structure, and share that it leaves there.

        From the constants it sets and the conditions it makes, else from how common the values are.
        """
        before = after = 1.0
        limited = dict(structure.only)
        names = tuple(dict.fromkeys((*structure.attributes, *limited)))
        together = self._set_together(structure, names)
        for name in names:
            now, then = self._membership_by(write, name, limited.get(name))
            if name in together and now:
                one, share = together[name]
                had = self._membership_by(write, one, limited.get(one))[0]
                if name not in write.changed:
                    staying = had if one in write.changed else 1.0
                    then = staying * max(then, share) + (1 - staying) * then
                now = max(now, share)
            before *= now
            after *= then
        if write.verb == "create":
            return 0.0, after
        return (before, 0.0) if write.verb == "delete" else (before, after)

    @cached
    def _membership_by(
        self, write: EntityWrite, name: str, values: tuple[str, ...] | None
    ) -> tuple[float, float]:
        """Share of the items that have an attribute, or one of some values of it, before and after a write."""
        share = self._share_found(write, name, values)
        now = self._known_share(write, name, values)
        then = self._share_left(write, name, values)
        if now is None and name in self._set_first(write):
            now = 0.0
        if now is None and then == 0 and write.verb == "update":
            now = self._share_leaving(name, values)
        if now is None and then == 1 and values is not None:
            again = share_set_again(self.writes, write, name)
            now = max(again, share) if again else None
        now = share if now is None else now
        return now, now if then is None else then

    @cached
    def entries_written(self, structure: Structure, write: EntityWrite) -> tuple[float, float]:
        """Index entries that an item's write puts and deletes, and those that stay under their key.

        A moved key is deleted in one place and put in another. What stays is written where something projected
        changes. A put over an item stays where keys hang on its identifier alone.
        """
        found, left = self.membership(structure, write)
        moving = self.keys_changed(structure, write)
        if write.verb != "update":
            return (left if write.may_replace and not moving else found + left), 0.0
        others = sum(1 - self._share_kept(structure, write, name) for name in moving)
        staying = left * max(0.0, 1 - others) if moving else found
        return (found + left - 2 * staying if moving else 0.0), staying

    def _share_kept(self, structure: Structure, write: EntityWrite, name: str) -> float:
        """Of the entries that an update leaves, the share that has the same key as before, as far as an attribute
        says: its value, or one of several that the key does not tell apart."""
        again = share_set_again(self.writes, write, name)
        if self.is_told(structure, name):
            return again
        return max(again, self._membership_by(write, name, dict(structure.only)[name])[0])

    @staticmethod
    def is_told(structure: Structure, name: str) -> bool:
        """Whether an entry has another key if an attribute has another value, or is none then."""
        return name in structure.attributes or len(dict(structure.only)[name]) == 1

    @staticmethod
    def keys_changed(structure: Structure, write: EntityWrite) -> frozenset[str]:
        """The attributes that a write may change, of those that a structure's keys hang on."""
        return write.changed & {*structure.attributes, *(name for name, _ in structure.only)}

    def moves(self, structure: Structure, write: EntityWrite) -> bool:
        """Whether a write may move an entry to another key: what changes is more than whether there is one."""
        limited = dict(structure.only)
        changed = self.keys_changed(structure, write) & set(structure.attributes)
        return any(len(limited.get(name, ())) != 1 for name in changed)

    def was_absent(self, structure: Structure, names: Iterable[str], write: EntityWrite) -> bool:
        """Whether a write's conditions make sure that a key part of these attributes is not there."""
        limited = dict(structure.only)
        return any(self._known_share(write, name, limited.get(name)) == 0 for name in names)

    def becomes_absent(
        self, structure: Structure, names: Iterable[str], write: EntityWrite
    ) -> bool:
        """Whether it is sure that a key part of these attributes is not there after a write."""
        limited = dict(structure.only)
        for name in names:
            values = limited.get(name)
            if self._share_made(write, name, values) == 0:
                return True
            if name not in write.changed and self._known_share(write, name, values) == 0:
                return True
        return False

    def stays_the_same(
        self, structure: Structure, names: Iterable[str], write: EntityWrite
    ) -> bool:
        """Whether an update surely leaves a key part of these attributes as it is: it makes one value into another that
        the key does not tell apart from it.
        """
        limited, changed = dict(structure.only), write.changed.intersection(names)
        if write.verb != "update" or not changed:
            return False
        return all(
            name in limited
            and name not in structure.attributes
            and self._known_share(write, name, limited[name]) == 1
            and self._share_made(write, name, limited[name]) == 1
            for name in changed
        )

    def _share_leaving(self, name: str, values: tuple[str, ...] | None) -> float | None:
        """How many of the writes that take an item out find it there: as many as others put in.

        Where callers choose the value, which may be the one that there was: at least as many as have such values.
        """
        entering = leaving = least = 0.0
        for write in self.writes:
            before = self._known_share(write, name, values)
            made = self._share_left(write, name, values)
            if made is None and write.writes_whole:
                made = self.share_of(name, values)
            elif before is None and made and made < 1 and write.verb == "update":
                before = least = self._share_found(write, name, values)
            rate = (write.average or 0.0) * write.times
            if made == 0 and before is None and write.verb == "update":
                leaving += rate
            elif made is not None:
                entering += rate * (made - (before or 0.0))
        return min(1.0, max(least, entering / leaving)) if leaving else None

    def _share_found(self, write: EntityWrite, name: str, values: tuple[str, ...] | None) -> float:
        """How many items have an attribute, or one of some values of it; of all, or of those that surely have it."""
        there = self._is_sure(write, name) and self.attribute(name).present
        return self.share_of(name, values) / (there or 1.0)

    def _is_sure(self, write: EntityWrite, name: str) -> bool:
        """Whether an item surely has an attribute before a write."""
        return name in write.sure or self.stored_name(name) in write.sure

    def _share_left(
        self, write: EntityWrite, name: str, values: tuple[str, ...] | None
    ) -> float | None:
        """How many items have an attribute, or one of some values of it, after a write that says so.

        Callers choose values as often as items have them, but for the one that an item surely had: that is changed.
        """
        made = self._share_made(write, name, values)
        if made is None and write.verb == "create":
            made = self._share_created(name)
        if made is not None or name not in write.change.set or write.is_upkeep:
            return made
        had = write.found_with.get(name)
        left = self.attribute(name).present - (self.share_of(name, (had,)) if had else 0.0)
        others = tuple(value for value in values or () if value != had)
        return self.share_of(name, others) / left if left > 0 else None

    def _known_share(
        self, write: EntityWrite, name: str, values: tuple[str, ...] | None
    ) -> float | None:
        """What a write's conditions say of an attribute before it, or the caller, who knows its value."""
        lacks = lacking(name)
        if lacks is not None:
            has = self._known_share(write, lacks, None)
            return None if has is None else 1 - has
        for condition in write.met:
            known = share_met(condition, values) if condition.attribute == name else None
            if known is not None:
                return known
        return 1.0 if values is None and self._is_sure(write, name) else None

    def _share_made(
        self, write: EntityWrite, name: str, values: tuple[str, ...] | None
    ) -> float | None:
        """What a write makes of an attribute."""
        change = write.change
        lacks = lacking(name)
        if lacks is not None:
            has = self._share_made(write, lacks, None)
            return None if has is None else 1 - has
        if self.stored_name(name) in change.remove:
            return 0.0
        side = change.set.get(name)
        if side is not None and side.value is not None:
            return 1.0 if values is None or plain_text(side.value) in values else 0.0
        given = {*change.set, *change.add, *change.greatest}
        return 1.0 if values is None and self.stored_name(name) in given else None

    @cached
    def _set_first(self, write: EntityWrite) -> frozenset[str]:
        """The attributes that an update finds missing, since it sets them on leaving the state of a new item."""
        return frozenset(set_once(self.writes, write)) & self.later

    def _share_created(self, name: str) -> float | None:
        """What a create makes of an attribute that comes later, or of the lack of it."""
        if self.stored_name(name) not in self.later:
            return None
        return 0.0 if lacking(name) is None else 1.0

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
