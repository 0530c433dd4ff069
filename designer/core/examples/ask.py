"""Ask a pattern of the example items: pick parameters with which something is found, and run the
operation.

Parameters come from the example items themselves. Each item that the pattern could be about is
tried; the one that finds most is taken, so that the grid has something to show.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.examples.items import Examples, Item, derived
from designer.core.examples.simulate import Trace, run
from designer.core.examples.stored_items import StoredItem, stored_items
from designer.core.patterns.base import (
    Change,
    Condition,
    Listed,
    Member,
    Operand,
    Pattern,
    Read,
    Write,
)
from designer.core.plan import Operation, Parameter, Plan
from designer.core.plan.keys import Value

Chosen = dict[str, Value]


def ask(
    design: Design,
    plan: Plan,
    examples: Examples,
    operation: Operation,
    tables: dict[str, list[StoredItem]] | None = None,
) -> Trace | None:
    """The trace of an operation over the examples; None when it has no steps or nothing can be
    asked.

    `tables` are the stored items by table, if the caller has them already.
    """
    if not operation.steps:
        return None
    if tables is None:
        tables = {table.name: stored_items(design, plan, examples, table) for table in plan.tables}
    pattern = design.pattern(operation.pattern)
    best: Trace | None = None
    for chosen in _choices(design, examples, pattern):
        parameters = {
            parameter.name: value
            for parameter in operation.parameters
            if (value := _fit(parameter, chosen)) is not None
        }
        trace = run(design, plan, tables, operation, parameters)
        if best is None or _worth(trace) > _worth(best):
            best = trace
    return best


def _worth(trace: Trace) -> tuple[int, int, int, int]:
    """Best is an answer of several rows that also shows what is dropped; then the longest."""
    found = len(trace.returned) + len(trace.written) + len(trace.checked)
    dropped = len(set(trace.read) - set(trace.returned))
    return min(found, 2), min(dropped, 1), found, dropped


def _fit(parameter: Parameter, chosen: Chosen) -> Value:
    """A chosen value in the form of the parameter: one value, a list, or rows."""
    value = chosen.get(parameter.name)
    if parameter.fields:
        rows = value if isinstance(value, list) else [chosen]
        return [
            {f.name: row.get(f.name, chosen.get(f.name)) for f in parameter.fields}
            for row in rows
            if isinstance(row, dict)
        ]
    if parameter.list:
        return value if isinstance(value, list) else [] if value is None else [value]
    return value


def _choices(design: Design, examples: Examples, pattern: Pattern) -> Iterator[Chosen]:
    """Parameters worth trying: one choice for each example item that the pattern could be about."""
    if isinstance(pattern, Read):
        for name in pattern.entities:
            for item in examples.get(name, ()):
                yield _read_parameters(design, examples, pattern, name, item)
    elif isinstance(pattern, Write) and pattern.collection:
        entity = pattern.changes[0].entity
        for item in examples.get(entity, ()):
            chosen: Chosen = {}
            for condition in pattern.collection:
                _choose(design, examples, entity, item, condition, chosen)
            yield chosen
    elif isinstance(pattern, Write):
        first = next((c for c in pattern.changes if c.times is None), pattern.changes[0])
        of_item = [one for one in pattern.changes if one.entity == first.entity]
        items = list(reversed(examples.get(first.entity, ())))
        attributes = design.entity[first.entity].by_name
        items.sort(
            key=lambda item: [
                (*_misfit(change, item), _is_at_end(attributes, change, item)) for change in of_item
            ]
        )
        for item in items:
            yield _write_parameters(design, examples, pattern, first.entity, item)


# Reads --------------------------------------------------------------------------------------------


def _read_parameters(
    design: Design, examples: Examples, pattern: Read, entity: str, item: Item
) -> Chosen:
    chosen: Chosen = {}
    crossing = pattern.crossing
    if crossing is not None and crossing.all_of is not None and crossing.all_of.param is not None:
        chosen[crossing.all_of.param] = _had_together(examples, pattern, entity, item, crossing)
    for condition in pattern.conditions:
        _choose(design, examples, entity, item, condition, chosen)
    for along in pattern.with_:
        relationship = design.relationship[along.relationship]
        other = relationship.child if entity != relationship.child else relationship.parent
        for candidate in examples.get(other, ())[:1]:
            for condition in along.keep:
                _choose(design, examples, other, candidate, condition, chosen)
    return chosen


def _had_together(
    examples: Examples, pattern: Read, entity: str, item: Item, crossing: Condition
) -> list[Value]:
    """Two values for `all_of`: those of items that have in common with this what is returned, before any others."""

    def is_alike(other: Item) -> bool:
        return all(other.get(name) == item.get(name) for name in pattern.attributes or ())

    known = [one for one in examples.get(entity, ()) if crossing.attribute in one]
    known.sort(key=is_alike, reverse=True)
    return list(dict.fromkeys(one[crossing.attribute] for one in known))[:2]


def _choose(
    design: Design,
    examples: Examples,
    entity: str,
    item: Item,
    condition: Condition,
    chosen: Chosen,
) -> None:
    """Choose the parameters of one condition such that the item meets it, and some others if
    possible.
    """
    value = _at(design, examples, entity, item, condition.attribute)
    if value is None:
        return
    known = [
        other
        for candidate in examples.get(entity, ())
        if (other := _at(design, examples, entity, candidate, condition.attribute)) is not None
        and type(other) is type(value)
    ]

    def put(operand: Operand | Listed | None, fitting: Value) -> None:
        if operand is not None and operand.param is not None:
            chosen.setdefault(operand.param, fitting)

    put(condition.is_, value)
    put(condition.any_of, list(dict.fromkeys([value, *known]))[:3] if _plain(value) else [value])
    if _plain(value):
        in_order = sorted(set(known))
        put(condition.from_, min(value, in_order[min(1, len(in_order) - 1)]))
        put(condition.after, next((v for v in in_order if v < value), _beside(value, -1)))
        put(condition.to, max(value, in_order[-1]))
        put(condition.below, next((v for v in reversed(in_order) if v > value), _beside(value, 1)))
        put(condition.not_, next((v for v in in_order if v != value), _beside(value, 1)))
    put(condition.begins_with, _start(value))
    put(condition.contains, _inside(value))


def _at(design: Design, examples: Examples, entity: str, item: Item, path: str) -> Value:
    """The value of an attribute, along a path towards one."""
    *steps, name = path.split(".")
    for step in steps:
        relationship = design.relationship[step]
        pairs = design.references(relationship, relationship.parent)
        entity = relationship.parent
        parents = [
            parent
            for parent in examples.get(entity, ())
            if all(item.get(mine) == parent.get(theirs) for mine, theirs in pairs)
        ]
        if not parents:
            return None
        item = parents[0]
    return derived(design.entity[entity], item).get(name)


def _plain(value: Value) -> bool:
    return isinstance(value, (str, int, Decimal)) and not isinstance(value, bool)


def _beside(value: Value, way: int) -> Value:
    """A value just after (1) or before (-1) another."""
    if not isinstance(value, str):
        return value + way
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d"):
        try:
            return (datetime.strptime(value, form) + timedelta(days=way)).strftime(form)
        except (ValueError, OverflowError):  # no time of this form, or none beside it
            continue
    return f"{value}z" if way > 0 else value[:-1]


def _start(value: Value) -> Value:
    return value[: max(1, min(4, len(value) // 2))] if isinstance(value, str) else value


def _inside(value: Value) -> Value:
    if isinstance(value, (list, set, tuple)):
        return sorted(value, key=str)[0] if value else None
    words = value.split() if isinstance(value, str) else ()
    return words[-1].rstrip(".,;!?") if words else value


# Writes -------------------------------------------------------------------------------------------


def _write_parameters(
    design: Design, examples: Examples, pattern: Write, entity: str, item: Item
) -> Chosen:
    """The first member's item as it is, and for the other members the items that go with it.

    What no member asks of the first item gives way to an item that is written whole: a new Department has a name of
    its own, not that of the Organisation that is checked.
    """
    chosen: Chosen = dict(derived(design.entity[entity], item))
    asked = {*design.entity[entity].identifier}.union(
        *(_asked(change, item) for change in pattern.changes if change.entity == entity)
    )
    for change in pattern.changes:
        fitting = _fitting(design.entity[change.entity], examples.get(change.entity, ()), chosen)
        if change.times is not None:
            rows = [_named(change, member) for member in fitting]
            each = change.each or change.entity
            chosen[each] = _joined(chosen.get(each), rows)
        elif fitting:
            for name, value in _named(change, fitting[0]).items():
                if change.writes_whole and change.entity != entity and name not in asked:
                    chosen[name] = value
                    asked.add(name)
                else:
                    chosen.setdefault(name, value)
    return chosen | _changed(design, examples, pattern, entity, item)


def _misfit(change: Member, item: Item) -> tuple[bool, bool]:
    """What speaks against an item: that a write of it is refused, or that it is not what the write leaves.

    As far as values say it that are always the same.
    """
    ways = (change.if_, *change.or_)
    allowed = any(all(_may_meet(item.get(one.attribute), one) for one in way) for way in ways)
    fixed = ((name, one.value) for name, one in change.set.items() if one.value is not None)
    other = change.writes_whole and any(item.get(name) != value for name, value in fixed)
    return not allowed, other


def _is_at_end(attributes: Mapping[str, Attribute], change: Member, item: Item) -> bool:
    """Whether an update moves an item on from the last of an attribute's values, such as an order that is done."""
    return change.verb == "update" and any(
        operand.param is not None
        and name in attributes
        and (values := attributes[name].values) is not None
        and item.get(name) == values[-1]
        for name, operand in change.set.items()
    )


