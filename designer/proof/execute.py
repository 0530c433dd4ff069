"""Run an operation of a plan as its document says, and put the answer together."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from designer.core.answers import Answered, Item, Parameters, Value, canonical, sort_key
from designer.core.messages import say
from designer.core.plan import Crossing, Operation, Result, ResultPart, Step, keys
from designer.proof.exchanges import Recorder, Sent
from designer.proof.run_state import (
    Binding,
    Call,
    Found,
    NotRunnableError,
    RefusedError,
    StopError,
    sorted_rows,
)
from designer.proof.run_writes import RunWrites
from designer.proof.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


PAUSE = 0.02
"""Seconds between rounds in which all was refused."""
MOST_ROUNDS = 100
"""How often what is done until nothing is found is tried; no index is behind for so long."""


@dataclass
class Outcome:
    """What came of an operation."""

    answered: Answered
    refused: bool = False
    calls: list[Call] = field(default_factory=list)


def execute(
    tables: Tables,
    operation: Operation,
    parameters: Parameters,
    sent: list[Sent] | None = None,
    client: Any = None,
) -> Outcome:
    """Run an operation; into `sent` goes each of its requests. `client`: another than the tables' own.

    A refused write is an outcome; whatever else the engine objects to is raised as its own error.
    """
    run = _Run(tables, operation, parameters)
    run.client = client or tables.client
    if sent is not None:
        run.client = cast("DynamoDBClient", Recorder(tables.client, sent))
    refused = False
    try:
        run.until_none() if operation.until_none else run.once()
    except RefusedError:
        refused = True
    except StopError:
        refused = any(step.members for step in operation.steps)
    return Outcome(run.answered(), refused, run.calls)


class _Run(RunWrites):
    """A run of an operation: its steps in their order, and its answer."""

    def once(self) -> None:
        """All steps in order."""
        for step in self.operation.steps:
            self.step(step)

    def until_none(self) -> None:
        """All steps in order, again and again until nothing is found; what is refused is passed over."""
        *reads, write = self.operation.steps
        for _ in range(MOST_ROUNDS):
            self.found, self.counted = {}, {}
            for step in reads:
                self.step(step)
            rows = list(self.repetitions(write.for_each, {}))
            if not rows:
                return
            done = [self.is_done_for(write, row) for row in rows]
            if not any(done):
                time.sleep(PAUSE)  # until the index knows
        raise NotRunnableError(say("items-still-found", rounds=MOST_ROUNDS))

    def is_done_for(self, step: Step, row: Binding) -> bool:
        """Write what a step says for one row; whether it was not refused."""
        members = [(member, row) for member in step.members]
        if step.call != "TransactWriteItems":
            return self.write_one(step, *members[0]) is True
        try:
            self.transact(step, members)
        except RefusedError:
            return False
        return True

    def step(self, step: Step) -> None:
        if step.members:
            self.write(step)
            return
        if step.goes_with is not None:
            return  # its items came with those of another
        self.found.setdefault(step.id, [])
        self.counted.setdefault(step.id, 0)
        bindings = list(self.repetitions(step.for_each, {}))
        read = self.queries if step.call == "Query" else self.gets
        missing = read(step, bindings)
        if step.when_missing == "stop" and any(missing):
            raise StopError

    def answered(self) -> Answered:
        result = self.operation.result
        if result is None or result.kind == "written":
            return Answered()
        parts: dict[str, list[Found]] = {}
        for part in sorted(result.parts, key=lambda p: (p.name != "rows", not p.required)):
            if not part.take:
                parts[part.name] = self.part(part, parts.get("rows", []))
            if part.required:
                mine = {_joined(row, [own for own, _ in part.per]) for row in parts[part.name]}
                theirs = [name for _, name in part.per]
                parts["rows"] = [row for row in parts["rows"] if _joined(row, theirs) in mine]
        if result.kind in ("rows", "one"):
            answered = {
                name: [(row.shape.entity, _own(row)) for row in rows]
                for name, rows in parts.items()
            }
            for part in result.parts:
                if part.crossed is not None:
                    answered[part.name] = _in_common(answered[part.name], part.crossed)
                if part.take:
                    answered[part.name] = self.taken(part, parts["rows"])
                if part.completes is not None:
                    more = answered.pop(part.name)
                    answered[part.completes] = _completed(answered[part.completes], part, more)
            return Answered(answered)
        return Answered(value=self.figure(result, [row for rows in parts.values() for row in rows]))

    def figure(self, result: Result, rows: Sequence[Found]) -> Value:
        counting = [step.id for step in self.operation.steps if step.count]
        count = len(rows) + sum(self.counted.get(step, 0) for step in counting)
        if result.kind == "count":
            return Decimal(count)
        if result.kind == "exists":
            return count > 0
        found = (keys.value(result.attribute or "", row.item.get) for row in rows)
        values = [value for value in found if value is not None]
        if result.kind == "sum":
            return sum(values, Decimal(0))
        if not values:
            return None
        if result.kind == "greatest":
            return max(values, key=sort_key)
        return min(values, key=sort_key)

    def taken(self, part: ResultPart, rows: Sequence[Found]) -> list[tuple[str, Item]]:
        """What the rows carry of something else, each once."""
        found: dict[Value, tuple[str, Item]] = {}
        for row in rows:
            if self.keeps(part, row):
                values = {name: row.item.get(of) for name, of in part.take.items()}
                item = {name: value for name, value in values.items() if value is not None}
                found.setdefault(canonical(item), (part.entity or "", item))
        return list(found.values())

    def embedded(self, part: ResultPart, row: Found) -> Iterator[Found]:
        """The embedded items of a part that lie in an item that was read."""
        for shape in self.tables.plan.embedded_in(row.shape.shape):
            place = shape.inside
            held = row.item.get(place.attribute) if place is not None else None
            if place is None or held is None or shape.shape not in part.shapes:
                continue
            same = {own: row.item[t] for own, t in place.same.items() if t in row.item}
            for element in held.values() if place.at is not None else [held]:
                yield Found({**element, **same}, shape, row.bindings)

    def part(self, part: ResultPart, owners: Sequence[Found]) -> list[Found]:
        """The rows of a part; of what comes along, those that belong to a row of the answer."""
        rows = [
            row
            for step in part.steps
            for read in self.found.get(step, ())
            for row in (read, *self.embedded(part, read))
            if self.belongs(part, row)
        ]
        rows = sorted_rows(self.crossed(part, rows), part.order)
        if not part.per:
            return [row for row in rows[: part.limit] if self.meets(part.then_keep, row)]
        counts = {_joined(owner, [theirs for _, theirs in part.per]): 0 for owner in owners}
        kept = []
        for row in rows:
            key = _joined(row, [own for own, _ in part.per])
            if key in counts and (part.limit is None or counts[key] < part.limit):
                counts[key] += 1
                kept.append(row)
        return kept


def _joined(row: Found, names: Sequence[str]) -> tuple[Value, ...]:
    """What joins a row to others: its values of some attributes."""
    return tuple(canonical(row.item.get(name)) for name in names)


def _completed(
    rows: Sequence[tuple[str, Item]], part: ResultPart, more: Sequence[tuple[str, Item]]
) -> list[tuple[str, Item]]:
    """Rows with the attributes that a part read of them elsewhere."""

    def key(item: Item, side: int) -> Value:
        return tuple(canonical(item.get(names[side])) for names in part.per)

    if part.adds:
        return [
            (entity, _added_up(item, part, [one for _, one in more if key(one, 0) == key(item, 1)]))
            for entity, item in rows
        ]
    there = {key(item, 0): item for _, item in more}
    return [(entity, {**item, **there.get(key(item, 1), {})}) for entity, item in rows]


def _added_up(row: Item, part: ResultPart, counters: Sequence[Item]) -> Item:
    """A row with the sums of its numbers and those of its counters, where any of them has one."""
    found = {}
    for name in part.adds:
        known = [value for one in (row, *counters) if (value := one.get(name)) is not None]
        if known:
            found[name] = sum(known, Decimal(0))
    return {**row, **found}


def _in_common(rows: Sequence[tuple[str, Item]], crossing: Crossing) -> list[tuple[str, Item]]:
    """Of rows that stand for groups, what a group has in common."""
    return [(entity, {name: item[name] for name in crossing.same}) for entity, item in rows]


def _own(row: Found) -> Item:
    """Of what was read, the attributes of the entity itself."""
    same = row.shape.inside.same if row.shape.inside is not None else {}
    own = {name for name, stored in row.shape.attributes.items() if stored.from_ is None}
    return {name: value for name, value in row.item.items() if name in own or name in same}
