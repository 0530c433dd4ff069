"""What one Query takes that answers several entity reads (rule 7): each is tested and cut as it is by itself.

See docs/modelling-rules.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from designer.core.capacity.units import read_units
from designer.core.dynamodb.limits import PAGE_BYTES
from designer.core.patterns.base import Consistency
from designer.core.planner.model.changed import changed
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Access, Structure
from designer.core.planner.pricing.at_worst import (
    at_worst,
    few_pages_dropped,
    is_tested,
    keeps_most,
)
from designer.core.planner.pricing.key_matching import query_access, reads_of_one, there_in
from designer.core.planner.pricing.pages import (
    NOTHING,
    Beside,
    Pages,
    Restated,
    pages_behind_test,
)
from designer.core.planner.pricing.read_figures import busier_read
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Part:
    """One entity read of a shared Query."""

    model: EntityModel
    entity_read: EntityRead
    access: Access
    """By the partition key, and perhaps a range that ends it, with one item: all else is tested of what it reads."""
    padding: float = 0.0
    """Bytes that each item counts for besides where choices are compared."""

    @property
    def size(self) -> float:
        """Bytes of an item, or of an entry."""
        return self.access.bytes

    @property
    def as_stated(self) -> "Part":
        """The same with the bytes that the design states, without those of keys."""
        return replace(self, access=changed(self.access, bytes=self.access.stated))

    @property
    def is_cut(self) -> bool:
        """Whether only the first few are wanted."""
        return self.entity_read.limit is not None and not self.entity_read.one

    @property
    def is_tested(self) -> bool:
        """Whether some of what it reads is left out afterwards."""
        return is_tested(self.entity_read, self.access)

    def pages(self, beside: Beside = NOTHING, page: int | None = None) -> Pages:
        """The pages until there are as many as its limit; what lies `beside` comes first in them."""
        return (
            self._pages_alone if beside is NOTHING and page is None else self._pages(beside, page)
        )

    @cached_property
    def _pages_alone(self) -> Pages:
        return self._pages(NOTHING, None)

    def _pages(self, beside: Beside, page: int | None) -> Pages:
        model, entity_read, access = self.model, self.entity_read, self.access
        found = pages_behind_test(model, entity_read, access, self.size, page, beside)
        if found is not None:
            return found
        assert access.structure is not None
        read, _ = reads_of_one(model, access.structure, entity_read, access)
        items = (entity_read.limit or 0) + beside.items if page is None else page
        by_items = ceil(round((read + beside.items) / items, 6)) if items else 1
        by_bytes = ceil((read * self.size + beside.bytes) / PAGE_BYTES)
        return Pages(items, max(1, by_items, by_bytes), read)

    def finding(self, entity_read: EntityRead, times: float | None) -> "Part":
        """The same where other figures say what it finds: so many times as many items, or as the entity read says."""
        found = self.access.found * (times or 1.0)
        if times is None and self.access.structure is not None:
            found = shared_access(self.model, self.access.structure, entity_read).found
        return replace(self, entity_read=entity_read, access=changed(self.access, found=found))

    @property
    def without_range(self) -> "Part":
        """The same where its range does not end the Query."""
        if not self.access.ranged:
            return self
        part = self.finding(changed(self.entity_read, range_ends=False), None)
        return replace(part, access=changed(part.access, ranged=False))

    @property
    def busiest(self) -> "Part":
        """The same for the busiest value of the partition key, which may have more items."""
        model, entity_read, structure = self.model, self.entity_read, self.access.structure
        assert structure is not None
        names = tuple(name for name in entity_read.equals if name in structure.partition)
        sort = structure.sort[: self.access.bound]
        asked = tuple(name for name in entity_read.equals if name in (*names, *sort))
        times = model.busier(entity_read, names, there_in(structure, entity_read), asked)
        return self if times == 1 else self.finding(busier_read(model, entity_read, times), times)

    @cached_property
    def most(self) -> float:
        """Items that the Query finds for it at the worst, whatever is cut afterwards."""
        worst = at_worst(self.model, replace(self.entity_read, limit=None), self.access, None)
        return 0.0 if worst is None else worst.read

    @property
    def is_short(self) -> bool:
        """Whether it may drop more than a few pages at the worst."""
        return few_pages_dropped(self.model, self.entity_read, self.access) > 1

    @property
    def may_miss(self) -> bool:
        """Whether it may find nothing in the largest collection, however many pages are asked for."""
        is_said = keeps_most(self.model, self.entity_read, self.access)
        return self.is_tested and not is_said


@dataclass(frozen=True)
class SharedReads:
    """What one Query for several entity reads takes on average."""

    requests: float
    units: Fraction
    bytes: float
    items: float
    page: int | None
    """Items of a page at most, where a limit ends it."""
    counted: float
    """Bytes that count where choices are compared: without what only fills pages, and with what items are padded by."""
    filled: float
    """Bytes that only fill pages."""


@dataclass(frozen=True)
class SharedAtWorst:
    """What it takes at the worst."""

    requests: float
    units: Fraction
    items: float


@cached
def shared_access(model: EntityModel, structure: Structure, entity_read: EntityRead) -> Access:
    """How a shared Query finds the items of an entity read: its key condition takes only a range that ends it."""
    if entity_read.range is not None and not entity_read.range_ends:
        filters = (*entity_read.filters, entity_read.range)
        entity_read = replace(entity_read, range=None, filters=filters)
    return query_access(model, structure, entity_read)


def shared_part(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    size: float,
    stated: float,
    padding: float = 0.0,
) -> Part:
    """An entity read in a collection of a structure. `size`: bytes of an item or entry there; `stated`: the same
    without those of keys.
    """
    access = shared_access(model, structure, entity_read)
    return Part(model, entity_read, changed(access, read=1.0, bytes=size, stated=stated), padding)


def shared_reads(
    parts: Iterable[Part], limited: Part | None, consistency: Consistency, page: int | None = None
) -> SharedReads:
    """What it takes on average. `limited`: what is read last, until there are enough; `page`: where a plan has it."""
    others = [part for part in parts if part is not limited]
    items = sum(part.access.found for part in others)
    size = sum(part.access.found * part.size for part in others)
    counted = sum(part.access.found * (part.size + part.padding) for part in others)
    if limited is None:
        requests = max(1, ceil(size / PAGE_BYTES))
        return SharedReads(requests, read_units(size, consistency), size, items, None, counted, 0.0)
    beside = Beside(ceil(round(items, 6)), size)
    pages = limited.pages(beside, page)
    in_all = size + pages.read * limited.size
    units = read_units(in_all, consistency)
    if limited.is_tested:
        units = _units(pages, beside, limited.size, consistency)
    return SharedReads(
        pages.requests,
        units,
        in_all,
        items + pages.read,
        pages.items,
        counted + (pages.read - pages.filled) * (limited.size + limited.padding),
        pages.filled * limited.size,
    )


def _units(pages: Pages, beside: Beside, size: float, consistency: Consistency) -> Fraction:
    """Units of pages on average, each rounded by itself, the last one of a collection too."""
    if pages.requests == 1:
        return read_units(beside.bytes + pages.read * size, consistency)
    assert pages.items is not None
    to_end = exact(pages.to_end)
    full = exact(pages.requests) - to_end
    first = min(Fraction(1), full)
    units = first * read_units(beside.bytes + (pages.items - beside.items) * size, consistency)
    units += (full - first) * read_units(pages.items * size, consistency)
    if not to_end:
        return units
    # Where the first page is the last one, the others' items are in it.
    rest = pages.rest * size + beside.bytes * float((1 - first) / to_end)
    return units + to_end * read_units(rest, consistency)


def shared_at_worst(
    parts: Sequence[Part], limited: Part | None, consistency: Consistency, page: int | None
) -> SharedAtWorst:
    """What it takes at the worst: of each entity the largest collection that is stated."""
    found = [(part, part.most) for part in parts if part is not limited]
    others = sum(many for _, many in found)
    size = sum(many * part.size for part, many in found)
    last = each = 0.0
    if limited is not None:
        last, each = limited.most, limited.size
        if page is not None and not limited.is_tested:
            wanted = others + (limited.entity_read.limit or 0)
            last = min(
                last, page * ceil(round(wanted / page, 6)) - others
            )  # the last page is read whole
    items, in_all = others + last, size + last * each
    requests = max(1, ceil(in_all / PAGE_BYTES))
    by_items = 1 if page is None else ceil(round(items / page, 6))
    if by_items <= requests or page is None:
        return SharedAtWorst(requests, read_units(in_all / requests, consistency) * requests, items)
    if others >= page:
        return SharedAtWorst(by_items, read_units(in_all / by_items, consistency) * by_items, items)
    left = items - page * (by_items - 1)
    units = read_units(size + (page - others) * each, consistency)
    units += read_units(page * each, consistency) * (by_items - 2)
    return SharedAtWorst(by_items, units + read_units(left * each, consistency), items)


def shared_as_stated(parts: Sequence[Part], is_limited: bool) -> tuple[Restated, float]:
    """Its requests without the bytes of keys, and how many bytes these are. `is_limited`: whether a limit ends it."""
    consistency = parts[0].entity_read.consistency
    at = next((at for at, part in enumerate(parts) if is_limited and part.is_cut), None)
    figures = []
    for each in (parts, [part.as_stated for part in parts]):
        limited = None if at is None else each[at]
        taken = shared_reads(each, limited, consistency)
        figures.append((taken, shared_at_worst(each, limited, consistency, taken.page)))
    (taken, worst), (stated, stated_worst) = figures
    restated = Restated(stated.requests / taken.requests, stated_worst.requests / worst.requests)
    return restated, taken.bytes - stated.bytes


def more_of_whole(parts: Sequence[Part], is_limited: bool) -> dict[str, float]:
    """Requests that it takes at the worst beyond those on average for the parts whose items all are returned.

    What a limit cuts counts as on average, and no bytes of keys count.
    """
    stated = [part.as_stated for part in parts]
    limited = next((part for part in stated if is_limited and part.is_cut), None)
    usual = shared_reads(stated, limited, stated[0].entity_read.consistency)
    whole = {
        part.entity_read.part: (more, more * part.size)
        for part in stated
        if part.entity_read.is_uncut and (more := part.most - part.access.found) > 0
    }
    items = usual.items + sum(more for more, _ in whole.values())
    size = usual.bytes + sum(size for _, size in whole.values())
    by_items = 1 if usual.page is None else ceil(round(items / usual.page, 6))
    in_all = max(0.0, max(ceil(size / PAGE_BYTES), by_items) - usual.requests)
    each = {
        name: max(size / PAGE_BYTES, more / usual.page if usual.page else 0.0)
        for name, (more, size) in whole.items()
    }
    return {name: in_all * one / sum(each.values()) for name, one in each.items()}
