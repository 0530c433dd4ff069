"""Between listing and choosing: drop the keys that another beats whatever else is chosen.

A key goes only when another of its kind serves all that it serves, reads no more for it, needs nothing more on its
entries, is no longer, holds no more items, takes no more writes, needs no other read before a write, is no hotter, and
may be there wherever it may. So nothing that is best together with other structures is lost.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from designer.core.capacity.sizes import attribute_bytes, carried_bytes
from designer.core.planner.candidates.chains import every_way
from designer.core.planner.candidates.keys import reasons_for
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.structures import Structure
from designer.core.planner.pricing.key_matching import is_too_long, reading
from designer.core.planner.pricing.write_costs import unknown_parts


@dataclass(frozen=True)
class _Reading:
    """How an entity read is read through a key."""

    read: float
    unsorted: bool
    tests: frozenset[str]
    """What the entries must hold for a second read."""
    sorts: frozenset[str]
    """What they must hold for one read besides what is wanted."""
    requests: float
    late: float
    """Items that are read whatever the limit, where some of what is tested may wait for the items."""

    def no_worse(self, other: "_Reading") -> bool:
        return (
            self.read <= other.read
            and self.unsorted <= other.unsorted
            and self.tests <= other.tests
            and self.sorts <= other.sorts
            and self.requests <= other.requests
            and self.late <= other.late
        )


@dataclass(frozen=True)
class _Written:
    """What a write does to the entries of a key: how many it puts and deletes, and how many stay as they are."""

    moved: float
    staying: float
    unknown: frozenset[str]

    def no_worse(self, other: "_Written") -> bool:
        # What stays is written too, where something projected changes.
        return (
            self.unknown <= other.unknown
            and self.moved <= other.moved
            and self.moved + self.staying <= other.moved + other.staying
        )


@dataclass(frozen=True)
class _Figures:
    """All parts of a structure's cost."""

    bytes: float
    density: float
    native: frozenset[str]
    sure: frozenset[str]
    """The optional attributes that all its items have."""
    hottest: tuple[float, ...]
    """The share of the hottest value, at large and for each set of constants that a pattern gives."""
    readings: tuple[_Reading | None, ...]
    writes: tuple[_Written, ...]
    reasons: frozenset[int] | None
    """The entity reads for which alone it may be there; None where any of them will do."""


def undominated(
    model: EntityModel, entity_reads: Sequence[EntityRead], structures: Iterable[Structure]
) -> tuple[Structure, ...]:
    """The structures that none beats, in their order; of equals the first."""
    entity_reads = every_way(entity_reads)
    listed = tuple(structures)
    alike: dict[object, list[Structure]] = {}
    for structure in listed:
        alike.setdefault(_like(model, structure), []).append(structure)
    kept = {one for some in alike.values() for one in _unbeaten(model, entity_reads, some)}
    return tuple(structure for structure in listed if structure in kept)


def _unbeaten(
    model: EntityModel, entity_reads: Sequence[EntityRead], alike: Sequence[Structure]
) -> Iterable[Structure]:
    if len(alike) == 1:
        return alike
    kept: dict[Structure, _Figures] = {}
    for structure in alike:
        figures = _figures(model, entity_reads, structure)
        if any(_beats(model, other, figures) for other in kept.values()):
            continue
        for worse in [s for s, other in kept.items() if _beats(model, figures, other)]:
            del kept[worse]
        kept[structure] = figures
    return kept


def _like(model: EntityModel, structure: Structure) -> object:
    """Only structures alike in this are compared."""
    like: tuple[object, ...] = (structure.kind, structure.own, structure.bare)
    if structure.kind == "local":
        # It belongs to tables of that partition key, but for one that sorts as it does.
        is_whole = set(model.entity.identifier) <= set(structure.attributes)
        like = (*like, structure.partition, structure.sort if is_whole else ())
    elif not structure.is_index:
        # What a write knows, and which items lie together, hangs on these.
        like = (*like, frozenset(structure.partition), frozenset(structure.attributes))
    return like


def _figures(
    model: EntityModel, entity_reads: Sequence[EntityRead], structure: Structure
) -> _Figures:
    given = dict.fromkeys(
        ((frozenset[str](), ()), *((d.constants, d.busier) for d in entity_reads))
    )
    given |= dict.fromkeys((write.constants, model.busier_of(write)) for write in model.writes)
    return _Figures(
        model.key_bytes(structure) + model.counted_padding(structure),
        model.density(structure) if structure.is_index else 1.0,
        frozenset(p[0] for p in model.parts(structure) if p and model.is_native(structure, p)),
        model.surely_has(structure),
        tuple(model.hottest_share(structure, *one) for one in given),
        tuple(_reading(model, structure, entity_read) for entity_read in entity_reads),
        tuple(_written(model, structure, write) for write in model.writes),
        None
        if (reasons := reasons_for(model, entity_reads, structure)) is None
        else frozenset(reasons),
    )


@cached
def _reading(model: EntityModel, structure: Structure, entity_read: EntityRead) -> _Reading | None:
    found = reading(model, structure, entity_read)
    if found is None:
        return None
    access, tests, sorts = found
    late = 0.0
    if entity_read.limit is not None and not model.mutable.isdisjoint(tests):
        unordered = changed(access, ordered=False)
        late = inf if is_too_long(model, structure, entity_read, unordered) else access.found
    return _Reading(access.read, not access.ordered, tests, sorts, access.requests, late)


@cached
def _written(model: EntityModel, structure: Structure, write: EntityWrite) -> _Written:
    unknown: frozenset[str] = frozenset()
    if structure.is_index and write.verb == "update":
        nothing = Structure(model.name, "base", (), ())
        unknown = unknown_parts(model, nothing, structure, write)
    return _Written(*model.entries_written(structure, write), unknown)


def _beats(model: EntityModel, one: _Figures, other: _Figures) -> bool:
    if one.density > other.density:
        return False
    if one.reasons is not None and not (other.reasons is not None and one.reasons >= other.reasons):
        return False
    if any(mine > theirs for mine, theirs in zip(one.hottest, other.hottest, strict=True)):
        return False
    added = sum(carried_bytes(model.attribute(name)) for name in one.native - other.native)
    added += sum(
        carried_bytes(model.attribute(name)) - attribute_bytes(model.attribute(name))
        for name in one.sure - other.sure - (one.native - other.native)
    )
    if one.bytes + added > other.bytes:
        return False
    return all(
        theirs is None or (mine is not None and mine.no_worse(theirs))
        for mine, theirs in zip(one.readings, other.readings, strict=True)
    ) and all(mine.no_worse(theirs) for mine, theirs in zip(one.writes, other.writes, strict=True))
