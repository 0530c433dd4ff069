"""The planner's own findings, each with its remedy."""

from collections.abc import Iterator
from math import ceil

from designer.core.english import spoken
from designer.core.figures import count
from designer.core.limits import (
    COLLECTION_BYTES_WITH_LSI,
    GSIS,
    LSIS,
    PARTITION_KEY_BYTES,
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_WRITES,
    SORT_KEY_BYTES,
)
from designer.core.messages import text
from designer.core.patterns.base import Read
from designer.core.plan import Finding, Operation, Table, Upkeep
from designer.core.planner.explain.aggregate_notes import figure_findings
from designer.core.planner.explain.copy_notes import copy_findings
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.explain.pins_broken import pin_findings
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.structures import Structure
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.reading_less import how_to_read_less
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.rewrites.rewriting import too_many_requests
from designer.core.planner.rewrites.sharded_counters import why_not_in_shards
from designer.core.planner.workload.tables import differing_needs
from designer.core.prices import REGIONS
from designer.core.sizes import text_bytes

NEAR = 0.8
"""Share of a limit from which we say that it is near."""
CACHE = (
    "Keep the answer in a cache, where it may be some seconds old: in the application, or in DAX. DAX answers "
    "eventually consistent reads from memory, runs in your VPC and is billed by the hour. Shards would not help, "
    "because each access pattern would read all of them. Or begin the key with an attribute that has more values."
)


def findings(
    context: Context,
    tables: tuple[Table, ...],
    operations: tuple[Operation, ...],
    upkeep: tuple[Upkeep, ...],
) -> tuple[Finding, ...]:
    """What the planner itself knows to be wrong or risky."""
    return (
        *_not_served(operations),
        *_on_average(context, operations),
        *_too_many_requests(context, operations),
        *_hot(context),
        *copy_findings(context, upkeep),
        *figure_findings(context),
        *_local_collections(context),
        *_digits(context),
        *_too_many_indexes(context, tables),
        *_long_keys(context),
        *_prices(context),
        *_needs_differ(context),
        *_provisioned(context),
        *pin_findings(context, tables, operations),
    )


def _not_served(operations: tuple[Operation, ...]) -> Iterator[Finding]:
    for operation in operations:
        if operation.answer == "not served":
            yield Finding(
                rule="not-served",
                severity="error",
                where=f"patterns.{operation.pattern}",
                message=f"Pattern {operation.pattern} is not served. {operation.because}",
                remedy="Change the access pattern, or mark it as served by another service (`elsewhere`).",
            )


