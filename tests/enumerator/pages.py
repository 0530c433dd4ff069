"""Pages of a reading that tests what it reads and ends at a limit."""

from functools import cache
from math import ceil, floor

from designer.core.dynamodb.limits import NEGLIGIBLE, PAGE_BYTES, READ_UNIT_BYTES


class Rows(float):
    """Items that a reading needs on average until as many pass its test as the limit says."""

    limit: int
    there: float
    """Items that it can read."""
    apart: tuple[tuple[float, float], ...]
    """How often so many are needed, where one value that is tested is rarer than another; empty where none is."""

    @classmethod
    def of(
        cls, needed: float, limit: int, there: float, apart: tuple[tuple[float, float], ...] = ()
    ) -> "Rows":
        rows = cls(needed)
        rows.limit, rows.there = limit, there
        rows.apart = tuple((often, round(min(there, each), 6)) for often, each in apart)
        return rows


def steps_read(items: float, size: float) -> float:
    """Steps of 4 KB that a reading of so many items is charged for, on average."""
    if isinstance(items, Rows):
        needed = round(items, 6)
        apart = items.apart or ((1.0, needed),)
        return _fewest(items.limit, needed, round(items.there, 6), round(size, 6), apart)
    return _steps(items * size)


def _steps(size: float) -> int:
    return max(1, ceil(round(size, 6) / READ_UNIT_BYTES))


@cache
def _fewest(
    limit: int, needed: float, there: float, size: float, apart: tuple[tuple[float, float], ...]
) -> float:
    """With pages of one number of steps or another, from the one that holds what is needed."""
    most = max(limit, floor(PAGE_BYTES / size))
    best, steps = float("inf"), _steps(needed * size)
    while steps < best:
        fitting = floor(round(steps * READ_UNIT_BYTES / size, 6))
        page = min(max(limit, ceil(needed), fitting), most)
        asked = [(often, _pages(limit, each, there, page)) for often, each in apart]
        pages = round(sum(often * found for often, (found, _) in asked), 6)
        last = round(sum(often * reached for often, (_, reached) in asked), 6)
        rest = there - page * (max(1, ceil(round(there / page, 6))) - 1)
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
