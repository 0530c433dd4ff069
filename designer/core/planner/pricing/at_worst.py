"""What a read takes at the worst: of the largest collection that is stated, where what is tested may find nothing."""

from dataclasses import dataclass
from math import ceil

from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import (
    BATCH_GET_ITEMS,
    FEW_PAGES,
    MANY_REQUESTS,
    PAGE_BYTES,
    SMALL_COLLECTION_BYTES,
)
from designer.core.patterns.base import Condition
from designer.core.plan import Constant
from designer.core.planner.model.cardinality import belongs_to
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, operand
from designer.core.planner.model.shares import (
    busiest_shares,
    presence,
    says_its_shares,
    share_always_kept,
    share_asked,
    share_kept_by_all,
    stated_share,
)
from designer.core.planner.model.structures import Access
from designer.core.planner.model.worth import CUT, PERHAPS_CUT
from designer.core.planner.pricing.asked_lists import is_asked_of_each, lists_in_key, values_asked
from designer.core.planner.pricing.key_matching import (
    gets_first,
    is_of_all,
    periods_asked,
    reads_of_one,
)
from designer.core.planner.pricing.largest_found import (
    asked_by_key,
    found_by_each,
    found_of_all,
    largest_together,
    most_found,
)
from designer.core.planner.pricing.requests import batches
from designer.core.planner.pricing.sparse_entries import presence_of_free
from designer.core.rational import Fraction
from designer.core.words.lacking import lacking

MOST = 0.5
"""Tests that keep more than this share on average keep most of the largest collection, too."""


def _is_most(kept: float, of: float = 1.0) -> bool:
    """Whether it is more than half, which a half is not, however exactly it is worked out."""
    return of > 0 and round(kept / of, 9) > MOST


GOT_BYTES = FEW_PAGES * PAGE_BYTES / (MANY_REQUESTS * BATCH_GET_ITEMS)
"""Bytes for which an item counts at least that is got and dropped: many requests take as long as a few pages."""


@dataclass(frozen=True)
class AtWorst:
    """One query at the worst, each time it is asked."""

    requests: float
    read: float
    units: Fraction
    is_short: bool
    """It reads more than a few pages, of which it may return little."""


def is_tested(entity_read: EntityRead, access: Access) -> bool:
    """Whether what a query reads is tested after the reading, so that it may find nothing."""
    is_ranged = access.ranged or bool(access.period)
    return bool(
        access.left
        or entity_read.filters
        or _may_lack(entity_read, access)
        or (entity_read.range is not None and not is_ranged)
    )


def _may_lack(entity_read: EntityRead, access: Access) -> list[str]:
    """The attributes that must be there, and that what a query reads may lack."""
    assert access.structure is not None
    keyed = set(access.structure.attributes) if access.structure.is_index else set()
    return [name for name in entity_read.exists if name not in keyed]


