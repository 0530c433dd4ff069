"""The figures of one way to answer a read: requests, items, bytes and units, on average and of the busiest value."""

from collections.abc import Iterator
from math import ceil, prod
from operator import mul

from designer.core.capacity.sizes import attribute_value_bytes, entity_bytes
from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import PAGE_BYTES, READ_UNIT_BYTES
from designer.core.patterns.base import Consistency
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import exact
from designer.core.planner.model.shares import busiest_in_list, busiest_shares
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.asked_lists import asked_apart, unlike_in_key, values_asked
from designer.core.planner.pricing.at_worst import cuts_keys
from designer.core.planner.pricing.exactness import is_exact
from designer.core.planner.pricing.guards import guard_bytes
from designer.core.planner.pricing.key_matching import (
    gets_first,
    got_of_one,
    in_two_requests,
    reads_of_each,
    reads_of_one,
    there_in,
    with_what_is_left,
)
from designer.core.planner.pricing.pages import Pages, pages_behind_test
from designer.core.planner.pricing.requests import batches
from designer.core.planner.pricing.write_costs import needs_identifier_guard
from designer.core.rational import Fraction


def guard_access(
    model: EntityModel, base: Structure, entity_read: EntityRead, keys: float
) -> Access | None:
    """Through a guard item: its value leads to the base key. By the identifier only where it may take two requests."""
    if not entity_read.one or entity_read.list_of or entity_read.is_pinned:
        return None
    if entity_read.impossible is not None:
        return None
    guards = model.uniques
    if set(model.entity.identifier) <= set(entity_read.equals):
        if not in_two_requests(model) or not needs_identifier_guard(model, base):
            return None
        guards = ((),)
    consistency: Consistency = "strong" if entity_read.strong else "eventual"
    for guarded in guards:
        names = set(guarded or model.entity.identifier)
        if not names <= set(entity_read.equals):
            continue
        left = tuple(known for known in entity_read.equals if known not in names)
        guard = Access(None, "guard", guard=guarded, left=left, projection=None)
        found = guard_bytes(model, base, guarded)
        look = read_units(found, consistency)
        if (
            entity_read.wanted == ()
            and not left
            and not entity_read.filters
            and not entity_read.exists
        ):
            return changed(guard, bytes=found, units=look)  # the guard is there when the item is
        if entity_read.consistency == "transactional":
            return None  # between the two requests the value may go to another item
        size = model.own_bytes + keys
        return changed(
            guard,
            call="guard then get",
            requests=2,
            read=2,
            bytes=found + size,
            units=look + read_units(size, consistency),
        )
    return None


def get_access(
    model: EntityModel, structure: Structure, entity_read: EntityRead, keys: float, way: int = 0
) -> Access:
    size = model.entry_bytes(structure, structure, None, keys)
    length, before = entity_read.combinations if entity_read.list_of else 1.0, entity_read.before
    requests = batches(before + length, entity_read.before_bytes + size * length)
    if before:
        requests -= batches(before, entity_read.before_bytes)
    left = tuple(name for name in entity_read.equals if name not in structure.attributes)
    units = read_units(size, entity_read.consistency_of(structure)) * on_average(length)
    once = once_of_list(model, structure, entity_read)
    return Access(
        structure,
        "get",
        left=left,
        way=way,
        projection=None,
        requests=requests,
        read=length,
        bytes=size * length,
        stated=model.stated_bytes,
        units=units,
        busiest_units=None if once == 1 else units * exact(once),
    )


def asked_beside(
    model: EntityModel, access: Access, entity_read: EntityRead, rows: EntityRead, is_got: bool
) -> Access:
    """What comes along by the identifiers that the caller lists, in requests of its own if the rows are not got so.

    `is_got`: whether the rows are got by their keys, in whose request it goes then.
    """
    if not entity_read.before or is_got or access.call != "get":
        return access
    before = entity_read.before - rows.combinations
    size = entity_read.before_bytes - rows.combinations * entity_bytes(
        model.design.entity[rows.entity]
    )
    requests = batches(before + access.read, size + access.bytes)
    return changed(access, requests=requests - (batches(before, size) if before > 0 else 0))


