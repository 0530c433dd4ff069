"""Last passes: tables and item shapes, operations with their price, decisions, certificate and findings, as a plan."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from designer.core import keys
from designer.core.design.document import Design, Needs
from designer.core.design.meaning import meaning
from designer.core.patterns import Delete
from designer.core.patterns.base import Write
from designer.core.plan import (
    Cost,
    Index,
    Key,
    KeyAttribute,
    Operation,
    Plan,
    PlannedDesign,
    Projection,
    Shape,
    Source,
    StoredAttribute,
    Style,
    Table,
    Upkeep,
)
from designer.core.planner.explain.certificate import certificate
from designer.core.planner.explain.decisions import decisions
from designer.core.planner.explain.findings import findings
from designer.core.planner.layout.placements import (
    KeyPart,
    Layout,
    Placement,
    item_template,
    lay_out,
)
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.structures import exact, money
from designer.core.planner.operations.reads import Context, read_operation
from designer.core.planner.operations.streamed_aggregates import figures_kept
from designer.core.planner.operations.streams import upkeep_of
from designer.core.planner.operations.writes import write_operation
from designer.core.planner.pricing.access_paths import repriced
from designer.core.planner.pricing.guards import guard_bytes, guard_density, guard_names
from designer.core.planner.pricing.structures import keys_bytes, stored_bytes
from designer.core.planner.solve.choice import Search
from designer.core.planner.workload.requirements import elsewhere
from designer.core.prices import SECONDS_PER_MONTH, prices_of

ALTERNATIVES = {
    "full-text search": "Feed a search service (OpenSearch through a zero-ETL integration, or Streams) and ask it.",
    "geo": "Index the places in a search service with geo queries, or keep geohash cells as an attribute of your own.",
    "analytics": "Export to S3 or a warehouse (zero-ETL) and ask there.",
    "aggregate": "Keep a counter that each write updates, or let a stream consumer keep it.",
    "archive": "Let old items expire and have a stream consumer put them into S3.",
}
RANK = {None: 0, "keys-only": 1, "new": 2, "old": 2, "new-and-old": 3}


Reasons = Literal["none", "findings", "all"]
"""What a plan says about itself: nothing, what is unwise in it, or every decision and its certificate, too."""


Served = dict[tuple[str, str | None], tuple[int, ...]]
"""By table and index (None: the table itself), the patterns that read or write it."""


@dataclass(frozen=True)
class _Priced:
    operations: tuple[Operation, ...]
    upkeep: tuple[Upkeep, ...]
    reads: Fraction
    writes: Fraction
    peak: Fraction
    without: tuple[int, ...]


def planned(
    design: Design,
    style: Style,
    search: Search,
    choice: Choice,
    version: str,
    reasons: Reasons = "all",
) -> Plan:
    """The plan document of a choice, with so much of the reasons for it."""
    context = context_of(search, choice)
    layout = context.layout
    priced = _price(search.design, _operations(context), _upkeep(context))
    storage = _storage(context)
    tables = _tables(context, priced.operations, priced.upkeep)
    per_month = priced.reads + priced.writes + storage
    bound = min(choice.bound, per_month)
    cost = Cost(
        per_month=money(per_month),
        reads_per_month=money(priced.reads),
        writes_per_month=money(priced.writes),
        storage_per_month=money(storage),
        bound=money(bound),
        gap=round(float((per_month - bound) / per_month), 6) if per_month else 0.0,
        peak_per_month=money(priced.peak + storage),
        without_patterns=priced.without,
    )
    made = Plan(
        design=PlannedDesign(name=design.name, meaning=meaning(design)),
        style=style,
        planner=version,
        type_attribute=layout.type_attribute
        if any(model.style == "single" for model in search.models.values())
        else None,
        cost=cost,
        tables=tables,
        operations=priced.operations,
        upkeep=priced.upkeep,
    )
    said: dict[str, object] = {}
    if reasons != "none":
        said["findings"] = findings(context, tables, priced.operations, priced.upkeep)
    if reasons == "all":
        said["decisions"] = decisions(context, priced.upkeep)
        said["certificate"] = certificate(context, tables)
    return made.model_copy(update=said)


def context_of(search: Search, choice: Choice) -> Context:
    """A choice with its layout, by which every access is priced."""
    layout = lay_out(search, choice)
    return Context(search, _as_laid_out(search, choice, layout), layout)


def _as_laid_out(search: Search, choice: Choice, layout: Layout) -> Choice:
    """The choice with what its indexes hold after sharing, and every access priced by that."""
    entities = {}
    for name, chosen in choice.entities.items():
        model, held = search.models[name], layout.held[name]
        size = keys_bytes(model, chosen.base, held)
        demands = {part.id: part.demand for part in search.of_entity[name]}
        access = {
            at: repriced(
                model,
                chosen.base,
                used,
                demands[at],
                held.get(used.structure) if used.structure is not None else None,
                size,
            )
            for at, used in chosen.access.items()
        }
        entities[name] = replace(chosen, held=held, access=access)
    return replace(choice, entities=entities)


# Operations


def _operations(context: Context) -> tuple[Operation, ...]:
    design, questions = context.search.design, context.search.requirements.questions
    found: list[Operation] = []
    for q, question in enumerate(questions):
        if question.change is not None:
            continue  # part of a write
        if question.copied is None and not isinstance(question.pattern, Delete):
            found.append(read_operation(context, q))
    written = {demand.pattern.number for demand in context.search.requirements.writes}
    for pattern in design.patterns:
        if isinstance(pattern, Write) and pattern.number in written:
            found.append(write_operation(context, pattern))
    for gone in elsewhere(design):
        found.append(
            Operation(pattern=gone.number, answer="elsewhere", because=ALTERNATIVES[gone.because])
        )
    position = {id(operation): at for at, operation in enumerate(found)}
    return tuple(sorted(found, key=lambda operation: (operation.pattern, position[id(operation)])))


def _upkeep(context: Context) -> tuple[Upkeep, ...]:
    found = (upkeep_of(context, copied) for copied in context.search.requirements.copies)
    # First figures, which no other depend on; some may be copied.
    return (*figures_kept(context), *(upkeep for upkeep in found if upkeep is not None))


def _price(
    design: Design, operations: tuple[Operation, ...], upkeep: tuple[Upkeep, ...]
) -> _Priced:
    prices = prices_of(design.region)
    read_month = prices.read_unit * SECONDS_PER_MONTH
    write_month = prices.write_unit * SECONDS_PER_MONTH
    reads = writes = peak = Fraction(0)
    without: dict[int, None] = {}
    priced = []
    cases: dict[int, int] = {}
    for operation in operations:
        cases[operation.pattern] = cases.get(operation.pattern, 0) + 1
    for operation in operations:
        rate = design.pattern(operation.pattern).rate
        if operation.answer in ("elsewhere", "not served"):
            priced.append(operation)
            continue
        if rate is None:
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
    return _Priced(tuple(priced), tuple(kept), reads, writes, peak, tuple(without))


def _storage(context: Context) -> Fraction:
    total = 0.0
    for name, chosen in context.choice.entities.items():
        model, held = context.model(name), context.layout.held[name]
        total += stored_bytes(
            model, chosen.base, held, chosen.guard, keys_bytes(model, chosen.base, held)
        )
    return exact(round(total)) * prices_of(context.search.design.region).byte_month


# Tables


def _tables(
    context: Context, operations: tuple[Operation, ...], upkeep: tuple[Upkeep, ...]
) -> tuple[Table, ...]:
    layout = context.layout
    names: dict[str, None] = {}
    for placement in (
        *layout.bases.values(),
        *(p for p in layout.others.values() if p.index is None),
    ):
        names[placement.table] = None
    for guard in layout.guards.values():
        names[guard.table] = None
    followed = {one.table for one in upkeep}
    served, shapes = _served((*operations, *upkeep)), _shapes(context)
    return tuple(_table(context, name, served, shapes[name], name in followed) for name in names)


def _attribute(part: KeyPart) -> KeyAttribute:
    return KeyAttribute(name=part.name, type=part.type)


def _table(
    context: Context, name: str, served: Served, shapes: list[Shape], is_followed: bool
) -> Table:
    layout = context.layout
    homes = [
        p
        for p in (*layout.bases.values(), *layout.others.values())
        if p.table == name and p.index is None
    ]
    guards = [guard for guard in layout.guards.values() if guard.table == name]
    if homes:
        first = homes[0]
        key = Key(
            partition=_attribute(first.partition[0]),
            sort=_attribute(first.sort[0]) if first.sort else None,
        )
    else:
        types = [KeyAttribute(name=n, type=t) for n, t in guards[0].types]
        key = Key(partition=types[0], sort=types[1] if len(types) > 1 else None)
    entities = list(dict.fromkeys([p.entity for p in homes] + [guard.entity for guard in guards]))
    needs = [context.model(entity).entity.needs or Needs() for entity in entities]
    streams = [need.stream for need in needs]
    stream = max(streams, key=lambda s: RANK[s])
    if is_followed or {"new", "old"} <= set(streams):
        stream = "new-and-old"
    recovery = [35 if need.recovery_days is None else need.recovery_days for need in needs]
    rare = all(need.table_class == "infrequent-access" for need in needs)
    base_names = _key_names(homes[0]) if homes else {attribute for attribute, _ in guards[0].types}
    return Table(
        name=name,
        key=key,
        indexes=_indexes(context, name, served, base_names),
        ttl=layout.ttl.get(name),
        stream=stream if homes else None,
        recovery_days=max(recovery),
        table_class="infrequent-access" if rare else "standard",
        serves=served.get((name, None), ()),
        items=tuple(shapes),
    )


def _key_names(placement: Placement) -> set[str]:
    return {part.name for part in placement.parts}


def _indexes(
    context: Context, table: str, served: Served, base_names: set[str]
) -> tuple[Index, ...]:
    layout = context.layout
    by_index: dict[str, list[Placement]] = {}
    for placement in layout.others.values():
        if placement.table == table and placement.index is not None:
            by_index.setdefault(placement.index, []).append(placement)
    found = []
    for name, projection in (
        (index, p) for (t, index), p in layout.index_projection.items() if t == table
    ):
        placements = by_index[name]
        first = placements[0]
        if projection is None:
            held = Projection(type="ALL")
        else:
            stored = {n for p in placements for n in context.model(p.entity).entity.stored_names}
            names = sorted((projection & stored) - _key_names(first) - base_names)
            names = list(layout.listed.get((table, name), names))
            if context.model(first.entity).style == "single" and names:
                names = [layout.type_attribute, *names]
            held = (
                Projection(type="INCLUDE", attributes=tuple(names))
                if names
                else Projection(type="KEYS_ONLY")
            )
        sparse = any(context.model(p.entity).density(p.structure) < 1 for p in placements)
        found.append(
            Index(
                name=name,
                kind="local" if first.structure.kind == "local" else "global",
                partition=tuple(_attribute(part) for part in first.partition),
                sort=tuple(_attribute(part) for part in first.sort),
                projection=held,
                sparse=sparse,
                serves=served.get((table, name), ()),
            )
        )
    return tuple(found)


def _served(operations: tuple[Operation | Upkeep, ...]) -> Served:
    found: dict[tuple[str, str | None], set[int]] = {}
    for operation in operations:
        numbers = operation.patterns if isinstance(operation, Upkeep) else (operation.pattern,)
        for step in operation.steps:
            found.setdefault((step.table, step.index), set()).update(numbers)
            for member in step.members:
                found.setdefault((member.table, None), set()).update(numbers)
    return {place: tuple(sorted(numbers)) for place, numbers in found.items()}


def _shapes(context: Context) -> dict[str, list[Shape]]:
    """By table, what lies in it."""
    layout = context.layout
    shapes: dict[str, list[Shape]] = {}
    for name, base in layout.bases.items():
        model, chosen = context.model(name), context.choice.entities[name]
        sources = _sources(context, name)
        own = {
            a.name: StoredAttribute(type=a.type, optional=a.present < 1, from_=sources.get(a.name))
            for a in model.entity.stored
        }
        added_bytes = keys_bytes(model, chosen.base, layout.held[name])
        items = float(model.entity.items or 0)
        others = layout.placements_of(name)[1:]
        places = [base, *(p for p in others if p.index is not None)]
        added = _set(context, places, name, name) | layout.extra.get(name, {})
        shapes.setdefault(base.table, []).append(
            Shape(
                shape=name,
                entity=name,
                set=added,
                attributes=own,
                bytes=round(model.own_bytes + added_bytes, 1),
                items=items,
                role="edge" if model.is_edge else "entity",
            )
        )
        for copy in others:
            if copy.index is None:
                shape = copy.shape
                shapes.setdefault(copy.table, []).append(
                    Shape(
                        shape=shape,
                        entity=name,
                        role="edge" if model.is_edge else "copy",
                        set=_set(context, [copy], name, shape) | layout.extra.get(name, {}),
                        attributes=own,
                        bytes=round(model.entry_bytes(chosen.base, copy.structure, None, 0), 1),
                        items=items,
                    )
                )
        for (entity, attribute), guard in layout.guards.items():
            if entity != name:
                continue
            added = {n: t for n, t in guard.key.items() if n != keys.lone(t)}
            if model.style == "single":
                added[layout.type_attribute] = guard.shape
            carried = {n: own[n] for n in guard_names(model, chosen.base, attribute)}
            shapes.setdefault(guard.table, []).append(
                Shape(
                    shape=guard.shape,
                    entity=name,
                    role="guard",
                    guards=(attribute,) if attribute else model.entity.identifier,
                    set=added,
                    attributes=carried,
                    bytes=round(guard_bytes(model, chosen.base, attribute), 1),
                    items=items * guard_density(model, attribute),
                )
            )
    return shapes


def _sources(context: Context, entity: str) -> dict[str, Source]:
    """Where an entity's copies come from."""
    return {
        name: Source(entity=copied.parent, attribute=attribute, per=copied.per)
        for copied in context.search.requirements.copies
        if copied.entity == entity
        for name, attribute in copied.attributes
    }


def _set(context: Context, placements: list[Placement], entity: str, shape: str) -> dict[str, str]:
    model, layout = context.model(entity), context.layout
    added = {
        part.name: item_template(part, model)
        for p in placements
        for part in p.parts
        if part.native is None
    }
    if model.style == "single":
        added[layout.type_attribute] = shape
    return added
