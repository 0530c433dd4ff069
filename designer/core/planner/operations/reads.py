"""Operations that read: the steps that answer each pattern over the layout."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.core.dynamodb.limits import (
    FEW_PAGES,
    TRANSACTION_BYTES,
    TRANSACTION_ITEMS,
)
from designer.core.patterns.base import Read
from designer.core.patterns.document import Scalar
from designer.core.plan import (
    Expected,
    ItemCondition,
    Operation,
    Result,
    ResultKind,
    ResultPart,
    Step,
    Worst,
)
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.along import for_rows, rows_at_worst
from designer.core.planner.operations.beyond import Asked, beyond, bytes_of_parts, much_larger
from designer.core.planner.operations.context import Context, Stated
from designer.core.planner.operations.expected import rounded
from designer.core.planner.operations.item_tests import order_lines
from designer.core.planner.operations.largest_read import (
    Sizes,
    sizes_of,
    sizes_of_shared_query,
    with_largest,
)
from designer.core.planner.operations.not_served import not_served
from designer.core.planner.operations.one_batch import in_one_request, with_their_rows
from designer.core.planner.operations.parameters import (
    conditions_of,
    constant_lists,
    read_parameters,
)
from designer.core.planner.operations.read_steps import part_steps, shared_query_step
from designer.core.planner.operations.renamed import renamed
from designer.core.planner.pricing.read_figures import asked_beside
from designer.core.planner.pricing.requests import batches

MOSTLY_ONE = 1.5
"""Requests on average below which most calls take one: fewer than half of them go on to a second page."""


@dataclass(frozen=True)
class Written:
    """The steps of a read, and the parts of its answer, before they become an operation."""

    asked: Asked
    parts: dict[int, ResultPart]
    constants: dict[str, tuple[Scalar, ...]]
    sizes: dict[str, tuple[Sizes, ...]]


def read_operation(context: Context, q: int) -> Operation:
    """The operation that answers one pattern."""
    pattern_read = context.search.requirements.pattern_reads[q]
    pattern = pattern_read.pattern
    written = _written(context, q)
    if isinstance(written, EntityRead):
        return not_served(context, pattern_read, written)
    steps, parts, constants = written.asked.steps, written.parts, written.constants
    tested = {
        name for number, name in context.search.requirements.tested if number == pattern.number
    }
    ordered = tuple(
        parts[at].model_copy(update={"required": True}) if parts[at].name in tested else parts[at]
        for at in sorted(parts)
    )
    if pattern_read.union:
        ordered = (_united(context, pattern_read, ordered),)
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
    too_much = beyond(context, q, written.asked)
    steps = [with_largest(step, written.sizes) for step in steps]
    in_one = all(step.goes_with for step in steps[1:]) and requests < MOSTLY_ONE
    return Operation(
        pattern=pattern.number,
        given=pattern_read.given,
        answer="in one request" if in_one else "in several requests",
        parameters=read_parameters(context, pattern_read),
        constants=constants,
        steps=tuple(steps),
        result=result_of(context, pattern_read, ordered),
        requests=rounded(requests),
        read_units=rounded(sum(step.expects.units for step in steps)),
        worst=_worst(steps),
        beyond=too_much,
    )


def parts_to_limit(context: Context, operation: Operation) -> tuple[str, ...]:
    """The parts of an answer without which it takes no more than a few pages more at the worst, the largest first."""
    found: dict[str, float] = {}
    for q, written in _all_written(context, operation):
        found |= much_larger(context, q, written.asked)
    largest = sorted(found, key=lambda name: -found[name])
    left = (sum(found[name] for name in largest[at:]) for at in range(len(largest)))
    return tuple(name for name, pages in zip(largest, left, strict=True) if pages > FEW_PAGES)


def heaviest_part(context: Context, operation: Operation) -> str:
    """The part of an answer that takes the most bytes each time."""
    found: dict[str, float] = {}
    for _, written in _all_written(context, operation):
        found |= bytes_of_parts(context, written.asked)
    return max(found, key=lambda name: found[name], default="rows")


def _all_written(context: Context, operation: Operation) -> Iterator[tuple[int, Written]]:
    """The steps of what an operation answers, once more."""
    for q, one in enumerate(context.search.requirements.pattern_reads):
        is_this = (one.stated_number, one.given) == (operation.pattern, operation.given)
        if not is_this or one.change is not None or one.copied is not None:
            continue
        written = _written(context, q)
        if isinstance(written, Written):
            yield q, written


def _written(context: Context, q: int) -> Written | EntityRead:
    """The steps that answer one pattern, or what no structure answers."""
    pattern_read = context.search.requirements.pattern_reads[q]
    steps: list[Step] = []
    parts: dict[int, ResultPart] = {}
    own: dict[str, tuple[str, int, Access]] = {}
    shared: dict[str, SharedQuery] = {}
    sizes: dict[str, tuple[Sizes, ...]] = {}
    groups = [
        (at, group)
        for at, group in enumerate(context.layout.shared_queries)
        if group.pattern_read == q
    ]
    # The step with the rows comes first: what comes along may need them.
    groups.sort(key=lambda item: 0 not in item[1].parts)
    together = {part for _, group in groups for part in group.parts}
    alone = [at for at in range(len(pattern_read.entity_reads)) if at not in together]
    todo: list[tuple[bool, object]] = [
        *((0 not in group.parts, (position, group)) for position, group in groups)
    ]
    todo += [(at != 0, at) for at in alone]
    constants = constant_lists(conditions_of(pattern_read.pattern))
    todo.sort(key=lambda item: item[0])
    for _, what in todo:
        number = len(steps) + 1
        if isinstance(what, tuple):
            step, found = shared_query_step(context, what[0], what[1], number)
            steps.append(step)
            shared[step.id] = what[1]
            sizes |= sizes_of_shared_query(context, what[1], step)
            parts |= dict(zip(what[1].parts, found, strict=True))
            continue
        assert isinstance(what, int)
        entity_read = pattern_read.entity_reads[what]
        access = context.choice.entities[entity_read.entity].access.get((q, what))
        if access is None:
            return entity_read
        rows_by = context.choice.entities[pattern_read.entity_reads[0].entity].access.get((q, 0))
        is_got = rows_by is not None and rows_by.call == "get"
        model = context.model(entity_read.entity)
        access = asked_beside(model, access, entity_read, pattern_read.entity_reads[0], is_got)
        way = entity_read.ways[access.way]
        for one in way.lists.values():
            if one.always:
                constants.setdefault(str(way.equals[one.of])[1:-1], one.always)
        rows = rows_at_worst(context, q) if what and entity_read.is_dependent else None
        more, part = part_steps(context, pattern_read, what, access, number, rows)
        if what and entity_read.is_dependent:
            more = [_put_to_rows(step, parts[0], steps) for step in more]
        steps += more
        parts[what] = part
        sizes |= sizes_of(context, way, access, more)
        own |= {step.id: (way.part, what, access) for step in more}
    steps, parts = _got_together(steps, parts)
    if 0 in parts and parts[0].steps[-1] in own:
        access = own[parts[0].steps[-1]][2]
        steps = with_their_rows(context, pattern_read.entity_reads[0], access, steps, parts[0])
    return Written(Asked(in_one_request(steps), own, shared), parts, constants, sizes)


def _worst(steps: list[Step]) -> Worst | None:
    """What the steps of a read take together at the worst; None where that is what they take on average."""
    if all(step.expects.worst is None for step in steps):
        return None
    each = [step.expects.worst or step.expects for step in steps]
    return Worst(
        requests=rounded(sum(one.requests for one in each)),
        read=rounded(sum(one.read for one in each)),
        units=rounded(sum(one.units for one in each)),
    )


def _got_together(
    steps: list[Step], parts: dict[int, ResultPart]
) -> tuple[list[Step], dict[int, ResultPart]]:
    """Gets from one table for the same rows as one: a message's sender and its receiver."""
    kept: list[Step] = []
    instead: dict[str, str] = {}
    for step in steps:
        first = next((at for at, other in enumerate(kept) if _goes_with(step, other)), None)
        if first is None or _is_too_much(step, kept[first]):
            kept.append(step)
            continue
        other = kept[first]
        instead[step.id] = other.id
        items = other.expects.read + step.expects.read
        usual = Expected(
            requests=batches(items, other.expects.bytes + step.expects.bytes),
            read=rounded(items),
            returned=rounded(other.expects.returned + step.expects.returned),
            bytes=rounded(other.expects.bytes + step.expects.bytes),
            units=rounded(other.expects.units + step.expects.units),
            worst=_worst_together(other, step),
        )
        whole = other.project is None or step.project is None
        kept[first] = other.model_copy(
            update={
                "also": (*other.also, step.key),
                "project": None
                if whole
                else tuple(dict.fromkeys((*(other.project or ()), *(step.project or ())))),
                "expects": usual,
            }
        )
    found = {
        at: part.model_copy(
            update={"steps": tuple(dict.fromkeys(instead.get(step, step) for step in part.steps))}
        )
        for at, part in parts.items()
    }
    return kept, found