def priced_access(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    projection: Projection,
    keys: float,
) -> Iterator[Access]:
    projection = with_what_is_left(model, entity_read, access, projection)
    if projection is not None:
        projection -= carried(model, base, structure)
    if is_exact(model, base, access, entity_read, projection):
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
    page: int | None = None,
) -> Access:
    """A query with what it reads and costs, each time it is asked."""
    size = model.entry_bytes(base, structure, projection, keys)
    size += _more_bytes(model, structure, projection, entity_read, access)
    repeats, _ = reads_of_each(model, structure, entity_read, access)
    repeats *= values_asked(model, entity_read, access)
    consistency = entity_read.consistency_of(structure)
    found, units = _pages_read(model, structure, entity_read, access, size, page)
    pages, read = found.requests, found.read
    units = _repeated(units, repeats)
    if entity_read.is_asked_until_none(structure):
        pages += 1  # the last one finds nothing
        units += _repeated(read_units(0, consistency), repeats)
    return changed(
        access,
        projection=projection,
        spells=_spells(model, base, structure, entity_read, access, projection),
        requests=pages * repeats,
        read=read * repeats,
        bytes=read * size * repeats,
        stated=model.stated_entry_bytes(base, structure, projection),
        padding=(read - found.filled) * repeats * row_padding(model, base, structure),
        filled=found.filled * size * repeats,
        units=units,
        page=found.items,
        busiest_units=_busiest_units(
            model, structure, entity_read, access, size, repeats, found.items
        ),
    )


def _more_bytes(
    model: EntityModel,
    structure: Structure,
    projection: Projection,
    entity_read: EntityRead,
    access: Access,
) -> float:
    """Bytes that what a query finds has more than the average, since it has values that are longer; less than 0 if
    shorter. Of a list that is always the same, those of its items on average; of its longest value where a limit ends
    its pages, none of which is longer than the steps that it is charged for.
    """
    found, limited = 0.0, dict(structure.only)
    fixed = {*structure.partition, *structure.sort[: access.bound], *limited}
    for name in sorted(fixed & entity_read.equals.keys()):
        attribute, texts = model.attribute(name), entity_read.constant_values(name)
        if attribute.type != "S" or attribute.derived is not None or not texts:
            continue
        sizes = [len(text.encode()) for text in texts]
        weights = (
            entity_read.unlike if len(entity_read.unlike) == len(texts) else (1.0,) * len(texts)
        )
        mean = sum(map(mul, sizes, weights)) / sum(weights)
        most = max(sizes) if entity_read.limit is not None else mean
        longer = most - attribute_value_bytes(attribute)
        parts = [part for part in model.parts(structure) if name in part]
        composed = sum(not model.is_native(structure, part) for part in parts)
        is_held = projection is None or name in projection or composed < len(parts)
        # The keys of an index that is limited to some values are as long as these anyway.
        found += longer * (is_held + (0 if name in limited else composed))
    return found


def row_padding(model: EntityModel, base: Structure, structure: Structure) -> float:
    """Bytes that the keys of an item or an entry count for besides those that it has."""
    return model.padding(structure) + (model.padding(base) if structure.is_index else 0.0)


def counted_row_padding(model: EntityModel, base: Structure, structure: Structure) -> float:
    """The same with what the planner aims at."""
    return row_padding(model, base, structure) if model.worth else 0.0


def _spells(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    held: Projection,
) -> bool:
    """Whether one read of an index takes some of what is wanted from the text of keys."""
    if held is None or not structure.is_index or access.call != "query":
        return False
    wanted = entity_read.least
    names = model.entity.stored_names if wanted is None else wanted
    return bool((names & model.spelled(base, structure)) - held - carried(model, base, structure))


def _pages_read(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    size: float,
    page: int | None = None,
) -> tuple[Pages, Fraction]:
    """The pages of one partition, and their units. `page`: the items of one, where a plan has them already."""
    consistency = entity_read.consistency_of(structure)
    pages = pages_behind_test(model, entity_read, access, size, page)
    if unlike_in_key(model, entity_read, access):
        page = pages.items if pages is not None else None
        return _pages_of_unlike(model, structure, entity_read, access, size, page)
    if pages is None:
        _, read = reads_of_each(model, structure, entity_read, access)
        requests = max(1, ceil(read * size / PAGE_BYTES))
        return Pages(None, requests, read), read_units(read * size, consistency)
    if pages.requests == 1:
        return pages, read_units(pages.read * size, consistency)
    full = exact(pages.requests) - exact(pages.to_end)
    units = full * read_units((pages.items or 0) * size, consistency)
    return pages, units + exact(pages.to_end) * read_units(pages.rest * size, consistency)


