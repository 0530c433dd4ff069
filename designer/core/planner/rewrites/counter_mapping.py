"""The plan of a design with shards of a number, in the words of the design without them."""

from collections.abc import Callable, Collection, Iterable, Iterator

from designer.core.design.document import Design
from designer.core.patterns.base import Read
from designer.core.plan import (
    Expression,
    Finding,
    Operation,
    Plan,
    Repeat,
    ResultPart,
    Shape,
    Step,
    StoredAttribute,
    Table,
    keys,
)
from designer.core.plan import Member as Written
from designer.core.planner.model.reads_and_writes import operand
from designer.core.planner.model.values import put_to
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.parameters import write_parameters
from designer.core.planner.pricing.requests import batches
from designer.core.planner.rewrites.counter_items import CounterItems
from designer.core.planner.rewrites.counter_rewriting import last_number
from designer.core.planner.rewrites.rewriting import renamed, too_many_requests


def mapped_back(plan: Plan, counter: CounterItems, stated: Stated) -> Plan:
    """The plan of a rewritten design as one of the design that was rewritten. `stated`: its models and patterns."""
    design = stated.search.design
    known, last = {pattern.number for pattern in design.patterns}, last_number(design)
    readings = {one.pattern - last: one for one in plan.operations if one.pattern not in known}
    operations = [
        _unfolded(counter, stated, plan, one, readings.get(one.pattern))
        for one in plan.operations
        if one.pattern in known
    ]
    without = tuple(n for n in plan.cost.without_patterns if n in known)

    def of_stated(patterns: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({n if n in known else n - last for n in patterns}))

    return plan.model_copy(
        update={
            "tables": tuple(_table(counter, table, of_stated) for table in plan.tables),
            "operations": tuple(operations),
            "cost": plan.cost.model_copy(update={"without_patterns": without}),
            "decisions": tuple(
                one
                for one in plan.decisions
                # what is chosen of the counters, the variant's own decision says
                if one.about != f"key {counter.name}"
            ),
            "findings": tuple(_findings(counter, design, plan, operations, readings)),
        }
    )


def _findings(
    counter: CounterItems,
    design: Design,
    plan: Plan,
    operations: Iterable[Operation],
    readings: Collection[int],
) -> Iterator[Finding]:
    """The findings as they are about the entity; of requests, with those for the counters."""
    read = {f"patterns.{number}" for number in readings}
    for found in plan.findings:
        if found.rule != "too-many-requests" or found.where not in read:
            yield renamed(found, counter.name, counter.whole.name)
    yield from too_many_requests(design, operations, readings)


def _table(
    counter: CounterItems, table: Table, of_stated: Callable[[Iterable[int]], tuple[int, ...]]
) -> Table:
    indexes = tuple(
        index.model_copy(update={"serves": of_stated(index.serves)}) for index in table.indexes
    )
    shapes = tuple(
        _shape(counter, shape) if shape.entity == counter.name else shape for shape in table.items
    )
    return table.model_copy(
        update={"items": shapes, "indexes": indexes, "serves": of_stated(table.serves)}
    )


def _shape(counter: CounterItems, shape: Shape) -> Shape:
    own = {name: stored for name, stored in shape.attributes.items() if name != counter.shard}
    counted = {name: StoredAttribute(type="N", optional=True) for name in counter.attributes}
    numbered = {name: _numbered(counter, template) for name, template in shape.set.items()}
    return shape.model_copy(
        update={
            "entity": counter.whole.name,
            "role": "counter",
            "counts": counter.attributes,
            "shards": counter.count,
            "attributes": own | counted,
            "set": numbered | {counter.shard: _NUMBER},
        }
    )


_NUMBER = "{text(each.number)}"
"""Which counter it is, as text."""


def _numbered(counter: CounterItems, template: str) -> str:
    """A template in which the counter that it is stands for the shard."""
    return keys.rename(template, lambda name: "each.number" if name == counter.shard else None)


def _unfolded(
    counter: CounterItems,
    stated: Stated,
    plan: Plan,
    operation: Operation,
    reading: Operation | None,
) -> Operation:
    if reading is not None and operation.result is not None:
        cases = len(plan.operations_for(operation.pattern))
        return _read(counter, stated, plan, operation, reading, cases)
    writes = stated.search.requirements.writes
    entity_reads = [d for d in writes if d.pattern.number == operation.pattern and not d.is_upkeep]
    if all(entity_read.entity != counter.whole.name for entity_read in entity_reads):
        return operation
    steps = tuple(
        step.model_copy(update={"members": tuple(_member(counter, one) for one in step.members)})
        for step in operation.steps
    )
    parameters = write_parameters(stated, entity_reads)
    return operation.model_copy(update={"steps": steps, "parameters": parameters})


