"""Request units: one set of rules for what the planner expects and for what the proof loads.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
"""

from functools import lru_cache
from math import ceil

from designer.core.dynamodb.limits import READ_UNIT_BYTES, WRITE_UNIT_BYTES
from designer.core.patterns.base import Consistency
from designer.core.rational import Fraction

_FACTOR = {"eventual": Fraction(1, 2), "strong": Fraction(1), "transactional": Fraction(2)}


def read_units(bytes_read: float, consistency: Consistency = "eventual") -> Fraction:
    """Read units of one item got, or of one page queried: rounded up to 4 KB, and the minimum for nothing."""
    return _units_of_steps(max(1, ceil(bytes_read / READ_UNIT_BYTES)), consistency)


@lru_cache(maxsize=4096)
def _units_of_steps(steps: int, consistency: Consistency) -> Fraction:
    return steps * _FACTOR[consistency]


def write_units(bytes_written: float, transactional: bool = False) -> Fraction:
    """Write units of one item put, updated or deleted: the larger of before and after, rounded up to 1 KB."""
    return Fraction(max(1, ceil(bytes_written / WRITE_UNIT_BYTES)) * (2 if transactional else 1))


def index_write_units(
    before: float | None, after: float | None, key_moved: bool, changed: bool
) -> Fraction:
    """Write units on one index; None for an item that is not in it.

    A moved key deletes and puts; a change of what is projected writes once; anything else costs nothing.
    Transactions do not double it.
    """
    if before is None and after is None:
        return Fraction(0)
    if before is None or after is None or not key_moved:
        if before is not None and after is not None and not changed:
            return Fraction(0)
        return write_units(max(before or 0, after or 0))
    return write_units(before) + write_units(after)
