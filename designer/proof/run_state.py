"""A run of an operation, and the values that its steps take from what was read before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from typing import Any

from designer.core.answers import Item, Parameters, Value, canonical, number, sort_key
from designer.core.errors import SaidError
from designer.core.messages import say
from designer.core.plan import (
    Expression,
    ItemCondition,
    Member,
    Operation,
    Periods,
    Repeat,
    ResultPart,
    Shape,
    Step,
    keys,
)
from designer.proof.expressions import (
    Words,
    condition_expression,
    expressions_of,
    holds,
    tested_with,
    value_of,
)
from designer.proof.tables import Tables
from designer.proof.values import Wire, item_from_wire

MOST_IN_TRANSACTION = 100
Binding = Mapping[tuple[str, str], Any]
"""What is current while a step repeats: elements of list parameters, rows of earlier steps."""
EACH = "each"
"""Stands before `period` and `number`, the ones that are current."""


class NotRunnableError(SaidError):
    """The plan asks for something that cannot be done."""


@dataclass
class Call:
    """What one request did."""

    step: str
    call: str
    read: int = 0
    """Items read, before any filter."""
    returned: int = 0
    capacity: list[dict[str, Any]] = field(default_factory=list)
    """The capacity that the engine reported, table by table."""

    @property
    def is_read(self) -> bool:
        """Whether it read, and used read units."""
        return self.call in ("GetItem", "Query", "BatchGetItem", "TransactGetItems")


@dataclass(frozen=True, eq=False)
class Found:
    """An item that a step read, its shape, and for what it was read."""

    item: Item
    shape: Shape
    bindings: tuple[Binding, ...]


class RefusedError(Exception):
    pass


class StopError(Exception):
    pass


class RunState:
    """What a run of an operation has so far, and the values that its steps take from it."""

    def __init__(self, tables: Tables, operation: Operation, parameters: Parameters) -> None:
        self.tables = tables
        self.client = tables.client
        self.operation = operation
        always = {name: list(map(number, some)) for name, some in operation.constants.items()}
        self.parameters: Parameters = {**parameters, **always}
        self.found: dict[str, list[Found]] = {}
        self.counted: dict[str, int] = {}
        self.calls: list[Call] = []

    def lookup(self, name: str, binding: Binding) -> Value:
        step, _, attribute = name.rpartition(".")
        if step == EACH:
            return binding.get((EACH, attribute))
        if step:
            row = self.row_of(step, binding)
            return None if row is None else row.item.get(attribute)
        for (kind, source), element in binding.items():
            if kind == "values":
                if isinstance(element, Mapping):
                    if element.get(name) is not None:
                        return element[name]
                elif source == name:
                    return element
        return self.parameters.get(name)

    def row_of(self, step: str, binding: Binding) -> Found | None:
        """The current row of a step, or the first that was read for what is current."""
        current: Found | None = binding.get(("rows", step))
        if current is not None:
            return current
        for row in self.found.get(step, ()):
            for read_for in row.bindings:
                if all(read_for.get(key, element) is element for key, element in binding.items()):
                    return row
        return None

    def value(self, expression: Expression, binding: Binding) -> Value:
        return value_of(expression, lambda name: self.lookup(name, binding))

    def numbers(self, repeat: Repeat) -> Sequence[int | None]:
        if repeat.drawn:
            return (next(self.tables.draws) % repeat.drawn,)
        return range(repeat.numbers) if repeat.numbers else (None,)

    def elements(self, repeat: Repeat, outer: Binding) -> Iterator[dict[tuple[str, str], Any]]:
        """For each row or element; once where neither is named."""
        if repeat.rows is not None:
            rows = [
                row
                for row in self.found.get(repeat.rows, ())
                if repeat.shape in (None, row.shape.shape) and self.keeps(repeat, row)
            ]
            rows = self.crossed(repeat, rows)
            for row in sorted_rows(rows, repeat.order)[: repeat.limit]:
                yield {**row.bindings[0], **outer, ("rows", repeat.rows): row}
        elif repeat.values is not None:
            names = (repeat.values, *repeat.and_values)
            given = (self.parameters.get(name) or () for name in names)
            for elements in product(*given):
                each = zip(names, elements, strict=True)
                yield {**outer, **{("values", name): element for name, element in each}}
        else:
            yield dict(outer)

    def periods(self, periods: Periods | None, binding: Binding) -> Sequence[str | None]:
        if periods is None:
            return (None,)
        bounds = [self.value(bound, binding) for bound in (periods.from_, periods.to)]
        if None in bounds:
            return ()
        found = keys.periods(periods.form, *bounds)
        return found[::-1] if periods.newest_first else found

    def repetitions(self, repeat: Repeat | None, outer: Binding) -> Iterator[Binding]:
        if repeat is None:
            yield outer
            return
        for binding in self.elements(repeat, outer):
            for period in self.periods(repeat.periods, binding):
                for shard in self.numbers(repeat):
                    each = {(EACH, "period"): period, (EACH, "number"): shard}
                    yield binding | {key: one for key, one in each.items() if one is not None}

    def conditions(self, member: Member, binding: Binding, words: Words) -> str:
        def read_before(step: str, attribute: str) -> Value:
            return self.lookup(f"{step}.{attribute}", binding)

        def said(conditions: Sequence[ItemCondition]) -> str:
            return condition_expression(
                conditions, lambda name: self.lookup(name, binding), read_before, words
            )

        either = " OR ".join(map(said, member.any_))
        return " AND ".join(filter(None, (said(member.if_), either and f"({either})")))

    def key(self, key: Mapping[str, Expression], binding: Binding) -> Item | None:
        values = {name: self.value(expression, binding) for name, expression in key.items()}
        return None if any(value in (None, "", b"") for value in values.values()) else values

    def keeps(self, part: ResultPart | Repeat, row: Found) -> bool:
        return self.meets(part.keep, row)

    def meets(self, conditions: Iterable[ItemCondition], row: Found) -> bool:
        return all(
            holds(condition, row.item, lambda name: self.lookup(name, row.bindings[0]))
            for condition in conditions
            if condition.shape in (None, row.shape.shape)
        )

    def crossed(self, part: ResultPart | Repeat, rows: list[Found]) -> list[Found]:
        """One row of each group that has all elements of a list, where that is asked."""
        crossing = part.crossed
        if crossing is None:
            return rows
        wanted = {canonical(value) for value in self.parameters.get(crossing.values) or ()}
        groups: dict[Value, list[Found]] = {}
        for row in rows:
            same = [row.item.get(name) for name in crossing.same]
            if None not in same:
                groups.setdefault(canonical(same), []).append(row)
        return [
            group[0]
            for group in groups.values()
            if wanted <= {canonical(row.item.get(crossing.attribute)) for row in group}
        ]

    def belongs(self, part: ResultPart, row: Found) -> bool:
        return row.shape.shape in part.shapes and self.keeps(part, row)

    def note(self, step: Step, answer: Any, read: int = 0, returned: int = 0) -> None:
        """Keep what a request did."""
        reported = answer.get("ConsumedCapacity") or []
        if isinstance(reported, Mapping):
            reported = [reported]
        self.calls.append(Call(step.id, step.call, read, returned, list(reported)))

    def row(self, step: Step, wire: Wire, bindings: Sequence[Binding]) -> Found:
        item = item_from_wire(wire)
        shape = self.shape(step, item)
        for name in set(step.from_keys.values()):
            found = keys.read_back(shape.set[name], item[name])
            item |= {one: found[one] for one, key in step.from_keys.items() if key == name}
        return Found(item, shape, tuple(bindings))

    def shape(self, step: Step, item: Item) -> Shape:
        found = self.tables.shape(step.table, item, step.shapes)
        if found is None:
            raise NotRunnableError(say("item-of-unknown-shape", step=step.id, item=str(item)))
        return found

    def distinct(self, step: Step, bindings: Sequence[Binding]) -> list[list[Binding]]:
        """The repetitions to run; with `distinct` those that ask for the same are one."""
        if step.for_each is None or not step.for_each.distinct:
            return [[binding] for binding in bindings]
        groups: dict[Value, list[Binding]] = {}
        for binding in bindings:
            asked = chain(map(expressions_of, step.where), map(tested_with, step.filter))
            key = tuple(
                canonical(self.value(expression, binding))
                for expression in chain.from_iterable(asked)
            )
            groups.setdefault(key, []).append(binding)
        return list(groups.values())

    def enough(self, step: Step, rows: Sequence[Found]) -> bool:
        if step.pages != "until" or self.operation.result is None:
            return False
        parts = {part.name: part for part in self.operation.result.parts}
        return all(
            sum(self.belongs(parts[name], row) for row in rows) >= wanted
            for name, wanted in step.until.items()
        )


def sorted_rows(rows: list[Found], order: Sequence[str]) -> list[Found]:
    """Rows sorted by some attributes, the first being the most important, without those that lack one."""
    for line in reversed(order):
        name, _, way = line.partition(" ")
        rows = sorted(
            (row for row in rows if keys.value(name, row.item.get) is not None),
            key=lambda row: sort_key(keys.value(name, row.item.get)),
            reverse=way == "descending",
        )
    return rows
