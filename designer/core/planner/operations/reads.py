"""Operations that read: the steps that answer each question over the layout."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from designer.core import keys
from designer.core.limits import BATCH_GET_ITEMS, TRANSACTION_ITEMS
from designer.core.patterns import List
from designer.core.patterns.base import Condition, Operand, Read
from designer.core.plan import (
    Call,
    Expected,
    Expression,
    ItemCondition,
    KeyCondition,
    Operation,
    Pages,
    Parameter,
    Periods,
    Repeat,
    Result,
    ResultKind,
    ResultPart,
    Step,
)
from designer.core.planner.layout.placements import (
    KeyPart,
    Layout,
    Placement,
    bound_piece,
    bound_template,
)
from designer.core.planner.model.chosen import Choice, Group
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.structures import Access, EntityModel
from designer.core.planner.model.values import put_to
from designer.core.planner.model.wording import numbered
from designer.core.planner.pricing.access_paths import (
    accesses,
    ends_early,
    gets_first,
    is_asked_of_each,
    is_native_filter,
    must_be_sorted,
    why_not_sorted,
)
from designer.core.planner.pricing.guards import guard_bytes
from designer.core.planner.pricing.structures import needs_identifier_guard, unroomy, write_costs
from designer.core.planner.solve.choice import Search
from designer.core.planner.workload.requirements import Question, ReadDemand, operand


@dataclass(frozen=True)
class Stated:
    """A design's models, and what is asked of them."""

    search: Search

    def model(self, entity: str) -> EntityModel:
        return self.search.models[entity]


@dataclass(frozen=True)
class Context(Stated):
    """What writing the operations of a plan needs."""

    choice: Choice
    layout: Layout


def parameter(
    model: EntityModel, attribute: str, name: str, optional: bool = False, is_list: bool = False
) -> Parameter:
    """A parameter typed as an attribute."""
    found = model.attribute(attribute)
    return Parameter(
        name=name, type=found.type, format=found.format, optional=optional, list=is_list
    )


# Key conditions


def key_of(
    context: Context, placement: Placement, known: dict[str, Expression]
) -> dict[str, Expression]:
    """The whole primary key of an item."""
    model = context.model(placement.entity)
    return {part.name: _whole_part(part, model, known) for part in placement.parts}


def _whole_part(part: KeyPart, model: EntityModel, known: dict[str, Expression]) -> Expression:
    if part.native is not None:
        return known[part.native]
    template = bound_template(part, model, known.get)
    assert template is not None, (part, known)
    return template


def key_conditions(
    context: Context, placement: Placement, demand: ReadDemand, access: Access
) -> tuple[tuple[KeyCondition, ...], tuple[ItemCondition, ...]]:
    """(conditions on the key, conditions that only the caller can test) of a query."""
    model = context.model(placement.entity)
    if demand.list_of is not None and not is_asked_of_each(model, demand, access):
        # The Query is not repeated for a list, though what it lists may end the key: a filter tests it.
        others = {name: value for name, value in demand.equals.items() if name != demand.list_of}
        demand = replace(demand, equals=others)
    known = list(placement.partition)
    if placement.structure.own:
        known += placement.sort[: access.bound]
    each: dict[str, Expression] = {access.period: "{each.period}"}
    if access.shards > 1:
        shards = (n for n in placement.structure.partition if is_shard(n))
        each |= dict.fromkeys(shards, "{each.number}")
    where = [
        KeyCondition(attribute=part.name, equals=_whole_part(part, model, each | demand.equals))
        for part in known
    ]
    cut: tuple[ItemCondition, ...] = ()
    for part in placement.parts[len(known) : len(known) + 1]:
        if part.native is not None:
            last, cut = _native_condition(part, demand, access)
        else:
            last = _composed_condition(part, model, demand, access)
        where += [last] if last is not None else []
    return tuple(where), cut


