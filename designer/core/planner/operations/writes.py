"""Operations that write: every write names its item, rewrites the keys it touches, and keeps guards and copies right.

Rules 12 to 15: what a write is not given it reads first, strongly, and the write is then conditional on what was read.
"""

from collections.abc import Iterator
from itertools import combinations
from math import ceil

from designer.core.capacity.sizes import entity_bytes
from designer.core.dynamodb.limits import (
    BATCH_GET_ITEMS,
    BATCH_WRITE_ITEMS,
    TRANSACTION_BYTES,
    TRANSACTION_ITEMS,
)
from designer.core.messages import say
from designer.core.patterns.base import Write
from designer.core.plan import Call, Expected, Member, Operation, Parameter, Repeat, Step, Worst
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import rounded
from designer.core.planner.operations.figure_steps import KeepingFigures
from designer.core.planner.operations.one_batch import in_one_request
from designer.core.planner.operations.parameters import (
    conditions_of,
    constant_lists,
    write_parameters,
)
from designer.core.planner.operations.steps import Changing
from designer.core.planner.operations.written import Written
from designer.core.planner.pricing.largest_items import UnitsAtWorst, largest_of, written_at_worst
from designer.core.planner.pricing.write_costs import WriteCost


def write_operation(context: Context, pattern: Write) -> Operation:
    """The operation of one write pattern."""
    entity_writes = [
        write
        for write in context.search.requirements.writes
        if write.pattern.number == pattern.number and not write.is_upkeep
    ]
    parameters = write_parameters(context, entity_writes)
    written = _written(context, entity_writes)
    for one in written:
        if one.impossible is not None:
            return Operation(
                pattern=pattern.number,
                answer="not served",
                reasons=(one.impossible,),
                parameters=parameters,
            )
    if pattern.is_transaction:
        most = sum(
            entity_write.most * len(one.members)
            for entity_write, one in zip(entity_writes, written, strict=True)
        )
        twice = _named_twice(entity_writes, written)
        if twice:
            return Operation(
                pattern=pattern.number,
                answer="not served",
                parameters=parameters,
                reasons=(say("same-item-twice", entity=twice),),
            )
        if most > TRANSACTION_ITEMS:
            return Operation(
                pattern=pattern.number,
                answer="not served",
                parameters=parameters,
                reasons=(say("too-many-items", most=most, limit=TRANSACTION_ITEMS),),
            )
        written_bytes = _bytes_written(context, entity_writes)
        if written_bytes > TRANSACTION_BYTES:
            limit = TRANSACTION_BYTES
            return Operation(
                pattern=pattern.number,
                answer="not served",
                parameters=parameters,
                reasons=(say("too-many-bytes", most=most, bytes=written_bytes, limit=limit),),
            )
    return _assembled(context, pattern, entity_writes, written, parameters)


def _bytes_written(context: Context, entity_writes: list[EntityWrite]) -> float:
    """Bytes of the items that a transaction may put or update, at their average sizes: without guards and copies."""
    return sum(
        one.most * entity_bytes(context.model(one.entity).entity)
        for one in entity_writes
        if one.verb not in ("check", "delete") and one.follows is None
    )


def _written(context: Context, entity_writes: list[EntityWrite]) -> list[Written]:
    """What each change becomes; those that keep figures of others come after these."""
    changing: dict[int, Changing] = {}
    written: dict[int, Written] = {}
    for entity_write in sorted(entity_writes, key=lambda one: (bool(one.keeps), one.at)):
        kind = Changing if entity_write.follows is None else KeepingFigures
        changing[entity_write.at] = kind(context, entity_write, len(entity_writes) > 1, changing)
        written[entity_write.at] = changing[entity_write.at].write()
    changing.clear()  # they all hold it, and would wait for the search for garbage
    return [written[entity_write.at] for entity_write in entity_writes]


def _named_twice(entity_writes: list[EntityWrite], written: list[Written]) -> str:
    """The entity of which two members may write one item, which nothing tells apart.

    A check joins the other, and so does what keeps figures. Two that name their items by different parameters write
    two, or are refused whole; not so where either writes guards or copies too, which may be one item all the same.
    """
    alone = [all(member.joins for member in one.members[1:]) for one in written]
    for (one, is_alone), (other, is_other_alone) in combinations(
        zip(entity_writes, alone, strict=True), 2
    ):
        if one.entity != other.entity or "check" in (one.verb, other.verb):
            continue
        if one.change.times or other.change.times:
            continue
        follower = other if one.follows is None else one
        whole = one.writes_whole or other.writes_whole
        if follower.follows is None:
            if is_alone and is_other_alone:
                continue
            return one.entity
        if whole and follower.keeps[0].of not in (one.at, other.at):
            return one.entity  # a parent that is new has its figures from those who name it
    return ""


