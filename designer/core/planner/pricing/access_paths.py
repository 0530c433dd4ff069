"""Which structures answer an entity read, and what each answer reads (rules 3, 8, 9, 10, 11 and 23).

See docs/modelling-rules.md.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, prod

from designer.core.design.document import Attribute
from designer.core.limits import (
    BATCH_GET_ITEMS,
    COLLECTION_BYTES_WITH_LSI,
    INCLUDE_NAMES,
    MOST_DROPPED,
    PAGE_BYTES,
    READ_UNIT_BYTES,
    SMALL_COLLECTION_BYTES,
)
from designer.core.patterns.base import Consistency
from designer.core.planner.model.cardinality import busiest_shares, share_kept
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.pins import Projected
from designer.core.planner.model.reads_and_writes import FOUND, EntityRead
from designer.core.planner.model.score import exact
from designer.core.planner.model.shard_attributes import Shard
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.guards import guard_bytes
from designer.core.planner.pricing.structures import needs_identifier_guard
from designer.core.units import read_units


def accesses(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> Iterator[Access]:
    """The ways a structure answers an entity read, if any. `keys`: bytes of all key attributes on the item."""
    if not entity_read.allows(structure):
        return
    if not entity_read.others:
        yield from _in_one_way(model, base, structure, entity_read, keys)
        return
    served: list[object] = []
    for at, way in enumerate(entity_read.ways):
        found = list(_in_one_way(model, base, structure, way, keys))
        # Two ways are one where the key serves neither's own range or list.
        if found and _served(model, way, found[0]) not in served:
            served.append(_served(model, way, found[0]))
            yield from (replace(access, way=at) for access in found)


def _served(model: EntityModel, entity_read: EntityRead, access: Access) -> object:
    """The range and the list that the key serves."""
    is_ranged = access.ranged or bool(access.period)
    is_listed = is_asked_of_each(model, entity_read, access)
    return (entity_read.range if is_ranged else None, entity_read.list_of if is_listed else None)


def _in_one_way(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> Iterator[Access]:
    """The same by one choice of range and list, with what is pinned of the structure."""
    held: Projected | None = model.pins.held(structure) if model.pins else None
    held = held or entity_read.holding
    for access in _accesses(model, base, structure, entity_read, keys):
        if held is None or access.structure is None or not structure.is_index:
            yield access
            continue
        pinned = _held_as_pinned(model, base, access, entity_read, held, keys)
        if pinned is not None:
            yield pinned


def _held_as_pinned(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    held: "Projected",
    keys: float,
) -> Access | None:
    """An access to an index that is pinned to hold something; None where that is not what the access needs."""
    assert access.structure is not None
    if held == "all":
        return repriced(model, base, access, entity_read, None, keys)
    native = carried(model, base, access.structure)
    if held == "include":
        names = access.projection
        if names is None and access.call == "query":
            names = model.entity.stored_names
        more = names is not None and (access.call == "query" or bool(names - native))
        return replace(access, projection=names) if more else None
    names = frozenset() if held == "keys-only" else held
    if access.projection is None or access.projection - names - native:
        return None
    return repriced(
        model, base, replace(access, projection=names), entity_read, names | native, keys
    )


def _accesses(
    model: EntityModel, base: Structure, structure: Structure, entity_read: EntityRead, keys: float
) -> Iterator[Access]:
    if structure.kind == "index" and entity_read.strong:
        return
    if structure.kind == "local" and not _is_local_to(model, base, structure, keys):
        return
    known = set(entity_read.equals)
    if not structure.is_index and model.made_of(structure) <= known:
        if contains_answer(model, structure, entity_read):
            yield _get(model, structure, entity_read, keys)
        return
    access = _asked(model, structure, entity_read)
    if access is None:
        return
    if not structure.is_index:
        yield from _priced(model, base, structure, entity_read, access, None, keys)
        return
    if _is_too_long(model, structure, entity_read, access):
        return  # a key sorted as asked is read no further than the limit, however long a collection is
    for needs in dict.fromkeys(
        (entity_read.needs, entity_read.least, *_by_name(model, entity_read))
    ):
        yield from _priced(model, base, structure, entity_read, access, needs, keys)
    if gets_first(entity_read, access) and (entity_read.is_repeated or not access.ordered):
        return  # the limit holds for each row or element; and unsorted keys would all be read to get a few items
    in_one = entity_read.one and set(model.entity.identifier) <= known
    if entity_read.part != FOUND and in_two_requests(model):
        in_one = False
    is_listed = not entity_read.count and not entity_read.strong and not entity_read.deletes
    if not in_one and is_listed:
        yield from _two_trips(model, base, structure, entity_read, access, keys)


@cached
def _asked(model: EntityModel, structure: Structure, entity_read: EntityRead) -> Access | None:
    """How a structure is asked for an entity read, before that has a price; None where it cannot answer it."""
    spread = spread_of(model, structure, entity_read)
    if spread is None or not contains_answer(model, structure, entity_read):
        return None
    if structure.bare and entity_read.order:
        return None  # what is alike in all that it is sorted by would come in any order
    return _query(model, structure, entity_read, *spread)


def _by_name(model: EntityModel, entity_read: EntityRead) -> Iterator[frozenset[str]]:
    """All that an item has, as a list: other than with everything, the keys of other indexes are not in it."""
    names = model.entity.stored_names
    if entity_read.needs is None and len(names) < INCLUDE_NAMES:
        yield names


def lists_all(entity_read: EntityRead, access: Access) -> bool:
    """Whether whole items are read in one trip from an index that holds a list of their attributes."""
    if access.structure is None or not access.structure.is_index or entity_read.needs is not None:
        return False
    return access.projection is not None and access.then is None and not entity_read.named


def gets_first(entity_read: EntityRead, access: Access) -> bool:
    """Whether the keys of several partitions are merged before as many items are got as the limit says.

    Each partition gives so many keys, and most of their items would be dropped.
    """
    return entity_read.limit is not None and (access.shards > 1 or bool(access.period))


def in_two_requests(model: EntityModel) -> bool:
    """Whether the team lets an item be read by its identifier in two requests (rule 23)."""
    return model.design.planner.point_reads == "by-price"


def _is_too_long(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> bool:
    """Whether only the asked order keeps a read small that wants the first few of a collection which may grow.

    It need not where no key can have the order, or a write would move its entries.
    """
    if access.ordered or entity_read.limit is None or model.to_invert(entity_read) is None:
        return False
    if any(order.attribute in model.mutable for order in entity_read.order):
        return False
    return not model.stays_small((*structure.partition, *structure.sort[: access.bound]))


def must_be_sorted(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether an index finds what an entity read asks for, but may not be read for it because of its order alone."""
    return any(_must_be_sorted(model, structure, way) for way in entity_read.ways)


