"""The planner's own findings, each with its remedy."""

from collections.abc import Collection, Iterator
from math import ceil

from designer.core.capacity.sizes import most_text_bytes
from designer.core.dynamodb.limits import (
    COLLECTION_BYTES_WITH_LSI,
    GSIS,
    LSIS,
    PARTITION_KEY_BYTES,
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_WRITES,
    SORT_KEY_BYTES,
)
from designer.core.dynamodb.prices import REGIONS
from designer.core.messages import Message, say
from designer.core.patterns.base import Read
from designer.core.plan import Finding, Operation, Table, Upkeep
from designer.core.planner.explain.aggregate_notes import figure_findings
from designer.core.planner.explain.copy_notes import copy_findings
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.explain.index_wanted import index_wanted
from designer.core.planner.explain.pins_broken import pin_findings
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.structures import Structure
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.reading_less import (
    how_to_read_less,
    if_not_served,
    if_smaller,
    if_smaller_than_stated,
    in_case,
)
from designer.core.planner.operations.reads import heaviest_part, parts_to_limit
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.rewrites.rewriting import too_many_requests
from designer.core.planner.rewrites.sharded_counters import why_not_in_shards
from designer.core.planner.workload.tables import differing_needs

NEAR = 0.8
"""Share of a limit from which we say that it is near."""


