"""Run an operation over the example items, in memory: which items it reads, returns, drops and
writes.

It is for the eye: the grid lights what a pattern reads. It follows the plan's steps exactly as
`designer.core.plan` defines them, except that nothing is ever written and no condition of a write
is tried.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from designer.core import keys
from designer.core.copied import Carried
from designer.core.counted import NUMBER, Counted
from designer.core.design.document import Design
from designer.core.examples import Examples, derived
from designer.core.keys import Lookup, TemplateError, Value, render
from designer.core.plan import (
    WRITES,
    Constant,
    Expression,
    ItemCondition,
    Member,
    Operation,
    Periods,
    Plan,
    Repeat,
    ResultPart,
    Shape,
    Step,
    Table,
    of_one_item,
)

Parameters = Mapping[str, Value]

MOST_SHARDS = 16
"""Shards of a key that are all gone through; the example items lie in few of them."""
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class StoredItem:
    """An example item as it lies in a table: under its shape, with the attributes that the plan
    adds.
    """

    id: str
    """`Order-2`: its shape and its number among the examples of its entity."""
    shape: Shape
    values: dict[str, Value]
    source: dict[str, Value]
    """The entity's item with its derived attributes: what the templates were filled from."""
    inside: tuple["StoredItem", ...] = ()
    """The items embedded in it."""


def stored_items(design: Design, plan: Plan, examples: Examples, table: Table) -> list[StoredItem]:
    """The example items in a table, shape by shape. An item whose key cannot be worked out is not
    there.
    """
    found: dict[tuple[Value, ...], StoredItem] = {}
    carried, counted = Carried(plan, examples), Counted(plan, MOST_SHARDS)
    for shape in table.items:
        entity = design.entity.get(shape.entity)
        if entity is None or shape.inside is not None:
            continue
        for number, item in enumerate(examples.get(shape.entity, ()), 1):
            whole = derived(entity, dict(carried.whole(shape.entity, item)))
            for known in map(dict, counted.held(shape, whole)):
                values = {n: known[n] for n in shape.attributes if known.get(n) is not None}
                for name, template in shape.set.items():
                    value = filled(template, known.get)
                    if value is not None:
                        values[name] = value
                inside = tuple(_embedded(design, plan, examples, shape, item))
                values |= _held(plan, shape, inside)
                if plan.type_attribute and (plan.style == "single" or len(table.items) > 1):
                    values.setdefault(plan.type_attribute, shape.shape)
                key = primary_key(table, values)
                if None not in key:
                    which = f"_{known[NUMBER]}" if NUMBER in known else ""
                    found[_comparable(key)] = StoredItem(
                        f"{shape.shape}-{number}{which}", shape, values, known, inside
                    )
    return list(found.values())


def _embedded(
    design: Design, plan: Plan, examples: Examples, host: Shape, item: Mapping[str, Value]
) -> Iterator[StoredItem]:
    """The example items that lie inside an item, whole as they are read."""
    for shape in plan.embedded_in(host.shape):
        entity, place = design.entity.get(shape.entity), shape.inside
        if entity is None or place is None:
            continue
        for number, one in enumerate(examples.get(shape.entity, ()), 1):
            if all(one.get(own) == item.get(theirs) for own, theirs in place.same.items()):
                names = (*place.same, *shape.attributes)
                values = {name: one[name] for name in names if name in one}
                yield StoredItem(f"{shape.shape}-{number}", shape, values, derived(entity, one))


def _held(plan: Plan, host: Shape, inside: Iterable[StoredItem]) -> dict[str, Value]:
    """The attributes of an item in which others are embedded."""
    held: dict[str, Value] = {
        name: {}
        for name, shape in host.holds.items()
        if (place := plan.shape(shape).inside) is not None and place.at is not None
    }
    for item in inside:
        place = item.shape.inside
        assert place is not None
        element = {n: v for n, v in item.values.items() if n in item.shape.attributes}
        if place.at is None:
            held[place.attribute] = element
        else:
            held[place.attribute][filled(place.at, item.source.get)] = element
    return held


