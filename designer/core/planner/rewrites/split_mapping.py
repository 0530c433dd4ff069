"""The plan of a design with split items, in the words of the design without them."""

from designer.core.plan import Operation, Plan, Table
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.parameters import write_parameters
from designer.core.planner.rewrites.rewriting import renamed
from designer.core.planner.rewrites.split_items import SplitItems


def mapped_back(plan: Plan, split: SplitItems, stated: Stated) -> Plan:
    """The plan of a rewritten design as one of the design that was rewritten. `stated`: its models and patterns."""
    return plan.model_copy(
        update={
            "tables": tuple(_table(split, table) for table in plan.tables),
            "operations": tuple(_unfolded(split, stated, one) for one in plan.operations),
            "findings": tuple(
                renamed(found, split.name, split.whole.name) for found in plan.findings
            ),
        }
    )


def _table(split: SplitItems, table: Table) -> Table:
    shapes = []
    for shape in table.items:
        if shape.entity == split.name:
            role = "split" if shape.role == "entity" else shape.role
            shape = shape.model_copy(update={"entity": split.whole.name, "role": role})
        shapes.append(shape)
    return table.model_copy(update={"items": tuple(shapes)})


def _unfolded(split: SplitItems, stated: Stated, operation: Operation) -> Operation:
    writes = stated.search.requirements.writes
    entity_reads = [d for d in writes if d.pattern.number == operation.pattern and not d.is_upkeep]
    if any(entity_read.entity == split.whole.name for entity_read in entity_reads):
        parameters = write_parameters(stated, entity_reads)
        return operation.model_copy(update={"parameters": parameters})
    if operation.result is None:
        return operation
    parts = tuple(
        part.model_copy(update={"completes": "rows"})
        if part.name == split.relationship.name
        else part
        for part in operation.result.parts
    )
    result = operation.result.model_copy(update={"parts": parts})
    return operation.model_copy(update={"result": result})