def findings(
    context: Context,
    tables: tuple[Table, ...],
    operations: tuple[Operation, ...],
    upkeep: tuple[Upkeep, ...],
) -> tuple[Finding, ...]:
    """What the planner itself knows to be wrong or risky."""
    hot = tuple(_hot(context))
    return (
        *_not_served(operations),
        *_on_average(context, operations, hot),
        *_in_many_pages(context, operations),
        *too_many_requests(context.search.design, operations),
        *hot,
        *copy_findings(context, upkeep),
        *figure_findings(context, upkeep),
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
    """Each pattern once, however many cases of it are not served: what helps the plainest case is said."""
    cases: dict[int, list[Operation]] = {}
    for operation in operations:
        cases.setdefault(operation.pattern, []).append(operation)
    for number, every in cases.items():
        found = [one for one in every if one.answer == "not served"]
        if not found:
            continue
        reasons = min(found, key=_optional).reasons
        if len(found) == len(every):
            problem = say("pattern-not-served", pattern=number, reasons=reasons)
        else:
            given = tuple(say("case-given", given=one.given or ()) for one in found)
            problem = say("cases-not-served", pattern=number, cases=given, reasons=reasons)
        yield Finding(
            rule="not-served",
            severity="error",
            where=f"patterns.{number}",
            problem=problem,
            solution=say("change-pattern-or-elsewhere"),
        )


def _optional(operation: Operation) -> int:
    """How many optional parameters are given in a case."""
    return len(operation.given or ())


def _on_average(
    context: Context, operations: tuple[Operation, ...], hot: tuple[Finding, ...]
) -> Iterator[Finding]:
    """What is served on average, and at the worst takes more than is served. `hot`: the findings about partitions."""
    cases: dict[int, list[Operation]] = {}
    for operation in operations:
        if {*operation.beyond} - {"answer"}:
            cases.setdefault(operation.pattern, []).append(operation)
    for number, found in cases.items():
        worst = max(found, key=lambda one: one.requests_at_worst)
        beyond = {why for one in found for why in one.beyond}
        facts: list[Message] = []
        helps: list[Message] = []
        if {"pages", "largest"} & beyond and worst.worst is not None:
            facts.append(
                say(
                    _too_much(context, number, beyond),
                    requests=worst.requests,
                    units=worst.read_units,
                    most_requests=worst.worst.requests,
                    most_units=worst.worst.units,
                )
            )
        if "pages" in beyond:
            helps += _how_to_read_less(context, found)
        if "largest" in beyond:
            larger = (one for one in found if "largest" in one.beyond)
            helps += _how_to_page(context, max(larger, key=lambda one: one.requests_at_worst))
        if "partition" in beyond:
            facts.append(say("overloads-partition-alone"))
            helps.append(_for_partition(context, number, hot))
        yield Finding(
            rule="served-on-average",
            severity="warning",
            where=f"patterns.{number}",
            problem=say("served-on-average", pattern=number, facts=tuple(facts)),
            solution=say("several-remedies", remedies=tuple(helps)),
        )


def _for_partition(context: Context, number: int, hot: tuple[Finding, ...]) -> Message:
    """What helps where an access pattern overloads a partition: said once, with the partition if that has a finding."""
    cache = say("cache")
    cached = {one.where for one in hot if one.solution == cache}
    for pattern_read in context.search.requirements.pattern_reads:
        for entity_read in (
            pattern_read.entity_reads if pattern_read.stated_number == number else ()
        ):
            if f"entities.{entity_read.entity}" in cached:
                return say("as-for-partition", entity=entity_read.entity)
    return cache


def _too_much(context: Context, number: int, beyond: Collection[str]) -> str:
    """What an access pattern does with too much at the worst. A count returns nothing of what it reads, ever."""
    if "pages" not in beyond:
        return "returns-much-at-worst"
    stated = context.search.design.pattern(number)
    assert isinstance(stated, Read)
    is_figure = stated.answer_kind == "count" or stated.aggregate is not None
    return "counts-much-at-worst" if is_figure else "takes-much-at-worst"


def _how_to_read_less(context: Context, cases: list[Operation]) -> Iterator[Message]:
    """What helps where least is given of the optional parameters, and where most is."""
    design, number = context.search.design, cases[0].pattern
    stated = design.pattern(number)
    assert isinstance(stated, Read)
    paged = sorted((one for one in cases if "pages" in one.beyond), key=_optional)
    least, most = (in_case(stated, one.given) for one in (paged[0], paged[-1]))
    wanted = None
    if paged[0].given is None and if_not_served(design, least) is None:
        wanted = index_wanted(context, number)
    if wanted is not None:
        yield wanted
    else:
        first, last = (how_to_read_less(design, asked) for asked in (least, most))
        yield first
        if last.id != first.id:
            yield last
    if (smaller := if_smaller(design, least)) is not None:
        yield smaller


def _how_to_page(context: Context, worst: Operation) -> Iterator[Message]:
    """What helps where a case returns many pages of the largest collection: a limit for each part that has them."""
    design = context.search.design
    stated = design.pattern(worst.pattern)
    assert isinstance(stated, Read)
    parts = parts_to_limit(context, worst)
    for part in parts:
        if part in design.relationship:
            yield say("limit-related", relationship=part)
        elif stated.with_:  # what comes along may have a limit
            yield say("limit-rows", entity=stated.entities[0])
        else:
            yield say("page-by-page-when-needed")
    smaller = if_smaller_than_stated(design, in_case(stated, worst.given), parts)
    if smaller is not None:
        yield smaller


def _in_many_pages(context: Context, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """What returns more each time than fits into a few pages."""
    cases: dict[int, Operation] = {}
    for operation in operations:
        if operation.beyond == ("answer",):
            most = cases.setdefault(operation.pattern, operation)
            cases[operation.pattern] = max(most, operation, key=lambda one: one.requests)
    for number, operation in cases.items():
        size = sum(step.expects.bytes for step in operation.steps)
        yield Finding(
            rule="many-pages",
            severity="warning",
            where=f"patterns.{number}",
            problem=say(
                "reads-many-pages",
                pattern=number,
                bytes=size,
                requests=operation.requests,
                units=operation.read_units,
            ),
            solution=_fewer_pages(context, operation),
        )


def _names_items(context: Context, stated: Read) -> bool:
    """Whether the caller gives the identifier of each item."""
    given = [one for one in stated.where if one.is_ is not None or one.listed is not None]
    entity = context.search.design.entity[stated.entities[0]]
    is_listed = any(one.listed is not None for one in given)
    return (
        is_listed and len(stated.entities) == 1 and entity.names_one({o.attribute for o in given})
    )


def _fewer_pages(context: Context, operation: Operation) -> Message:
    """What helps where an answer is large each time. A limit cuts off none of the items that a caller names."""
    stated = context.search.design.pattern(operation.pattern)
    assert isinstance(stated, Read)
    if _names_items(context, stated):
        return say("fewer-identifiers")
    part = heaviest_part(context, operation)
    along = next((one for one in stated.with_ if one.relationship == part), None)
    # What comes along with each of many rows is less where these are fewer.
    is_of_one = stated.answer_kind == "one"
    if along is not None and along.limit is not None and along.keep and not is_of_one:
        return how_to_read_less(context.search.design, stated)
    if along is not None and along.limit is None and (is_of_one or stated.limit is not None):
        return say("limit-related-or-job", relationship=part)
    if along is not None and is_of_one:
        return say("smaller-limit-related-or-job", relationship=part)
    if along is not None and stated.limit is None:
        return say("limit-rows-or-job", entity=stated.entities[0])
    return say("page-by-page" if stated.limit is None else "smaller-page-by-page")


def _hot(context: Context) -> Iterator[Finding]:
    for name in context.choice.entities:
        for structure, found in heat(context, name).items():
            if not found.is_hot:
                continue
            names = structure.plain.partition
            place = say("busiest-value", attributes=names) if names else say("only-partition")
            yield Finding(
                rule="hot-partition",
                severity="warning",
                where=f"entities.{name}",
                problem=say(
                    "hot-partition",
                    place=place,
                    peak=found.message,
                    writes=PARTITION_WRITES,
                    reads=PARTITION_READS,
                ),
                solution=_cooler(context, structure, found),
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
                problem=say(
                    "local-index-collection",
                    attributes=structure.plain.partition,
                    table=placement.table,
                    gigabytes=total / 1e9,
                ),
                solution=say("state-most-or-accept-eventual"),
            )


def _cooler(context: Context, structure: Structure, found: Heat) -> Message:
    """What helps a hot partition: shards of the key would be there if they did."""
    if found.writes <= PARTITION_WRITES:
        return say("cache")
    model = context.model(structure.entity)
    added = sorted({name for write in model.writes for name in _added(write)})
    if not added or model.shard_source(structure.plain) is not None:
        return say("write-less-often")
    items = ceil(found.writes / SHARD_WRITES)
    why = why_not_in_shards(context.search.design, model.name, added)
    return say(
        "add-to-several-items",
        cause=say("load-on-one-item") if why is None else say("load-on-one-item-and", why=why),
        attributes=tuple(f"{model.name}.{name}" for name in added),
        items=items,
        last=items - 1,
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
                    problem=say("number-without-digits", entity=name, attribute=attribute),
                    solution=say("state-range-or-digits", attribute=attribute),
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
                problem=say(
                    "too-many-indexes", table=table.name, count=needed, kind=kind, most=allowed
                ),
                solution=say("need-fewer-indexes"),
            )


def _long_keys(context: Context) -> Iterator[Finding]:
    for name in context.choice.entities:
        model = context.model(name)
        for placement in context.layout.placements_of(name):
            limits = (PARTITION_KEY_BYTES, SORT_KEY_BYTES)
            for part, limit in zip(placement.parts, limits, strict=False):
                size = sum(most_text_bytes(model.attribute(name)) for name in part.attributes)
                if size > limit:
                    yield Finding(
                        rule="key-too-long",
                        severity="error",
                        where=f"entities.{name}",
                        problem=say(
                            "key-too-long",
                            key=part.name,
                            entity=name,
                            attributes=part.attributes,
                            bytes=size,
                            most=limit,
                        ),
                        solution=say("query-by-shorter"),
                    )


def _provisioned(context: Context) -> Iterator[Finding]:
    if context.search.design.billing == "provisioned":
        yield Finding(
            rule="billed-on-demand",
            severity="advice",
            where="billing",
            problem=say("billed-on-demand"),
            solution=say("read-as-on-demand"),
        )


def _prices(context: Context) -> Iterator[Finding]:
    region = context.search.design.region
    if region not in REGIONS:
        yield Finding(
            rule="no-prices",
            severity="advice",
            where="region",
            problem=say("no-prices", region=region),
            solution=say("compare-prices"),
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
                problem=say("needs-differ", table=layout.bases[together[0]].table, needs=differing),
                solution=say("compare-multi-table"),
            )