def _pages_of_unlike(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    size: float,
    page: int | None,
) -> tuple[Pages, Fraction]:
    """The same on average over the values of a list, some of which have more items than others."""
    found = [
        _pages_read(model, structure, one, of_one, size, page)
        for one, of_one in asked_apart(model, entity_read, access)
    ]
    many = len(found)
    mean = Pages(
        page,
        sum(pages.requests for pages, _ in found) / many,
        sum(pages.read for pages, _ in found) / many,
        sum(pages.filled for pages, _ in found) / many,
    )
    return mean, sum((units for _, units in found), Fraction(0)) / many


def on_average(count: float) -> Fraction:
    """So many items or requests, each of which is charged by itself: 2.5 on average cost 2.5 times one.

    What binary fractions add to a figure is none.
    """
    return exact(round(count, 6))


def _repeated(units: Fraction, repeats: float) -> Fraction:
    return units if repeats == 1 else units * on_average(repeats)


def _busiest_units(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    access: Access,
    size: float,
    repeats: float,
    page: int | None,
) -> Fraction | None:
    """Units of a query for the busiest value of its partition key; None where it reads no more than usual.

    What differs within a partition is read there as often as it occurs: its busiest value among others. Of a list that
    is always the same, its own values are asked for, and all of them each time: in one partition, or each in another.
    """
    apart = asked_apart(model, entity_read, access)
    if apart:
        each = repeats / len(apart)
        busiest = [
            _busiest_units(model, structure, one, of_one, size, each, page) for one, of_one in apart
        ]
        is_in_partition = _is_in_partition(model, structure, entity_read)
        if all(units is None for units in busiest) and not is_in_partition:
            return None
        of_each = [
            _repeated(_pages_read(model, structure, one, of_one, size, page)[1], each)
            if units is None
            else units
            for units, (one, of_one) in zip(busiest, apart, strict=True)
        ]
        return max(of_each) if is_in_partition else sum(of_each, Fraction(0))
    names = tuple(name for name in entity_read.equals if name in structure.partition)
    sorted_by = (*structure.sort[: access.bound], access.prefix)
    below = tuple(name for name in entity_read.equals if name in sorted_by and name not in names)
    there = there_in(structure, entity_read)
    asked = (*names, *below)
    usual = model.busier(entity_read, names, there, asked)
    once = once_of_list(model, structure, entity_read)
    repeats *= once
    shares = busiest_shares(model.entity, (n for n in below if n not in entity_read.constants))
    fuller = model.busier(entity_read, asked, there, asked) if shares else usual
    if once == usual == fuller == 1:
        return None

    def units(times: float) -> Fraction:
        asked = busier_read(model, entity_read, times)
        found = changed(access, found=access.found * times) if times > 1 else access
        _, read = _pages_read(model, structure, asked, found, size)
        return _repeated(read, repeats)

    if usual == fuller:
        return units(usual)
    often = Fraction(0)
    if shares:
        often = exact(prod(model.shares_of_each(entity_read, shares).values()))
    return often * units(fuller) + (1 - often) * units(usual)


@cached
def once_of_list(model: EntityModel, structure: Structure, entity_read: EntityRead) -> float:
    """What part of a list's queries, or of the rows that are got, can be for the same value of a partition key.

    The share of the traffic on the busiest value counts for each query. But a value is in a list once, and of rows
    that refer to the same item, that is got once.
    """
    constants = entity_read.constants
    share = model.hottest_share(structure, constants) * model.shards(structure)
    if entity_read.list_of is not None and not entity_read.always:
        stored = {model.stored_name(name): name for name in structure.partition}
        listed = {
            stored[one.of]: one.length
            for one in entity_read.lists.values()
            if not one.always and stored.get(one.of) in model.entity.by_name
        }
        if not listed:
            return 1.0
        there = prod(
            busiest_in_list(model.design, model.entity, name, length)
            for name, length in listed.items()
        )
        others = model.hottest_share(structure, constants.union(listed)) * model.shards(structure)
        return min(1.0, round(min(there, others) / (share * prod(listed.values())), 9))
    if entity_read.one and entity_read.is_dependent and model.entity.names_one(structure.partition):
        each = share * entity_read.times
        return min(1.0, round(1 / each, 9)) if each else 1.0
    return 1.0


