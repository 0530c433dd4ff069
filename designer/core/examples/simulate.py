"""Run an operation over the example items, in memory: which items it reads, returns, drops and
writes.

It is for the eye: the grid lights what a pattern reads. It follows the plan's steps exactly as
`designer.core.plan` defines them, except that nothing is ever written and no condition of a write
is tried.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from designer.core.design.document import Design
from designer.core.examples.item_conditions import as_stored, meets, value_of
from designer.core.examples.items import derived
from designer.core.examples.stored_items import (
    MOST_SHARDS,
    Parameters,
    StoredItem,
    comparable,
    index_key_names,
    is_in,
    primary_key,
    sort_value,
)
from designer.core.plan import (
    WRITES,
    Crossing,
    ItemCondition,
    Member,
    Operation,
    Periods,
    Plan,
    Repeat,
    ResultPart,
    Step,
    Table,
    keys,
    of_one_item,
)
from designer.core.plan.keys import Lookup, TemplateError, Value

_NUMBER = re.compile(r"[0-9]{1,9}")


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
    added: int = 0
    """Items that write steps put and the examples do not have, such as the guard of a new value."""

    @property
    def read(self) -> tuple[str, ...]:
        """Ids of the items that read steps read, in order, each once."""
        return tuple(dict.fromkeys(touch.item for touch in self.touched if touch.verb == "read"))

    @property
    def written(self) -> tuple[str, ...]:
        """Ids of the items that write steps put, change or delete, in order, each once."""
        written = (each.item for each in self.touched if each.verb not in ("read", "check"))
        return tuple(dict.fromkeys(written))

    @property
    def deleted(self) -> tuple[str, ...]:
        """Ids of those that write steps only delete."""
        others = {each.item for each in self.touched if each.verb in ("put", "update")}
        return tuple(
            dict.fromkeys(
                each.item
                for each in self.touched
                if each.verb == "delete" and each.item not in others
            )
        )

    @property
    def checked(self) -> tuple[str, ...]:
        """Ids of the items that write steps only check, in order, each once."""
        checked = dict.fromkeys(each.item for each in self.touched if each.verb == "check")
        return tuple(item for item in checked if item not in self.written)


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
    added: set[tuple[str, tuple[Value, ...]]] = field(default_factory=set)
    """The tables and keys of items that are put and not there yet."""

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
    always = {name: list(map(as_stored, some)) for name, some in operation.constants.items()}
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
        len(this.added),
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
                tuple(value_of(expression, lookup) for expression in key.values())
                for key in (step.key, *step.also)
            ]
            keys = [comparable(key) for key in wanted if None not in key]
            page = [
                item
                for item in items
                if comparable(tuple(item.values.get(name) for name in step.key)) in keys
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
        yield from _meeting(this, rows[: part.limit], part.then_keep)
        return
    for parent in above:
        yield from [row for row in rows if _belongs(part, row, parent)][: part.limit]


def _kept(this: _Run, rows: list[StoredItem], part: ResultPart | Repeat) -> list[StoredItem]:
    """Of some rows those that are kept, in the order that is asked."""
    rows = _meeting(this, rows, part.keep)
    if part.crossed is not None:
        rows = _crossed(part.crossed, rows, _lookup(this, {}))
    for line in reversed(part.order):
        name, _, way = line.partition(" ")
        rows = [row for row in rows if keys.value(name, row.values.get) is not None]
        rows.sort(
            key=lambda row: sort_value(keys.value(name, row.values.get)),
            reverse=way == "descending",
        )
    return rows


def _crossed(crossing: Crossing, rows: list[StoredItem], lookup: Lookup) -> list[StoredItem]:
    """One row of each group that has all elements of a list."""
    wanted = {sort_value(value) for value in lookup(crossing.values) or ()}
    groups: dict[tuple[Value, ...], list[StoredItem]] = {}
    for row in rows:
        same = tuple(row.values.get(name) for name in crossing.same)
        if None not in same:
            groups.setdefault(comparable(same), []).append(row)
    return [
        group[0]
        for group in groups.values()
        if wanted <= {sort_value(row.values.get(crossing.attribute)) for row in group}
    ]


def _meeting(
    this: _Run, rows: list[StoredItem], conditions: tuple[ItemCondition, ...]
) -> list[StoredItem]:
    lookup = _lookup(this, {})
    return [
        row
        for row in rows
        if all(
            meets(condition, row.values, lookup)
            for condition in conditions
            if condition.shape in (None, row.shape.shape)
        )
    ]


def _belongs(part: ResultPart, row: StoredItem, parent: StoredItem) -> bool:
    return all(row.values.get(name) == parent.values.get(theirs) for name, theirs in part.per)


def _whole(this: _Run, item: StoredItem) -> dict[str, Value]:
    entity = this.design.entity.get(item.shape.entity)
    return item.values if entity is None else derived(entity, item.values)


def _write(this: _Run, step: Step) -> None:
    for outer in _repeats(this, step.for_each):
        about = [
            (member, (member.table, key := comparable(_key(this, member, lookup))), (member, key))
            for member in step.members
            for lookup in _repeats(this, member.for_each, outer)
            if not _left_out(member, lookup)
        ]
        for (member, key), *_ in of_one_item(about):
            table = this.plan.table(member.table)
            found = [
                item
                for item in this.tables.get(member.table, [])
                if comparable(primary_key(table, item.values)) == key
            ]
            this.touched += [
                Touch(step.id, member.table, None, item.id, member.verb) for item in found
            ]
            if member.verb == "put" and not found and None not in key:
                this.added.add((member.table, key))


def _key(this: _Run, member: Member, lookup: Lookup) -> tuple[Value, ...]:
    """The primary key of the item that a member is about, None for what is missing."""
    templates = member.key or member.values
    return tuple(
        value_of(templates[name], lookup) if name in templates else None
        for name in _key_names(this.plan.table(member.table))
    )


def _key_names(table: Table) -> tuple[str, ...]:
    partition, sort = index_key_names(table, None)
    return partition + sort


def _left_out(member: Member, lookup: Lookup) -> bool:
    if member.unless_same is None:
        return False
    one, other = (value_of(text, lookup) for text in member.unless_same)
    return bool(one == other)


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
            for others in product(*(this.parameters.get(n) or () for n in repeat.and_values)):
                yield _lookup(
                    this, {**row, **dict(zip(repeat.and_values, others, strict=True))}, outer
                )
    else:
        yield outer or _lookup(this, {})


def _periods(periods: Periods | None, lookup: Lookup) -> Sequence[str | None]:
    if periods is None:
        return (None,)
    first, last = (value_of(bound, lookup) for bound in (periods.from_, periods.to))
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
