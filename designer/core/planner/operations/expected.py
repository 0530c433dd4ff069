"""The figures of a step: what it takes on average and at the worst."""

from dataclasses import replace

from designer.core.plan import Expected, Step, Worst
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Access
from designer.core.planner.pricing.at_worst import AtWorst
from designer.core.planner.pricing.requests import got_in_all, requests_in_all


def with_worst(
    step: Step, worst: AtWorst, pattern_read: PatternRead, entity_read: EntityRead
) -> Step:
    """A step with what it takes at the worst."""
    times, rows = entity_read.times, pattern_read.entity_reads[0]
    if entity_read.part != rows.part and times:
        limit = rows.limit if rows.crossed is None else rows.crossed.limit
        times = max(times, float(limit or 0))
    requests = exact(worst.requests) * exact(times)
    if step.call == "BatchGetItem":
        requests = got_in_all(worst.requests, worst.read, times)
    most = expected_at_most(
        step.expects, float(requests), worst.read * times, float(worst.units) * times
    )
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
    """What a step takes; of two trips, the first."""
    times, access = entity_read.times, _first_trip(access)
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


def _first_trip(access: Access) -> Access:
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