def _must_be_sorted(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    if spread_of(model, structure, entity_read) is None or not contains_answer(
        model, structure, entity_read
    ):
        return False
    return _is_too_long(model, structure, entity_read, _query(model, structure, entity_read))


def why_not_sorted(model: EntityModel, entity_read: EntityRead) -> str:
    """Why the caller may not sort what an index gives, in words."""
    most = model.most_items(frozenset(entity_read.equals))
    if most is None:
        return (
            f"nothing states how many items it would read at the most to sort them. State `most` of a relationship of "
            f"{model.name}, or ask without a limit"
        )
    return (
        f"the {most:,.0f} items that there may be have more than 64 KB, too much to read them all "
        f"for {entity_read.limit}"
    )


def _is_local_to(model: EntityModel, base: Structure, structure: Structure, keys: float) -> bool:
    """Whether a table of this base key can have a local index: the same partitions, none of them too large.

    The entries count as much as the items, at the most.
    """
    return (
        structure.partition == base.partition
        and (model.style == "single" or bool(base.sort))
        and structure.sort != base.sort
        and 2 * model.most_collection_bytes(base, keys) <= COLLECTION_BYTES_WITH_LSI
    )


def reading(
    model: EntityModel, structure: Structure, entity_read: EntityRead
) -> tuple[Access, frozenset[str], frozenset[str]] | None:
    """How a structure reads an entity read, whatever that costs: requests and the items of each.

    Besides, what an index must hold of the items for two trips, and for one more than what is wanted.
    """
    if structure.kind == "index" and entity_read.strong:
        return None
    access = _asked(model, structure, entity_read)
    if access is None:
        return None
    requests, read = reads_of_each(model, structure, entity_read, access)
    if is_asked_of_each(model, entity_read, access):
        requests *= entity_read.list_length
    once = _with_left(model, entity_read, access, frozenset())
    twice = _with_left(model, entity_read, replace(access, call="query then get"), frozenset())
    assert once is not None and twice is not None
    return replace(access, requests=requests, read=read), twice, once


def guard_access(
    model: EntityModel, base: Structure, entity_read: EntityRead, keys: float
) -> Access | None:
    """Through a guard item: its value leads to the base key. By the identifier only where it may take two requests."""
    if not entity_read.one or entity_read.list_of or entity_read.is_pinned:
        return None
    names = model.unique
    if set(model.entity.identifier) <= set(entity_read.equals):
        if not in_two_requests(model) or not needs_identifier_guard(model, base):
            return None
        names = ("",)
    consistency: Consistency = "strong" if entity_read.strong else "eventual"
    for name in names:
        guarded = {name} if name else set(model.entity.identifier)
        if not guarded <= set(entity_read.equals):
            continue
        left = tuple(known for known in entity_read.equals if known not in guarded)
        guard = Access(None, "guard", guard=name, left=left, projection=None)
        found = guard_bytes(model, base, name)
        look = read_units(found, consistency)
        if (
            entity_read.wanted == ()
            and not left
            and not entity_read.filters
            and not entity_read.exists
        ):
            return replace(guard, bytes=found, units=look)  # the guard is there when the item is
        size = model.own_bytes + keys
        return replace(
            guard,
            call="guard then get",
            requests=2,
            read=2,
            bytes=found + size,
            units=look + read_units(size, consistency),
        )
    return None


def contains_answer(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether every item of the answer is in the index: it must have all key attributes."""
    for name in structure.attributes:
        attribute = model.attribute(name)
        present = (
            attribute.present
            if attribute.source is None
            else model.attribute(attribute.source[1]).present
        )
        if present < 1 and name not in entity_read.sure:
            return False
    for name, values in structure.only:
        wanted = entity_read.equals.get(name)
        if wanted is None or isinstance(wanted, str) or str(wanted.value) not in values:
            return False
    return True


def _get(
    model: EntityModel, structure: Structure, entity_read: EntityRead, keys: float, way: int = 0
) -> Access:
    size = model.entry_bytes(structure, structure, None, keys)
    requests = ceil(entity_read.list_length / BATCH_GET_ITEMS) if entity_read.list_of else 1
    length = entity_read.list_length if entity_read.list_of else 1.0
    left = tuple(name for name in entity_read.equals if name not in structure.attributes)
    units = read_units(size, entity_read.consistency_of(structure)) * _whole(length)
    return Access(
        structure,
        "get",
        left=left,
        way=way,
        projection=None,
        requests=requests,
        read=length,
        bytes=size * length,
        units=units,
    )


def spread_of(
    model: EntityModel, structure: Structure, entity_read: EntityRead
) -> tuple[int, str] | None:
    """What a caller runs through of the partition key: (shards, period); None where the key is not known."""
    shards, period = 1, ""
    for name in structure.partition:
        attribute = model.attribute(name)
        if name in entity_read.equals or model.stored_name(name) in entity_read.equals:
            continue
        if isinstance(attribute, Shard):
            shards *= attribute.count
        elif not period and _has_periods(entity_read, attribute):
            period = name
        else:
            return None
    return shards, period


def _has_periods(entity_read: EntityRead, attribute: Attribute) -> bool:
    """Whether a read's range names the time from which and to which an hour, date, month or year is asked for."""
    limits = entity_read.range
    if attribute.source is None or limits is None or limits.attribute != attribute.source[1]:
        return False
    return bool((limits.from_ or limits.after) and (limits.to or limits.below))


def ends_early(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether periods are asked in the order that is wanted, and no further than there are enough items."""
    by_time = not entity_read.order or entity_read.order[0].attribute == model.stored_name(
        access.period
    )
    return entity_read.limit is not None and access.ordered and by_time and not entity_read.count


def _query(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    shards: int = 1,
    period: str = "",
) -> Access:
    """The key condition a structure allows, before it is known what it reads."""
    known = set(entity_read.equals)
    bound = 0
    while bound < len(structure.sort) and structure.sort[bound] in known:
        bound += 1
    rest = structure.sort[bound:]
    ranged = entity_read.range is not None and bool(rest) and rest[0] == entity_read.range.attribute
    ranged = ranged and _reaches(model, structure, entity_read)
    told = entity_read.starts.get(rest[0], ()) if rest and rest[0] not in structure.inverse else ()
    prefix = told[0] if told else ""
    if prefix and ranged:  # a key takes one of them
        ranged = 1 / model.distinct(prefix) > entity_read.range_share
        prefix = "" if ranged else prefix
    listed = entity_read.list_of
    if listed is not None and not _is_in_key(model, structure, listed, prefix):
        known.remove(listed)  # one request brings items of all its values
    # Only a prefix is matched as text; a range of a derived or boolean part is never asked.
    wanted = [order for order in entity_read.order if order.attribute not in known]
    following = [name for name in rest if name not in known]
    ordered = [order.attribute for order in wanted] == following[: len(wanted)]
    ways = {order.descending != (order.attribute in structure.inverse) for order in wanted}
    ordered = ordered and len(ways) <= 1
    if wanted and rest[: len(wanted)] != tuple(order.attribute for order in wanted):
        ordered = False
    # All items of an index have the one value that it is limited to: nothing is left to test.
    lone = {name for name, values in structure.only if len(values) == 1}
    fixed = {*structure.partition, *structure.sort[:bound], *lone, prefix}
    left = tuple(name for name in entity_read.equals if name not in fixed)
    found = _found(model, structure, entity_read, bound, prefix)
    return Access(
        structure,
        "query",
        bound=bound,
        ranged=ranged,
        prefix=prefix,
        ordered=ordered,
        backwards=ways == {True} and ordered,
        left=left,
        found=found * entity_read.range_share if ranged else found,
        shards=shards,
        period=period,
    )


def _found(
    model: EntityModel, structure: Structure, entity_read: EntityRead, bound: int, prefix: str
) -> float:
    """Items of all partitions that have what a key condition fixes, before a range."""
    limited = (name for name, _ in structure.only)
    fixed = (*structure.partition, *structure.sort[:bound], prefix, *limited)
    found = model.matched_by(entity_read, fixed, there_in(structure, entity_read))
    return max(found, entity_read.matched * _elements(model, structure, entity_read, prefix))


def there_in(structure: Structure, entity_read: EntityRead) -> tuple[str, ...]:
    """What must be there and is, in every entry: an index whose key lacks it has the items without it, as the table."""
    keyed = structure.attributes if structure.is_index else ()
    return tuple(name for name in entity_read.exists if name in keyed)


def _elements(
    model: EntityModel, structure: Structure, entity_read: EntityRead, prefix: str
) -> float:
    """Of a list's elements, those whose items one query finds: all where the list is tested after the reading."""
    name = entity_read.list_of
    if name is not None and _is_in_key(model, structure, name, prefix):
        return 1.0
    return entity_read.list_length


def is_asked_of_each(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether a list of values is asked one by one, because the key has what is listed or begins with it."""
    name, structure = entity_read.list_of, access.structure
    if name is None:
        return False
    return structure is None or _is_in_key(model, structure, name, access.prefix)


def _is_in_key(model: EntityModel, structure: Structure, name: str, prefix: str) -> bool:
    """Whether a key has an attribute, or begins with it."""
    return name == prefix or model.is_keyed_by(structure, name)


def _reaches(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether the key condition can take a range: of an inverse text neither its start is known, nor what lies outside
    a list of values."""
    limits = entity_read.range
    if limits is None or limits.attribute not in structure.inverse:
        return True
    return limits.begins_with is None and not model.attribute(limits.attribute).values


def _priced(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    projection: Projection,
    keys: float,
) -> Iterator[Access]:
    projection = _with_left(model, entity_read, access, projection)
    if projection is not None:
        projection -= carried(model, base, structure)
    if is_exact(model, base, access, entity_read, projection, keys):
        yield _measured(model, base, structure, entity_read, access, projection, keys)


@cached
def carried(model: EntityModel, base: Structure, structure: Structure) -> frozenset[str]:
    """The attributes that an index holds under their own names whatever its list says, because they are keys."""
    return frozenset(
        part[0] for of in (structure, base) for part in model.parts(of) if model.is_native(of, part)
    )


def _measured(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    projection: Projection,
    keys: float,
) -> Access:
    """A query with what it reads and costs, each time it is asked."""
    size = model.entry_bytes(base, structure, projection, keys)
    repeats, read = reads_of_each(model, structure, entity_read, access)
    if is_asked_of_each(model, entity_read, access):
        repeats *= entity_read.list_length
    pages = max(1, ceil(read * size / PAGE_BYTES))
    consistency = entity_read.consistency_of(structure)
    units = _units_of_pages(read * size, consistency, repeats)
    if entity_read.is_asked_until_none(structure):
        pages += 1  # the last one finds nothing
        units += _units_of_pages(0, consistency, repeats)
    return replace(
        access,
        projection=projection,
        requests=pages * repeats,
        read=read * repeats,
        bytes=read * size * repeats,
        units=units,
        busiest_units=_busiest_units(model, structure, entity_read, access, size, repeats),
    )


def _units_of_pages(size: float, consistency: Consistency, repeats: float) -> Fraction:
    units = read_units(size, consistency)
    return units if repeats == 1 else units * _whole(repeats)


def _busiest_units(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    size: float,
    repeats: float,
) -> Fraction | None:
    """Units of a query for the busiest value of its partition key; None where it reads no more than usual.

    What is told apart within a partition is asked for there as often as it occurs: its busiest value among others.
    """
    names = tuple(name for name in entity_read.equals if name in structure.partition)
    sorted_by = (*structure.sort[: access.bound], access.prefix)
    below = tuple(name for name in entity_read.equals if name in sorted_by and name not in names)
    there = there_in(structure, entity_read)
    usual = model.busier(entity_read, names, there)
    shares = busiest_shares(model.entity, (n for n in below if n not in entity_read.constants))
    fuller = model.busier(entity_read, (*names, *below), there) if shares else usual
    if usual == fuller == 1:
        return None

    def units(times: float) -> Fraction:
        # What is expected on average says nothing of the busiest.
        asked = replace(entity_read, matched=entity_read.matched * times, expected=None)
        found = replace(access, found=access.found * times) if times > 1 else access
        _, read = reads_of_each(model, structure, asked, found)
        return _units_of_pages(read * size, entity_read.consistency_of(structure), repeats)

    if usual == fuller:
        return units(usual)
    often = exact(prod(shares.values())) if shares else Fraction(0)
    return often * units(fuller) + (1 - often) * units(usual)


def repriced(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    projection: Projection,
    keys: float,
) -> Access:
    """An access with what it costs now that all key attributes and shared lists are known."""
    if access.structure is None:
        return guard_access(model, base, entity_read, keys) or access
    entity_read = entity_read.ways[access.way]
    if access.call == "get":
        return _get(model, access.structure, entity_read, keys, access.way)
    held = projection if access.structure.is_index else None
    query = _measured(model, base, access.structure, entity_read, access, held, keys)
    if access.call == "query":
        return query
    one_trip = replace(query, call="query", then=None)
    wanted = _with_left(model, entity_read, one_trip, entity_read.least)
    carries = carried(model, base, access.structure)
    if held is None or (wanted is not None and wanted - carries <= held):
        return one_trip  # what others made the index hold is enough
    return _then_got(model, access.structure, entity_read, query, keys)


def rounded_up(access: Access, entity_read: EntityRead, usd: Fraction) -> Fraction:
    """Of what a read costs, the part that it is rounded up by to steps of 4 KB: each request of a Query, each item of
    the others.
    """
    if not usd or access.structure is None:
        return Fraction(0)
    requests, items, size, got = access.then or (0.0, 0.0, 0.0, Fraction(0))
    rounded = access.read if access.call == "get" else access.requests - requests
    steps = smooth_steps(rounded, access.bytes - size)
    consistency = entity_read.consistency_of(access.structure)
    less = access.units - got - exact(round(steps, 6)) * read_units(1, consistency)
    less += got - exact(round(smooth_steps(items, size), 6)) * read_units(1)
    return usd * max(Fraction(0), less) / access.units


def smooth_steps(requests: float, size: float) -> float:
    """Steps of 4 KB that requests or items of so many bytes count for: parts of steps, and one each at the least.

    Their rows are as many, and as large, as somebody guesses, so where the next step begins is chance.
    """
    return max(float(ceil(round(requests, 6))), size / READ_UNIT_BYTES)


def priced_otherwise(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    projection: Projection,
    keys: float,
) -> Access:
    """An access with what it would read of an entity read that finds or keeps more or less than was thought.

    `entity_read`: in the one way that the access takes.
    """
    structure, access = access.structure, replace(access, way=0)
    if structure is not None and access.call != "get":
        spread = spread_of(model, structure, entity_read)
        assert spread is not None
        access = replace(access, found=_query(model, structure, entity_read, *spread).found)
    return repriced(model, base, access, entity_read, projection, keys)


def _two_trips(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    keys: float,
) -> Iterator[Access]:
    """Keys from the index, which holds what is tested, then each item that is left from the table."""
    access = replace(access, call="query then get")
    for first in _priced(model, base, structure, entity_read, access, frozenset(), keys):
        yield _then_got(model, structure, entity_read, first, keys)


def _then_got(
    model: EntityModel, structure: Structure, entity_read: EntityRead, first: Access, keys: float
) -> Access:
    if entity_read.limit is not None and not first.ordered:
        entity_read = replace(entity_read, limit=None)  # it cuts what was sorted afterwards
    _, items = _reads(model, structure, entity_read, first)
    if is_asked_of_each(model, entity_read, first):
        items *= entity_read.list_length
    size = model.own_bytes + keys
    requests = max(1, ceil(items / BATCH_GET_ITEMS))
    units = read_units(size) * _whole(max(items, 1.0))
    return replace(
        first,
        call="query then get",
        requests=first.requests + requests,
        read=first.read + items,
        bytes=first.bytes + items * size,
        units=first.units + units,
        then=(requests, items, items * size, units),
    )


def _with_left(
    model: EntityModel, entity_read: EntityRead, access: Access, projection: Projection
) -> Projection:
    """What an index must hold: besides what is wanted, what is tested, and what the caller sorts by.

    Items without what they are sorted by are in no answer, which is tested too where the key does not see to it.
    """
    assert access.structure is not None
    if projection is None:
        return None
    orders = {order.attribute for order in entity_read.order}
    held = projection | set(access.left) | {c.attribute for c in entity_read.filters}
    missing = {name for name in orders if model.presence(name) < 1}
    held |= (missing | set(entity_read.exists)) - set(access.structure.attributes)
    if entity_read.range is not None and not access.ranged:
        held |= {entity_read.range.attribute}
    merged = access.shards > 1 or bool(access.period)
    if access.call == "query":
        merged = merged or entity_read.is_repeated or not access.ordered
    else:
        merged = gets_first(entity_read, access)
    if merged:
        held |= orders
    return frozenset(model.stored_name(name) for name in held)


def _reads(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> tuple[float, float]:
    """(items read, items returned) of one query."""
    in_key = access.found
    elements = _elements(model, structure, entity_read, access.prefix)
    kept = entity_read.matched * entity_read.kept * elements
    share = min(1.0, kept / in_key) if in_key else 1.0
    returned = kept
    cut = entity_read.cut
    if cut is not None:
        returned = min(kept, cut)
        if access.ordered:
            in_key = min(in_key, cut / share if share else in_key)
    return in_key, returned


def reads_of_each(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> tuple[float, float]:
    """(partitions asked, items read of each): its part of what all hold, and no more than a reading in order needs."""
    read, _ = _reads(model, structure, entity_read, access)
    if access.shards == 1 and not access.period:
        return 1.0, read
    held, kept = _reads(model, structure, replace(entity_read, limit=None), access)
    periods = periods_asked(model, entity_read, access)
    each = min(read, held / (access.shards * periods))
    if access.period and ends_early(model, entity_read, access) and kept:
        periods = min(periods, ceil((entity_read.limit or 0) / kept * periods))
    return float(access.shards * periods), each


def periods_asked(model: EntityModel, entity_read: EntityRead, access: Access) -> int:
    """How many periods a range of time touches on average: as many as it is long, and one more."""
    if not access.period or entity_read.range is None:
        return 1
    return ceil(entity_read.range_share * model.distinct(access.period)) + 1


def is_exact(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    projection: Projection,
    keys: float,
) -> bool:
    """Rule 3: a Query drops at most nine tenths of what it reads, or reads a small collection.

    That filters are expected to leave fewer rows than they do of all items, or that another list says so, is no reason
    to refuse it.
    `projection`: what an index holds, perhaps for others; `keys`: bytes of the key attributes on the item.
    """
    if access.structure is None or access.call == "get":
        return True
    entity_read = entity_read.ways[access.way]
    size = model.entry_bytes(base, access.structure, projection, keys)
    asked = [entity_read]
    if entity_read.filters and (entity_read.expected is not None or entity_read.also):
        tests = (share_kept(model.design, model.entity, one) for one in entity_read.filters)
        asked.append(
            replace(entity_read, expected=None, kept=entity_read.range_share * prod(tests))
        )
    for one in asked:
        read, returned = _reads(model, access.structure, one, access)
        if read * size <= SMALL_COLLECTION_BYTES or returned >= read * (1 - MOST_DROPPED):
            return True
    return False


def _whole(count: float) -> int:
    """So many whole items; what binary fractions add to a whole number is none."""
    return max(1, ceil(round(count, 6)))


def is_native_filter(model: EntityModel, structure: Structure, name: str) -> bool:
    """Whether an attribute is a key attribute itself, which DynamoDB refuses in a filter."""
    return any(
        model.is_native(structure, part) and name in part
        for part in (*model.split(structure)[0], *model.split(structure)[1])
    )
