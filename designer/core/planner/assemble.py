"""Puts the plan together: tables with their item shapes, and what operations and storage cost."""

from designer.core.design.document import Design
from designer.core.design.entities import Needs
from designer.core.design.meaning import meaning
from designer.core.dynamodb.prices import prices_of
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
    keys,
)
from designer.core.planner.layout.key_templates import item_template
from designer.core.planner.layout.placement import KeyPart, Placement
from designer.core.planner.model.score import exact, money
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.priced import Priced
from designer.core.planner.pricing.guards import guard_bytes, guard_density, guard_names
from designer.core.planner.pricing.structures import keys_bytes, stored_bytes
from designer.core.rational import Fraction

_RANK = {None: 0, "keys-only": 1, "new": 2, "old": 2, "new-and-old": 3}


Served = dict[tuple[str, str | None], tuple[int, ...]]
"""By table and index (None: the table itself), the patterns that read or write it."""


def assembled(design: Design, style: Style, context: Context, priced: Priced, version: str) -> Plan:
    """The plan document, without the reasons for it. `design`: as it was stated; `version`: the planner's."""
    layout, choice = context.layout, context.choice
    storage = _storage(context)
    tables = _tables(context, priced.operations, priced.upkeep)
    per_month = priced.reads + priced.writes + storage
    # The bill of any choice leaves out what is not served, which searches price.
    left_out = max(Fraction(0), choice.score.usd - per_month)
    bound = min(choice.bound - left_out, per_month)
    cost = Cost(
        per_month=money(per_month),
        reads_per_month=money(priced.reads),
        writes_per_month=money(priced.writes),
        storage_per_month=money(storage),
        bound=money(bound),
        gap=round(float((per_month - bound) / per_month), 6) if per_month else 0.0,
        cheapest=None
        if choice.cheapest is None
        else min(money(choice.cheapest - left_out), money(per_month)),
        peak_per_month=money(priced.peak + storage),
        without_patterns=priced.without,
    )
    return Plan(
        design=PlannedDesign(name=design.name, meaning=meaning(design)),
        style=style,
        planner=version,
        type_attribute=layout.type_attribute
        if any(model.style == "single" for model in context.search.models.values())
        else None,
        cost=cost,
        tables=tables,
        operations=priced.operations,
        upkeep=priced.upkeep,
    )


def _storage(context: Context) -> Fraction:
    total = 0.0
    for name, chosen in context.choice.entities.items():
        model, projections = context.model(name), context.layout.projections[name]
        total += stored_bytes(
            model,
            chosen.base,
            projections,
            chosen.guard,
            keys_bytes(model, chosen.base, projections),
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
    stream = max(streams, key=lambda s: _RANK[s])
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
        added_bytes = keys_bytes(model, chosen.base, layout.projections[name])
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
        for (entity, guarded), guard in layout.guards.items():
            if entity != name:
                continue
            added = {n: t for n, t in guard.key.items() if n != keys.lone(t)}
            if model.style == "single":
                added[layout.type_attribute] = guard.shape
            carried = {n: own[n] for n in guard_names(model, chosen.base, guarded)}
            shapes.setdefault(guard.table, []).append(
                Shape(
                    shape=guard.shape,
                    entity=name,
                    role="guard",
                    guards=guarded or model.entity.identifier,
                    set=added,
                    attributes=carried,
                    bytes=round(guard_bytes(model, chosen.base, guarded), 1),
                    items=items * guard_density(model, guarded),
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