def _native_condition(
    part: KeyPart, demand: ReadDemand, access: Access
) -> tuple[KeyCondition | None, tuple[ItemCondition, ...]]:
    assert part.native is not None
    if part.native in demand.equals:
        return KeyCondition(attribute=part.name, equals=demand.equals[part.native]), ()
    if access.prefix:
        return KeyCondition(attribute=part.name, begins_with=demand.equals[access.prefix]), ()
    if not access.ranged or demand.range is None:
        return None, ()
    limits = demand.range
    if limits.begins_with is not None:
        return KeyCondition(attribute=part.name, begins_with=operand(limits.begins_with)), ()
    lower, upper = limits.from_ or limits.after, limits.to or limits.below
    if lower is not None and upper is not None:
        cut = []
        # A query takes one range, and BETWEEN includes both its ends: an excluded end is cut by the caller.
        if limits.after is not None:
            cut.append(ItemCondition(attribute=part.native, after=operand(limits.after)))
        if limits.below is not None:
            cut.append(ItemCondition(attribute=part.native, below=operand(limits.below)))
        return KeyCondition(attribute=part.name, between=(operand(lower), operand(upper))), tuple(
            cut
        )
    sides = {"from_": limits.from_, "after": limits.after, "to": limits.to, "below": limits.below}
    tests: dict[str, Any] = {s: operand(value) for s, value in sides.items() if value is not None}
    return KeyCondition(attribute=part.name, **tests), ()


def _composed_condition(
    part: KeyPart, model: EntityModel, demand: ReadDemand, access: Access
) -> KeyCondition | None:
    """One range inside the type (modelling rule 4, docs/modelling-rules.md)."""
    attributes = part.attributes
    prefix = ""
    bound = 0
    pieces = list(part.pieces)
    while pieces:
        kind, value = pieces[0]
        if kind == "text":
            prefix += value.replace("{", "{{").replace("}", "}}")
        else:
            known = bound_piece(
                model.attribute(value),
                model,
                demand.equals.get,
                dict(part.only).get(value),
                inverse=kind == "inverse",
            )
            if known is None or (bound >= max(access.bound, 0) and value not in demand.equals):
                break
            prefix += known
            bound += 1
        pieces.pop(0)
    prefix = keys.as_text(prefix)
    if not pieces:
        return KeyCondition(attribute=part.name, equals=prefix)
    if access.prefix and attributes[bound] == model.stored_name(access.prefix):
        told = {attributes[bound]: demand.equals[access.prefix]}
        start = bound_piece(model.attribute(attributes[bound]), model, told.get)
        assert start is not None
        return KeyCondition(attribute=part.name, begins_with=keys.as_text(prefix + start))
    if access.ranged and demand.range is not None and attributes[bound] == demand.range.attribute:
        return _composed_range(part, model, demand.range, prefix)
    return KeyCondition(attribute=part.name, begins_with=prefix) if prefix else None


def _composed_range(
    part: KeyPart, model: EntityModel, limits: Condition, prefix: str
) -> KeyCondition:
    attribute = model.attribute(limits.attribute)
    inverse = ("inverse", limits.attribute) in part.pieces
    if inverse:
        turned = {
            "from_": limits.to,
            "after": limits.below,
            "to": limits.from_,
            "below": limits.after,
        }
        limits = limits.model_copy(update=turned)

    def piece(side: Operand) -> str:
        text = bound_piece(
            attribute,
            model,
            lambda name: operand(side) if name == limits.attribute else None,
            inverse=inverse,
        )
        assert text is not None
        return text

    if limits.begins_with is not None:
        start = keys.as_text(prefix + piece(limits.begins_with))
        return KeyCondition(attribute=part.name, begins_with=start)
    lower, upper = prefix, prefix
    if limits.from_ is not None:
        lower = prefix + piece(limits.from_)
    elif limits.after is not None:
        lower = prefix + piece(limits.after) + keys.ABOVE
    if limits.to is not None:
        upper = prefix + piece(limits.to) + keys.ABOVE
    elif limits.below is not None:
        upper = prefix + piece(limits.below)
    else:
        upper = prefix[:-1] + keys.ABOVE if prefix.endswith(keys.DELIMITER) else prefix + "\uffff"
    upper = keys.as_text(upper)
    if not lower:
        return KeyCondition(attribute=part.name, below=upper)
    return KeyCondition(attribute=part.name, between=(keys.as_text(lower), upper))


# Conditions on items


