"""What was solved before: an edit of one entity leaves the choice for the others as it was.

A fingerprint holds all that the choice for an entity depends on, so a cached choice is the one that solving
again would give.
"""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, fields
from threading import Lock
from typing import Generic, TypeVar

from designer.core.design.document import Design
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.score import Score
from designer.core.planner.model.shard_attributes import Spread
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.model.worth import Lowest, near
from designer.core.planner.pricing.write_costs import items_allowed

KEPT = 4096

Found = TypeVar("Found")


class Cache(Generic[Found]):
    """The newest answers, shared by all threads of a process."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._found: OrderedDict[Hashable, Found] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Found | None:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def clear(self) -> None:
        with self._lock:
            self._found.clear()

    def put(self, key: Hashable, found: Found) -> None:
        with self._lock:
            self._found[key] = found
            while len(self._found) > self._kept:
                self._found.popitem(last=False)


LISTS_KEPT = 64
LISTED_AT_MOST = 400
"""Ways to answer its reads of an entity whose lists are kept: of many they take memory, and little time is saved."""

At = tuple[Structure, int]
"""A base key, and the place of a read among those of the entity."""


@dataclass
class Listed:
    """What can be chosen for one entity, as far as it was listed and priced."""

    every_base: tuple[Structure, ...] | None = None
    """All base keys that may be of use;"""
    bases: tuple[Structure, ...] | None = None
    """and those that none beats."""
    indexes: tuple[Structure, ...] | None = None
    options: dict[At, list[tuple[Access, Score]]] = field(default_factory=dict)
    least: dict[tuple[Structure, int, bool], Score] = field(default_factory=dict)
    """What each read costs at least under a base key: closely or not;"""
    beside: dict[int, list[tuple[Score, Structure]]] = field(default_factory=dict)
    """and through each index or copy under any base key, the cheapest first."""
    alone: dict[tuple[Structure, frozenset[int], tuple[Structure, ...]], float] = field(
        default_factory=dict
    )
    """What all reads but some cost at the least under a base key, with structures for them, where some are there."""
    owned: dict[tuple[Structure, tuple[tuple[Structure, Projection], ...]], Score] = field(
        default_factory=dict
    )
    """What keeping a base key and other structures costs."""

    @property
    def is_short(self) -> bool:
        """Whether it takes so little memory that it is kept."""
        return sum(map(len, self.options.values())) <= LISTED_AT_MOST


class Solved(Cache[Found]):
    """What was solved, and beside it the lists that it was chosen from: an entity that an edit leaves as it was is
    chosen again where it is asked for together with one that was changed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lists: Cache[Listed] = Cache(LISTS_KEPT)

    def clear(self) -> None:
        super().clear()
        self.lists.clear()


def surroundings(design: Design) -> str:
    """A hash of what the choice for one entity takes from the rest: who refers to whom, and how many there are."""
    entities = [
        [
            e.name,
            e.token,
            e.identifier,
            e.items,
            [[a.name, a.type, a.derived, a.refers_to] for a in e.attributes],
        ]
        for e in design.entities
    ]
    relationships = [r.model_dump(mode="json") for r in design.relationships]
    settings = [
        design.planner.work_limit,
        design.planner.composite_index_keys,
        design.planner.objective == "requests",
        design.planner.objective == "simplest",
        isinstance(design.planner, Lowest) and not design.planner.charged,
        design.planner.worth,
        near(design),
        design.planner.point_reads,
        design.planner.key_names.model_dump(),
    ]
    return _hash(json.dumps([entities, relationships, design.region, settings]))


def fingerprint(
    model: EntityModel,
    around: str,
    entity_reads: Iterable[tuple[EntityRead, object]],
    is_edge: bool,
) -> str:
    """A hash of all that the choice for an entity depends on; with each entity read, how often it is asked."""
    numbers = [
        write.pattern.number if write.pattern.is_transaction else None for write in model.writes
    ]
    parts = [
        model.style,
        model.mates,
        is_edge,
        around,
        model.entity.model_dump_json(),
        [isinstance(model.attribute(name), Spread) for name in model.entity.identifier],
        # A reference has as many values as the attribute says that it refers to, whosever that is.
        [model.distinct(attribute.name) for attribute in model.entity.attributes],
        sorted(model.mutable),
        model.pins,
        [_entity_read(entity_read, how) for entity_read, how in entity_reads],
        [(_write(write), model.busier_of(write)) for write in model.writes],
        # Which writes are of one transaction, and how many items of the entity it has room for.
        [
            (numbers.index(number), items_allowed(model, number))
            for number in numbers
            if number is not None
        ],
    ]
    return _hash(repr(parts))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


_DEMANDED = tuple(one.name for one in fields(EntityRead) if one.name != "needs")


def _entity_read(entity_read: EntityRead, how: object) -> object:
    values = [getattr(entity_read, name) for name in _DEMANDED]
    return [values, None if entity_read.needs is None else sorted(entity_read.needs), how]


def _write(write: EntityWrite) -> object:
    return [
        write.change.model_dump_json(),
        repr(getattr(write.pattern, "where", ())),
        write.pattern.at_most_requests,
        write.average,
        write.peak,
        write.pattern.hottest,
        write.times,
        write.transactional,
        sorted(write.known),
        sorted(write.changed),
        sorted(write.needs),
        write.keeps,
        write.upkeep is None,
        write.by_stream,
    ]
