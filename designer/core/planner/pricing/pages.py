"""Pages of a Query that stops when enough items pass a test: how large they are, and how many it takes on average."""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, exp, floor, lgamma, log, sqrt
from statistics import NormalDist

from designer.core.dynamodb.limits import MANY_REQUESTS, NEGLIGIBLE, PAGE_BYTES, READ_UNIT_BYTES
from designer.core.planner.model.cardinality import MOST_APART, times_of_all
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import (
    Shares,
    average_share,
    share_kept_by_all,
    shares_asked,
    shares_given,
    shares_of_lists,
    times_average,
)
from designer.core.planner.model.structures import Access
from designer.core.planner.pricing.asked_lists import unlike_in_key
from designer.core.planner.pricing.at_worst import (
    at_worst,
    cuts_keys,
    is_tested,
    item_bytes,
    tested_after,
)
from designer.core.planner.pricing.key_matching import (
    reads_of_each,
    reads_of_one,
    uneven_by_key,
)
from designer.core.planner.pricing.sparse_entries import presence_of_tested

MANY = 20
"""Pages from which chance matters little: as many are asked for as hold what is needed."""
TOLERANCE = 1e-6
"""Of shares that are worked out in two ways."""
FEW = 200
"""Rows up to which the binomial distribution is added up; beyond, the normal distribution is as good."""


PLACES = 11
"""Where what passes a range of both sides may begin: so many places, which are apart alike."""


Needed = tuple[tuple[float, float, float, float], ...]
"""How often so many items have to be read, of so many that a query can read; the first so many of these never pass."""


@dataclass(frozen=True)
class Beside:
    """What a Query reads before, for other entity reads that it answers, too."""

    items: int = 0
    bytes: float = 0.0


NOTHING = Beside()


@dataclass(frozen=True)
class Pages:
    """The pages of one Query on average."""

    items: int | None
    """Items of a page at most: the `Limit` of the request; None where no limit behind a test says it."""
    requests: float
    """Pages that it asks for."""
    read: float
    """Items that it reads in all."""
    filled: float = 0.0
    """Of these, what only fills the steps of a page: fewer would do on average."""
    to_end: float = 0.0
    """Of the pages, how many are the last of a collection, which holds what the others leave."""
    rest: float = 0.0
    """Items of that last page."""