def item_condition(model: EntityModel, condition: Condition) -> ItemCondition:
    """A design's condition as the plan writes it."""
    tests: dict[str, Any] = {}
    for name in ("is_", "from_", "after", "to", "below", "begins_with", "contains", "not_"):
        side = getattr(condition, name)
        if side is not None:
            tests[name] = operand(side)
    if condition.any_of is not None:
        tests["any_of"] = condition.any_of.param
    if condition.exists:
        tests["exists"] = True
    if condition.missing:
        tests["exists"] = False
    return ItemCondition(attribute=model.read_as(condition.attribute), **tests)


def tests_after(
    context: Stated, placement: Placement | None, demand: ReadDemand, access: Access
) -> tuple[tuple[ItemCondition, ...], tuple[ItemCondition, ...]]:
    """(what the engine filters, what the caller cuts) after the key condition."""
    model = context.model(demand.entity)
    conditions: list[Condition] = []
    direct: list[ItemCondition] = []
    for name in access.left:
        value, called = demand.equals[name], model.read_as(name)
        if name == demand.list_of:
            direct.append(ItemCondition(attribute=called, any_of=str(value)[1:-1]))
        else:
            direct.append(ItemCondition(attribute=called, is_=value))
    if demand.range is not None and not access.ranged:
        conditions.append(demand.range)
    conditions += demand.filters
    keyed = set(placement.structure.attributes) if placement is not None else set()
    needed = {*demand.exists, *(order.attribute for order in demand.order)}
    for name in sorted(needed):
        if name not in keyed and model.presence(name) < 1:
            direct.append(ItemCondition(attribute=model.stored_name(name), exists=True))
    direct += [item_condition(model, condition) for condition in conditions]
    if access.call not in ("query", "query then get") or placement is None:
        return (), tuple(direct)
    native = {
        attribute for attribute in keyed if is_native_filter(model, placement.structure, attribute)
    }
    cut = tuple(
        test
        for test in direct
        # No expression looks for a text within the leading part of another.
        if keys.stored(test.attribute) in native
        or (test.contains is not None and keys.leading(test.attribute) is not None)
    )
    return tuple(test for test in direct if test not in cut), cut


# Steps


def _is_dependent(demand: ReadDemand) -> bool:
    return any(
        isinstance(value, str) and value.startswith("{s1.") for value in demand.equals.values()
    )


def part_steps(
    context: Context, question: Question, at: int, access: Access, first_id: int
) -> tuple[list[Step], ResultPart]:
    """The steps that answer one demand on its own."""
    demand = question.demands[at].ways[access.way]
    placement = (
        context.layout.placement(demand.entity, access.structure) if access.structure else None
    )
    filtered, cut = tests_after(context, placement, demand, access)
    shape = placement.shape if placement is not None else demand.entity
    if access.call in ("guard", "guard then get"):
        steps, more = _through_guard(context, question, demand, access, first_id, cut)
        cut = (*more, *cut)
        shape = steps[-1].shapes[0]
        merged = False
    elif access.call == "get":
        assert placement is not None
        steps = [_get(context, question, demand, access, placement, first_id, cut)]
        merged = True
    else:
        assert placement is not None
        where, excluded = key_conditions(context, placement, demand, access)
        cut = (*cut, *excluded)
        query = _query(context, question, demand, access, placement, where, filtered, cut)
        steps = [query.model_copy(update={"id": f"s{first_id}"})]
        merged = query.for_each is not None or not access.ordered
        if access.call == "query then get":
            steps.append(_get_each(context, question, demand, access, first_id, cut))
            merged = True
    part = ResultPart(
        name=demand.part,
        steps=(steps[-1].id,),
        shapes=(shape,),
        keep=cut,
        order=order_lines(context.model(demand.entity), demand) if merged else (),
        limit=demand.limit,
        per=question.links.get(demand.part, ()),
    )
    return steps, part


def order_lines(model: EntityModel, demand: ReadDemand) -> tuple[str, ...]:
    return tuple(
        f"{model.read_as(o.attribute)} {'descending' if o.descending else 'ascending'}"
        for o in demand.order
    )