def _assembled(
    context: Context,
    pattern: Write,
    entity_writes: list[EntityWrite],
    written: list[Written],
    parameters: tuple[Parameter, ...],
) -> Operation:
    steps = in_one_request([step for one in written for step in one.steps])
    members = _merged([member for one in written for member in one.members])
    entity_write = entity_writes[0]
    by_rows = entity_write.change.times is not None and not pattern.is_transaction
    deletes_collection = bool(pattern.collection)
    calls: dict[str, Call] = {"put": "PutItem", "update": "UpdateItem", "delete": "DeleteItem"}
    call: Call
    puts_many = by_rows and not steps and len(members) == 1 and _is_mere_put(members[0])
    each = written[0].each
    if puts_many or (deletes_collection and each is None):
        call = "BatchWriteItem"
    elif pattern.is_transaction or len(members) > 1:
        call = "TransactWriteItems"
    else:
        call = calls[members[0].verb]
    repeat = Repeat(values=entity_write.change.each or entity_write.entity) if by_rows else None
    if puts_many:
        members, repeat = [members[0].model_copy(update={"for_each": repeat})], None
    if each is not None:
        # Each item goes with its guards and copies, on condition that they still are its own.
        repeat = each
    times = entity_write.times if by_rows or deletes_collection else 1.0
    requests = requests_of(call, times)
    step = write_step(context, entity_writes, written, call, members, repeat, requests)
    steps.append(step)
    reads = sum(step.expects.units for step in steps[:-1])
    total = sum(step.expects.requests for step in steps)
    most: float | None = None
    if by_rows and entity_write.change.times is not None:
        most = entity_write.change.times.most
    elif deletes_collection:
        most = written[0].most
    return Operation(
        pattern=pattern.number,
        answer="in one request" if total <= 1 else "in several requests",
        parameters=parameters,
        constants=constant_lists(conditions_of(pattern)),
        steps=tuple(steps),
        until_none=written[0].until_none,
        requests=rounded(total),
        read_units=rounded(reads),
        write_units=rounded(step.expects.units + sum(step.expects.index_units.values())),
        worst=_at_worst(context, steps, call, most, list(zip(entity_writes, written, strict=True))),
    )


