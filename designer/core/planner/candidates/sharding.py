"""Shards (rule 18): keys whose busiest partition would take more than one serves, spread by the items' identifiers.

A partition serves 1,000 write and 3,000 read units a second (see `limits`). How many shards it takes is worked out from
the peak rates, so that each has a fifth to spare; a read then asks every shard. Reads that end at a limit are
not made cooler by shards, as each shard is read as far as the limit.

See docs/modelling-rules.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import ceil

from designer.core.capacity.units import write_units
from designer.core.dynamodb.limits import (
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_READS,
    SHARD_WRITES,
)
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import exact
from designer.core.planner.model.shard_attributes import shard
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.pricing.access_paths import accesses
from designer.core.planner.pricing.key_matching import spread_of
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import hottest_reads, hottest_writes, keys_bytes
from designer.core.planner.pricing.write_costs import needs_identifier_guard, write_costs
from designer.core.rational import Fraction

SUBSETS = 3
"""Reads of one structure for whose every subset shards are counted; of more, for none, each and all together."""


@dataclass(frozen=True)
class Asked:
    """An entity read, how often it is asked a second at peak, and what the team says of its hottest key."""

    entity_read: EntityRead
    peak: float | None
    hottest: float | None


Item = tuple[Structure, float]
"""How long an item is: its base key, and the bytes that keys of indexes add to it."""


def with_shards(
    model: EntityModel,
    structures: Iterable[Structure],
    asked: Iterable[Asked],
    more: float = 0.0,
    bases: Sequence[Structure] = (),
) -> tuple[Structure, ...]:
    """The structures, and those that would run hot also spread over shards.

    `more`: bytes at the most that the keys of indexes add to an item, which a table's own keys need room for.
    `bases`: the base keys that entries of indexes may have.
    """
    listed, asked = tuple(structures), tuple(asked)
    spread = (one for structure in listed for one in _sharded(model, structure, asked, more, bases))
    return (*listed, *spread)


def room(model: EntityModel, indexes: Iterable[Structure], asked: Iterable[Asked]) -> float:
    """Bytes that keys of indexes add to an item at the most: of as many as there are reads besides one."""
    keys = sorted((model.key_bytes(one) for one in indexes if not one.bare), reverse=True)
    return sum(keys[: len(tuple(asked)) - 1])


def _sharded(
    model: EntityModel,
    structure: Structure,
    asked: tuple[Asked, ...],
    more: float,
    bases: Sequence[Structure],
) -> Iterator[Structure]:
    source = model.shard_source(structure)
    is_free = structure.kind in ("base", "index") and structure == structure.plain
    is_free = is_free and not (structure.own and model.style == "multi")
    is_pinned = model.pinned_text(structure, structure.partition) is not None
    if source is None or is_pinned or not is_free:
        return
    base = structure if structure.kind == "base" else _by_identifier(model)
    longest = max(
        (base, *bases), key=lambda one: model.entry_bytes(one, structure, frozenset(), 0.0)
    )
    items = tuple(dict.fromkeys(((base, 0.0), (base, more), (longest, more))))
    if not _may_be_hot(model, structure, asked, items[-1]):
        return
    counts = _counts(model, structure, asked, items)
    for count in tuple(counts):
        # A shard's number is in each key: what is read of all of them is more than it was.
        over = _over(structure, count, source)
        for base, more in items:
            of_base = over if structure.kind == "base" else base
            heat = sum((_reads(model, over, one, of_base, more) for one in asked), Fraction(0))
            if heat > PARTITION_READS:
                counts.add(ceil(count * heat / SHARD_READS))
    listed = _far_apart(counts) if structure.is_index else sorted(counts)
    yield from (_over(structure, count, source) for count in listed)


def _may_be_hot(
    model: EntityModel, structure: Structure, asked: tuple[Asked, ...], longest: Item
) -> bool:
    """Whether a structure may take more than a partition serves, with the longest item that there may be."""
    reads = sum((_reads(model, structure, one, *longest) for one in asked), Fraction(0))
    return reads > PARTITION_READS or _most_written(model, structure, *longest) > PARTITION_WRITES


def _far_apart(counts: Iterable[int]) -> list[int]:
    """Of counts that are within the spare room of a smaller one, only that: what is chosen is counted again."""
    found: list[int] = []
    for count in sorted(counts):
        if not found or count * SHARD_READS > found[-1] * PARTITION_READS:
            found.append(count)
    return found


def _far_apart_between(first: int, last: int) -> Iterator[int]:
    """The same of all counts from one to another, of which there can be very many."""
    while first <= last:
        yield first
        first = first * PARTITION_READS // SHARD_READS + 1


def recounted(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    projections: Projections,
    answered: Sequence[tuple[Asked, Access]],
) -> Structure:
    """An index over as few shards as leave each a fifth to spare, among others, for the reads that it answers.

    Those that are listed before the choice are counted for what an index may hold and answer.
    """
    alone, source = structure.plain, model.shard_source(structure)
    others = [other for other in projections if other != structure]
    count, needed = 0, 1
    while source is not None and needed > count:
        if needed > max(model.items, 1):
            return structure  # each shard's own request takes what one serves: more of them cool nothing
        count = needed
        one = alone if count == 1 else _over(alone, count, source)
        keys = keys_bytes(model, base, (*others, one))
        needed = _needed(model, base, one, count, projections[structure], answered, keys)
    return structure if count <= 1 or source is None else _over(alone, count, source)


def _needed(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    count: int,
    projection: Projection,
    answered: Sequence[tuple[Asked, Access]],
    keys: float,
) -> int:
    """How many shards keep an index cool that is now over so many. `keys`: bytes of all keys on an item."""
    guard = needs_identifier_guard(model, base)
    costs = write_costs(model, base, {structure: projection}, guard, keys)
    reads = Fraction(0)
    for one, access in answered:
        if one.entity_read.limit is None:
            spread = spread_of(model, structure, one.entity_read.ways[access.way])
            assert spread is not None
            here = replace(access, structure=structure, shards=spread[0])
            now = repriced(model, base, here, one.entity_read, projection, keys)
            reads += hottest_reads(model, one.entity_read, now, one.peak, one.hottest)
    writes = hottest_writes(model, structure, costs)
    most_written, most_read = PARTITION_WRITES, PARTITION_READS
    if count > 1:
        most_written, most_read = SHARD_WRITES, SHARD_READS
    return max(
        _whole(count * writes / SHARD_WRITES) if writes > most_written else 1,
        _whole(count * reads / SHARD_READS) if reads > most_read else 1,
    )


def _whole(shards: Fraction) -> int:
    """So many shards; what the binary fraction of one shard's part adds to a whole number is none."""
    return ceil(round(shards, 6))