def _is_in_partition(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether each value of a list has partitions of its own."""
    partition = {one for name in structure.partition for one in (name, model.stored_name(name))}
    return entity_read.list_of in partition


@cached
def busier_read(model: EntityModel, entity_read: EntityRead, times: float) -> EntityRead:
    """An entity read of a value with so many times the items; what is expected on average says nothing of it."""
    return changed(entity_read, matched=entity_read.matched * times, expected=None, uneven=())


@cached
def repriced(
    model: EntityModel,
    base: Structure,
    access: Access,
    entity_read: EntityRead,
    projection: Projection,
    keys: float,
    page: int | None = None,
) -> Access:
    """An access with what it costs now that all key attributes and shared lists are known.

    `page`: items of a page behind a test, where a plan has that already.
    """
    if access.structure is None:
        return guard_access(model, base, entity_read, keys) or access
    entity_read = entity_read.ways[access.way]
    if access.call == "get":
        return get_access(model, access.structure, entity_read, keys, access.way)
    held = projection if access.structure.is_index else None
    query = _measured(model, base, access.structure, entity_read, access, held, keys, page)
    if access.call == "query":
        return query
    in_one_read = changed(query, call="query", then=None, late=frozenset())
    wanted = with_what_is_left(model, entity_read, in_one_read, entity_read.least)
    carries = carried(model, base, access.structure)
    if held is None or (wanted is not None and wanted - carries <= held):
        return in_one_read  # what others made the index hold is enough
    late = access.late - held  # what others made the index hold is tested there
    query = query if late == access.late else changed(query, late=late)
    return then_got(model, access.structure, entity_read, query, keys)


def rounded_up(
    access: Access, entity_read: EntityRead, usd: Fraction, padding: float = 0.0
) -> Fraction:
    """Of what a read costs, the part that it is rounded up by to steps of 4 KB: each request of a Query, each item of
    the others, and what fills its last page. `padding`: bytes that count besides; with them it may count for more.
    """
    if not usd or access.structure is None:
        return Fraction(0)
    requests, size = (0.0, 0.0) if access.then is None else (access.then[0], access.then[2])
    rounded = access.read if access.call == "get" else access.requests - requests
    steps = smooth_steps(rounded, access.bytes - access.filled - size + padding)
    consistency = entity_read.consistency_of(access.structure)
    less = access.units - exact(round(steps, 6)) * read_units(1, consistency)
    if access.then is not None:
        less -= exact(round(smooth_steps(access.then[1], size), 6)) * read_units(1)
    return usd * less / access.units if less > 0 or padding else Fraction(0)


def smooth_steps(requests: float, size: float) -> float:
    """Steps of 4 KB that requests or items of so many bytes count for: parts of steps, and one each at the least.

    Their rows are as many, and as large, as somebody guesses, so where the next step begins is chance.
    """
    return max(requests, size / READ_UNIT_BYTES)


def then_got(
    model: EntityModel, structure: Structure, entity_read: EntityRead, first: Access, keys: float
) -> Access:
    items = _got(model, structure, entity_read, first)
    size = model.own_bytes + keys
    requests = batches(items, items * size)
    units = read_units(size) * on_average(items)
    return changed(
        first,
        call="query then get",
        requests=first.requests + requests,
        read=first.read + items,
        bytes=first.bytes + items * size,
        units=first.units + units,
        then=(requests, items, items * size, units),
    )


def _got(model: EntityModel, structure: Structure, entity_read: EntityRead, first: Access) -> float:
    """Items that a second read gets: the first few of those whose keys meet the tests, or all of them."""
    if gets_first(model, entity_read, first):
        return entity_read.returned
    items = got_of_one(model, structure, entity_read, first)
    items *= values_asked(model, entity_read, first)
    if entity_read.limit is None or not first.ordered or cuts_keys(model, entity_read, first):
        return items
    every = changed(entity_read, limit=None)
    held, kept = reads_of_one(model, structure, every, first)
    return max(items, first.read * kept / held) if held else items