def _worst_together(*steps: Step) -> Worst | None:
    """What gets take at the worst as one."""
    if all(step.expects.worst is None for step in steps):
        return None
    each = [step.expects.worst or step.expects for step in steps]
    items = sum(one.read for one in each)
    usual = sum(step.expects.read for step in steps)
    size = sum(step.expects.bytes for step in steps) / usual if usual else 0.0
    return Worst(
        requests=batches(items, items * size),
        read=rounded(items),
        units=rounded(sum(one.units for one in each)),
    )


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


def _is_too_much(step: Step, other: Step) -> bool:
    """Whether two gets, each at one moment, have together more items than a transaction gets, or more bytes."""
    items = step.expects.read + other.expects.read
    size = step.expects.bytes + other.expects.bytes
    is_larger = items > TRANSACTION_ITEMS or size > TRANSACTION_BYTES
    return step.call == "TransactGetItems" and is_larger


def _put_to_rows(step: Step, rows: ResultPart, before: list[Step]) -> Step:
    """A dependent step written against s1, put to the step that really returns the rows."""
    source = next(other for other in before if other.id == rows.steps[-1])
    if source.id != "s1":
        step = renamed(step, "s1", source.id)
    if step.for_each is None or step.for_each.rows != source.id:
        return step
    return step.model_copy(update={"for_each": for_rows(step.for_each, rows, source)})


def _united(
    context: Context, pattern_read: PatternRead, parts: tuple[ResultPart, ...]
) -> ResultPart:
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
    first = pattern_read.entity_reads[0]
    order = order_lines(context.model(first.entity), first)
    return ResultPart(
        name="rows", steps=steps, shapes=shapes, keep=keep, order=order, limit=first.limit
    )


def result_of(stated: Stated, pattern_read: PatternRead, parts: tuple[ResultPart, ...]) -> Result:
    pattern = pattern_read.pattern
    aggregate = pattern.aggregate if isinstance(pattern, Read) else None
    if aggregate is not None:
        figures: tuple[tuple[ResultKind, str | None], ...] = (
            ("sum", aggregate.sum),
            ("greatest", aggregate.greatest),
            ("least", aggregate.least),
        )
        kind, name = next((kind, name) for kind, name in figures if name is not None)
        attribute = stated.model(pattern_read.entity_reads[0].entity).read_as(name)
        # Whatever is read of them first, the figure is that of all rows.
        every = tuple(part.model_copy(update={"order": (), "limit": None}) for part in parts)
        return Result(kind=kind, attribute=attribute, parts=every)
    return Result(kind=pattern.answer_kind if isinstance(pattern, Read) else "rows", parts=parts)