def _may_meet(value: Value, condition: Condition) -> bool:
    if value is None:
        return bool(condition.missing)
    if condition.missing:
        return False
    if condition.is_ is not None and condition.is_.value is not None:
        return bool(value == condition.is_.value)
    if condition.not_ is not None and condition.not_.value is not None:
        return bool(value != condition.not_.value)
    if condition.any_of is not None and condition.any_of.value is not None:
        return value in condition.any_of.value
    return True


def _asked(change: Member, item: Item) -> set[str]:
    """The names under which a change asks for values of its item: of one that it writes whole all."""
    if change.writes_whole:
        return set(_named(change, item))
    others = set(_named(change, item)) - set(item)
    return others.union(
        change.by,
        change.given,
        change.greatest.values(),
        (operand.param for operand in change.set.values() if operand.param is not None),
        (name for named_by in change.of_elements for name in named_by.values()),
        (name for condition in change.conditions for name in condition.parameters),
    )


def _changed(design: Design, examples: Examples, pattern: Write, entity: str, item: Item) -> Chosen:
    """For what an update sets, another value than the item has, so that the example changes something.

    So for an item that is created in place of one that is deleted: it has another identifier.
    """
    found: Chosen = {}
    deletes = any(one.verb == "delete" and one.entity == entity for one in pattern.changes)
    for change in pattern.changes:
        if deletes and change.verb == "create" and change.entity == entity and not change.times:
            for name in design.entity[entity].identifier:
                given, value = change.set.get(name), item.get(name)
                if given is not None and given.param is not None and _plain(value):
                    found[given.param] = _new(value)
        if change.verb != "update" or change.entity != entity or change.times is not None:
            continue
        tested = {name for condition in change.conditions for name in condition.parameters}
        for name, operand in change.set.items():
            attribute = design.entity[entity].by_name.get(name)
            if operand.param is None or operand.param in tested or attribute is None:
                continue
            other = _other(attribute, item.get(name), examples.get(entity, ()))
            if other is not None:
                found[operand.param] = other
    return found