def _sorted_by(context: Stated, demand: ReadDemand) -> list[str]:
    """The attributes of the items by which rows are sorted."""
    model = context.model(demand.entity)
    return [model.stored_name(order.attribute) for order in demand.order]


def _repeat(model: EntityModel, demand: ReadDemand, access: Access) -> Repeat | None:
    """What a step is repeated for: the rows it depends on, or the elements of a list in its key; for each shard."""
    repeat = None
    if demand.list_of is not None and is_asked_of_each(model, demand, access):
        repeat = Repeat(values=str(demand.equals[demand.list_of])[1:-1], distinct=True)
    elif _is_dependent(demand):
        repeat = Repeat(rows="s1", distinct=demand.one)
    parts: dict[str, Any] = {}
    if access.period and demand.range is not None:
        limits = demand.range
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
                "until_enough": ends_early(model, demand, access),
            }
        )
    if access.shards > 1:
        parts["numbers"] = access.shards
    return (repeat or Repeat()).model_copy(update=parts) if parts else repeat


def _through_guard(
    context: Context,
    question: Question,
    demand: ReadDemand,
    access: Access,
    first_id: int,
    cut: tuple[ItemCondition, ...],
) -> tuple[list[Step], tuple[ItemCondition, ...]]:
    """(a read of the guard, and of the item it leads to; that the item still has the guarded value)."""
    guard = context.layout.guards[demand.entity, access.guard]
    base = context.layout.bases[demand.entity]
    consistent = demand.strong
    units = 1.0 if consistent else 0.5
    look = f"s{first_id}"
    size = guard_bytes(context.model(demand.entity), base.structure, access.guard)
    found = Step(
        id=look,
        call="GetItem",
        table=guard.table,
        for_each=_repeat(context.model(demand.entity), demand, access),
        consistent=consistent,
        key={name: put_to(template, demand.equals) for name, template in guard.key.items()},
        shapes=(guard.shape,),
        expects=Expected(requests=1, read=1, returned=1, bytes=rounded(size), units=units),
    )
    if access.call == "guard":
        return [found], ()
    model = context.model(demand.entity)
    names = sorted(model.made_of(base.structure) | set(model.entity.identifier))
    known: dict[str, Expression] = {name: f"{{{look}.{name}}}" for name in names}
    guarded = (access.guard,) if access.guard else ()
    project = _project(context, question, demand, (*(test.attribute for test in cut), *guarded))
    item = Step(
        id=f"s{first_id + 1}",
        call="GetItem",
        table=base.table,
        for_each=Repeat(rows=look),
        key=key_of(context, base, known),
        project=project,
        consistent=consistent,
        shapes=(demand.entity,),
        expects=Expected(
            requests=1,
            read=1,
            returned=1,
            bytes=rounded(access.bytes - size),
            units=float(access.units) - units,
        ),
    )
    # Between the two reads the value may have gone to another item; an identifier never does.
    still = (ItemCondition(attribute=name, is_=demand.equals[name]) for name in guarded)
    return [found, item], tuple(still)


def _get(
    context: Context,
    question: Question,
    demand: ReadDemand,
    access: Access,
    placement: Placement,
    number: int,
    cut: tuple[ItemCondition, ...],
) -> Step:
    repeat = _repeat(context.model(demand.entity), demand, access)
    call: Call = "GetItem" if repeat is None else "BatchGetItem"
    if demand.consistency == "transactional":
        call = "TransactGetItems"
    wanted = _sorted_by(context, demand) + [test.attribute for test in cut]
    return Step(
        id=f"s{number}",
        call=call,
        table=placement.table,
        for_each=repeat,
        key=key_of(context, placement, demand.equals),
        project=_project(context, question, demand, wanted),
        consistent=demand.consistency == "strong",
        shapes=(placement.shape,),
        expects=_expected(access, demand),
    )