def _member(counter: CounterItems, member: Written) -> Written:
    """What happens to the counters: all of them are made and deleted, one is added to."""
    if member.shape != counter.name:
        return member

    def put(values: dict[str, Expression]) -> dict[str, Expression]:
        return {
            name: _numbered(counter, text) if isinstance(text, str) else text
            for name, text in values.items()
            if name not in counter.attributes
        }

    if member.verb == "update":
        repeat = (member.for_each or Repeat()).model_copy(update={"drawn": counter.count})
    else:
        repeat = Repeat(numbers=counter.count)
    values = put(member.values)
    if counter.shard in values:
        values[counter.shard] = _NUMBER
    return member.model_copy(update={"for_each": repeat, "key": put(member.key), "values": values})


def _read(
    counter: CounterItems,
    stated: Stated,
    plan: Plan,
    operation: Operation,
    reading: Operation,
    cases: int,
) -> Operation:
    """A read together with the one of its counters, whose sums are added to its rows."""
    assert operation.result is not None
    rows = next(part for part in operation.result.parts if part.name == "rows")
    source = next(step for step in operation.steps if step.id == rows.steps[-1])
    (asked,) = reading.steps
    pattern = stated.search.design.pattern(operation.pattern)
    assert isinstance(pattern, Read)
    known: dict[str, Expression] = {
        c.attribute: operand(c.is_) if c.is_ is not None else f"{{{c.list_name}}}"
        for c in pattern.where
        if c.is_ is not None or c.any_of is not None
    }
    from_caller = source.for_each is None or source.for_each.rows is None
    if source.key and from_caller and set(counter.whole.identifier) <= set(known):
        step = _got_with(counter, plan, source, asked, known)
        steps = tuple(step if one is source else one for one in operation.steps)
    else:
        known = {name: f"{{{source.id}.{name}}}" for name in counter.whole.identifier}
        step = asked.model_copy(
            update={
                "id": f"s{len(operation.steps) + 1}",
                "for_each": Repeat(
                    rows=source.id,
                    shape=rows.shapes[0] if len(source.shapes) > 1 else None,
                    keep=rows.keep,
                    order=rows.order,
                    limit=rows.limit,
                    numbers=counter.count,
                ),
                "key": _keys(counter, asked, known),
            }
        )
        steps = (*operation.steps, step)
    part = ResultPart(
        name=counter.name,
        steps=(step.id,),
        shapes=(counter.name,),
        per=tuple((name, name) for name in counter.whole.identifier),
        completes="rows",
        adds=counter.attributes,
    )
    requests = sum(one.expects.requests for one in steps)
    usd = operation.usd_per_month
    if usd is not None and reading.usd_per_month is not None:
        usd = round(usd + reading.usd_per_month / cases, 4)
    return operation.model_copy(
        update={
            "answer": "in one request"
            if all(one.goes_with for one in steps[1:]) and requests <= 1
            else "in several requests",
            "steps": steps,
            "result": operation.result.model_copy(
                update={"parts": (*operation.result.parts, part)}
            ),
            "requests": requests,
            "read_units": round(operation.read_units + reading.read_units, 6),
            "usd_per_month": usd,
        }
    )


def _keys(
    counter: CounterItems, asked: Step, known: dict[str, Expression]
) -> dict[str, Expression]:
    known = {**known, counter.shard: "{each.number}"}
    return {name: put_to(str(text), known) for name, text in asked.key.items()}


def _got_with(
    counter: CounterItems, plan: Plan, source: Step, asked: Step, known: dict[str, Expression]
) -> Step:
    """A get of items together with their counters, as one BatchGetItem."""
    items = source.expects.read + asked.expects.read
    one, other = source.expects, asked.expects
    project = source.project
    if project is not None:
        marks = (plan.type_attribute,) if plan.type_attribute else ()
        project = tuple(dict.fromkeys((*project, *marks)))
    repeat = (source.for_each or Repeat()).model_copy(update={"numbers": counter.count})
    return source.model_copy(
        update={
            "call": "BatchGetItem",
            "for_each": repeat,
            "also": (*source.also, _keys(counter, asked, known)),
            "project": project,
            "shapes": (*source.shapes, counter.name),
            "expects": one.model_copy(
                update={
                    "requests": float(batches(items, one.bytes + other.bytes)),
                    "read": items,
                    "returned": one.returned + other.returned,
                    "bytes": round(one.bytes + other.bytes, 6),
                    "units": round(one.units + other.units, 6),
                }
            ),
        }
    )
