"""Which entities of a state a write can touch."""

from designer.core.answers import State
from designer.core.examples.copied import sources
from designer.core.patterns.base import Write
from designer.core.plan import Operation, Plan


def concerned(plan: Plan, write: Write, operations: tuple[Operation, ...], state: State) -> State:
    """Of a state, the entities whose items an operation can touch.

    The fewer there are, the faster tables are filled and read. Items of other entities have other
    keys, which was seen when all of them were there.
    """
    shapes = {shape.shape: shape.entity for table in plan.tables for shape in table.items}
    names = {change.entity for change in write.changes}
    inside = {
        (shapes[s.inside.shape], s.entity)
        for t in plan.tables
        for s in t.items
        if s.inside is not None
    }
    for operation in operations:
        for step in operation.steps:
            names |= {shapes[member.shape] for member in step.members if member.shape in shapes}
            names |= {shapes[name] for name in step.shapes if name in shapes}
    copies = {
        (entity, source.entity) for entity, own in sources(plan).items() for source in own.values()
    }
    for upkeep in plan.upkeep:
        if upkeep.figures and upkeep.entity in names:
            names |= {shapes[m.shape] for step in upkeep.steps for m in step.members}
            names |= {shapes[name] for step in upkeep.steps for name in step.shapes}
    # What is written has copies of some, and others have copies of what is written.
    followed = {name for name in names if name in state}
    while followed:
        followed = {child for child, parent in copies if parent in followed} - names
        names |= followed
    while missing := {parent for child, parent in copies if child in names} - names:
        names |= missing
    # What lies inside an item comes and goes with it.
    names |= {held for host, held in inside if host in names}
    return {name: items for name, items in state.items() if name in names}