def _get_each(
    context: Context,
    question: Question,
    demand: ReadDemand,
    access: Access,
    first_id: int,
    cut: tuple[ItemCondition, ...],
) -> Step:
    """The items whose keys an index returned; where several of its partitions did, of the first few of all."""
    base = context.layout.bases[demand.entity]
    previous = f"s{first_id}"
    assert access.then is not None
    requests, items, size, units = access.then
    each = Repeat(rows=previous)
    if gets_first(demand, access):
        each = Repeat(
            rows=previous,
            keep=cut,
            order=order_lines(context.model(demand.entity), demand),
            limit=demand.limit,
        )
    used = _sorted_by(context, demand) + [test.attribute for test in cut]
    return Step(
        id=f"s{first_id + 1}",
        call="BatchGetItem",
        table=base.table,
        for_each=each,
        key={part.name: f"{{{previous}.{part.name}}}" for part in base.parts},
        project=_project(context, question, demand, used),
        shapes=(demand.entity,),
        expects=Expected(
            requests=rounded(requests * demand.times),
            read=rounded(items * demand.times),
            returned=rounded(items * demand.times),
            bytes=rounded(size * demand.times),
            units=rounded(float(units) * demand.times),
        ),
    )


def _query(
    context: Context,
    question: Question,
    demand: ReadDemand,
    access: Access,
    placement: Placement,
    where: tuple[KeyCondition, ...],
    filtered: tuple[ItemCondition, ...],
    cut: tuple[ItemCondition, ...],
) -> Step:
    limit: int | None = None
    until: dict[str, int] = {}
    pages: Pages = "one" if demand.one and not access.left and not filtered else "all"
    wanted = 1 if question.pattern.kind == "exists" else demand.limit
    if wanted is not None and access.ordered and not demand.count:
        pages, until, limit = "until", {demand.part: wanted}, wanted
        if filtered or cut:
            # Pages large enough to find as many after what is dropped, on average.
            limit = max(wanted, min(ceil(_first_trip(access).read / access.shards), 1000))
    repeat = _repeat(context.model(demand.entity), demand, access)
    used = [test.attribute for test in cut]
    if repeat is not None or not access.ordered:
        used += _sorted_by(context, demand)
    keys_only = access.call == "query then get"
    project = None if keys_only or demand.count else _project(context, question, demand, used)
    return Step(
        id="s1",
        call="Query",
        table=placement.table,
        index=placement.index,
        for_each=repeat,
        where=where,
        filter=filtered,
        project=project,
        forward=not access.backwards,
        limit=limit,
        pages=pages,
        until=until,
        consistent=demand.strong and placement.structure.kind != "index",
        count=demand.count and not cut,
        shapes=(placement.shape,),
        expects=_expected(access, demand),
    )


def _project(
    context: Context, question: Question, demand: ReadDemand, extra: Iterable[str]
) -> tuple[str, ...] | None:
    """The attributes to ask for: what the caller wants and what the answer is put together by."""
    if demand.wanted is None or not demand.wanted:
        return None
    joined = (
        {mine for pairs in question.links.values() for _, mine in pairs}
        if demand.part == "rows"
        else set()
    )
    joined |= {theirs for theirs, _ in question.links.get(demand.part, ())}
    return tuple(dict.fromkeys((*demand.wanted, *sorted(joined), *sorted(map(keys.stored, extra)))))