def filled(template: str, lookup: Lookup) -> Value:
    """The value of a template; missing where an example does not fit it (a number with too many digits)."""
    try:
        return render(template, lookup)
    except TemplateError:
        return None


def primary_key(table: Table, values: Mapping[str, Value]) -> tuple[Value, ...]:
    """The values of a table's key attributes, None for those that are missing."""
    sort = () if table.key.sort is None else (values.get(table.key.sort.name),)
    return (values.get(table.key.partition.name), *sort)


def index_key_names(table: Table, index: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The partition and sort attributes of a table (index None) or of one of its indexes."""
    if index is None:
        sort = () if table.key.sort is None else (table.key.sort.name,)
        return (table.key.partition.name,), sort
    found = next(candidate for candidate in table.indexes if candidate.name == index)
    return tuple(a.name for a in found.partition), tuple(a.name for a in found.sort)


def is_in(table: Table, index: str | None, item: StoredItem) -> bool:
    """Whether an item is in the index: it has all of its key attributes."""
    partition, sort = index_key_names(table, index)
    return all(item.values.get(name) is not None for name in (*partition, *sort))


def sort_value(value: Value) -> tuple[int, Any]:
    """What DynamoDB sorts by: numbers numerically, texts by UTF-8 bytes, bytes as they are."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return 0, Decimal(str(value))
    if isinstance(value, str):
        return 1, value.encode()
    return 2, bytes(value) if isinstance(value, (bytes, bytearray)) else str(value).encode()


# What happened ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Touch:
    """An item that a step read or wrote, and where. `verb` is read, put, update, delete or check."""

    step: str
    table: str
    index: str | None
    item: str
    verb: str = "read"
    kept: bool = True
    """For a read: it passed the step's own filter."""


@dataclass(frozen=True)
class Trace:
    """What an operation did with the example items, for one choice of parameters."""

    parameters: Parameters
    touched: tuple[Touch, ...]
    returned: tuple[str, ...]
    """Ids of the items of the answer, in its order, each once."""
    looked_up: frozenset[str]
    """Steps whose rows only lead to other steps."""
    inside: Mapping[str, str] = field(default_factory=dict)
    """For embedded items that were read, the item that each lies in."""

    @property
    def read(self) -> tuple[str, ...]:
        """Ids of the items that read steps read, in order, each once."""
        return tuple(dict.fromkeys(touch.item for touch in self.touched if touch.verb == "read"))

    @property
    def written(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(touch.item for touch in self.touched if touch.verb != "read"))


class _StopError(Exception):
    """A step found nothing and the operation ends."""


@dataclass
class _Run:
    design: Design
    plan: Plan
    tables: dict[str, list[StoredItem]]
    parameters: Parameters
    rows: dict[str, list[StoredItem]] = field(default_factory=dict)
    touched: list[Touch] = field(default_factory=list)

    @cached_property
    def numbers_in_keys(self) -> list[int]:
        """The whole numbers that stand in keys of the example items, in order."""
        found: set[int] = set()
        for table in self.plan.tables:
            structures = (None, *(index.name for index in table.indexes))
            names = {
                name for of in structures for part in index_key_names(table, of) for name in part
            }
            for item in self.tables.get(table.name, ()):
                for name in names & item.values.keys():
                    found.update(map(int, _NUMBER.findall(str(item.values[name]))))
        return sorted(found)


def run(
    design: Design,
    plan: Plan,
    tables: dict[str, list[StoredItem]],
    operation: Operation,
    parameters: Parameters,
) -> Trace:
    """Run an operation over stored items (by table name) with these parameters."""
    always = {name: list(map(_number, some)) for name, some in operation.constants.items()}
    this = _Run(design, plan, tables, {**parameters, **always})
    returned: list[StoredItem] = []
    try:
        for step in operation.steps:
            if step.call in WRITES:
                _write(this, step)
            else:
                _read(this, step)
        if operation.result is not None:
            answer: dict[str, list[StoredItem]] = {}
            parts = operation.result.parts
            for part in sorted(parts, key=lambda part: (part.name != "rows", not part.required)):
                rows = answer.get("rows", [])
                found = answer[part.name] = list(_part(this, part, rows))
                if part.required:
                    answer["rows"] = [
                        row for row in rows if any(_belongs(part, one, row) for one in found)
                    ]
            returned = [item for part in parts for item in answer[part.name]]
    except _StopError:
        returned = []
    in_parts = {
        name for part in (operation.result.parts if operation.result else ()) for name in part.steps
    }
    writes = any(step.call in WRITES for step in operation.steps)
    return Trace(
        parameters,
        tuple(dict.fromkeys(this.touched)),
        tuple(dict.fromkeys(item.id for item in returned)),
        frozenset(step.id for step in operation.steps if step.id not in in_parts or writes),
        {one.id: item.id for items in tables.values() for item in items for one in item.inside},
    )


def _read(this: _Run, step: Step) -> None:
    table = this.plan.table(step.table)
    items = this.tables.get(step.table, [])
    found: list[StoredItem] = []
    for lookup in _repeats(this, step.for_each, found=found, enough=sum(step.until.values())):
        if step.call == "Query":
            in_range = list(_in_range(step, table, items, lookup))
            page = _pages(step, in_range, lookup)
        else:
            wanted = [
                tuple(_value(expression, lookup) for expression in key.values())
                for key in (step.key, *step.also)
            ]
            keys = [_comparable(key) for key in wanted if None not in key]
            page = [
                item
                for item in items
                if _comparable(tuple(item.values.get(name) for name in step.key)) in keys
            ]
        for item in page:
            kept = all(meets(condition, item.values, lookup) for condition in step.filter)
            this.touched.append(Touch(step.id, step.table, step.index, item.id, "read", kept))
            if kept:
                found.append(item)
    if step.for_each is not None and step.for_each.distinct:
        found = list({item.id: item for item in found}.values())
    this.rows[step.id] = found
    if not found and step.when_missing == "stop":
        raise _StopError


def _in_range(
    step: Step, table: Table, items: Iterable[StoredItem], lookup: Lookup
) -> list[StoredItem]:
    """The items of the index that meet the key condition, in the order in which the step reads
    them.
    """
    _, sort = index_key_names(table, step.index)
    tests = []
    for condition in step.where:
        bounds = condition.between or (None, None)
        tests.append(
            ItemCondition(
                attribute=condition.attribute,
                is_=condition.equals,
                begins_with=condition.begins_with,
                from_=condition.from_ or bounds[0],
                to=condition.to or bounds[1],
                after=condition.after,
                below=condition.below,
            )
        )
    found = [
        item
        for item in items
        if is_in(table, step.index, item) and all(meets(t, item.values, lookup) for t in tests)
    ]
    found.sort(
        key=lambda item: (
            [sort_value(item.values[name]) for name in sort],
            [sort_value(value) for value in primary_key(table, item.values) if value is not None],
        ),
        reverse=not step.forward,
    )
    return found


def _pages(step: Step, found: list[StoredItem], lookup: Lookup) -> list[StoredItem]:
    """As many of the items as the step reads: a page, all, or until enough came."""
    if step.pages == "all" or (step.pages == "one" and step.limit is None):
        return found
    if step.pages == "one":
        return found[: step.limit]
    enough = sum(step.until.values()) or step.limit or len(found)
    kept = 0
    for number, item in enumerate(found, 1):
        kept += all(meets(condition, item.values, lookup) for condition in step.filter)
        if kept >= enough and (step.limit is None or number % step.limit == 0):
            return found[:number]
    return found


def _part(this: _Run, part: ResultPart, above: list[StoredItem]) -> Iterator[StoredItem]:
    read = [item for step in part.steps for item in this.rows.get(step, [])]
    rows = [row for item in read for row in (item, *item.inside)]
    rows = list({item.id: item for item in rows if item.shape.shape in part.shapes}.values())
    rows = _kept(this, rows, part)
    if not part.per:
        yield from rows[: part.limit]
        return
    for parent in above:
        yield from [row for row in rows if _belongs(part, row, parent)][: part.limit]


def _kept(this: _Run, rows: list[StoredItem], part: ResultPart | Repeat) -> list[StoredItem]:
    """Of some rows those that are kept, in the order that is asked."""
    lookup = _lookup(this, {})
    rows = [
        row
        for row in rows
        if all(
            meets(condition, row.values, lookup)
            for condition in part.keep
            if condition.shape in (None, row.shape.shape)
        )
    ]
    for line in reversed(part.order):
        name, _, way = line.partition(" ")
        rows = [row for row in rows if keys.value(name, row.values.get) is not None]
        rows.sort(
            key=lambda row: sort_value(keys.value(name, row.values.get)),
            reverse=way == "descending",
        )
    return rows


def _belongs(part: ResultPart, row: StoredItem, parent: StoredItem) -> bool:
    return all(row.values.get(name) == parent.values.get(theirs) for name, theirs in part.per)


def _whole(this: _Run, item: StoredItem) -> dict[str, Value]:
    entity = this.design.entity.get(item.shape.entity)
    return item.values if entity is None else derived(entity, item.values)


def _write(this: _Run, step: Step) -> None:
    for outer in _repeats(this, step.for_each):
        about = [
            (member, (member.table, key := _comparable(_key(this, member, lookup))), (member, key))
            for member in step.members
            for lookup in _repeats(this, member.for_each, outer)
            if not _left_out(member, lookup)
        ]
        for (member, key), *_ in of_one_item(about):
            table = this.plan.table(member.table)
            for item in this.tables.get(member.table, []):
                if _comparable(primary_key(table, item.values)) == key:
                    this.touched.append(Touch(step.id, member.table, None, item.id, member.verb))


def _key(this: _Run, member: Member, lookup: Lookup) -> tuple[Value, ...]:
    """The primary key of the item that a member is about, None for what is missing."""
    templates = member.key or member.values
    return tuple(
        _value(templates[name], lookup) if name in templates else None
        for name in _key_names(this.plan.table(member.table))
    )


def _key_names(table: Table) -> tuple[str, ...]:
    partition, sort = index_key_names(table, None)
    return partition + sort


def _left_out(member: Member, lookup: Lookup) -> bool:
    if member.unless_same is None:
        return False
    one, other = (_value(text, lookup) for text in member.unless_same)
    return bool(one == other)


# Values and conditions ----------------------------------------------------------------------------


def _repeats(
    this: _Run,
    repeat: Repeat | None,
    outer: Lookup | None = None,
    found: Sequence[StoredItem] = (),
    enough: int = 0,
) -> Iterator[Lookup]:
    """A lookup for each time something runs; `found` grows meanwhile, and periods may end when it has `enough`."""
    if repeat is None:
        yield outer or _lookup(this, {})
        return
    for lookup in _elements(this, repeat, outer):
        before = len(found)
        for period in _periods(repeat.periods, lookup):
            stops = repeat.periods is not None and repeat.periods.until_enough
            if stops and len(found) - before >= enough:
                break
            for number in _numbers(this, repeat):
                each = {"each.period": period, "each.number": number}
                yield _lookup(this, {k: v for k, v in each.items() if v is not None}, lookup)


def _numbers(this: _Run, repeat: Repeat) -> Sequence[int | None]:
    """The shards of a key: of very many only those that an example item may lie in, as its keys say."""
    if not repeat.numbers:
        return (0,) if repeat.drawn else (None,)
    if repeat.numbers <= MOST_SHARDS:
        return range(repeat.numbers)
    return [number for number in this.numbers_in_keys if number < (repeat.numbers or 0)]


def _elements(this: _Run, repeat: Repeat, outer: Lookup | None) -> Iterator[Lookup]:
    """A lookup for each row or element; one where neither is named."""
    if repeat.rows is not None:
        rows = _kept(this, this.rows.get(repeat.rows, []), repeat)[: repeat.limit]
        for item in rows:
            row = {f"{repeat.rows}.{name}": value for name, value in _whole(this, item).items()}
            yield _lookup(this, row, outer)
    elif repeat.values is not None:
        for value in this.parameters.get(repeat.values) or ():
            row = value if isinstance(value, dict) else {repeat.values: value}
            yield _lookup(this, row, outer)
    else:
        yield outer or _lookup(this, {})


def _periods(periods: Periods | None, lookup: Lookup) -> Sequence[str | None]:
    if periods is None:
        return (None,)
    first, last = (_value(bound, lookup) for bound in (periods.from_, periods.to))
    if first is None or last is None:
        return ()
    try:
        found = keys.periods(periods.form, first, last)
    except TemplateError:
        return ()
    return found[::-1] if periods.newest_first else found


def _lookup(this: _Run, row: Mapping[str, Value], outer: Lookup | None = None) -> Lookup:
    """Names in the current row, then in the parameters; `s1.attribute` in the first row of that
    step.
    """

    def look(name: str) -> Value:
        if name in row:
            return row[name]
        if outer is not None:
            return outer(name)
        if name in this.parameters:
            return this.parameters[name]
        step, dot, attribute = name.partition(".")
        found = this.rows.get(step, []) if dot else []
        return _whole(this, found[0]).get(attribute) if found else None

    return look


def _value(expression: Expression, lookup: Lookup) -> Value:
    if isinstance(expression, Constant):
        number = isinstance(expression.value, (int, float)) and not isinstance(
            expression.value, bool
        )
        return Decimal(str(expression.value)) if number else expression.value
    return filled(expression, lookup)


def _number(value: Value) -> Value:
    """A constant as items hold it: numbers as decimals."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Decimal(str(value)) if is_number else value


def meets(condition: ItemCondition, item: Mapping[str, Value], lookup: Lookup) -> bool:
    """Whether an item meets a condition. One on a missing attribute is false, except `not`,
    `below_or_missing` and `above_or_missing`.
    """
    value = keys.value(condition.attribute, item.get)
    if condition.exists is not None:
        return (value is not None) == condition.exists
    if condition.not_ is not None:
        return value is None or not _same(value, _value(condition.not_, lookup))
    if condition.below_or_missing is not None:
        return value is None or _compares(value, _value(condition.below_or_missing, lookup)) == -1
    if condition.above_or_missing is not None:
        return value is None or _compares(value, _value(condition.above_or_missing, lookup)) == 1
    if condition.same_as is not None:
        return True
    if value is None:
        return False
    return all(_tests(condition, value, lookup))


def _tests(condition: ItemCondition, value: Value, lookup: Lookup) -> Iterator[bool]:
    if condition.is_ is not None:
        yield _same(value, _value(condition.is_, lookup))
    if condition.any_of is not None:
        yield any(_same(value, element) for element in lookup(condition.any_of) or ())
    for bound, holds in (
        (condition.from_, (0, 1)),
        (condition.after, (1,)),
        (condition.to, (-1, 0)),
        (condition.below, (-1,)),
    ):
        if bound is not None:
            yield _compares(value, _value(bound, lookup)) in holds
    if condition.begins_with is not None:
        prefix = _value(condition.begins_with, lookup)
        yield isinstance(value, str) and isinstance(prefix, str) and value.startswith(prefix)
    if condition.contains is not None:
        part = _value(condition.contains, lookup)
        yield part is not None and part in value


def _same(one: Value, other: Value) -> bool:
    return other is not None and sort_value(one) == sort_value(other)


def _compares(one: Value, other: Value) -> int | None:
    """-1, 0 or 1; None for a missing value and for values of two types, which are in no order."""
    if other is None:
        return None
    a, b = sort_value(one), sort_value(other)
    return (a[1] > b[1]) - (a[1] < b[1]) if a[0] == b[0] else None


def _comparable(key: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple(None if value is None else sort_value(value) for value in key)
