"""Which items an access structure of an entity holds, and what writes put into it and take out."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from designer.core.plan import Constant
from designer.core.plan.keys import plain_text
from designer.core.planner.model.entity_facts import EntityFacts, cached
from designer.core.planner.model.later import set_once
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.set_again import share_set_again
from designer.core.planner.model.set_together import SetTogether, share_set_together
from designer.core.planner.model.shares import share_asked, values_met
from designer.core.planner.model.structures import Structure
from designer.core.words.lacking import lacking


@dataclass(frozen=True, eq=False)
class Membership(EntityFacts):
    """An entity with which of its items are in an access structure."""

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
            SetTogether(
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
    def membership(self, structure: Structure, write: EntityWrite) -> tuple[float, float]:
        """Share of the items that a write finds in a structure, and share that it leaves there.

        From the constants it sets and the conditions it makes, else from how common the values are.
        """
        names = tuple(dict.fromkeys((*structure.attributes, *dict(structure.only))))
        before, after = self.shares_by(structure, names, write)
        if write.verb == "create":
            return 0.0, after
        return (before, 0.0) if write.verb == "delete" else (before, after)

    @cached
    def shares_by(
        self, structure: Structure, names: tuple[str, ...], write: EntityWrite
    ) -> tuple[float, float]:
        """Share of the items that have some attributes of a structure's key, before and after a write."""
        before = after = 1.0
        limited = dict(structure.only)
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
        return before, after

    def share_by(self, name: str, write: EntityWrite) -> tuple[float, float]:
        """Share of the items that have one of the entity's attributes, before and after a write."""
        return self._membership_by(write, name, None)

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
        if now is None and values and self._moves_freely(write, name, values):
            now = self._moved_or(write, name, values, share)  # as many leave as come
        if now is None and then == 0 and write.verb == "update":
            now = self._share_leaving(name, values)
        if now is None and then == 1 and values is not None:
            again = share_set_again(self.writes, write, name)
            now = max(again, share) if again else None
        now = share if now is None else now
        return now, now if then is None else then

    def may_find(self, structure: Structure, write: EntityWrite) -> bool:
        """Whether an item that a write finds may be in a structure, however rarely."""
        names = {*structure.attributes, *(name for name, _ in structure.only)}
        is_new = write.verb == "create" or not names.isdisjoint(self._set_first(write))
        return not is_new and not self.was_absent(structure, names, write)

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

        Where callers choose the value, which may be the one that there was: at least as many as have such values. Where
        nothing in the design makes items, nobody can say.
        """
        if not any(write.writes_whole for write in self.writes):
            return None
        entering = leaving = least = 0.0
        for write in self.writes:
            before = self._known_share(write, name, values)
            made = self._share_left(write, name, values)
            if made is None and write.writes_whole:
                made = self.share_of(name, values)
            elif before is None and made and made < 1 and write.verb == "update":
                before = least = self._share_found(write, name, values)
                if values and self._moves_freely(write, name, values):
                    before = self._moved_or(write, name, values, least)
            rate = (write.average or 0.0) * write.times
            if made == 0 and before is None and write.verb == "update":
                leaving += rate
            elif made is not None:
                entering += rate * (made - (before or 0.0))
        return min(1.0, max(least, entering / leaving)) if leaving else None

    def _share_found(self, write: EntityWrite, name: str, values: tuple[str, ...] | None) -> float:
        """How many items have an attribute, or one of some values of it; of those that a write may find."""
        there = self._is_sure(write, name) and self.attribute(name).present
        may_have = None if values is None else values_met(self.attribute(name), write.met)
        if values is None or may_have is None:
            return self.share_of(name, values) / (there or 1.0)
        without = 0.0 if there else 1 - self.attribute(name).present
        among = self.share_of(name, tuple(value for value in values if value in may_have))
        return among / ((self.share_of(name, tuple(sorted(may_have))) + without) or 1.0)

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
        if left <= 0:
            return None
        return self._moved_or(write, name, others, self.share_of(name, others) / left)

    def _moves_freely(self, write: EntityWrite, name: str, values: tuple[str, ...]) -> bool:
        """Whether callers move items to some values by an update whose conditions ask for none before."""
        is_open = values_met(self.attribute(name), write.met) is None
        return is_open and self.share_moved(write, name, values) > 0

    def _moved_or(
        self, write: EntityWrite, name: str, values: Iterable[str], at_rest: float
    ) -> float:
        """How many of an update's items get one of some values: no fewer than have them, unless a share is given."""
        moved = self.share_moved(write, name, values)
        return moved if write.moved else max(moved, at_rest)

    def share_moved(self, write: EntityWrite, name: str, values: Iterable[str]) -> float:
        """How many of the updates by which callers move items from value to value choose one of some: 0 of others.

        Items pass through a value that few of them have at any time as often as through another.
        """
        attribute, side = self.attribute(name), write.change.set.get(name)
        if write.verb != "update" or write.is_upkeep or side is None or side.param is None:
            return 0.0
        if not attribute.shares or attribute.present < 1:
            return 0.0  # most items that lack a value get their first one
        had = write.found_with.get(name)
        shares = zip(attribute.listed, attribute.shares, strict=True)
        possible = {value for value, share in shares if share > 0 and value != had}
        given = {value: share for of, value, share in write.moved if of == name}
        each = max(0.0, 1 - sum(given.values())) / max(1, len(possible - given.keys()))
        wanted = possible.intersection(values)
        return each * len(wanted - given.keys()) + sum(given[one] for one in wanted & given.keys())

    def _known_share(
        self, write: EntityWrite, name: str, values: tuple[str, ...] | None
    ) -> float | None:
        """What a write's conditions say of an attribute before it, or the caller, who knows its value."""
        lacks = lacking(name)
        if lacks is not None:
            has = self._known_share(write, lacks, None)
            return None if has is None else 1 - has
        sure = 1.0 if self._is_sure(write, name) else None
        may_have = values_met(self.attribute(name), write.met)
        if may_have is None or (values is None and may_have):
            return sure if values is None else None
        among = may_have.intersection(values or ())
        return 0.0 if not among else sure if among == may_have else None

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
        given = {*change.set, *change.add, *change.greatest, *change.append, *change.include}
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