def _expected(access: Access, demand: ReadDemand) -> Expected:
    """What a step takes; of two trips, the first."""
    times, access = demand.times, _first_trip(access)
    requests = access.requests * times
    if access.call == "get" and times > 1:
        requests = ceil(times / BATCH_GET_ITEMS)
    return Expected(
        requests=rounded(requests),
        read=rounded(access.read * times),
        returned=rounded(demand.returned * times),
        bytes=rounded(access.bytes * times),
        units=rounded(float(access.units) * times),
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


def group_step(
    context: Context, position: int, group: Group, number: int
) -> tuple[Step, list[ResultPart]]:
    """One Query that answers several demands of a question from one item collection."""
    question = context.search.requirements.questions[group.question]
    first = question.demands[group.parts[0]]
    layout, reads = context.layout, context.layout.ranges[position]
    placements = {
        at: layout.others[entity, group.structure(entity)] if group.index else layout.bases[entity]
        for at in group.parts
        for entity in (question.demands[at].entity,)
    }
    place = placements[group.parts[0]]
    partition, sort = place.parts
    model = context.model(first.entity)
    where = [
        KeyCondition(attribute=partition.name, equals=_whole_part(partition, model, first.equals))
    ]
    if reads.lower is not None and reads.upper is not None:
        where.append(KeyCondition(attribute=sort.name, between=(reads.lower, reads.upper)))
    parts: list[ResultPart] = []
    limited = None
    for at in group.parts:
        demand = question.demands[at]
        _, cut = tests_after(
            context, placements[at], demand, Access(placements[at].structure, "get")
        )
        if demand.limit is not None and not demand.one and reads.ends_with_limited:
            limited = demand
        parts.append(
            ResultPart(
                name=demand.part,
                steps=(f"s{number}",),
                shapes=(placements[at].shape,),
                keep=cut,
                order=order_lines(context.model(demand.entity), demand),
                limit=demand.limit,
                per=question.links.get(demand.part, ()),
            )
        )
    page = None
    until: dict[str, int] = {}
    if limited is not None and limited.limit is not None:
        until = {limited.part: limited.limit}
        others = [question.demands[at] for at in group.parts if question.demands[at] is not limited]
        page = limited.limit + ceil(sum(demand.matched for demand in others))
    requests, units, size, items = context.search.group_reads(group, context.choice.entities)
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
        expects=Expected(
            requests=rounded(requests),
            read=rounded(items),
            returned=rounded(items),
            bytes=rounded(size),
            units=rounded(float(units)),
        ),
    ), parts


def read_operation(context: Context, q: int) -> Operation:
    """The operation that answers one question."""
    question = context.search.requirements.questions[q]
    pattern = question.pattern
    steps: list[Step] = []
    parts: dict[int, ResultPart] = {}
    groups = [(at, group) for at, group in enumerate(context.layout.groups) if group.question == q]
    # The step with the rows comes first: what comes along may need them.
    groups.sort(key=lambda item: 0 not in item[1].parts)
    together = {part for _, group in groups for part in group.parts}
    alone = [at for at in range(len(question.demands)) if at not in together]
    todo: list[tuple[bool, object]] = [
        *((0 not in group.parts, (position, group)) for position, group in groups)
    ]
    todo += [(at != 0, at) for at in alone]
    todo.sort(key=lambda item: item[0])
    for _, what in todo:
        number = len(steps) + 1
        if isinstance(what, tuple):
            step, found = group_step(context, what[0], what[1], number)
            steps.append(step)
            parts |= dict(zip(what[1].parts, found, strict=True))
            continue
        assert isinstance(what, int)
        demand = question.demands[what]
        access = context.choice.entities[demand.entity].access.get((q, what))
        if access is None:
            return _not_served(context, question, demand)
        more, part = part_steps(context, question, what, access, number)
        if what and any(
            isinstance(v, str) and v.startswith("{s1.") for v in demand.equals.values()
        ):
            more = [_put_to_rows(step, parts[0], steps) for step in more]
        steps += more
        parts[what] = part
    steps, parts = _got_together(steps, parts)
    tested = {
        name for number, name in context.search.requirements.tested if number == pattern.number
    }
    ordered = tuple(
        parts[at].model_copy(update={"required": True}) if parts[at].name in tested else parts[at]
        for at in sorted(parts)
    )
    if question.union:
        ordered = (_united(context, question, ordered),)
    ordered += tuple(
        ResultPart(
            name=brought.relationship,
            steps=(),
            shapes=(),
            keep=tuple(ItemCondition(attribute=name, exists=True) for name in brought.sure),
            take=dict(brought.take),
            entity=brought.parent,
        )
        for brought in context.search.requirements.brought
        if brought.pattern == pattern.number
    )
    requests = sum(step.expects.requests for step in steps)
    in_one = len(steps) == 1 and steps[0].expects.requests <= 1
    return Operation(
        pattern=pattern.number,
        given=question.given,
        answer="in one request" if in_one else "in several requests",
        parameters=read_parameters(context, question),
        steps=tuple(steps),
        result=result_of(context, question, ordered),
        requests=rounded(requests),
        read_units=rounded(sum(step.expects.units for step in steps)),
    )