def _other(attribute: Attribute, value: Value, items: Iterable[Item]) -> Value:
    """Another value of an attribute than an item has; None where there is none that makes sense."""
    if isinstance(value, bool):
        return not value
    if not _plain(value):
        return None
    if attribute.unique or attribute.unique_within:
        return _new(value)
    if attribute.values is not None and value in attribute.values[:-1]:
        # Statuses are listed in their order, and what comes next makes sense for other values too.
        return attribute.values[attribute.values.index(str(value)) + 1]
    known = (item.get(attribute.name) for item in items)
    return next((other for other in known if other is not None and other != value), None)


def _new(value: Value) -> Value:
    """A value that no item has."""
    return f"new.{value}" if isinstance(value, str) else _beside(value, 1)


def _fitting(entity: Entity, items: tuple[Item, ...], chosen: Chosen) -> list[Item]:
    """The items whose identifier agrees with what is chosen; all of them when none of it is."""
    return [
        item
        for item in items
        if all(name not in chosen or chosen[name] == item.get(name) for name in entity.identifier)
    ]


def _named(change: Change, item: Item) -> Item:
    """The item's values under the names of the parameters that set or test them."""
    named = dict(item)
    for attribute, operand in change.set.items():
        if operand.param is not None and operand.param != attribute and attribute in item:
            named[operand.param] = item[attribute]
    for attribute, amount in change.add.items():
        name = amount.param or amount.minus
        if name is not None and attribute in item:
            named.setdefault(name, Decimal(1))
    for attribute, parameter in change.greatest.items():
        if attribute in item:
            named[parameter] = _beside(item[attribute], 1)
    for named_by in change.of_elements:
        for attribute, parameter in named_by.items():
            if attribute in item:
                named[parameter] = item[attribute]
    for condition in change.conditions:
        value = item.get(condition.attribute)
        if value is not None:
            for name, fitting in _met_by(condition, value):
                named.setdefault(name, fitting)
    return named


def _met_by(condition: Condition, value: Value) -> Iterator[tuple[str, Value]]:
    """The parameters of a condition, with values with which an item that has a value meets it."""
    beyond = {condition.below: 1, condition.after: -1} if _plain(value) else {}
    ways = {side.param: way for side, way in beyond.items() if side is not None}
    for name in condition.parameters:
        yield name, _beside(value, ways[name]) if name in ways else value


def _joined(before: Value, rows: list[Item]) -> list[Item]:
    """Rows that two members share: those of the first, with what the second adds."""
    if not isinstance(before, list) or not before:
        return rows
    return [
        {
            **next((r for r in rows if all(r[k] == row[k] for k in r.keys() & row.keys())), {}),
            **row,
        }
        for row in before
    ]
