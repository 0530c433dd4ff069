"""Pages of a reading that tests what it reads and ends at a limit."""

from functools import cache
from math import ceil, floor

from designer.core.dynamodb.limits import NEGLIGIBLE, PAGE_BYTES, READ_UNIT_BYTES

Apart = tuple[tuple[float, float, float], ...]
"""How often so many items are needed, of so many that can be read."""


class Rows(float):
    """Items that a reading needs on average until as many pass its test as the limit says."""

    limit: int
    there: float
    """Items that it can read."""
    apart: Apart
    """Where one value is rarer than another; empty where none is."""
    longer: float = 1.0
    """How many times as long as usual an item is that it reads."""

    @classmethod
    def of(cls, needed: float, limit: int, there: float, apart: Apart = ()) -> "Rows":
        rows = cls(needed)
        rows.limit, rows.there = limit, there
        rows.apart = tuple(
            (often, round(min(held, each), 6), round(held, 6)) for often, each, held in apart
        )
        return rows


def of_longer(items: float, times: float) -> float:
    """Items that are so many times as long as usual, as more of usual length; pages of them are as many as before."""
    if not isinstance(items, Rows):
        return items * times
    rows = Rows.of(items, items.limit, items.there)
    rows.apart, rows.longer = items.apart, items.longer * times
    return rows


def takes_no_more(one: float, other: float) -> bool:
    """Whether a reading of some items takes no more steps than another, whatever the size of an item."""
    if not isinstance(one, Rows):
        return one <= other  # pages behind a test take more than what they need on average
    if not isinstance(other, Rows) or (one.limit, one.apart) != (other.limit, other.apart):
        return False
    return one <= other and one.there <= other.there and one.longer <= other.longer


def steps_read(items: float, size: float) -> float:
    """Steps of 4 KB that a reading of so many items is charged for, on average."""
    if isinstance(items, Rows):
        needed, size = round(items, 6), size * items.longer
        apart = items.apart or ((1.0, needed, round(items.there, 6)),)
        return _fewest(items.limit, needed, round(items.there, 6), round(size, 6), apart)
    return _steps(items * size)


def _steps(size: float) -> int:
    return max(1, ceil(round(size, 6) / READ_UNIT_BYTES))


@cache
def _fewest(limit: int, needed: float, there: float, size: float, apart: Apart) -> float:
    """With pages of one number of steps or another, from the one that holds what is needed."""
    most = max(limit, floor(PAGE_BYTES / size))
    best, steps = float("inf"), _steps(needed * size)
    while steps < best:
        fitting = floor(round(steps * READ_UNIT_BYTES / size, 6))
        page = min(max(limit, ceil(needed), fitting), most)
        asked = [(often, held, _pages(limit, each, held, page)) for often, each, held in apart]
        pages = round(sum(often * found for often, _, (found, _) in asked), 6)
        last = sum(often * reached for often, _, (_, reached) in asked)
        in_last = sum(
            often * reached * (held - page * (max(1, ceil(round(held / page, 6))) - 1))
            for often, held, (_, reached) in asked
        )
        rest = in_last / last if last else 0.0
        of_page = _steps(min(page, there) * size)
        several = of_page * (pages - last) + _steps(rest * size) * last
        best = min(best, of_page if pages == 1 else several)
        if page >= min(most, there):
            break
        steps += 1
    return best


@cache
def _pages(limit: int, needed: float, there: float, page: int) -> tuple[float, float]:
    """Each item passes or not by chance, one after the other. The second is how often the last page is asked for."""
    pages = max(1, ceil(round(there / page, 6)))
    if needed >= there:
        return pages, 1.0
    if needed <= limit:
        return 1, 0.0
    passing, found, further = limit / needed, 1.0, 1.0
    for before in range(1, pages):
        further = _too_few(limit, before * page, passing)
        if further < NEGLIGIBLE:
            further = 0.0
            break
        found += further
    return round(found, 6), further  # a millionth of a request is nothing


def _too_few(limit: int, items: int, passing: float) -> float:
    """How often less than so many of them pass: each number of them from the one before."""
    likely = (1 - passing) ** items
    found = likely
    for passed in range(min(limit - 1, items)):
        likely *= (items - passed) / (passed + 1) * passing / (1 - passing)
        found += likely
    return found
