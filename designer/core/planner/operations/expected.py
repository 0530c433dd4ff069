"""The figures of a step: what it takes on average and at the worst."""

from dataclasses import dataclass, replace

from designer.core.plan import Expected, Step, Worst
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Access
from designer.core.planner.pricing.at_worst import AtWorst
from designer.core.planner.pricing.requests import batches, requests_in_all
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Repeated:
    """How often a step runs at the worst."""

    times: float
    items: float | None = None
    """Items that it reads in all of these runs at most, where it reads each once."""
    least: float = 1.0
    """Requests of a run that finds nothing."""
    unit: Fraction = Fraction(0)
    """Read units of one of these."""


def with_worst(step: Step, worst: AtWorst, repeated: Repeated) -> Step:
    """A step with what it takes at the worst."""
    times = full = repeated.times
    if repeated.items is not None and worst.read * times > repeated.items:
        # For so many rows it reads the most, and for the others nothing.
        full = repeated.items / worst.read
    none = exact((times - full) * repeated.least)
    requests = exact(worst.requests) * exact(full) + none
    units = worst.units * exact(full) + none * repeated.unit
    if step.call in ("BatchGetItem", "TransactGetItems") and times > 1:
        usual, items = step.expects, worst.read * full
        size = usual.bytes / usual.read if usual.read else 0.0
        requests = Fraction(batches(items, items * size))
        units = worst.units * exact(full)
    most = expected_at_most(step.expects, float(requests), worst.read * full, float(units))
    return step.model_copy(update={"expects": most})


def expected_at_most(usual: Expected, requests: float, read: float, units: float) -> Expected:
    """The figures with what it takes at the worst, where that is more than on average."""
    worst = Worst(
        requests=max(usual.requests, rounded(requests)),
        read=max(usual.read, rounded(read)),
        units=max(usual.units, rounded(units)),
    )
    if (worst.requests, worst.read, worst.units) == (usual.requests, usual.read, usual.units):
        return usual
    return usual.model_copy(update={"worst": worst})


def expected(access: Access, entity_read: EntityRead) -> Expected:
    """What a step takes; with a second read, the first."""
    times, access = entity_read.times, _first_read(access)
    return Expected(
        requests=rounded(float(requests_in_all(access, times))),
        read=rounded(access.read * times),
        returned=rounded(entity_read.returned * times),
        bytes=rounded(access.bytes * times),
        units=rounded(float(access.units) * times),
        busiest_units=None
        if access.busiest_units is None
        else rounded(float(access.busiest_units) * times),
    )


def _first_read(access: Access) -> Access:
    if access.then is None:
        return access
    requests, items, size, units = access.then
    return replace(
        access,
        requests=access.requests - requests,
        read=access.read - items,
        bytes=access.bytes - size,
        units=access.units - units,
        then=None,
    )


def rounded(figure: float) -> float:
    """A figure as an operation says it, to a millionth."""
    return round(figure, 6)