def _got_together(
    steps: list[Step], parts: dict[int, ResultPart]
) -> tuple[list[Step], dict[int, ResultPart]]:
    """Gets from one table for the same rows as one: a message's sender and its receiver."""
    kept: list[Step] = []
    instead: dict[str, str] = {}
    for step in steps:
        first = next((at for at, other in enumerate(kept) if _goes_with(step, other)), None)
        if first is None:
            kept.append(step)
            continue
        other = kept[first]
        instead[step.id] = other.id
        items = other.expects.read + step.expects.read
        whole = other.project is None or step.project is None
        kept[first] = other.model_copy(
            update={
                "also": (*other.also, step.key),
                "project": None
                if whole
                else tuple(dict.fromkeys((*(other.project or ()), *(step.project or ())))),
                "expects": Expected(
                    requests=max(1, ceil(items / BATCH_GET_ITEMS)),
                    read=rounded(items),
                    returned=rounded(other.expects.returned + step.expects.returned),
                    bytes=rounded(other.expects.bytes + step.expects.bytes),
                    units=rounded(other.expects.units + step.expects.units),
                ),
            }
        )
    found = {
        at: part.model_copy(
            update={"steps": tuple(dict.fromkeys(instead.get(step, step) for step in part.steps))}
        )
        for at, part in parts.items()
    }
    return kept, found


def _goes_with(step: Step, other: Step) -> bool:
    """Whether two gets can be one: which row of the answer an item belongs to, its attributes say."""
    return (
        step.call == other.call
        and step.call in ("BatchGetItem", "TransactGetItems")
        and step.table == other.table
        and step.for_each is not None
        and step.for_each == other.for_each
        and step.for_each.distinct
        and step.shapes == other.shapes
        and step.consistent == other.consistent
    )


def _put_to_rows(step: Step, rows: ResultPart, before: list[Step]) -> Step:
    """A dependent step written against s1, put to the step that really returns the rows."""
    source = next(other for other in before if other.id == rows.steps[-1])
    if source.id != "s1":
        step = renamed(step, "s1", source.id)
    if len(source.shapes) > 1 and step.for_each is not None:
        only = step.for_each.model_copy(update={"shape": rows.shapes[0]})
        step = step.model_copy(update={"for_each": only})
    return step


def renamed(step: Step, old: str, new: str) -> Step:
    """A step in which a step, itself or one that it depends on, has another name."""
    text = step.model_dump_json(by_alias=True, exclude_defaults=True)
    text = re.sub(rf"(?<=[{{( ]){old}\.", f"{new}.", text)
    for field in ("rows", "id"):
        text = text.replace(f'"{field}":"{old}"', f'"{field}":"{new}"')
    return Step.model_validate_json(text)


def _united(context: Context, question: Question, parts: tuple[ResultPart, ...]) -> ResultPart:
    steps = tuple(dict.fromkeys(step for part in parts for step in part.steps))
    shapes = tuple(dict.fromkeys(shape for part in parts for shape in part.shapes))
    # What is worked out differently of each entity is asked of its own items.
    keep = tuple(
        dict.fromkeys(
            test
            if all(test in other.keep for other in parts)
            else test.model_copy(update={"shape": part.shapes[0]})
            for part in parts
            for test in part.keep
        )
    )
    first = question.demands[0]
    order = order_lines(context.model(first.entity), first)
    return ResultPart(
        name="rows", steps=steps, shapes=shapes, keep=keep, order=order, limit=first.limit
    )


def result_of(stated: Stated, question: Question, parts: tuple[ResultPart, ...]) -> Result:
    pattern = question.pattern
    if isinstance(pattern, List) and pattern.result is not None:
        figures: tuple[tuple[ResultKind, str | None], ...] = (
            ("sum", pattern.result.sum),
            ("greatest", pattern.result.greatest),
            ("least", pattern.result.least),
        )
        kind, name = next((kind, name) for kind, name in figures if name is not None)
        attribute = stated.model(question.demands[0].entity).read_as(name)
        return Result(kind=kind, attribute=attribute, parts=parts)
    kinds: dict[str, ResultKind] = {"get": "one", "count": "count", "exists": "exists"}
    return Result(kind=kinds.get(pattern.kind, "rows"), parts=parts)