def requests_of(call: Call, items: float) -> float:
    """Requests that write so many items."""
    return -(-items // BATCH_WRITE_ITEMS) if call == "BatchWriteItem" else items


def _at_worst(
    context: Context,
    steps: list[Step],
    call: Call,
    most: float | None,
    writes: list[tuple[EntityWrite, Written]],
) -> Worst | None:
    """What a write takes at the most that is stated, of items and of their sizes; None where it is so on average.

    `most`: items of a write of many.
    """
    finds = [_found_at_worst(step, writes) for step in steps[:-1]]
    usual = [step.expects for step in steps]
    requests = sum(one.requests for one in usual)
    if most is not None:
        requests = max(requests, sum(one.requests for one in finds) + requests_of(call, most))
    each = [
        _units_at_worst(context, entity_write, one.cost, most)
        for entity_write, one in writes
        if one.cost is not None
    ]
    worst = Worst(
        requests=rounded(requests),
        read=rounded(sum(one.read for one in finds)),
        units=rounded(max(sum(one.units for one in finds), float(sum(one.reads for one in each)))),
        write_units=rounded(float(sum(one.writes for one in each))),
    )
    wrote = usual[-1].units + sum(usual[-1].index_units.values())
    as_usual = (sum(one.requests for one in usual), sum(one.units for one in usual[:-1]), wrote)
    at_most = (worst.requests, worst.units, worst.write_units)
    return None if all(b <= rounded(a) for a, b in zip(as_usual, at_most, strict=True)) else worst


def _found_at_worst(step: Step, writes: list[tuple[EntityWrite, Written]]) -> Worst:
    """What a step before a write takes at the most: once for each row where it is repeated for rows."""
    usual = step.expects
    one = usual.worst or Worst(requests=usual.requests, read=usual.read, units=usual.units)
    repeated = (
        write.most / write.times
        for write, _ in writes
        if write.change.times is not None
        and step.for_each == Repeat(values=write.change.each or write.entity)
    )
    times = max(repeated, default=1.0)
    if times == 1:
        return one
    requests, read, units = one.requests * times, one.read * times, one.units * times
    if step.call == "BatchGetItem":
        requests = max(one.requests, ceil(round(read / BATCH_GET_ITEMS, 6)))
    if one.read == usual.read:  # what it takes more, the largest items do
        more = (one.units - usual.units) / (largest_of(one.read) or 1)
        units = usual.units * times + more * largest_of(read)
    return Worst(requests=rounded(requests), read=rounded(read), units=rounded(units))


def _units_at_worst(
    context: Context, entity_write: EntityWrite, cost: WriteCost, most: float | None
) -> UnitsAtWorst:
    chosen = context.choice.entities[entity_write.entity]
    items = float(entity_write.most)
    if entity_write.deletes_collection and most is not None:
        items = most
    return written_at_worst(
        context.model(entity_write.entity),
        chosen.base,
        context.layout.projections[entity_write.entity],
        entity_write,
        chosen.guard,
        cost,
        items,
    )


def _is_mere_put(member: Member) -> bool:
    """Whether it puts an item whatever is there, which takes no request of its own."""
    depends = member.if_ or member.any_ or member.add or member.greatest or member.least
    return member.verb == "put" and not depends


def write_step(
    context: Context,
    entity_writes: list[EntityWrite],
    written: list[Written],
    call: Call,
    members: list[Member],
    repeat: Repeat | None,
    requests: float,
) -> Step:
    """The step that writes all members, with what it costs on tables and indexes."""
    index_units: dict[str, float] = {}
    for one, own in zip(written, entity_writes, strict=True):
        for structure, units in one.cost.indexes if one.cost else ():
            place = context.layout.others[own.entity, structure]
            name = f"{place.table}/{place.index}"
            index_units[name] = rounded(index_units.get(name, 0.0) + float(units))
    return Step(
        id="w",
        call=call,
        table=members[0].table,
        for_each=repeat,
        members=tuple(_joining(members, call)),
        expects=Expected(
            requests=rounded(requests),
            returned=0,
            units=rounded(sum(float(one.cost.table) for one in written if one.cost is not None)),
            index_units=index_units,
        ),
    )


def _merged(members: list[Member]) -> list[Member]:
    """No item twice in a transaction: a check of an item that is also written becomes its condition."""
    kept: list[Member] = []
    for member in members:
        twin = next(
            (
                at
                for at, other in enumerate(kept)
                if other.table == member.table
                and other.for_each == member.for_each
                and _address(other) == _address(member)
                and "check" in (other.verb, member.verb)
            ),
            None,
        )
        if twin is None:
            kept.append(member)
            continue
        check, write = (kept[twin], member) if kept[twin].verb == "check" else (member, kept[twin])
        tests = tuple(dict.fromkeys((*write.if_, *check.if_)))
        ways = tuple((*one, *other) for one in write.any_ or ((),) for other in check.any_ or ((),))
        either = ways if write.any_ or check.any_ else ()
        kept[twin] = write.model_copy(update={"if_": tests, "any_": either})
    return kept


def _joining(members: list[Member], call: Call) -> Iterator[Member]:
    """The members, of which those that can join others do where they may be about one item, which names do not tell."""
    for at, member in enumerate(members):
        others = (*members[:at], *members[at + 1 :])
        may_be_one = member.for_each is not None or any(_may_be_one(member, o) for o in others)
        joins = member.joins and call == "TransactWriteItems" and may_be_one
        yield member if joins == member.joins else member.model_copy(update={"joins": joins})


def _may_be_one(member: Member, other: Member) -> bool:
    """Whether two members may be about one item: items of different shapes never are."""
    # A child that goes to another parent: where the two are one, both members are left out.
    is_move = member.unless_same is not None and member.unless_same == other.unless_same
    return member.table == other.table and member.shape == other.shape and not is_move


def _address(member: Member) -> object:
    if member.verb != "put":
        return tuple(sorted(member.key.items(), key=lambda item: item[0]))
    return tuple(
        sorted(
            (test.attribute, member.values.get(test.attribute))
            for test in member.if_
            if test.exists is False
        )
    )
