"""What each pattern does, what follows its writes, and what all of it costs: the operations of a plan."""

from collections import Counter
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.messages import say
from designer.core.patterns.base import Read, Write
from designer.core.plan import Operation, Upkeep
from designer.core.planner.model.score import exact, money
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.reads import read_operation
from designer.core.planner.operations.streamed_aggregates import figures_kept
from designer.core.planner.operations.streams import upkeep_of
from designer.core.planner.operations.writes import write_operation
from designer.core.planner.workload.requirements import elsewhere
from designer.core.rational import Fraction

ALTERNATIVES = {
    "full-text search": say("use-search-service"),
    "geo": say("use-geo-search"),
    "analytics": say("use-warehouse"),
    "aggregate": say("use-counter"),
    "archive": say("use-archive"),
    "batch job": say("use-scan"),
}


@dataclass(frozen=True)
class Priced:
    """What patterns do, with what it costs: US dollars a month."""

    operations: tuple[Operation, ...]
    upkeep: tuple[Upkeep, ...]
    reads: Fraction
    writes: Fraction
    peak: Fraction
    """Reads and writes, were it always as busy as at peak."""
    without: tuple[int, ...]
    """The patterns that nobody gave a rate."""


def priced_operations(context: Context) -> Priced:
    """The operations of all patterns, and the upkeep that follows their writes, each with its price."""
    return _price(context.search.design, _operations(context), _upkeep(context))


def _operations(context: Context) -> tuple[Operation, ...]:
    design, pattern_reads = context.search.design, context.search.requirements.pattern_reads
    found: list[Operation] = []
    for q, pattern_read in enumerate(pattern_reads):
        if pattern_read.change is not None:
            continue  # part of a write
        if pattern_read.copied is None and isinstance(pattern_read.pattern, Read):
            found.append(read_operation(context, q))
    written = {entity_read.pattern.number for entity_read in context.search.requirements.writes}
    for pattern in design.patterns:
        if isinstance(pattern, Write) and pattern.number in written:
            found.append(write_operation(context, pattern))
    for gone in elsewhere(design):
        found.append(
            Operation(
                pattern=gone.number, answer="elsewhere", reasons=(ALTERNATIVES[gone.because],)
            )
        )
    position = {id(operation): at for at, operation in enumerate(found)}
    return tuple(sorted(found, key=lambda operation: (operation.pattern, position[id(operation)])))


def _upkeep(context: Context) -> tuple[Upkeep, ...]:
    found = (upkeep_of(context, copied) for copied in context.search.requirements.copies)
    # First figures, which no other depend on; some may be copied.
    return (*figures_kept(context), *(upkeep for upkeep in found if upkeep is not None))


def _price(design: Design, operations: tuple[Operation, ...], upkeep: tuple[Upkeep, ...]) -> Priced:
    prices = prices_of(design.region)
    read_month = prices.read_unit * SECONDS_PER_MONTH
    write_month = prices.write_unit * SECONDS_PER_MONTH
    reads = writes = peak = Fraction(0)
    without: dict[int, None] = {}
    priced = []
    cases = Counter(operation.pattern for operation in operations)
    for operation in operations:
        rate = design.pattern(operation.pattern).rate
        is_served = operation.answer not in ("elsewhere", "not served")
        if rate is None or not is_served:
            if is_served:
                without[operation.pattern] = None
            priced.append(operation)
            continue
        read = exact(operation.read_units) * read_month / cases[operation.pattern]
        write = exact(operation.write_units) * write_month / cases[operation.pattern]
        average = exact(rate.average)
        reads += read * average
        writes += write * average
        peak += (read + write) * exact(rate.peak or rate.average)
        priced.append(
            operation.model_copy(update={"usd_per_month": money((read + write) * average)})
        )
    kept = []
    for one in upkeep:
        read = exact(one.read_units) * read_month
        write = exact(one.write_units) * write_month
        if one.per_second is None:
            kept.append(one)
            continue
        average = exact(one.per_second)
        reads += read * average
        writes += write * average
        peak += (read + write) * exact(one.peak_per_second or one.per_second)
        kept.append(one.model_copy(update={"usd_per_month": money((read + write) * average)}))
    return Priced(tuple(priced), tuple(kept), reads, writes, peak, tuple(without))