def _on_average(context: Context, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """What is served on average, and at the worst takes more than is served."""
    cases: dict[int, list[Operation]] = {}
    for operation in operations:
        if operation.beyond:
            cases.setdefault(operation.pattern, []).append(operation)
    for number, found in cases.items():
        worst = max(found, key=lambda one: one.worst.requests if one.worst is not None else 0)
        beyond = {why for one in found for why in one.beyond}
        said, helps = [], []
        if "pages" in beyond and worst.worst is not None:
            said.append(
                f"It takes {count(worst.requests, 'request')} and {count(worst.read_units, 'read unit')}. In the "
                "worst case, it returns little of what it reads, and takes "
                f"{count(worst.worst.requests, 'request')} and {count(worst.worst.units, 'read unit')}."
            )
            pattern = context.search.design.pattern(number)
            assert isinstance(pattern, Read)
            helps.append(text(how_to_read_less(context.search.design, pattern)))
        if "partition" in beyond:
            said.append("At its peak, it alone takes more than the busiest partition serves.")
            helps.append(CACHE)
        yield Finding(
            rule="served-on-average",
            severity="warning",
            where=f"patterns.{number}",
            message=f"Pattern {number} is served only on average. {' '.join(said)}",
            remedy=" ".join(helps),
        )


def _too_many_requests(context: Context, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    for operation in operations:
        limit = context.search.design.pattern(operation.pattern).at_most_requests
        if limit is not None and operation.requests > limit and operation.answer != "not served":
            yield too_many_requests(operation.pattern, operation.requests, limit)


def _hot(context: Context) -> Iterator[Finding]:
    for name in context.choice.entities:
        for structure, found in heat(context, name).items():
            if not found.is_hot:
                continue
            names = spoken(structure.plain.partition)
            what = f"the busiest value of {names}" if names else "the only partition"
            yield Finding(
                rule="hot-partition",
                severity="warning",
                where=f"entities.{name}",
                message=(
                    f"At peak, {what} takes {text(found.message)}. A partition serves {PARTITION_WRITES:,} write and "
                    f"{PARTITION_READS:,} read units a second."
                ),
                remedy=_cooler(context, structure, found),
            )


def _local_collections(context: Context) -> Iterator[Finding]:
    """Partitions with a local index that may outgrow what one holds: everything in them counts, and its entries."""
    choices = context.choice.entities
    for (name, structure), placement in context.layout.others.items():
        if structure.kind != "local":
            continue
        parts = context.search.tokens(name, structure.partition)
        mates = [
            other
            for other, base in context.layout.bases.items()
            if base.table == placement.table
            and context.search.tokens(other, base.structure.partition) == parts
        ]
        total = 0.0
        for other in mates:
            model, choice = context.model(other), choices[other]
            projections = context.layout.projections[other]
            size = keys_bytes(model, choice.base, projections)
            copies = 1 + sum(one.kind == "local" for one in projections)
            total += copies * model.most_collection_bytes(choice.base, size)
        if total > COLLECTION_BYTES_WITH_LSI * NEAR:
            yield Finding(
                rule="local-index-collection",
                severity="warning",
                where=f"entities.{name}",
                message=(
                    f"The items with one {spoken(structure.plain.partition)} in {placement.table} and their "
                    f"entries in local secondary indexes may take {total / 1e9:,.1f} GB. In a table with a local "
                    "secondary index, an item collection holds at most 10 GB."
                ),
                remedy="State the largest number of items, or accept eventually consistent results.",
            )


def _cooler(context: Context, structure: Structure, found: Heat) -> str:
    """What helps a hot partition: shards of the key would be there if they did."""
    if found.writes <= PARTITION_WRITES:
        return CACHE
    model = context.model(structure.entity)
    added = sorted({name for write in model.writes for name in _added(write)})
    if not added or model.shard_source(structure.plain) is not None:
        return "Write to it less often, or combine several changes in one write."
    items = ceil(found.writes / SHARD_WRITES)
    what = spoken(tuple(f"{model.name}.{name}" for name in added))
    why = why_not_in_shards(context.search.design, model.name, added)
    return (
        f"The load is on one item, which no key can spread{why and f', and {why}'}. Keep {what} in {items} items "
        f"for each instead: add an entity whose identifier ends with a number from 0 to {items - 1}. A write adds "
        f"to a random one of these items, and a read gets all {items} in one BatchGetItem request and adds them "
        "up. Or combine several changes in one write."
    )


def _added(write: EntityWrite) -> set[str]:
    """The numbers that a write adds to, stated or kept over children."""
    kept = {keeping.figure.name for keeping in write.keeps if keeping.figure.is_added}
    return {*write.change.add, *kept}


def _digits(context: Context) -> Iterator[Finding]:
    for name in context.choice.entities:
        model = context.model(name)
        composed = {
            attribute
            for placement in context.layout.placements_of(name)
            for part in placement.parts
            if part.native is None
            for attribute in part.attributes
        }
        for attribute in sorted(composed):
            found = model.attribute(attribute)
            if found.type == "N" and found.width is None:
                yield Finding(
                    rule="number-without-digits",
                    severity="warning",
                    where=f"entities.{name}.attributes.{attribute}",
                    message=(
                        f"{name}.{attribute} is part of a key, but its digits are not stated, so the plan "
                        "pads it to 38 digits."
                    ),
                    remedy=f"State the smallest and the largest value of {attribute}, or its number of digits.",
                )


def _too_many_indexes(context: Context, tables: tuple[Table, ...]) -> Iterator[Finding]:
    most = {"global": min(GSIS, context.search.design.planner.max_gsis), "local": LSIS}
    for table in tables:
        for kind, allowed in most.items():
            needed = sum(index.kind == kind for index in table.indexes)
            if needed <= allowed:
                continue
            yield Finding(
                rule="too-many-indexes",
                severity="error",
                where="planner.max_gsis",
                message=(
                    f"Table {table.name} needs "
                    f"{count(needed, f'{kind} secondary index', f'{kind} secondary indexes')}, but at most "
                    f"{allowed} {'is' if allowed == 1 else 'are'} allowed."
                ),
                remedy="Serve fewer access patterns from one table, allow more indexes, or split the table.",
            )


def _long_keys(context: Context) -> Iterator[Finding]:
    for name in context.choice.entities:
        model = context.model(name)
        for placement in context.layout.placements_of(name):
            limits = (PARTITION_KEY_BYTES, SORT_KEY_BYTES)
            for part, limit in zip(placement.parts, limits, strict=False):
                size = sum(text_bytes(model.attribute(attribute)) for attribute in part.attributes)
                if size > limit:
                    yield Finding(
                        rule="key-too-long",
                        severity="error",
                        where=f"entities.{name}",
                        message=(
                            f"{part.name} of {name} holds {spoken(part.attributes)}, which "
                            f"{'takes' if len(part.attributes) == 1 else 'take'} {size:,.0f} bytes on average. "
                            f"The limit of this key is {limit:,} bytes."
                        ),
                        remedy="Query by a shorter value, such as a hash or the first part of the attribute.",
                    )


def _provisioned(context: Context) -> Iterator[Finding]:
    if context.search.design.billing == "provisioned":
        yield Finding(
            rule="billed-on-demand",
            severity="advice",
            where="billing",
            message="The plan's figures are for on-demand capacity, but the design states provisioned capacity.",
            remedy="Read them as the cost of the requests on demand.",
        )


def _prices(context: Context) -> Iterator[Finding]:
    region = context.search.design.region
    if region not in REGIONS:
        yield Finding(
            rule="no-prices",
            severity="advice",
            where="region",
            message=f"Keywright has no prices for {region}, so the figures use those of us-east-1.",
            remedy="Compare the figures with the price list of your Region.",
        )


def _needs_differ(context: Context) -> Iterator[Finding]:
    search, layout = context.search, context.layout
    for together in search.requirements.tables:
        differing = differing_needs(search.design, together)
        if layout.style == "single":
            differing = tuple(what for what in differing if what in ("team", "capacity mode"))
        if differing:
            yield Finding(
                rule="needs-differ",
                severity="advice",
                where="entities",
                message=(
                    f"The entities of table {layout.bases[together[0]].table} differ in {spoken(differing)}, but "
                    "a table has only one of each."
                ),
                remedy="Compare the plan with the multi-table style, in which each entity has a table of its own.",
            )
