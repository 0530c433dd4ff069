"""Keys as chains of entity reads, in which each finds all that the one before it knows and sorts by.

If costs never fall when a key gets more attributes, some best design uses only keys of the form P | block | block ...
where each block is what one read knows beyond the read before it, then its range or order.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

from designer.core.dynamodb.limits import COOL_VALUES
from designer.core.plan import Constant
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import root_of
from designer.core.planner.model.marks import is_too_long
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.words.lacking import lacking

MOST_KEYS = 2000
"""Keys listed for each entity and purpose; beyond that only the first are."""
MOST_SORTED = 5
"""Sort attributes of a key, before the identifier that follows them."""
Key = tuple[tuple[str, ...], tuple[str, ...]]
"""Partition and sort attributes."""


def chain_of(entity_read: EntityRead) -> tuple[str, ...]:
    """The sort attributes an entity read wants after what it knows: its order, or its range."""
    if entity_read.order:
        return tuple(
            order.attribute
            for order in entity_read.order
            if order.attribute not in entity_read.equals
        )
    return (entity_read.range.attribute,) if entity_read.range is not None else ()


def every_way(entity_reads: Iterable[EntityRead]) -> tuple[EntityRead, ...]:
    """Entity reads, each once for every range and list of it that a key may serve."""
    return tuple(way for entity_read in entity_reads for way in entity_read.ways)


def keys(
    model: EntityModel, entity_reads: Iterable[EntityRead], may_be_key: Callable[[str], bool]
) -> Iterator[Key]:
    """(partition, sort) of every key that some entity read gives a reason for, attribute by attribute."""
    asked = [_asked(model, entity_read, may_be_key) for entity_read in entity_reads]
    found: dict[Key, None] = {}
    for partition in _partitions(model, asked):
        users = [(one, 0) for one in asked if one.given.issuperset(partition)]
        _extend(model, partition, (), users, may_be_key, found)
    yield from found


@dataclass(frozen=True)
class _Asked:
    """What an entity read gives a key reason for."""

    given: frozenset[str]
    chain: tuple[str, ...]
    others: tuple[str, ...]
    """What it tests in another way: a range, how a time begins, and attributes that must be there."""
    rare: tuple[str, ...]
    """Of all that it asks for, what not every item has: in a key it keeps the other items out."""
    constant: tuple[str, ...]
    """What it gives as a constant, which keeps other items out from behind its order, too."""
    tested: frozenset[str]
    """Of related items, what of `given` and `others` is tested. In a key for this it follows `whose`, in one order."""

    @property
    def whose(self) -> frozenset[str]:
        """What says whose items are wanted, where these come with others."""
        return self.given - self.tested

    def next(self, followed: int, there: tuple[str, ...]) -> tuple[str, ...]:
        """What it can use next in a sort key, of whose parts it knows all (0), or has followed its order so far.

        `there`: the attributes that the key has.
        """
        order = self.chain[followed : followed + 1] if followed >= 0 else ()
        known = (*self.given, *self.others) if followed == 0 else ()
        rare = self.rare
        if self.tested:
            known = tuple(name for name in known if self._may_follow(name, there))
            rare = tuple(name for name in rare if self._may_follow(name, there))
        return (*sorted(known), *order, *rare, *(self.constant if followed > 0 else ()))

    def may_start(self, partition: tuple[str, ...]) -> bool:
        """Whether a partition key may have these attributes."""
        return self.tested.isdisjoint(partition) or self.whose.issubset(partition)

    def _may_follow(self, name: str, there: tuple[str, ...]) -> bool:
        if name not in self.tested:
            return True
        return self.whose.issubset(there) and name > max(
            self.tested.intersection(there), default=""
        )

    def after(self, name: str, followed: int) -> int:
        """How far it has followed its order after one more part of the key; -1 when that tells it nothing."""
        if followed == 0 and name in self.given:
            return 0
        if followed >= 0 and self.chain[followed : followed + 1] == (name,):
            return followed + 1
        return -1


def _asked(
    model: EntityModel, entity_read: EntityRead, may_be_key: Callable[[str], bool]
) -> _Asked:
    given = frozenset(name for name in entity_read.equals if may_be_key(name))
    ranged = (entity_read.range.attribute,) if entity_read.range is not None else ()
    # What a strong read tests is on a local index's entries anyway where it is in the table's key.
    tested = (
        one.attribute
        for one in entity_read.filters
        if entity_read.strong and model.presence(one.attribute) == 1
    )
    marks = tuple(n for n in entity_read.exists if not is_too_long(model.attribute(n)))
    others = tuple(dict.fromkeys((*ranged, *entity_read.starts, *marks, *tested)))
    ordered = (order.attribute for order in entity_read.order)
    sure = dict.fromkeys((*others, *ordered, *(n for n in entity_read.also if n not in given)))
    rare = tuple(name for name in sure if model.presence(name) < 1)
    constant = tuple(n for n in sorted(given) if isinstance(entity_read.equals[n], Constant))
    kept = given.union(marks) & entity_read.tested
    return _Asked(given, chain_of(entity_read), others, rare, constant, kept)


def _partitions(model: EntityModel, asked: list[_Asked]) -> list[tuple[str, ...]]:
    """Sets of attributes that an entity read gives, the widest first.

    A set with few values in use leaves out only what changes or can be missing, and not all that is given: a narrower
    key saves bytes, and spreads its load worse (modelling rules 18 and 23, docs/modelling-rules.md).
    """
    found: dict[tuple[str, ...], None] = {}
    for one in asked:
        names = model_order(model, one.given)
        for size in range(len(names), -1, -1):
            for chosen in combinations(names, size):
                if not one.may_start(chosen):
                    continue
                if asks_for_no_less(model, one.given, chosen) or has_many_values(model, chosen):
                    found[chosen] = None
    return sorted(found, key=lambda partition: -len(partition))


def asks_for_no_less(
    model: EntityModel, given: frozenset[str], partition: tuple[str, ...], same: Iterable[str] = ()
) -> bool:
    """Whether a partition key leaves out nothing of what is given, but for what changes or can be missing.

    What all items of a structure have the `same` would spread nothing.
    """
    left = given.difference(partition, same)
    is_all = all(name in model.mutable or model.presence(name) < 1 for name in left)
    is_of_all = not given and not any(name in model.entity.by_name for name in partition)
    return is_all and (is_of_all or bool(given.intersection(partition)))


def has_many_values(model: EntityModel, partition: tuple[str, ...]) -> bool:
    """Whether a partition key has `COOL_VALUES` values at least, and people would write it."""
    values = min(prod(model.distinct(name) for name in partition), max(model.items, 1.0))
    if model.worth and all(map(model.is_time_or_kind, partition)):
        return False  # nobody keys the items of all owners by a date or a status where they are asked for by owner
    return bool(partition) and values >= COOL_VALUES


def _extend(
    model: EntityModel,
    partition: tuple[str, ...],
    sort: tuple[str, ...],
    users: list[tuple[_Asked, int]],
    may_be_key: Callable[[str], bool],
    found: dict[Key, None],
) -> None:
    """Add a key and those that go on with an attribute that one of its users can use next.

    `users`: those whose attributes all that stands in the sort key is, each with how far its order has been followed.
    """
    if len(found) >= MOST_KEYS:
        return
    found[partition, sort] = None
    if len(sort) == MOST_SORTED:
        return
    there = (*partition, *sort)
    reasons = dict.fromkeys(name for one, followed in users for name in one.next(followed, there))
    for name in reasons:
        if name not in partition and name not in sort and may_be_key(name):
            left = [(one, one.after(name, followed)) for one, followed in users]
            _extend(model, partition, (*sort, name), left, may_be_key, found)


def model_order(model: EntityModel, names: Iterable[str]) -> tuple[str, ...]:
    """Attributes in one order for all structures: as the identifier they refer to, then as declared."""
    position = {attribute.name: at for at, attribute in enumerate(model.entity.attributes)}
    entities = model.parents_first
    last = (len(entities), len(entities))

    def key(name: str) -> tuple[tuple[int, int], int, int]:
        root_entity, root = root_of(model, name)
        target = model.design.entity[root_entity]
        if root in target.identifier:
            return (entities[root_entity], target.identifier.index(root), position[name])
        return (last, 0, position[lacking(name) or name])

    return tuple(sorted(names, key=key))