def _over(structure: Structure, count: int, source: str) -> Structure:
    """A structure's items over so many partitions for each of its own."""
    return replace(structure, partition=(*structure.partition, shard(count, source)))


def _counts(
    model: EntityModel, structure: Structure, asked: tuple[Asked, ...], items: tuple[Item, ...]
) -> set[int]:
    """How many shards keep each partition cool, for what an index may hold, and for the reads that it may answer.

    `items`: how short and how long an item may be; some number of shards keeps all between cool.
    """
    each = (tuple(_reads(model, structure, one, *item) for item in items) for one in asked)
    heats = [heat for heat in each if any(heat)]
    sizes = range(len(heats) + 1) if len(heats) <= SUBSETS else (0, 1, len(heats))
    none = (Fraction(0),) * len(items)
    subsets = (some for size in sizes for some in combinations(heats, size))
    reads = {
        tuple(sum(one, Fraction(0)) for one in zip(none, *some, strict=True)) for some in subsets
    }
    writes = zip(*(_writes(model, structure, *item) for item in items), strict=True)
    found: set[int] = set()
    for written, read in product(tuple(writes), reads):
        needed = [_cooled(puts, gets) for puts, gets in zip(written, read, strict=True)]
        found.update(_far_apart_between(min(needed), max(needed)))
    return found - {1}


def _cooled(writes: Fraction, reads: Fraction) -> int:
    """Over how many shards so many units a second keep each partition cool."""
    return max(
        ceil(writes / SHARD_WRITES) if writes > PARTITION_WRITES else 1,
        ceil(reads / SHARD_READS) if reads > PARTITION_READS else 1,
    )


def _writes(
    model: EntityModel, structure: Structure, base: Structure, more: float
) -> Iterator[Fraction]:
    """Write units a second on the busiest partition; of an index with what it may hold, from keys to everything."""
    guard = needs_identifier_guard(model, base)
    projections: Iterable[dict[Structure, Projection]] = ({},)
    if structure.is_index:
        projections = ({structure: frozenset()}, {structure: None})
    for one in projections:
        costs = write_costs(model, base, one, guard, keys_bytes(model, base, one) + more)
        yield hottest_writes(model, structure, costs)


def _most_written(
    model: EntityModel, structure: Structure, base: Structure, more: float
) -> Fraction:
    """Write units a second that a structure takes at the most, were all items in one partition.

    A write puts one entry in an index and deletes one at the most, each no larger than the item.
    """
    if structure.is_index:
        keys = model.key_bytes(base) + more + model.key_bytes(structure)
        size, total = model.own_bytes + keys + model.fuller_by(structure), Fraction(0)
        for write in model.writes:
            longer = max(model.more_in_entry(base, structure, None, write))
            units = 2 * write_units(size + longer)
            total += exact(write.peak or 0) * exact(write.times) * units
        return total
    keys, guard = keys_bytes(model, base, ()) + more, needs_identifier_guard(model, base)
    costs = write_costs(model, base, {}, guard, keys)
    return sum((exact(write.peak or 0) * cost.table for write, cost in costs), Fraction(0))


def _reads(
    model: EntityModel, structure: Structure, asked: Asked, base: Structure, more: float
) -> Fraction:
    """Read units a second on it of an entity read that reads whole collections, where the structure answers it."""
    if asked.entity_read.limit is not None:
        return Fraction(0)
    keys = keys_bytes(model, base, (structure,)) + more
    for access in accesses(model, base, structure, asked.entity_read, keys):
        if access.call == "query":
            return hottest_reads(model, asked.entity_read, access, asked.peak, asked.hottest)
    return Fraction(0)


@cached
def _by_identifier(model: EntityModel) -> Structure:
    first, *rest = model.entity.identifier
    return Structure(model.name, "base", (first,), tuple(rest))
