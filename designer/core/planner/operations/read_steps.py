"""The steps of a read: one for each way to answer an entity read, and one for several entity reads together."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from designer.core.capacity.units import read_units
from designer.core.plan import (
    Call,
    Expected,
    Expression,
    ItemCondition,
    KeyCondition,
    Pages,
    Periods,
    Repeat,
    ResultPart,
    Step,
    keys,
)
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import spelled
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead, operand
from designer.core.planner.model.structures import Access
from designer.core.planner.model.values import put_to
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import Repeated, expected, rounded, with_worst
from designer.core.planner.operations.item_tests import (
    order_lines,
    sorted_by,
    tests_after,
    tests_within_limit,
)
from designer.core.planner.operations.key_conditions import key_conditions, key_of, whole_part
from designer.core.planner.operations.limit_then_filter import filtered_after, may_filter_after
from designer.core.planner.operations.shared_query import shared_expected
from designer.core.planner.pricing.asked_lists import lists_in_key
from designer.core.planner.pricing.at_worst import AtWorst, at_worst, cuts_keys, got_at_worst
from designer.core.planner.pricing.guards import guard_bytes
from designer.core.planner.pricing.key_matching import (
    ends_early,
    gets_first,
    periods_asked,
    query_access,
)
from designer.core.planner.pricing.requests import got_in_all
from designer.core.planner.pricing.shared_reads import shared_access


def part_steps(
    context: Context,
    pattern_read: PatternRead,
    at: int,
    access: Access,
    first_id: int,
    rows: float | None = None,
) -> tuple[list[Step], ResultPart]:
    """The steps that answer one entity read on its own. `rows`: those that it depends on, at the worst."""
    entity_read = pattern_read.entity_reads[at].ways[access.way]
    placement = (
        context.layout.placement(entity_read.entity, access.structure) if access.structure else None
    )
    filtered, cut = tests_after(context, placement, entity_read, access)
    late: tuple[ItemCondition, ...] = ()
    if access.late:
        late = tuple(t for t in (*filtered, *cut) if keys.stored(t.attribute) in access.late)
        filtered = tuple(test for test in filtered if test not in late)
        cut = tuple(test for test in cut if test not in late)
    then_keep = tests_within_limit(context, entity_read)
    repeated = _repeated(context.model(entity_read.entity), entity_read, access, rows)
    shape = placement.shape if placement is not None else entity_read.entity
    if access.call in ("guard", "guard then get"):
        steps, more = _through_guard(
            context, pattern_read, entity_read, access, first_id, (*cut, *then_keep)
        )
        cut = (*more, *cut)
        shape = steps[-1].shapes[0]
        merged = False
    elif access.call == "get":
        assert placement is not None
        tested = (*cut, *then_keep)
        get = _get(context, pattern_read, entity_read, access, placement, first_id, tested)
        steps = [get]
        if rows is not None:
            once = AtWorst(access.requests, access.read, access.units, is_short=False)
            steps = [with_worst(get, once, repeated)]
        merged = True
    else:
        assert placement is not None
        where, excluded = key_conditions(context, placement, entity_read, access)
        cut = (*cut, *excluded)
        query = _query(context, pattern_read, entity_read, access, placement, where, filtered, cut)
        steps = [query.model_copy(update={"id": f"s{first_id}"})]
        if not (filtered or cut) and may_filter_after(context, placement, entity_read, access):
            steps, then_keep = [filtered_after(steps[0], entity_read, then_keep)], ()
        model = context.model(entity_read.entity)
        worst = at_worst(model, entity_read, access, query.limit)
        merged = query.for_each is not None or not access.ordered
        if access.call == "query then get":
            got = _get_each(context, pattern_read, entity_read, access, first_id, cut, late)
            steps.append(got)
            merged = True
        assert worst is not None
        found = (worst, got_at_worst(model, entity_read, worst, access))
        steps = [
            with_worst(step, one, repeated)
            for step, one in zip(steps, found, strict=False)
            if one is not None
        ]
    crossed = entity_read.crossed
    part = ResultPart(
        name=entity_read.part,
        steps=(steps[-1].id,),
        shapes=(shape,),
        keep=(*cut, *late),
        crossed=crossed.how if crossed is not None else None,
        order=order_lines(context.model(entity_read.entity), entity_read) if merged else (),
        limit=entity_read.limit if crossed is None else crossed.limit,
        then_keep=then_keep,
        per=pattern_read.links.get(entity_read.part, ()),
    )
    return steps, part


def _repeated(
    model: EntityModel, entity_read: EntityRead, access: Access, rows: float | None
) -> Repeated:
    """How often its steps run at the worst: for each row that it depends on."""
    times, items, different = entity_read.times, None, entity_read.different
    if rows is not None and entity_read.one:  # of the same parent once
        times = max(times, rows if different is None else min(rows, different))
    elif rows is not None:  # each row has children of its own
        times, items = max(times, rows), model.entity.items
    least = float(access.shards * periods_asked(model, entity_read, access))
    return Repeated(times, items, least, read_units(0, entity_read.consistency))


def _repeat(model: EntityModel, entity_read: EntityRead, access: Access) -> Repeat | None:
    """What a step is repeated for: the rows it depends on, or the elements of a list in its key; for each shard."""
    repeat = None
    if listed := lists_in_key(model, entity_read, access):
        values, *others = (str(entity_read.equals[name])[1:-1] for name in listed)
        repeat = Repeat(values=values, and_values=tuple(others), distinct=True)
    elif entity_read.is_dependent:
        repeat = Repeat(rows="s1", distinct=entity_read.one)
    parts: dict[str, Any] = {}
    if access.period and entity_read.range is not None:
        limits = entity_read.range
        since, until = limits.from_ or limits.after, limits.to or limits.below
        source = model.attribute(access.period).source
        assert since is not None
        assert until is not None
        assert source is not None
        parts["periods"] = Periods.model_validate(
            {
                "form": source[0],
                "from": operand(since),
                "to": operand(until),
                "newest_first": access.backwards,
                "until_enough": ends_early(model, entity_read, access),
            }
        )
    if access.shards > 1:
        parts["numbers"] = access.shards
    return (repeat or Repeat()).model_copy(update=parts) if parts else repeat


def _through_guard(
    context: Context,
    pattern_read: PatternRead,
    entity_read: EntityRead,
    access: Access,
    first_id: int,
    cut: tuple[ItemCondition, ...],
) -> tuple[list[Step], tuple[ItemCondition, ...]]:
    """(a read of the guard, and of the item it leads to; that the item still has the guarded value)."""
    guard = context.layout.guards[entity_read.entity, access.guard]
    base = context.layout.bases[entity_read.entity]
    consistent = entity_read.strong
    units = 1.0 if consistent else 0.5
    look = f"s{first_id}"
    size = guard_bytes(context.model(entity_read.entity), base.structure, access.guard)
    found = Step(
        id=look,
        call="GetItem",
        table=guard.table,
        for_each=_repeat(context.model(entity_read.entity), entity_read, access),
        consistent=consistent,
        key={name: put_to(template, entity_read.equals) for name, template in guard.key.items()},
        shapes=(guard.shape,),
        expects=Expected(requests=1, read=1, returned=1, bytes=rounded(size), units=units),
    )
    if access.call == "guard":
        return [found], ()
    model = context.model(entity_read.entity)
    names = sorted(model.made_of(base.structure) | set(model.entity.identifier))
    known: dict[str, Expression] = {name: f"{{{look}.{name}}}" for name in names}
    project = _project(
        pattern_read, entity_read, (*(test.attribute for test in cut), *access.guard)
    )
    item = Step(
        id=f"s{first_id + 1}",
        call="GetItem",
        table=base.table,
        for_each=Repeat(rows=look),
        key=key_of(context, base, known),
        project=project,
        consistent=consistent,
        shapes=(entity_read.entity,),
        expects=Expected(
            requests=1,
            read=1,
            returned=1,
            bytes=rounded(access.bytes - size),
            units=float(access.units) - units,
        ),
    )
    # Between the two reads the value may have gone to another item; an identifier never does.
    still = (ItemCondition(attribute=name, is_=entity_read.equals[name]) for name in access.guard)
    return [found, item], tuple(still)


def _get(
    context: Context,
    pattern_read: PatternRead,
    entity_read: EntityRead,
    access: Access,
    placement: Placement,
    number: int,
    cut: tuple[ItemCondition, ...],
) -> Step:
    repeat = _repeat(context.model(entity_read.entity), entity_read, access)
    call: Call = "GetItem" if repeat is None else "BatchGetItem"
    if entity_read.consistency == "transactional":
        call = "TransactGetItems"
    wanted = sorted_by(context, entity_read) + [test.attribute for test in cut]
    return Step(
        id=f"s{number}",
        call=call,
        table=placement.table,
        for_each=repeat,
        key=key_of(context, placement, entity_read.equals),
        project=_project(pattern_read, entity_read, wanted),
        consistent=entity_read.consistency_of(placement.structure) == "strong",
        shapes=(placement.shape,),
        expects=expected(access, entity_read),
    )


def _get_each(
    context: Context,
    pattern_read: PatternRead,
    entity_read: EntityRead,
    access: Access,
    first_id: int,
    cut: tuple[ItemCondition, ...],
    late: tuple[ItemCondition, ...],
) -> Step:
    """The items whose keys an index returned; where several queries did, of the first few of all.

    A filter can't test what is in the index's key, so the caller does before it gets the items. `late`: what it tests
    of these.
    """
    base = context.layout.bases[entity_read.entity]
    previous = f"s{first_id}"
    assert access.then is not None
    requests, items, size, units = access.then
    model = context.model(entity_read.entity)
    each = Repeat(
        rows=previous,
        keep=cut,
        order=order_lines(model, entity_read) if gets_first(model, entity_read, access) else (),
        limit=entity_read.limit if cuts_keys(model, entity_read, access) else None,
    )
    tested = (*cut, *late, *tests_within_limit(context, entity_read))
    used = sorted_by(context, entity_read) + [test.attribute for test in tested]
    return Step(
        id=f"s{first_id + 1}",
        call="BatchGetItem",
        table=base.table,
        for_each=each,
        key={part.name: f"{{{previous}.{part.name}}}" for part in base.parts},
        project=_project(pattern_read, entity_read, used),
        shapes=(entity_read.entity,),
        expects=Expected(
            requests=rounded(float(got_in_all(requests, items, size, entity_read.times))),
            read=rounded(items * entity_read.times),
            returned=rounded(items * entity_read.times),
            bytes=rounded(size * entity_read.times),
            units=rounded(float(units) * entity_read.times),
        ),
    )


def _query(
    context: Context,
    pattern_read: PatternRead,
    entity_read: EntityRead,
    access: Access,
    placement: Placement,
    where: tuple[KeyCondition, ...],
    filtered: tuple[ItemCondition, ...],
    cut: tuple[ItemCondition, ...],
) -> Step:
    limit: int | None = None
    until: dict[str, int] = {}
    pages: Pages = "one" if entity_read.one and not access.left and not filtered else "all"
    wanted = entity_read.limit
    if wanted is not None and access.ordered:
        pages, until, limit = "until", {entity_read.part: wanted}, wanted
        if (filtered or cut) and access.page is not None:
            limit = access.page
    repeat = _repeat(context.model(entity_read.entity), entity_read, access)
    used = [test.attribute for test in (*cut, *tests_within_limit(context, entity_read))]
    if repeat is not None or not access.ordered:
        used += sorted_by(context, entity_read)
    keys_only = access.call == "query then get"
    project, from_keys = None, {}
    if not keys_only and not entity_read.count:
        project = _project(pattern_read, entity_read, used)
        from_keys = _from_keys(context, placement, entity_read, project)
    if project is not None and from_keys:
        asked = (name for name in project if name not in from_keys)
        project = tuple(dict.fromkeys((*asked, *from_keys.values())))
    return Step(
        id="s1",
        call="Query",
        table=placement.table,
        index=placement.index,
        for_each=repeat,
        where=where,
        filter=filtered,
        project=project,
        from_keys=from_keys,
        forward=not access.backwards,
        limit=limit,
        pages=pages,
        until=until,
        consistent=(entity_read.strong or entity_read.deletes)
        and placement.structure.kind != "index",
        count=entity_read.count and not cut,
        shapes=(placement.shape,),
        expects=expected(access, entity_read),
    )


def _from_keys(
    context: Context,
    placement: Placement,
    entity_read: EntityRead,
    project: tuple[str, ...] | None,
) -> dict[str, str]:
    """What an index does not hold of the attributes to ask for, each with the key attribute that spells it."""
    if not placement.structure.is_index:
        return {}
    model, layout = context.model(entity_read.entity), context.layout
    held = layout.projections[entity_read.entity][placement.structure]
    base = layout.bases[entity_read.entity]
    if held is None:
        return {}
    native = {part.native for place in (base, placement) for part in place.parts}
    wanted = model.entity.stored_names if project is None else set(project)
    return {
        name: part.name
        for place in (base, placement)
        for part in place.parts
        if part.native is None
        for name in sorted((wanted & spelled(model, place.structure, part.pieces)) - held - native)
    }


def _project(
    pattern_read: PatternRead, entity_read: EntityRead, extra: Iterable[str]
) -> tuple[str, ...] | None:
    """The attributes to ask for: what the caller wants and what the answer is put together by."""
    if entity_read.wanted is None or not entity_read.wanted:
        return None
    joined = (
        {mine for pairs in pattern_read.links.values() for _, mine in pairs}
        if entity_read.part == "rows"
        else set()
    )
    joined |= {theirs for theirs, _ in pattern_read.links.get(entity_read.part, ())}
    return tuple(
        dict.fromkeys((*entity_read.wanted, *sorted(joined), *sorted(map(keys.stored, extra))))
    )


def shared_query_step(
    context: Context, position: int, group: SharedQuery, number: int
) -> tuple[Step, list[ResultPart]]:
    """One Query that answers several entity reads of a pattern from one item collection."""
    pattern_read = context.search.requirements.pattern_reads[group.pattern_read]
    first = pattern_read.entity_reads[group.parts[0]]
    layout, reads = context.layout, context.layout.ranges[position]
    placements = {
        at: layout.others[entity, group.structure(entity)] if group.index else layout.bases[entity]
        for at in group.parts
        for entity in (pattern_read.entity_reads[at].entity,)
    }
    place = placements[group.parts[0]]
    partition, sort = place.parts
    model = context.model(first.entity)
    where = [
        KeyCondition(attribute=partition.name, equals=whole_part(partition, model, first.equals))
    ]
    stretch = (reads.lower, reads.upper)
    parts: list[ResultPart] = []
    limited = None
    for at in group.parts:
        entity_read = pattern_read.entity_reads[at]
        tested = Access(placements[at].structure, "get")
        if entity_read.entity == reads.bounded:
            stretch = _ended(context, placements[at], entity_read, *stretch)
            tested = replace(tested, ranged=True)
        _, cut = tests_after(context, placements[at], entity_read, tested)
        if entity_read.limit is not None and not entity_read.one and reads.ends_with_limited:
            limited = entity_read
        parts.append(
            ResultPart(
                name=entity_read.part,
                steps=(f"s{number}",),
                shapes=(placements[at].shape,),
                keep=cut,
                order=()
                if _comes_in_order(context, placements[at], entity_read, reads.forward)
                else order_lines(context.model(entity_read.entity), entity_read),
                limit=entity_read.limit,
                then_keep=tests_within_limit(context, entity_read),
                per=pattern_read.links.get(entity_read.part, ()),
            )
        )
    lower, upper = stretch
    if lower is not None and upper is not None:
        where.append(KeyCondition(attribute=sort.name, between=(lower, upper)))
    until: dict[str, int] = {}
    if limited is not None and limited.limit is not None:
        until = {limited.part: limited.limit}
    expects, page = shared_expected(context, group, limited, reads.bounded)
    return Step(
        id=f"s{number}",
        call="Query",
        table=place.table,
        index=place.index,
        where=tuple(where),
        forward=reads.forward,
        limit=page,
        pages="until" if until else "all",
        until=until,
        consistent=first.strong and not group.index,
        shapes=tuple(dict.fromkeys(placements[at].shape for at in group.parts)),
        expects=expects,
    ), parts


def _ended(
    context: Context,
    placement: Placement,
    entity_read: EntityRead,
    lower: str | None,
    upper: str | None,
) -> tuple[str | None, str | None]:
    """A stretch of a collection that ends on one side where the range of an entity read does."""
    model, limits = context.model(entity_read.entity), entity_read.range
    access = shared_access(model, placement.structure, entity_read)
    (*_, own), _ = key_conditions(context, placement, entity_read, access)
    assert own.between is not None
    assert limits is not None
    low, high = map(str, own.between)
    return (low, upper) if limits.from_ or limits.after else (lower, high)


def _comes_in_order(
    context: Context, placement: Placement, entity_read: EntityRead, forward: bool
) -> bool:
    """Whether the sort key gives the rows of one entity of a shared Query in the order that is wanted."""
    model = context.model(entity_read.entity)
    access = query_access(model, placement.structure, entity_read)
    return access.ordered and access.backwards != forward
