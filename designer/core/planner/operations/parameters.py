"""What the caller of a read or a write gives."""

from collections.abc import Iterable, Iterator

from designer.core.patterns.base import Condition, Pattern, Read, Write
from designer.core.patterns.document import Scalar
from designer.core.plan import Parameter
from designer.core.planner.model.reads_and_writes import EntityWrite, PatternRead
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.key_conditions import parameter


def write_parameters(context: Stated, entity_writes: list[EntityWrite]) -> tuple[Parameter, ...]:
    """What the caller gives: names that a change without `times` uses are shared, the others stand in rows."""
    shared: dict[str, Parameter] = {}
    rows: dict[str, dict[str, Parameter]] = {}
    if not entity_writes:
        return ()
    pattern = entity_writes[0].pattern
    if pattern.collection:
        model = context.model(entity_writes[0].entity)
        for condition in pattern.collection:
            for side in condition.operands:
                if side.param is not None:
                    is_list = side is condition.listed
                    shared.setdefault(
                        side.param,
                        parameter(model, condition.attribute, side.param, is_list=is_list),
                    )
        return tuple(shared.values())
    for entity_write in entity_writes:
        if entity_write.change.times is None:
            for found in change_parameters(context, entity_write):
                shared.setdefault(found.name, found)
    for entity_write in entity_writes:
        if entity_write.change.times is not None:
            own = rows.setdefault(entity_write.change.each or entity_write.entity, {})
            for found in change_parameters(context, entity_write):
                if not (pattern.is_transaction and found.name in shared):
                    own.setdefault(found.name, found)
    lists = tuple(
        Parameter(name=name, type="L", fields=tuple(fields.values()))
        for name, fields in rows.items()
    )
    return (*shared.values(), *lists)


def change_parameters(context: Stated, entity_write: EntityWrite) -> list[Parameter]:
    """The parameters of one change."""
    model, change = context.model(entity_write.entity), entity_write.change
    found: dict[str, Parameter] = {}

    def add(attribute: str, name: str | None, optional: bool = False) -> None:
        if name is not None:
            found.setdefault(name, parameter(model, attribute, name, optional))

    if change.writes_whole:
        copied = {name for one in entity_write.refreshes for name in one.names}
        copied |= entity_write.left_out
        if change.verb == "create":
            figures = context.search.requirements.figures
            copied |= {figure.name for figure in figures if figure.entity == entity_write.entity}
        for attribute in model.entity.stored:
            if attribute.name not in change.set and attribute.name not in copied:
                add(attribute.name, attribute.name, attribute.present < 1)
    elif entity_write.follows is None:
        for name in (*(change.by or model.entity.identifier), *change.given):
            add(name, name)
    for name, side in change.set.items():
        add(name, side.param)
    for name, amount in change.add.items():
        add(name, amount.param or amount.minus)
    for named in (change.greatest, *change.of_elements):
        for name, param in named.items():
            add(name, param)
    for condition in change.conditions:
        for given in condition.parameters:
            add(condition.attribute, given)
    return list(found.values())


def read_parameters(context: Stated, pattern_read: PatternRead) -> tuple[Parameter, ...]:
    """What the caller gives, in the order the design asks for it."""
    pattern = pattern_read.pattern
    conditions: list[tuple[str, Condition]] = []
    if isinstance(pattern, Read):
        for entity in pattern.entities:
            conditions += [(entity, condition) for condition in pattern.conditions]
        for along, entity_read in zip(pattern.with_, pattern_read.entity_reads[1:], strict=False):
            conditions += [(entity_read.entity, condition) for condition in along.keep]
    found: dict[str, Parameter] = {}
    for entity, condition in conditions:
        for side in condition.operands:
            if side.param is None or side.param in found:
                continue
            optional = condition.optional
            if optional and pattern_read.given is not None and side.param not in pattern_read.given:
                continue
            found[side.param] = parameter(
                context.model(entity),
                condition.attribute,
                side.param,
                is_list=side is condition.listed,
            )
    return tuple(found.values())


def constant_lists(conditions: Iterable[Condition]) -> dict[str, tuple[Scalar, ...]]:
    """The lists that conditions compare with and nobody gives, by what steps call them."""
    return {
        condition.list_name: condition.listed.value
        for condition in conditions
        if condition.listed is not None and condition.listed.value is not None
    }


def conditions_of(pattern: Pattern) -> Iterator[Condition]:
    """All that a pattern asks of items."""
    if isinstance(pattern, Read):
        yield from pattern.conditions
        for along in pattern.with_:
            yield from along.keep
    elif isinstance(pattern, Write):
        yield from getattr(pattern, "where", ())
        for change in pattern.changes:
            yield from change.conditions