def read_parameters(context: Stated, question: Question) -> tuple[Parameter, ...]:
    """What the caller gives, in the order the design asks for it."""
    pattern = question.pattern
    conditions: list[tuple[str, Condition]] = []
    if isinstance(pattern, Read):
        for entity in pattern.entities:
            conditions += [(entity, condition) for condition in (*pattern.where, *pattern.keep)]
        for along, demand in zip(pattern.with_, question.demands[1:], strict=False):
            conditions += [(demand.entity, condition) for condition in along.keep]
    found: dict[str, Parameter] = {}
    for entity, condition in conditions:
        for side in condition.operands:
            if side.param is None or side.param in found:
                continue
            optional = condition.optional
            if optional and question.given is not None and side.param not in question.given:
                continue
            found[side.param] = parameter(
                context.model(entity),
                condition.attribute,
                side.param,
                is_list=side is condition.any_of,
            )
    return tuple(found.values())


def _not_served(context: Context, question: Question, demand: ReadDemand) -> Operation:
    known = ", ".join(demand.equals) or "nothing"
    if demand.impossible:
        because = demand.impossible
    elif demand.is_pinned:
        because = f"It is pinned to an index that cannot answer it{_why_pinned(context, demand)}."
    elif crowded := _without_room(context, demand):
        because = (
            f"A strong read by {known} takes each item twice, and {numbered(crowded).lower()} would then write more "
            f"than the {TRANSACTION_ITEMS} items that a transaction takes. Lower `most` there, or ask for it "
            "eventually consistent, and an index can answer."
        )
    elif demand.strong:
        because = (
            f"A strong read comes from the table's own key, and no key of {demand.entity} that never changes "
            f"starts with {known}. Ask for it eventually consistent, and an index can answer."
        )
    else:
        because = _why_no_key(context.model(demand.entity), demand, known)
    return Operation(
        pattern=question.number,
        given=question.given,
        answer="not served",
        because=because,
        parameters=read_parameters(context, question),
    )


def _without_room(context: Context, demand: ReadDemand) -> tuple[int, ...]:
    """The transactions that have no room for the copy or the guard with which a strong read would be served."""
    if not demand.strong:
        return ()
    search, chosen = context.search, context.choice.entities[demand.entity]
    model, found = context.model(demand.entity), dict[int, None]()
    for structure in (*search.bases(model.name), *search.indexes(model.name)):
        is_copy = structure.kind == "copy"
        base = chosen.base if is_copy else structure
        if structure.is_index or not any(accesses(model, base, structure, demand, 0.0)):
            continue
        held = {**chosen.held, structure: None} if is_copy else {}
        guard = needs_identifier_guard(model, base)
        found |= dict.fromkeys(unroomy(model, write_costs(model, base, held, guard, 0.0)))
    return tuple(sorted(found))


def _why_pinned(context: Context, demand: ReadDemand) -> str:
    if demand.strong:
        return ", and a strong read comes from the table's own key"
    model = context.model(demand.entity)
    through = demand.through or ()
    if through and all(must_be_sorted(model, structure, demand) for structure in through):
        order = ", ".join(order.attribute for order in demand.order)
        return f": that is not sorted by {order}, and {why_not_sorted(model, demand)}"
    return ""


def _why_no_key(model: EntityModel, demand: ReadDemand, known: str) -> str:
    asked = {*demand.equals, *demand.also, *(order.attribute for order in demand.order)}
    if demand.range is not None:
        asked.add(demand.range.attribute)
    counted = sorted(name for name in asked if name in model.counters)
    if counted:
        return (
            f"{', '.join(counted)} is counted up by a write, and ADD cannot rewrite a key that is composed of texts. "
            "Alone after what is known, the number itself can be the sort key; or allow several attributes in a key."
        )
    if len({order.descending for order in demand.order}) > 1:
        return (
            "A key is read forwards or backwards, not one attribute up and another down, and only a number, a date or "
            "time of fixed width, or one of stated values can be written the other way round; and reading all to sort "
            "it would drop more than nine tenths."
        )
    order = ", ".join(order.attribute for order in demand.order)
    return (
        f"No key of {model.name} can answer this: it is found by {known}"
        + (f", sorted by {order}" if order else "")
        + ", and a query would read and drop more than nine tenths of what it reads."
    )
