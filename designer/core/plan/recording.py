"""What plans named, written into their design, so that later plans of it call the same things by the same names.

Recording changes no plan. What is there already stays: an index that a plan has no more keeps its name for itself.
"""

from collections.abc import Iterable

from designer.core.design.document import Design
from designer.core.design.names import AttributeNames, NamedIndex, NamedKey, Names, StyleNames
from designer.core.plan import Index, Plan, Shape

Parts = tuple[str, ...]


def recorded(design: Design, plans: Iterable[Plan]) -> Design:
    """The design with all that its plans named."""
    names = design.names
    for plan in plans:
        names = with_names(names, plan)
    return design if names == design.names else design.model_copy(update={"names": names})


def with_names(names: Names, plan: Plan) -> Names:
    """The names with those of a plan."""
    before = names.of(plan.style)
    now = named_in(plan)
    indexes = _with_former(now.indexes, before.indexes)
    style = StyleNames(items=before.items | now.items, indexes=indexes)
    return names.model_copy(update={plan.style: style})


def named_in(plan: Plan) -> StyleNames:
    """What a plan named."""
    items: dict[str, NamedKey] = {}
    indexes: list[NamedIndex] = []
    for table in plan.tables:
        key = table.key
        names = AttributeNames(
            partition=(key.partition.name,), sort=(key.sort.name,) if key.sort else ()
        )
        shapes = [shape for shape in table.items if shape.inside is None]
        is_shared = plan.type_attribute is not None
        for shape in shapes:
            if shape.role not in ("guard", "counter", "aggregate") and is_shared:
                items[shape.shape] = _written(shape, names) or NamedKey()
        indexes += [_index(plan, index, shapes) for index in table.indexes]
    return StyleNames(items=items, indexes=tuple(indexes))


def _index(plan: Plan, index: Index, shapes: list[Shape]) -> NamedIndex:
    keys = AttributeNames(
        partition=tuple(each.name for each in index.partition),
        sort=tuple(each.name for each in index.sort),
    )
    written = {
        shape.shape: key
        for shape in shapes
        if shape.role in ("entity", "edge", "split", "aggregate")
        and (key := _written(shape, keys)) is not None
    }
    held = index.projection
    listed = tuple(name for name in held.attributes or () if name != plan.type_attribute)
    return NamedIndex(
        name=index.name,
        local=index.kind == "local",
        keys=keys,
        holds="all" if held.type == "ALL" else listed,
        of=written,
    )


def _written(shape: Shape, names: AttributeNames) -> NamedKey | None:
    """What an item has in the attributes of a key; None where it lacks one."""
    known = {**{name: f"{{{name}}}" for name in shape.attributes}, **shape.set}
    if not all(name in known for name in (*names.partition, *names.sort)):
        return None
    return NamedKey(
        partition=tuple(known[name] for name in names.partition),
        sort=tuple(known[name] for name in names.sort),
    )


def _with_former(
    now: tuple[NamedIndex, ...], before: tuple[NamedIndex, ...]
) -> tuple[NamedIndex, ...]:
    """The indexes of a plan, then those that there were; each with the items that once were in it."""
    found = [_with_those_before(index, before) for index in now]
    here = {_place(index) for index in now}
    gone = (index for index in before if _place(index) not in here)
    return (*found, *(_left(index) for index in gone))


def _with_those_before(index: NamedIndex, before: tuple[NamedIndex, ...]) -> NamedIndex:
    same = next((each for each in before if _place(each) == _place(index)), None)
    if same is None:
        return index
    was = {name: key for name, key in (same.was | same.of).items() if name not in index.of}
    return index.model_copy(update={"was": was})


def _left(index: NamedIndex) -> NamedIndex:
    """An index that nothing is in any more."""
    return index.model_copy(update={"of": {}, "was": index.was | index.of})


def _place(index: NamedIndex) -> object:
    """What tells indexes apart: those of one name in several tables have no items in common."""
    return index.name, index.keys, index.holds, index.local