def pages_behind_test(
    model: EntityModel,
    entity_read: EntityRead,
    access: Access,
    size: float,
    page: int | None = None,
    beside: Beside = NOTHING,
) -> Pages | None:
    """The pages of a query that tests what it reads and has a limit; None for any other.

    `entity_read`: in the way that the access takes; `size`: bytes of an item or entry; `page`: items of a page, where
    a plan has that already; `beside`: what comes first in the pages, and is no part of what these read in all.
    """
    limit = entity_read.limit
    if limit is None or not access.ordered:
        return None
    if not is_tested(entity_read, access):
        return None
    assert access.structure is not None
    _, needed = reads_of_each(model, access.structure, entity_read, access)
    without_limit = replace(entity_read, limit=None)
    _, there = reads_of_each(model, access.structure, without_limit, access)
    needed, there = round(needed, 6), round(there, 6)
    held, kept = reads_of_one(model, access.structure, without_limit, access)
    usual = (entity_read.cut or limit) * held / kept if kept else there
    places = _places(model, entity_read, access)
    by_test = _uneven(model, entity_read, access, kept / held if held else 1.0)
    by_key = _uneven_in_key(model, entity_read, access)
    asked: Needed = ((1.0, needed, there, 0.0),)
    if by_test or by_key or places:
        by_key, by_test = by_key or ((1.0, 1.0),), by_test or ((1.0, 1.0),)
        each = places or (_Place(),)
        if len(by_key) * len(by_test) * len(each) > MOST_APART:
            each = (each[len(each) // 2],)
        asked = tuple(
            (
                in_key * often / len(each),
                place.until_found(usual / times, there * more),
                round(there * more, 6),
                place.before * there * more,
            )
            for in_key, more in by_key
            for often, times in by_test
            for place in each
        )
    if places:
        needed = sum(place.until_found(usual, there) for place in places) / len(places)
    if page is None:
        fills = access.call == "query" or cuts_keys(model, entity_read, access)
        return _pages(limit, needed, there, round(size, 6), asked, fills, beside)
    return _of_pages(limit, asked, page, beside.items)


@dataclass(frozen=True)
class _Place:
    """Where a query finds what a range keeps that is tested of what it sorts by."""

    share: float = 1.0
    """The share of what it reads that the range keeps; the other tests keep some of it by chance."""
    before: float = 0.0
    """The share that it has to read before."""

    def until_found(self, needed: float, there: float) -> float:
        """Items to read until enough pass, where so many would do by chance; all where too few pass."""
        found = needed * self.share
        most = there * self.share
        return round(self.before * there + found if found <= most else there, 6)


def _places(model: EntityModel, entity_read: EntityRead, access: Access) -> tuple[_Place, ...]:
    """Nothing where no such range is tested. What is newer than some time comes first where the newest does, else last.

    What lies between two times, or begins with some text, may be anywhere, each place as often as any.
    """
    if not entity_read.order or entity_read.expected is not None:
        return ()
    order, tests = entity_read.order[0], tested_after(entity_read, access)
    ranges = [one for one in tests if one.attribute == order.attribute]
    if len(ranges) != 1 or not ranges[0].is_range:
        return ()
    (one,) = ranges
    is_from, is_to = bool(one.from_ or one.after), bool(one.to or one.below)
    others = share_kept_by_all(
        model.design,
        model.entity,
        (two for two in tests if two is not one),
        (*entity_read.equals, *entity_read.exists, one.attribute),
    )
    if entity_read.range is not None and entity_read.range not in tests:
        others *= entity_read.range_share
    if not others:
        return ()
    # What is sorted by the attribute has it.
    others *= presence_of_tested(model, entity_read, one.attribute)
    share = min(1.0, entity_read.kept / others) if others else 0.0
    if is_from == is_to:
        return tuple(_Place(share, (1 - share) * (at + 0.5) / PLACES) for at in range(PLACES))
    return (_Place(share) if is_from == order.descending else _Place(share, 1 - share),)


def asks_on_and_on(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether a query may ask for far too many pages, however small, before it has found enough.

    Where tests keep most items, that is unlikely. What is asked for each row of another read is judged for one row.
    `entity_read`: in the way that the access takes.
    """
    limit = entity_read.limit
    if access.structure is None or limit is None or not access.call.startswith("query"):
        return False
    in_all = at_worst(model, entity_read, access, None)
    if in_all is None or in_all.read <= MANY_REQUESTS * limit:
        return False  # no page has fewer items than the limit
    pages = pages_behind_test(model, entity_read, access, access.stated)
    worst = None if pages is None else at_worst(model, entity_read, access, pages.items)
    return worst is not None and worst.requests > MANY_REQUESTS and not entity_read.is_job


@dataclass(frozen=True)
class Restated:
    """What part of its requests a query would take without the bytes of keys."""

    usual: float = 1.0
    worst: float = 1.0


def as_stated(model: EntityModel, entity_read: EntityRead, access: Access) -> Restated:
    """The requests of a query with the bytes that the design states beside those with its keys.

    `entity_read`: in the way that the access takes.
    """
    assert access.structure is not None
    then = 0.0 if access.then is None else access.then[2]
    items = access.read - (0.0 if access.then is None else access.then[1])
    stated = changed(access, bytes=items * access.stated + then)
    pages = pages_behind_test(model, entity_read, stated, access.stated)
    with_keys = at_worst(model, entity_read, access, access.page)
    without = at_worst(model, entity_read, stated, None if pages is None else pages.items)
    assert with_keys is not None and without is not None
    _, each = reads_of_each(model, access.structure, entity_read, access)
    usual = max(1, ceil(each * access.stated / PAGE_BYTES))
    usual_with_keys = max(1, ceil(each * item_bytes(access) / PAGE_BYTES))
    return Restated(usual / usual_with_keys, without.requests / with_keys.requests)


def _uneven_in_key(
    model: EntityModel, entity_read: EntityRead, access: Access
) -> tuple[tuple[float, float], ...]:
    """How often a query can read how many times as many items as on average; nothing where all are alike."""
    times = times_of_all(uneven_by_key(model, entity_read, access))
    listed = unlike_in_key(model, entity_read, access)
    if not listed:
        return times
    return tuple(
        (often / len(listed), more * of_value)
        for often, more in times or ((1.0, 1.0),)
        for of_value in listed
    )


def _uneven(
    model: EntityModel, entity_read: EntityRead, access: Access, passing: float
) -> tuple[tuple[float, float], ...]:
    """How often a tested value is asked for, and how many times as many items as on average have it.

    A value of which there are few items is looked for in many pages, so they take more than the average share of them
    says. Nothing where all values are alike, where the team expects so many items of each, or where more items pass
    than by chance: what else is known then goes together with the value. `passing`: the share of items that pass.
    """
    if entity_read.expected is not None:
        return ()
    stated = {*entity_read.constants, *entity_read.said}
    found = [_shares_tested(model, entity_read, name) for name in access.left if name not in stated]
    found += [shares_given(model.design, model.entity, one) for one in entity_read.filters]
    uneven = [shares for shares in found if shares]
    if len(uneven) != 1:
        return ()
    average = average_share(uneven[0])
    return () if passing > average * (1 + TOLERANCE) else times_average(uneven[0])


def _shares_tested(model: EntityModel, entity_read: EntityRead, name: str) -> Shares:
    """How often values that no key serves are asked for, or lists of them, and the share of the items of each."""
    shares = shares_asked(model.design, model.entity, name)
    listed = entity_read.lists.get(name)
    if listed is None:
        return shares
    return () if listed.always else shares_of_lists(shares, listed.length)


def _of_pages(limit: int, asked: Needed, items: int, before: int = 0) -> Pages:
    """Pages of so many items, on average over what is asked for. `before`: items of others that come first."""
    requests = read = filled = to_end = in_last = 0.0
    for often, needed, there, skipped in asked:
        each, last = _requests(limit, needed - skipped, there - skipped, items, before + skipped)
        took = max(needed, min(there, items * each - before))
        requests += often * each
        read += often * took
        filled += often * max(0.0, took - needed * each)
        to_end += often * last
        full = max(1, ceil(round((there + before) / items, 6))) - 1
        in_last += often * last * (there - max(0, items * full - before))
    rest = in_last / to_end if to_end else 0.0
    return Pages(items, round(requests, 6), read, filled, round(to_end, 6), rest)


@lru_cache(maxsize=65536)
def _pages(
    limit: int,
    needed: float,
    there: float,
    size: float,
    asked: Needed,
    fills: bool,
    beside: Beside = NOTHING,
) -> Pages:
    """Of pages that hold what is needed on average, those that take the fewest steps of 4 KB with all that follow.

    A page is as long as the steps it is charged for. Larger items never make it cheaper. `asked`: how often so many
    items are needed of so many, where that differs between the values that are asked for. `fills`: else what a page
    has beyond what is needed would be got too, so it has no more.
    """
    before = beside.items
    fills_page = floor(round((PAGE_BYTES - beside.bytes) / size, 6)) if size else limit
    largest = max(limit, fills_page)
    least = max(1, ceil(round((needed * size + beside.bytes) / READ_UNIT_BYTES, 6)))
    best, best_steps, steps = None, float("inf"), least
    while best is None or steps < best_steps:
        room = steps * READ_UNIT_BYTES - beside.bytes
        fitting = floor(round(room / size, 6)) if size and fills else limit
        items = min(max(limit, ceil(needed), fitting), largest)
        pages = _of_pages(limit, asked, items + before, before)
        first = min(items, there) * size + beside.bytes
        each = max(1, ceil(round(first / READ_UNIT_BYTES, 6)))
        if each * pages.requests < best_steps:
            best, best_steps = pages, each * pages.requests
        if pages.requests == 1 or items >= min(largest, there) or not fills:
            break
        steps += 1 + steps // 64
    assert best is not None
    return best


def _requests(
    limit: int, needed: float, there: float, items: int, before: float = 0
) -> tuple[float, float]:
    """Pages of so many items until as many as the limit pass, of which one in `needed / limit` does by chance.

    The second is how often the last page of the collection is among them. `before`: items that come first, and do not
    pass.
    """
    pages = max(1, ceil(round((there + before) / items, 6)))
    passing = min(1.0, limit / needed) if needed else 1.0
    if needed >= there:
        return pages, 1.0  # all are read, however many pass
    if needed > MANY * items:
        asked = min(
            pages, round((needed + before) / items + 0.5, 6)
        )  # half of the last page, on average
        return asked, float(asked == pages)
    skipped = min(pages - 1, floor(before / items))
    found, further = 1.0 + skipped, 1.0
    for read in range(1 + skipped, pages):
        further = _fewer_than(limit, floor(max(0, read * items - before)), passing)
        if further < NEGLIGIBLE:
            return round(found, 6), 0.0
        found += further
    return round(found, 6), further


def _fewer_than(limit: int, items: int, passing: float) -> float:
    """How often fewer than so many of these items pass."""
    if passing >= 1 or items < limit:
        return float(items < limit)
    if limit > FEW:
        spread = NormalDist(items * passing, sqrt(items * passing * (1 - passing)))
        return spread.cdf(limit - 0.5)
    most = min(limit - 1, floor((items + 1) * passing))
    likeliest = exp(
        lgamma(items + 1)
        - lgamma(most + 1)
        - lgamma(items - most + 1)
        + most * log(passing)
        + (items - most) * log(1 - passing)
    )
    odds = passing / (1 - passing)
    found = one = likeliest
    for many in range(most, 0, -1):
        one *= many / ((items - many + 1) * odds)
        found += one
    one = likeliest
    for many in range(most, limit - 1):
        one *= (items - many) * odds / (many + 1)
        found += one
    return found
