"""The plan of a design with children in their parent's items, in the words of the design without them."""

from collections.abc import Collection
from typing import Any

from designer.core.patterns.base import Read, Write
from designer.core.plan import (
    Expression,
    Inner,
    ItemCondition,
    Operation,
    Place,
    Plan,
    Repeat,
    ResultPart,
    Shape,
    StoredAttribute,
    Table,
)
from designer.core.plan import Member as Written
from designer.core.planner.model.reads_and_writes import EntityWrite, PatternRead, operand
from designer.core.planner.model.structures import Access
from designer.core.planner.model.values import amount_of, put_to
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.item_tests import (
    item_condition,
    order_lines,
    tests_after,
    tests_within_limit,
)
from designer.core.planner.operations.parameters import read_parameters, write_parameters
from designer.core.planner.operations.reads import result_of
from designer.core.planner.rewrites.embedded_items import EmbeddedItems


def mapped_back(plan: Plan, found: EmbeddedItems, stated: Stated) -> Plan:
    """The plan of a rewritten design as one of the design that was rewritten. `stated`: its models and patterns.

    Every copy of a parent's item holds the children too, and is written with it.
    """
    hosts = {
        shape.shape
        for table in plan.tables
        for shape in table.items
        if shape.entity == found.parent and found.attribute in shape.attributes
    }
    operations = tuple(
        _unfolded(found, stated, hosts, operation) if operation.steps else operation
        for operation in plan.operations
    )
    tables = tuple(_table(found, hosts, table) for table in plan.tables)
    return plan.model_copy(update={"operations": operations, "tables": tables})


def _table(found: EmbeddedItems, hosts: Collection[str], table: Table) -> Table:
    shapes: list[Shape] = []
    for shape in table.items:
        if shape.shape not in hosts:
            shapes.append(shape)
            continue
        own = {n: a for n, a in shape.attributes.items() if n != found.attribute}
        child = found.child
        holds = {**shape.holds, found.attribute: child.name}
        shapes.append(shape.model_copy(update={"attributes": own, "holds": holds}))
        if shape.role == "copy":  # it holds what the item that it is a copy of holds
            continue
        shapes.append(
            Shape(
                shape=child.name,
                entity=child.name,
                role="embedded",
                inside=Place(
                    shape=shape.shape,
                    attribute=found.attribute,
                    at=found.at,
                    same=dict(found.same),
                ),
                attributes={
                    a.name: StoredAttribute(type=a.type, optional=a.present < 1)
                    for a in found.stored
                },
                bytes=round(found.element_bytes, 1),
                items=float(child.items or 0),
            )
        )
    return table.model_copy(update={"items": tuple(shapes)})


def _unfolded(
    found: EmbeddedItems, stated: Stated, hosts: Collection[str], operation: Operation
) -> Operation:
    design = stated.search.design
    pattern = design.pattern(operation.pattern)
    names = {found.child.name, found.parent}
    if isinstance(pattern, Write):
        entity_reads = [
            d
            for d in stated.search.requirements.writes
            if d.pattern.number == pattern.number and not d.is_upkeep
        ]
        if not names & {entity_read.entity for entity_read in entity_reads}:
            return operation
        return _write_back(found, stated, hosts, operation, entity_reads)
    if not isinstance(pattern, Read) or operation.result is None:
        return operation
    brought = any(part.relationship == found.relationship.name for part in pattern.with_)
    if found.child.name not in pattern.entities and not brought:
        return operation
    pattern_read = next(
        q
        for q in stated.search.requirements.pattern_reads
        if q.number == pattern.number and q.given == operation.given
    )
    return _read_back(found, stated, operation, pattern_read)


def _read_back(
    found: EmbeddedItems, stated: Stated, operation: Operation, pattern_read: PatternRead
) -> Operation:
    assert operation.result is not None
    before = {part.name: part for part in operation.result.parts}
    rows = before["rows"]
    joined = {own for own, _ in found.same}
    parts: list[ResultPart] = []
    for entity_read in pattern_read.entity_reads:
        is_child = entity_read.entity == found.child.name
        if entity_read.part in before and not (entity_read.part == "rows" and is_child):
            parts.append(before[entity_read.part])
            continue
        left = tuple(name for name in entity_read.equals if name not in joined) if not parts else ()
        _, keep = tests_after(stated, None, entity_read, Access(None, "get", left=left))
        parts.append(
            ResultPart(
                name=entity_read.part,
                steps=rows.steps,
                shapes=(entity_read.entity,),
                keep=(*(rows.keep if entity_read.part == "rows" else ()), *keep),
                order=order_lines(stated.model(entity_read.entity), entity_read),
                limit=entity_read.limit,
                then_keep=tests_within_limit(stated, entity_read),
                per=pattern_read.links.get(entity_read.part, ()),
            )
        )
    return operation.model_copy(
        update={
            "parameters": read_parameters(stated, pattern_read),
            "result": result_of(stated, pattern_read, tuple(parts)),
        }
    )


def _write_back(
    found: EmbeddedItems,
    stated: Stated,
    hosts: Collection[str],
    operation: Operation,
    entity_writes: list[EntityWrite],
) -> Operation:
    inner = tuple(
        _inner(found, stated, entity_write)
        for entity_write in entity_writes
        if entity_write.entity == found.child.name
    )

    def own(member: Written) -> Written:
        if member.shape not in hosts:
            return member
        return member.model_copy(
            update={
                "values": {n: v for n, v in member.values.items() if n != found.attribute},
                "set": {n: v for n, v in member.set.items() if n != found.attribute},
                "inside": (*member.inside, *inner),
            }
        )

    steps = tuple(
        step.model_copy(update={"members": tuple(own(member) for member in step.members)})
        for step in operation.steps
    )
    return operation.model_copy(
        update={"steps": steps, "parameters": write_parameters(stated, entity_writes)}
    )


_VERBS: dict[str, tuple[str, bool | None]] = {
    "create": ("put", False),
    "upsert": ("put", None),
    "update": ("update", True),
    "delete": ("delete", True),
    "check": ("check", True),
}


def _inner(found: EmbeddedItems, stated: Stated, entity_write: EntityWrite) -> Inner:
    """What a change of a child does inside its parent's item."""
    change, model = entity_write.change, stated.model(entity_write.entity)
    known: dict[str, Expression] = {
        name: operand(change.set[name]) if name in change.set else f"{{{name}}}"
        for name in (a.name for a in found.child.stored)
    }
    verb, exists = _VERBS[change.verb]
    if change.exists is False:
        exists = False
    tests = [item_condition(model, condition) for condition in change.if_]
    tests += [
        ItemCondition(attribute=name, below_or_missing=f"{{{param}}}")
        for name, param in change.greatest.items()
    ]
    said: dict[str, Any] = {}
    if verb == "put":
        said["values"] = {a.name: known[a.name] for a in found.stored}
    elif verb == "update":
        said["set"] = {name: operand(side) for name, side in change.set.items()}
        said["set"] |= {name: f"{{{param}}}" for name, param in change.greatest.items()}
        said["remove"] = change.remove
        said["add"] = {name: amount_of(amount) for name, amount in change.add.items()}
    of_rows = change.times is not None and entity_write.pattern.is_transaction
    return Inner.model_validate(
        {
            verb: found.child.name,
            **said,
            "at": put_to(found.at, known) if found.at is not None else None,
            "exists": exists,
            "if_": tuple(tests),
            "for_each": Repeat(values=change.each or change.entity) if of_rows else None,
        }
    )
