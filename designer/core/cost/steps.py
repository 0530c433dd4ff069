"""Where a size is so near a step of 1 KB or 4 KB that the bill could as well be on its other side.

Sizes are averages and formats' guesses; units are whole steps. Within a tenth of a step both sides are shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from designer.core.capacity.units import write_units
from designer.core.capacity.written import by_member
from designer.core.cost.options import Changes, exact
from designer.core.cost.usage import is_served, rate_of
from designer.core.design.document import Design
from designer.core.dynamodb.limits import READ_UNIT_BYTES, WRITE_UNIT_BYTES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, Prices
from designer.core.patterns.base import Pattern
from designer.core.plan import WRITES, Plan, Step
from designer.core.rational import Fraction

NEAR = Fraction(1, 10)
"""Of a step."""


@dataclass(frozen=True)
class Near:
    """A request whose size is near a step, with the units that it takes on both sides of it."""

    pattern: int
    what: str
    """`Query of GSI1`, `Order`."""
    is_read: bool
    bytes: float
    step: int
    """The size at which one more unit begins."""
    below: Fraction
    above: Fraction
    usd_below: Fraction | None
    """US dollars a month of such requests, on demand, on either side; None without a rate."""
    usd_above: Fraction | None


def nearest_step(bytes_: float, unit: int) -> int | None:
    """The step that a size is within a tenth of a unit of; None when it is not near one, and for the first byte.

    >>> nearest_step(1000, 1024), nearest_step(1100, 1024), nearest_step(1500, 1024), nearest_step(50, 1024)
    (1024, 1024, None, None)
    """
    step = round(bytes_ / unit) * unit
    return step if step and abs(bytes_ - step) <= unit * NEAR else None


def near_steps(design: Design, plan: Plan, prices: Prices, changes: Changes) -> Iterator[Near]:
    """All such requests, each kind of a pattern once."""
    found: dict[tuple[int, str, int], Near] = {}
    for operation in plan.operations:
        if not is_served(operation):
            continue
        rate = rate_of(design, operation.pattern, changes)
        pattern = design.pattern(operation.pattern)
        month = None if rate is None else rate.average * SECONDS_PER_MONTH
        for step in operation.steps:
            is_read = step.call not in WRITES
            for kind in _read(step) if is_read else _written(plan, step, pattern):
                price = prices.read_unit if is_read else prices.write_unit
                below = kind.step // kind.unit * kind.factor
                above = below + kind.factor
                usd = None if month is None else month * kind.times * price
                found.setdefault(
                    (operation.pattern, kind.what, kind.step),
                    Near(
                        operation.pattern,
                        kind.what,
                        is_read,
                        kind.bytes,
                        kind.step,
                        below,
                        above,
                        None if usd is None else usd * below,
                        None if usd is None else usd * above,
                    ),
                )
    yield from found.values()


class _Kind(NamedTuple):
    """Requests of one size that are near a step."""

    what: str
    bytes: float
    step: int
    unit: int
    factor: Fraction
    """Units for each step of the size."""
    times: Fraction
    """So many are made each time that the pattern is asked."""


def _read(step: Step) -> Iterator[_Kind]:
    expects = step.expects
    times = expects.requests if step.call == "Query" else expects.read
    each = expects.bytes / times if times else 0.0
    at = nearest_step(each, READ_UNIT_BYTES)
    if at is not None:
        factor = exact(2 if step.call == "TransactGetItems" else 1 if step.consistent else 0.5)
        what = f"{step.call} of {step.index or step.table}"
        yield _Kind(what, each, at, READ_UNIT_BYTES, factor, exact(times))


def _written(plan: Plan, step: Step, pattern: Pattern) -> Iterator[_Kind]:
    is_together = step.call == "TransactWriteItems"
    times: dict[str, Fraction] = {}
    for member, share in by_member(plan, step, pattern):
        each = write_units(plan.shape(member.shape).bytes, is_together)
        items = exact(step.expects.units) * share / each
        times[member.shape] = times.get(member.shape, Fraction(0)) + items
    for shape, items in times.items():
        size = plan.shape(shape).bytes
        at = nearest_step(size, WRITE_UNIT_BYTES)
        if at is not None and items:
            yield _Kind(shape, size, at, WRITE_UNIT_BYTES, Fraction(2 if is_together else 1), items)