def _tests_no_more(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether all that is tested follows from what the key has: who names a van names its depot."""
    if tested_after(entity_read, access) or _may_lack(entity_read, access):
        return False
    assert access.structure is not None
    keyed = asked_by_key(entity_read, access, access.structure)
    return all(belongs_to(model.design, model.entity, name, keyed) for name in access.left)


def at_worst(
    model: EntityModel, entity_read: EntityRead, access: Access, page: int | None
) -> AtWorst | None:
    """The first read of a query at the worst; None for what is no query. `page`: items that one page reads at most.

    `entity_read`: in the way that the access takes.
    """
    structure = access.structure
    if structure is None or not access.call.startswith("query"):
        return None
    found = found_by_each(model, entity_read, access, structure)
    tested = is_tested(entity_read, access) and not _tests_no_more(model, entity_read, access)
    is_cut = entity_read.limit is not None
    stops = is_cut and access.ordered and not tested
    # How wide a range of periods is, the caller says.
    partitions = float(access.shards * periods_asked(model, entity_read, access))
    each_often = tuple((many, 1.0) for many in found)
    listed = lists_in_key(model, entity_read, access)
    if listed:
        most = found_of_all(model, entity_read, access, structure)
        if top := largest_together(model, entity_read, access):
            every = sum(share * many for share, many in top)
            # Of one list, each value may be the largest with what else is asked for.
            commonest = max(share for share, _ in top) if len(listed) > 1 else None
            each_often = tuple(
                (min(found[0] * share / (commonest or share), most * share / every), many)
                for share, many in top
            )
        else:
            alike = values_asked(model, entity_read, access) / len(found)
            less = min(1.0, most / alike / (sum(found) or 1.0))
            each_often = tuple((many * less, alike) for many in found)
    requests = read = 0.0
    units = Fraction(0)
    for items, often in each_often:
        each, times = items / partitions, partitions * often
        if stops:
            each = min(each, float(entity_read.limit or 0))
        took, used = _pages_at_worst(entity_read, access, each, None if stops else page)
        requests += took * times
        read += each * times
        units += used * max(1, ceil(round(times, 6)))
    is_short = few_pages_dropped(model, entity_read, access) > 1
    return AtWorst(requests, read, units, is_short)


def _pages_at_worst(
    entity_read: EntityRead, access: Access, items: float, page: int | None
) -> tuple[int, Fraction]:
    """Requests and units of one query that reads so many items. `page`: items that one page has at most."""
    assert access.structure is not None
    size, consistency = item_bytes(access), entity_read.consistency_of(access.structure)
    pages = max(1, ceil(items * size / PAGE_BYTES))
    if page is None:
        requests = pages
        units = read_units(items * size / pages, consistency) * pages
    else:  # each page is rounded by itself, the last one too, which may be empty
        full = int(round(items / page, 6))
        requests = max(pages, full + 1)
        left = max(0.0, round(items - full * page, 6))
        units = read_units(page * size, consistency) * full
        units += read_units(left * size, consistency)
    if entity_read.is_asked_until_none(access.structure):
        requests += 1  # the last one finds nothing
        units += read_units(0, consistency)
    return requests, units


def cut_charge(model: EntityModel, entity_read: EntityRead, access: Access) -> Fraction:
    """What it counts for that the application sorts and cuts what a query finds, in multiples of the worth."""
    structure, limit = access.structure, entity_read.limit
    if structure is None or limit is None or access.ordered:
        return Fraction(0)
    if not access.call.startswith("query"):
        return Fraction(0)
    if entity_read.is_figure:  # which is looked for among all of them
        is_small = model.stays_small((*structure.partition, *structure.sort[: access.bound]))
        return Fraction(0) if is_small else PERHAPS_CUT
    found = found_by_each(model, entity_read, access, structure)
    if max(found) > limit:
        return CUT
    names = asked_by_key(entity_read, access, structure)
    return Fraction(0) if model.has_at_most(names, entity_read.constants, limit) else PERHAPS_CUT


@cached
def few_pages_dropped(model: EntityModel, entity_read: EntityRead, access: Access) -> float:
    """What a query may drop at the worst, where the few pages that it may drop are 1; above 1 it may return too little.

    Of the bytes that the design states: how keys are written decides nothing. 0 for a small collection, and for a job,
    for whose pages nobody waits.
    """
    structure = access.structure
    if structure is None or not access.call.startswith("query") or entity_read.is_job:
        return 0.0
    found = found_by_each(model, entity_read, access, structure)
    many, size = max(found), access.stated + _got_bytes(model, access)
    if many * size <= SMALL_COLLECTION_BYTES:
        return 0.0
    # Shards and periods of one collection are pages of it.
    may_miss = is_tested(entity_read, access) and not keeps_most(model, entity_read, access)
    returned = 0.0 if may_miss or is_of_all(entity_read, access) else many
    if entity_read.limit is not None and not access.ordered:
        returned = min(returned, float(entity_read.limit))
    return (many - returned) * size / (FEW_PAGES * PAGE_BYTES)


def keeps_most(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether the design says that tests keep most of what a query reads: then of the largest collection, too.

    What nobody stated may keep nothing of a large collection, and so may a value that the caller chooses.
    """
    assert access.structure is not None
    if not _are_shares_stated(model, entity_read, access):
        return False
    every = changed(entity_read, limit=None)
    read, returned = reads_of_one(model, access.structure, every, access)
    return _is_most(returned, read)


def most_passing(model: EntityModel, entity_read: EntityRead, access: Access) -> float | None:
    """Items that a query returns at the worst, before a limit, where the design says how common what it tests is.

    Of the largest collection that is stated as many have a value as where a key finds it, the commonest of a kind
    that a caller gives, and as many have an attribute or lack it. None where it asks for each value of a list.
    """
    structure = access.structure
    if structure is None or is_asked_of_each(model, entity_read, access):
        return None
    tested = {
        test.attribute: operand(test.is_)
        for test in entity_read.filters
        if test.is_ is not None and test.attribute in model.entity.by_name
    }
    said = {test.attribute: test.share for test in entity_read.filters if test.share is not None}
    found = changed(
        entity_read,
        equals={**tested, **entity_read.equals},
        said={**said, **entity_read.said},
        limit=None,
    )
    names = asked_by_key(entity_read, access, structure).union(tested, access.left)
    names = names.difference(entity_read.lists)
    _, usual = reads_of_one(model, structure, changed(entity_read, limit=None), access)
    design, entity = model.design, model.entity
    may_lack = _may_lack(entity_read, access)
    there = {*structure.attributes, *model.sparse_by(structure), *may_lack}
    known = {lacking(name) or name for name in there}.union(tested, entity_read.equals)
    fixed = share_always_kept(design, entity, entity_read.filters, known)
    fixed *= presence(entity, may_lack, entity_read.said)
    # How wide a range is, and how many meet other tests, the caller says, but all that do have what is tested.
    free = [test for test in entity_read.filters if test.attribute not in tested]
    sure = {*entity_read.equals, *entity_read.exists, *tested}
    if entity_read.range is not None:
        sure.add(entity_read.range.attribute)
    kept = entity_read.range_share * share_kept_by_all(design, entity, free, sure)
    most = usual / kept if kept else access.found
    fixed *= presence_of_free(model, entity_read, known) * _share_listed(model, entity_read, access)
    most = most_found(model, found, structure, names.intersection(found.equals), most)
    return max(usual, fixed * most)


def _share_listed(model: EntityModel, entity_read: EntityRead, access: Access) -> float:
    """The share of the items that have a value of the fixed lists that are tested, as far as the design says it."""
    share = 1.0
    for name, one in entity_read.lists.items():
        if name in access.left and one.always:
            attribute, values = (
                model.attribute(name),
                [Constant(value=value) for value in one.always],
            )
            if name in entity_read.said:
                share *= entity_read.said[name]
            elif attribute.shares:
                each = (share_asked(model.design, model.entity, attribute, v) for v in values)
                share *= min(1.0, sum(each))
    return share


def tested_after(entity_read: EntityRead, access: Access) -> list[Condition]:
    """The filters, and a range that is tested after the reading."""
    tests = [*entity_read.filters]
    if entity_read.range is not None and not (access.ranged or access.period):
        tests.append(entity_read.range)
    return tests


def _are_shares_stated(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether the design says what share of the items passes all that is tested after the reading."""
    if entity_read.expected is not None:
        return True
    design, entity = model.design, model.entity
    assert access.structure is not None
    keyed = asked_by_key(entity_read, access, access.structure)
    return all(
        name in entity_read.said
        or belongs_to(design, entity, name, keyed)
        or (
            entity_read.constant_values(name)
            and says_its_shares(design, entity, entity.by_name[name])
        )
        for name in access.left
    ) and all(
        stated_share(design, entity, test) is not None
        and (test.share is not None or not any(test.parameters) or _spares_most(model, test))
        for test in tested_after(entity_read, access)
    )


def _spares_most(model: EntityModel, test: Condition) -> bool:
    """Whether what excludes a value that the caller chooses keeps most items even where it is the commonest."""
    if test.not_ is None or test.attribute not in model.entity.by_name:
        return False
    commonest = busiest_shares(model.entity, (test.attribute,)).get(test.attribute, 1.0)
    return _is_most(1 - commonest * model.presence(test.attribute))


def item_bytes(access: Access) -> float:
    """Bytes of one item that the first read takes."""
    items = 0.0 if access.then is None else access.then[1]
    size = 0.0 if access.then is None else access.then[2]
    read = access.read - items
    return (access.bytes - size) / read if read > 0 else 0.0


def _got_bytes(model: EntityModel, access: Access) -> float:
    """Bytes that count, for each item that the first read finds, where all are got before they are tested."""
    if access.then is None or not access.late or access.read <= access.then[1]:
        return 0.0
    _, items, _, _ = access.then
    return items * max(model.stated_bytes, GOT_BYTES) / (access.read - items)


def gets_no_more(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether one read may find more keys, in their order, than the items that are wanted."""
    is_one_query = not (
        access.shards > 1
        or access.period
        or is_asked_of_each(model, entity_read, access)
        or entity_read.is_dependent
    )
    is_in_order = is_one_query and access.ordered and entity_read.limit is not None
    return is_in_order and is_tested(entity_read, access)


def cuts_keys(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether no more items are got than the limit says, however many keys the last pages hold."""
    return gets_first(model, entity_read, access) or gets_no_more(model, entity_read, access)


def _says_how_many(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether the design says of the largest collection, or of all items, how many pass what is tested."""
    assert access.structure is not None
    keyed = asked_by_key(entity_read, access, access.structure)
    return model.largest(keyed) is not None or _are_shares_stated(model, entity_read, access)


def got_at_worst(
    model: EntityModel, entity_read: EntityRead, first: AtWorst, access: Access
) -> AtWorst | None:
    """The second read at the worst; None if there is none. All that may pass the tests before it is met.

    Each query for a row ends once it has as many as the limit; what its last page has beyond that is met too.
    """
    if access.then is None:
        return None
    _, items, size, _ = access.then
    most, limit = first.read, entity_read.limit
    if limit is not None and cuts_keys(model, entity_read, access):
        most = min(most, float(limit))
    if not access.late and _says_how_many(model, entity_read, access):
        passing = most_passing(model, entity_read, access)
        most = most if passing is None else min(most, passing)
    most = max(items, most)
    unit = read_units(size / items if items else 0.0, entity_read.consistency)
    requests = batches(most, most * size / items if items else 0.0)
    units = unit * max(1, ceil(round(most, 6)))
    return AtWorst(requests, most, units, is_short=False)
